/**
 * The git command: the one place that runs a program which is not ours. A repository that comes from somebody else is
 * only read. There is no shell, only plumbing is used, and nothing that a repository can say (in its configuration,
 * attributes, hooks, aliases or by objects that it leaves out) makes git run a command or open a connection:
 *
 * - no protocol is allowed and nothing is fetched, so that no helper, proxy, password program or ssh is started,
 * - the settings that name a program are overruled, and those of the surroundings (GIT_*) are not passed on,
 * - what git says is bounded: the length of a record, and how long it may say nothing.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { FreshdexError } from '../../base/errors.js'
import { ByteReader } from './files.js'

const MAX_ANSWER_LINE_BYTES = 4096
const MAX_COMPLAINT_LENGTH = 500
/** A record is at most a path with some numbers. */
const MAX_RECORD_UNITS = 64 * 1024
/** A pipe or device in the place of a file of the repository would make git wait for ever. */
const DEFAULT_SILENCE_MS = 60_000

type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>

/** A repository as it is asked. */
export interface GitSource {
  readonly repository: string
  /** How long git may say nothing. Default one minute. */
  readonly silenceMs?: number | undefined
}

/** What git prints, cut at each `separator`. */
export async function* gitRecords(
  source: GitSource,
  args: readonly string[],
  separator: '\n' | '\0',
): AsyncGenerator<string> {
  const git = start(source.repository, args)
  const ended = ending(git, args)
  // Whoever stops listening does not wait for it.
  ended.catch(() => {})
  git.stdin.end()
  const chunks = (git.stdout.setEncoding('utf8') as AsyncIterable<string>)[Symbol.asyncIterator]()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await heard(git, source, args, () => chunks.next())
      if (done === true) break
      const records = (rest + value).split(separator)
      rest = records.pop()!
      if (rest.length > MAX_RECORD_UNITS)
        throw failure(`git ${args[0]} gave a record of more than ${rest.length} units`)
      yield* records
    }
    await ended
    if (rest !== '') yield rest
  } finally {
    git.kill()
    git.stdout.destroy()
  }
}

/** Gives the contents of objects, one after the other, from one process. */
export class BlobReader {
  readonly #source: GitSource
  readonly #git: GitProcess
  readonly #ended: Promise<void>
  readonly #answers: ByteReader

  constructor(source: GitSource) {
    this.#source = source
    this.#git = start(source.repository, BATCH)
    this.#ended = ending(this.#git, BATCH)
    this.#ended.catch(() => {})
    this.#answers = new ByteReader(this.#git.stdout as AsyncIterable<Buffer>)
  }

  /** REQUIRES: the object has `bytes` bytes, as git has told. */
  async read(object: string, bytes: number): Promise<Buffer> {
    return heard(this.#git, this.#source, BATCH, () => this.#read(object, bytes))
  }

  async #read(object: string, bytes: number): Promise<Buffer> {
    this.#git.stdin.write(`${object}\n`)
    const head = await this.#answers.line(MAX_ANSWER_LINE_BYTES)
    if (head === undefined) await this.#ended
    const size = /^[0-9a-f]+ blob (\d{1,15})$/.exec(head ?? '')?.[1]
    if (Number(size) !== bytes) throw failure(`git cannot read the object ${object}: ${head ?? 'it said nothing'}`)
    const content = await this.#answers.take(bytes)
    const end = await this.#answers.skip(1)
    if (content.length < bytes || end < 1) throw failure(`git broke off while it read the object ${object}`)
    return content
  }

  close(): void {
    this.#git.stdin.end()
    this.#git.kill()
  }
}

const BATCH = ['cat-file', '--batch'] as const

/** What a repository may set and what would run a program, or read more than objects. */
const OVERRULED: readonly (readonly [setting: string, value: string])[] = [
  ['protocol.allow', 'never'],
  ['core.sshCommand', 'false'],
  ['core.askPass', 'false'],
  ['credential.helper', ''],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['gpg.program', 'false'],
  ['log.showSignature', 'false'],
  ['core.attributesFile', '/dev/null'],
  // Only caches: what they say would be believed without a look at the objects.
  ['core.commitGraph', 'false'],
  ['core.multiPackIndex', 'false'],
]

function start(repository: string, args: readonly string[]): GitProcess {
  const overruled = OVERRULED.flatMap(([setting, value]) => ['-c', `${setting}=${value}`])
  const frame = ['-C', repository, '--no-pager', '--no-optional-locks', '--no-replace-objects']
  const git = spawn('git', [...frame, ...overruled, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env: surroundings() })
  // A process that has ended takes no more questions; its ending says why.
  git.stdin.on('error', () => {})
  return git
}

function surroundings(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  // Git works in the folder of the repository: a relative entry would have it look there for its helpers.
  const programs = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return {
    ...Object.fromEntries(own),
    PATH: programs.join(path.delimiter),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    // Names no protocol that there is: all are refused.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ASKPASS: 'false',
    SSH_ASKPASS: 'false',
    GIT_SSH_COMMAND: 'false',
  }
}

/** What git answers, unless it says nothing for too long: then it is ended. */
async function heard<T>(
  git: GitProcess,
  { repository, silenceMs = DEFAULT_SILENCE_MS }: GitSource,
  args: readonly string[],
  answer: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      git.kill('SIGKILL')
      const message = `git ${args[0]} said nothing for ${silenceMs / 1000} s: is something in '${repository}' a pipe?`
      reject(new FreshdexError('IO', message, { detail: { silenceMs } }))
    }, silenceMs)
  })
  try {
    return await Promise.race([answer(), silence])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether git was ended because it said nothing. */
export function isSilence(error: unknown): boolean {
  return error instanceof FreshdexError && error.detail?.silenceMs !== undefined
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
