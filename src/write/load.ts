/** Writing a stream of documents: batch after batch, as fast as they become durable. */
import { signalOption, stopOf } from '../base/abort.js'
import { numberOption, readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { readProperty, requireDocument } from '../base/documents.js'
import { type Clock, type Time, toldTimeOption } from '../base/time.js'
import type { WriteReport } from './report.js'

/** Documents one by one: a generator, a list, a ReadableStream, a Readable in object mode. */
export type DocumentSource<D extends object> = AsyncIterable<D> | Iterable<D> | ReadableStream<D>

export interface LoadOptions {
  /** The most documents of one batch, 1 to 100,000. Default 500. */
  readonly batch?: number
  /** When the documents were fetched. Default: the time at which their batch is written. */
  readonly at?: Time
  /** Ends the loading: the batch under way is finished, and the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal
  /** Is called after each batch. What it throws ends the loading. */
  readonly onProgress?: (progress: LoadProgress) => void
}

/** What was written so far, and what of it was new. */
export interface LoadProgress {
  /** Documents that are written. */
  readonly documents: number
  readonly batches: number
  readonly added: number
  readonly replaced: number
  readonly unchanged: number
}

/** What the loading did in all. */
export interface DocumentLoadReport extends LoadProgress {
  readonly tokens: WriteReport['tokens']
}

const DEFAULT_BATCH = 500
const MAX_BATCH = 100_000

interface LoadSettings {
  readonly batch: number
  readonly atMs: number | undefined
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((progress: LoadProgress) => void) | undefined
}

/**
 * Writes the documents of a source in their order, `write` taking a batch each. No more than two batches are held: one
 * that is written and one that is being filled. A key that comes again begins a new batch, so that the later document
 * remains. Rejects with the first failure, of the source or of a write; the batches before it stay written.
 */
export async function load<D extends object>(
  source: unknown,
  options: unknown,
  { key, now }: { readonly key: string; readonly now: Clock },
  write: WriteBatchOf<D>,
): Promise<DocumentLoadReport> {
  const settings = readLoadOptions(options, now())
  const stop = stopOf(settings.signal)
  const loading = new Loading(write, settings)
  for await (const document of documentsOf(source)) {
    stop()
    const place = () => `document ${loading.taken + 1}: `
    await loading.take(requireDocument(document, place) as D, readProperty(document as object, key))
    stop()
  }
  return loading.finish()
}

type WriteBatchOf<D> = (documents: readonly D[], atMs: number | undefined) => Promise<WriteReport>

class Loading<D extends object> {
  readonly #write: WriteBatchOf<D>
  readonly #settings: LoadSettings
  #documents: D[] = []
  #keys = new Set<unknown>()
  #writing: Promise<void> | undefined
  #report: DocumentLoadReport = {
    documents: 0,
    batches: 0,
    added: 0,
    replaced: 0,
    unchanged: 0,
    tokens: { total: 0, tokenized: 0 },
  }
  taken = 0

  constructor(write: WriteBatchOf<D>, settings: LoadSettings) {
    this.#write = write
    this.#settings = settings
  }

  async take(document: D, key: unknown): Promise<void> {
    if (this.#keys.has(key) || this.#documents.length >= this.#settings.batch) await this.#send()
    this.#keys.add(key)
    this.#documents.push(document)
    this.taken++
  }

  async finish(): Promise<DocumentLoadReport> {
    if (this.#documents.length > 0) await this.#send()
    await this.#writing
    return this.#report
  }

  /** Begins to write the batch, once the one before it is written. */
  async #send(): Promise<void> {
    await this.#writing
    const documents = this.#documents
    this.#documents = []
    this.#keys = new Set()
    this.#writing = this.#written(documents)
    // It is waited for before the next batch, or at the end; a failure until then is not unheard.
    this.#writing.catch(() => {})
  }

  async #written(documents: readonly D[]): Promise<void> {
    const { added, replaced, unchanged, tokens } = await this.#write(documents, this.#settings.atMs)
    const sum = this.#report
    this.#report = {
      documents: sum.documents + documents.length,
      batches: sum.batches + 1,
      added: sum.added + added,
      replaced: sum.replaced + replaced,
      unchanged: sum.unchanged + unchanged,
      tokens: {
        total: sum.tokens.total + tokens.total,
        tokenized: sum.tokens.tokenized + tokens.tokenized,
      },
    }
    const { tokens: _, ...progress } = this.#report
    this.#settings.onProgress?.(progress)
  }
}

function readLoadOptions(options: unknown, nowMs: number): LoadSettings {
  const { batch, at, signal, onProgress } = readOptions('load', options, ['batch', 'at', 'signal', 'onProgress'])
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError(`onProgress must be a function, received ${describe(onProgress)}`)
  return {
    batch: numberOption('batch', batch, DEFAULT_BATCH, { min: 1, max: MAX_BATCH, integer: true }),
    atMs: at === undefined ? undefined : toldTimeOption('at', at, nowMs),
    signal: signalOption(signal),
    onProgress: onProgress as LoadSettings['onProgress'],
  }
}

function documentsOf(source: unknown): AsyncIterable<unknown> | Iterable<unknown> {
  const isSource =
    typeof source === 'object' && source !== null && (Symbol.asyncIterator in source || Symbol.iterator in source)
  if (isSource) return source as AsyncIterable<unknown> | Iterable<unknown>
  throw new TypeError(`load needs an iterable, an async iterable or a stream, received ${describe(source)}`)
}
