/** Runs a program of the benchmarks in a process of its own. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What the program prints as JSON. Its stderr is shown. */
export function runProgram<Result>(name: string, spec: object): Result {
  const program = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  const { status, signal, error, stdout } = spawnSync(process.execPath, [program, JSON.stringify(spec)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${name} ended with ${signal ?? `status ${status}`}`)
  return JSON.parse(stdout) as Result
}
