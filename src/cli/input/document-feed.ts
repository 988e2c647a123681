/**
 * Writes lines of JSON into an index, batch by batch. At most one batch is being written while the next one is
 * gathered: lines are asked for no faster than they are written, and memory holds two batches, however long the input.
 */
import { thousands } from '../../base/counts.js'
import { describe } from '../../base/describe.js'
import type { Key, WriteBatch, WriteReport } from '../../index.js'
import type { Document } from '../index-access.js'
import { failureCode } from '../output/output.js'
import { type InputLine, type LineFault, LineRefused, TOO_LONG } from './lines.js'

/** A batch ends when its lines have so many bytes, even if it could take more documents. */
const MAX_BATCH_BYTES = 32 * 1024 * 1024
/** How many refused lines are reported one by one. */
const MAX_REPORTED = 10
/** How many names of properties are kept: documents may have names that never come again. */
const MAX_PROPERTIES = 1000
/** How many of them a message lists. */
const MAX_LISTED = 12

export interface FeedOptions {
  /** The most documents of a batch. */
  readonly batch: number
  /** Lines are keys to remove, not documents to put. */
  readonly remove: boolean
  readonly onError: 'stop' | 'skip'
  /** The property that identifies a document. */
  readonly key: string
  /** Called after each batch with the number of its lines. */
  readonly onWritten?: (lines: number) => void
}

export interface FeedTally {
  /** Documents put: added, replaced or unchanged. */
  documents: number
  added: number
  replaced: number
  unchanged: number
  removed: number
  /** Keys to remove that were not there. */
  missing: number
  batches: number
  /** Lines that were skipped because of a fault. */
  skipped: number
  /** The first few faults. */
  errors: LineFault[]
}

/** A line with its value, or with the reason why it has none. */
type Item = { readonly line: InputLine } & ({ readonly value: unknown } | { readonly fault: Error })

export class DocumentFeed {
  readonly tally: FeedTally = {
    documents: 0,
    added: 0,
    replaced: 0,
    unchanged: 0,
    removed: 0,
    missing: 0,
    batches: 0,
    skipped: 0,
    errors: [],
  }
  readonly #write: (batch: WriteBatch<Document>) => Promise<WriteReport>
  readonly #options: FeedOptions
  readonly #properties = new Set<string>()
  #underWay: Promise<void> = Promise.resolve()

  constructor(write: (batch: WriteBatch<Document>) => Promise<WriteReport>, options: FeedOptions) {
    this.#write = write
    this.#options = options
  }

