/**
 * Results of a run, one line each as they come, so that a run that was stopped goes on where it was. The first line
 * says what was asked; a file of another question is refused. A line that was being written when the run stopped is
 * dropped.
 */

import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe } from '../../base/describe.js'
import { FreshdexError } from '../../base/errors.js'
import { LINKS_FILE, PAGES_FILE, QUERIES_FILE, WEEKS_FILE } from '../worlds/snapshot-format.js'
import { unreadable } from '../worlds/world.js'

/** What all results of a file have in common. Its values are not nested, so that two of them can be compared. */
export interface ResultQuestion {
  readonly experiment: string
  readonly [name: string]: string | number | boolean | null
}

const FORMAT = 'freshdex lab results 1'

export class ResultFile<Task, Row> {
  /** The name of the file, as it was given. */
  readonly file: string
  readonly #descriptor: number
  readonly #rows = new Map<string, Row>()

  /**
   * Makes the file where there is none. FreshdexError CORRUPT for a file that holds something else, MISMATCH for one of
   * another question.
   */
  constructor(file: string, question: ResultQuestion) {
    this.file = file
    const header = { format: FORMAT, ...question }
    const headerLine = `${JSON.stringify(header)}\n`
    const content = this.#read()
    const whole = content.slice(0, content.lastIndexOf('\n') + 1)
    if (whole === '' && !headerLine.startsWith(content)) throw this.#foreign()
    if (whole !== '') this.#take(whole, header)
    this.#descriptor = this.#try(() => openSync(file, 'a'))
    this.#try(() => ftruncateSync(this.#descriptor, Buffer.byteLength(whole)))
    if (whole === '') this.#append(headerLine)
  }

  /** How many results it holds. */
  get size(): number {
    return this.#rows.size
  }

  get(task: Task): Row | undefined {
    return this.#rows.get(JSON.stringify(task))
  }

  add(task: Task, row: Row): void {
    this.#append(`${JSON.stringify({ task, row })}\n`)
    this.#rows.set(JSON.stringify(task), row)
  }

  close(): void {
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
  }

  #read(): string {
    try {
      return readFileSync(this.file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
      throw this.#unusable(error)
    }
  }

  #take(content: string, header: Readonly<Record<string, unknown>>): void {
    const [first, ...lines] = content.split('\n').slice(0, -1)
    const found = parsed(first!)
    if (found?.format !== FORMAT) throw this.#foreign()
    const other = [...new Set([...Object.keys(header), ...Object.keys(found)])].find(
      (name) => found[name] !== header[name],
    )
    if (other !== undefined) {
      const [there, here] = [describe(found[other]), describe(header[other])]
      const message = `the results in ${this.file} are of another run: ${other} is ${there} there and ${here} here`
      throw new FreshdexError('MISMATCH', message, { detail: { file: this.file } })
    }
    for (const [at, line] of lines.entries()) {
      const result = parsed(line)
      const isResult = typeof result?.task === 'object' && typeof result.row === 'object' && result.row !== null
      if (!isResult) {
        const message = `line ${at + 2} of ${this.file} holds no result, received ${describe(line)}`
        throw new FreshdexError('CORRUPT', message, { detail: { file: this.file, line: at + 2 } })
      }
      this.#rows.set(JSON.stringify(result.task), result.row as Row)
    }
  }

  /** A line is written by one call, so that a stop leaves nothing but a beginning of it. */
  #append(line: string): void {
    this.#try(() => writeSync(this.#descriptor, line))
  }

  #try<T>(call: () => T): T {
    try {
      return call()
    } catch (error) {
      throw this.#unusable(error)
    }
  }

  #unusable(error: unknown): FreshdexError {
    const { code, message } = error as NodeJS.ErrnoException
    const detail = { file: this.file }
    return new FreshdexError(code === 'ENOSPC' ? 'DISK_FULL' : 'IO', `${this.file}: ${message}`, {
      detail,
      cause: error,
    })
  }

  #foreign(): FreshdexError {
    const message = `${this.file} is no file of results of the lab; it was left as it is`
    return new FreshdexError('CORRUPT', message, { detail: { file: this.file } })
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/**
 * A digest of what a folder says, so that results of one world are not taken for those of another. Names and bytes of
 * the files that tell of the world count; notes beside them do not. FreshdexError IO for a folder that cannot be read.
 */
export async function folderDigest(folder: string, queriesFile: string = QUERIES_FILE): Promise<string> {
  try {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    const ofWorld = [PAGES_FILE, WEEKS_FILE, queriesFile, LINKS_FILE]
    const told = files.includes(PAGES_FILE) ? ofWorld.filter((name) => files.includes(name)) : files.sort()
    const whole = createHash('sha256')
    for (const name of told) whole.update(`${name}\0${await fileDigest(path.join(folder, name))}\n`)
    return whole.digest('hex')
  } catch (error) {
    throw unreadable(folder, error)
  }
}

async function fileDigest(file: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(file)) digest.update(chunk as Uint8Array)
  return digest.digest('hex')
}
