/** Runs a script of this folder in a process of its own, on the built package, as an application would. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Ending {
  readonly code: number | null
  /** Not null after a crash, and after a hang, which is ended by force. */
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Only there to end a process that hangs; far beyond what any script here takes. */
const HANG_MS = 600_000

export function runChild(
  script: string,
  args: readonly string[] = [],
  nodeArgs: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ending> {
  const file = fileURLToPath(new URL(script, import.meta.url))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeArgs, file, ...args], {
      timeout: HANG_MS,
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text
    })
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, ...output }))
  })
}
