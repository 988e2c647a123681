/**
 * The git command, asked without a shell. Only plumbing is used: no setting of a repository makes it run anything else.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { FreshdexError } from '../../base/errors.js'
import { ByteReader } from './files.js'

const MAX_ANSWER_LINE_BYTES = 4096
const MAX_COMPLAINT_LENGTH = 500

type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>

/** What git prints, cut at each `separator`. */
export async function* gitRecords(
  repository: string,
  args: readonly string[],
  separator: '\n' | '\0',
): AsyncGenerator<string> {
  const git = start(repository, args)
  const ended = ending(git, args)
  // Whoever stops listening does not wait for it.
  ended.catch(() => {})
  git.stdin.end()
  let rest = ''
  try {
    for await (const chunk of git.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      const records = (rest + chunk).split(separator)
      rest = records.pop()!
      yield* records
    }
    await ended
    if (rest !== '') yield rest
  } finally {
    git.kill()
  }
}

/** Gives the contents of objects, one after the other, from one process. */
export class BlobReader {
  readonly #git: GitProcess
  readonly #ended: Promise<void>
  readonly #answers: ByteReader

  constructor(repository: string) {
    const args = ['cat-file', '--batch']
    this.#git = start(repository, args)
    this.#ended = ending(this.#git, args)
    this.#ended.catch(() => {})
    this.#answers = new ByteReader(this.#git.stdout as AsyncIterable<Buffer>)
  }

  async read(object: string): Promise<Buffer> {
    this.#git.stdin.write(`${object}\n`)
    const head = await this.#answers.line(MAX_ANSWER_LINE_BYTES)
    if (head === undefined) await this.#ended
    const size = /^[0-9a-f]+ blob (\d{1,15})$/.exec(head ?? '')?.[1]
    if (size === undefined) throw failure(`git cannot read the object ${object}: ${head ?? 'it said nothing'}`)
    const content = await this.#answers.take(Number(size))
    const end = await this.#answers.skip(1)
    if (content.length < Number(size) || end < 1) throw failure(`git broke off while it read the object ${object}`)
    return content
  }

  close(): void {
    this.#git.stdin.end()
    this.#git.kill()
  }
}

function start(repository: string, args: readonly string[]): GitProcess {
  const git = spawn('git', ['-C', repository, '--no-optional-locks', '--no-replace-objects', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
  })
  // A process that has ended takes no more questions; its ending says why.
  git.stdin.on('error', () => {})
  return git
}

/** Rejects when git could not start or ended badly, with what it complained of. */
function ending(git: GitProcess, args: readonly string[]): Promise<void> {
  let complaint = ''
  git.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, MAX_COMPLAINT_LENGTH)
  })
  return new Promise((resolve, reject) => {
    git.once('error', (error) => reject(failure(`git could not be started: ${error.message}`, error)))
    git.once('close', (status, signal) => {
      const reason = complaint.trim() || `it ended with ${status ?? signal}`
      if (status === 0) resolve()
      else reject(failure(`git ${args[0]} failed: ${reason}`))
    })
  })
}

function failure(message: string, cause?: unknown): FreshdexError {
  return new FreshdexError('IO', message, { cause })
}
