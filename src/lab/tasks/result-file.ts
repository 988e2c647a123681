/**
 * Results of a run, one line each as they come, so that a run that was stopped goes on where it was. The first line says what was asked; a file
 * of another question is refused. A line that was being written when the run stopped is dropped.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { describe } from '../../describe.js'
import { FreshdexError } from '../../errors.js'

/** What all results of a file have in common, flat. */
export interface ResultQuestion {
  readonly experiment: string
  readonly [name: string]: string | number | boolean | null
}

const FORMAT = 'freshdex lab results 1'

export class ResultFile<Task, Row> {
  /** Its name, as it was given. */
  readonly file: string
  readonly #descriptor: number
  readonly #rows = new Map<string, Row>()

  /** Makes the file where there is none. FreshdexError CORRUPT for a file that holds something else, MISMATCH for one of another question. */
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
      const message = `the results in ${this.file} are of another run: ${other} is ${describe(found[other])} there and ${describe(header[other])} here`
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

  /** One call for a line: what a stop leaves behind is a beginning of it. */
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