  /** Names of properties that documents had, in the order of the lines. */
  get properties(): readonly string[] {
    return [...this.#properties]
  }

  /**
   * Writes all lines. When `stop` is aborted, by the caller or because a write failed, the batch under way is finished
   * and the one being gathered forgotten. Rejects with the first failure, in the order of the lines.
   */
  async run(lines: AsyncIterable<InputLine>, stop: AbortController): Promise<void> {
    try {
      const rest = await this.#gather(lines, stop)
      await this.#underWay
      if (!stop.signal.aborted) await this.#writeAll(rest)
    } catch (error) {
      await this.#underWay
      if (!stop.signal.aborted) throw error
    }
  }

  /**
   * Starts the writing of each full batch, and gives the lines that are left. Faults stay in their place, so that they
   * are reported in the order of the lines.
   */
  async #gather(lines: AsyncIterable<InputLine>, stop: AbortController): Promise<readonly Item[]> {
    let items: Item[] = []
    let bytes = 0
    for await (const line of lines) {
      if (stop.signal.aborted) break
      if (line.text?.trim() === '') continue
      const item = parse(line)
      items.push(item)
      if ('value' in item) this.#noteProperties(item.value)
      if ('fault' in item && this.#options.onError === 'stop') break
      bytes += line.bytes
      if (items.length < this.#options.batch && bytes < MAX_BATCH_BYTES) continue
      await this.#underWay
      this.#underWay = this.#writeAll(items)
      // The failure is thrown where the batch is awaited; an input that is silent for long must not delay it.
      this.#underWay.catch(() => stop.abort())
      items = []
      bytes = 0
    }
    return items
  }

  /**
   * Writes a batch. A document that is refused is skipped, or ends the feed before anything of the batch is written. A
   * key that comes again begins a new batch: lines have an order, the documents of one batch have none.
   */
  async #writeAll(items: readonly Item[]): Promise<void> {
    let rest = items
    while (rest.length > 0) {
      const refusal = await this.#attempt(rest)
      if (refusal === undefined) return
      const { at, error } = refusal
      const isRepeated = failureCode(error) === 'DUPLICATE_KEY'
      if (!isRepeated) {
        const item = rest[at] as Item
        this.#refuse(item.line, this.#keyMissing(item) ?? withoutPlace(messageOf(error)), failureCode(error))
      }
      await this.#attempt(rest.slice(0, at))
      rest = rest.slice(isRepeated ? at : at + 1)
    }
  }

  /** Writes all of the items or, if one of them is refused, none; gives the place of the refused item. */
  async #attempt(items: readonly Item[]): Promise<{ readonly at: number; readonly error: unknown } | undefined> {
    if (items.length === 0) return undefined
    // The index reads documents one by one and refuses each when it reads it: the last one that it asked for is the
    // culprit.
    let at = -1
    let isRead = false
    const values = function* () {
      for (const item of items) {
        at++
        if ('fault' in item) throw item.fault
        yield item.value
      }
      isRead = true
    }
    try {
      const batch = this.#options.remove
        ? { remove: values() as Iterable<Key> }
        : { put: values() as Iterable<Document> }
      this.#count(await this.#write(batch), items.length)
      return undefined
    } catch (error) {
      if (isRead || at === -1) throw error
      return { at, error }
    }
  }

  #noteProperties(value: unknown): void {
    if (this.#options.remove || !isObject(value) || this.#properties.size >= MAX_PROPERTIES) return
    for (const name of Object.keys(value)) this.#properties.add(name)
  }

  /** Undefined if the line is a document with a key, or none at all. */
  #keyMissing(item: Item): string | undefined {
    const { key, remove } = this.#options
    if (remove || !('value' in item) || !isObject(item.value) || Object.hasOwn(item.value, key)) return undefined
    return `it has no property ${describe(key)}, which is the key; it has ${namesText(Object.keys(item.value))}`
  }

  #count({ added, replaced, unchanged, removed, missing }: WriteReport, lines: number): void {
    const { tally } = this
    tally.documents += added + replaced + unchanged
    tally.added += added
    tally.replaced += replaced
    tally.unchanged += unchanged
    tally.removed += removed
    tally.missing += missing
    tally.batches++
    this.#options.onWritten?.(lines)
  }

  #refuse({ source, number }: InputLine, message: string, code?: string): void {
    const fault = { source, line: number, message, ...(code === undefined ? {} : { code }) }
    if (this.tally.errors.length < MAX_REPORTED) this.tally.errors.push(fault)
    if (this.#options.onError === 'stop') throw new LineRefused(fault)
    this.tally.skipped++
  }
}

/** A line is named by its number. Its place in a batch means nothing to whoever wrote it. */
function withoutPlace(message: string): string {
  return message.replace(/^(?:document \d+ of the batch[^:]*|key \d+ to remove): /, '')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Names of properties on one line, the first few of them. */
export function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const rest = names.length > MAX_LISTED ? ` and ${thousands(names.length - MAX_LISTED)} more` : ''
  return `${names.slice(0, MAX_LISTED).join(', ')}${rest}`
}

function parse(line: InputLine): Item {
  if (line.text === undefined) return { line, fault: new Error(TOO_LONG) }
  try {
    return { line, value: JSON.parse(line.text) }
  } catch (error) {
    return { line, fault: new Error(`it is not JSON: ${messageOf(error)}`) }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `thrown: ${describe(error)}`
}
