/**
 * Runs the built program in the process of the test: its own main function, with the words, the folder and the standard
 * streams of a command line. That saves a command the start of a process, most of what a short command costs. What a
 * process alone can show (signals, pipes that close, a terminal, its end) is tested with processes, and
 * `same-as-process.test.ts` holds both ways to the same output for every command.
 */
import { constants } from 'node:os'
import { Readable, Writable } from 'node:stream'
import { runProgram } from '../../dist/cli/program.js'
import type { Ending } from './program.js'

/** As much as a pipe hands over at once. */
const PIPE_BYTES = 64 * 1024
const SIGNALS = Object.keys(constants.signals) as NodeJS.Signals[]

let last: Promise<unknown> = Promise.resolve()

/** One at a time: the folder and the streams are those of the whole process. */
export function runInProcess(folder: string, input: string | Uint8Array, args: readonly string[]): Promise<Ending> {
  const ending = last.then(() => runAlone(folder, input, args))
  last = ending.catch(() => {})
  return ending
}

async function runAlone(folder: string, input: string | Uint8Array, args: readonly string[]): Promise<Ending> {
  const stdout = new Collector()
  const stderr = new Collector()
  const undo = [
    exchange('stdin', pipeOf(input)),
    exchange('stdout', stdout),
    exchange('stderr', stderr),
    exchange('argv', [...process.argv.slice(0, 2), ...args]),
    enter(folder),
    keepListeners(),
  ]
  const { exitCode } = process
  process.exitCode = undefined
  try {
    await runProgram(args)
    return { status: Number(process.exitCode ?? 0), stdout: stdout.text, stderr: stderr.text }
  } finally {
    process.exitCode = exitCode
    for (const each of undo.reverse()) each()
  }
}

function pipeOf(input: string | Uint8Array): Readable {
  const bytes = Buffer.from(input as Uint8Array)
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIPE_BYTES) }, (_, at) =>
    bytes.subarray(at * PIPE_BYTES, (at + 1) * PIPE_BYTES),
  )
  // The descriptor is that of the worker's own standard input, which is no regular file either.
  return Object.assign(Readable.from(pieces), { fd: 0 })
}

class Collector extends Writable {
  readonly #pieces: Buffer[] = []

  override _write(piece: Buffer, _: string, done: () => void): void {
    this.#pieces.push(piece)
    done()
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString('utf8')
  }
}

function exchange(name: 'stdin' | 'stdout' | 'stderr' | 'argv', value: unknown): () => void {
  const kept = Object.getOwnPropertyDescriptor(process, name)!
  Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true })
  return () => Object.defineProperty(process, name, kept)
}

function enter(folder: string): () => void {
  const left = process.cwd()
  process.chdir(folder)
  return () => process.chdir(left)
}

/** Listeners for signals end with the process of a command. */
function keepListeners(): () => void {
  const kept = new Map(SIGNALS.map((name) => [name, process.listeners(name)]))
  return () => {
    for (const [name, listeners] of kept) {
      for (const each of process.listeners(name)) if (!listeners.includes(each)) process.off(name, each)
    }
  }
}
