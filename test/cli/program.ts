/** Runs the built program in a folder of its own, as a shell would: in a process of its own, or in that of the test. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { IS_LONG } from '../support/rounds.js'
import { makeTemporaryFolder } from '../support/temporary-root.js'
import { runInProcess } from './program-in-process.js'

const program = fileURLToPath(new URL('../../dist/cli/freshdex.js', import.meta.url))

export interface Ending {
  /** Null after a signal. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export type Running = ChildProcessByStdio<Writable, Readable, Readable>

export class Workplace {
  readonly folder = makeTemporaryFolder('cli')

  path(name: string): string {
    return path.join(this.folder, name)
  }

  /** A file of JSON lines. */
  write(name: string, documents: Iterable<unknown>): string {
    writeFileSync(this.path(name), jsonLines(documents))
    return name
  }

  start(...args: readonly string[]): Running {
    return spawn(process.execPath, [program, ...args], { cwd: this.folder, stdio: ['pipe', 'pipe', 'pipe'] })
  }

  /** In the process of the test; in one of its own where testing takes long anyway. */
  run(...args: readonly string[]): Promise<Ending> {
    return this.feed('', ...args)
  }

  /** With something to read on standard input. */
  feed(input: string | Uint8Array, ...args: readonly string[]): Promise<Ending> {
    return IS_LONG ? this.feedProcess(input, ...args) : this.feedHere(input, ...args)
  }

  feedHere(input: string | Uint8Array, ...args: readonly string[]): Promise<Ending> {
    return runInProcess(this.folder, input, args)
  }

  runProcess(...args: readonly string[]): Promise<Ending> {
    return this.feedProcess('', ...args)
  }

  feedProcess(input: string | Uint8Array, ...args: readonly string[]): Promise<Ending> {
    const child = this.start(...args)
    // A program that stops in the middle of its input closes the pipe; what it printed says why.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    return ending(child)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function ending(child: Running): Promise<Ending> {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, ...output }))
  })
}

/** How a command ends that was called wrongly or, with status 1, failed: one line of complaint, nothing else. */
export function refused(pattern: string, status: 1 | 2 = 2) {
  return { status, stdout: '', stderr: expect.stringMatching(new RegExp(`^freshdex: .*${pattern}.*\n$`)) }
}

export function jsonLines(values: Iterable<unknown>): string {
  return Array.from(values, (value) => `${JSON.stringify(value)}\n`).join('')
}

/** The pages that most tests are about. */
export const PAGES = [
  { url: '/ferry', title: 'Ferry timetable', body: 'The ferry leaves at dawn and comes back at dusk.' },
  { url: '/market', title: 'Market day', body: 'Fish, bread, and a ferry ride for the children.' },
  { url: '/harbour', title: 'The harbour', body: 'Boats of all sizes.' },
]

export const PAGE_OPTIONS = ['--key', 'url', '--field', 'title:2', '--field', 'body', '--analyzer', 'english']
