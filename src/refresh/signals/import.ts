/** Imports what a site publishes, a sitemap, a feed or a log of headers, as signals, in one step. */
import { booleanOption, nameOption, readOptions } from '../../base/checks.js'
import { timeOption } from '../../base/time.js'
import { readFoundPage } from '../../frontier/frontier-page.js'
import type { AddReport } from '../../frontier/frontier-state.js'
import type { SignalImportStep } from '../history.js'
import { type KnownDocuments, type NewsReport, PublishedNews, SOURCE_NAMES, type SourceName } from './published-news.js'
import { type ImportSource, requireSource } from './readers/source-text.js'

/** One source, compressed by gzip or not. Pieces of bytes are those of a stream, such as the body of a response. */
export type SignalImportSource =
  | { readonly sitemap: ImportSource }
  | { readonly feed: ImportSource }
  | { readonly headers: ImportSource }

export interface SignalImportOptions {
  /** When the source was fetched, in milliseconds since 1970. Default now. Lines of a log have their own times. */
  readonly at?: number
  /** Whether pages that are no documents are added to the frontier. Default false. */
  readonly addToFrontier?: boolean
  /**
   * With `headers`: the property of stored documents that holds the ETag of the copy. Default: the ETags of the log are
   * compared with each other.
   */
  readonly etag?: string
}

export interface SignalImportReport extends NewsReport {
  /** How many of the unknown pages are new to the frontier. */
  readonly added: number
}

/** The index into which signals are imported. */
export interface ImportingIndex extends KnownDocuments {
  readonly now: () => number
  readonly check: () => void
  /** Rejects where nothing can be written. */
  readonly requireWriting: () => Promise<void>
  readonly importSignals: (step: SignalImportStep) => Promise<AddReport>
}

export async function importSignals(
  index: ImportingIndex,
  source: unknown,
  options: unknown,
): Promise<SignalImportReport> {
  index.check()
  const { name, input } = readSource(source)
  const { at, addToFrontier, etag } = readOptions('import', options, ['at', 'addToFrontier', 'etag'])
  const atMs = timeOption('at', at, index.now())
  const isFrontier = booleanOption('addToFrontier', addToFrontier, false)
  const etagName = etag === undefined ? undefined : nameOption('etag', etag)
  if (etagName !== undefined && name !== 'headers')
    throw new TypeError(`etag goes with headers, received it with ${name}`)
  await index.requireWriting()
  const news = new PublishedNews(index, atMs)
  await news.read(name, input)
  if (etagName !== undefined) await news.readEtags(etagName)
  index.check()
  const found = isFrontier ? Array.from(news.unknown, (url) => readFoundPage({ url })) : []
  const isDocument = (url: string) => index.numberOf(url) !== undefined
  const { added } = await index.importSignals({ signals: () => news.judge(), found, atMs, isDocument })
  return { ...news.report(), added }
}

function readSource(source: unknown): { readonly name: SourceName; readonly input: ImportSource } {
  const given = readOptions('source', source, SOURCE_NAMES)
  const names = SOURCE_NAMES.filter((name) => given[name] !== undefined)
  const name = names[0]
  if (name === undefined || names.length > 1)
    throw new TypeError(
      `importSignals needs one of ${SOURCE_NAMES.join(', ')}, received ${names.join(' and ') || 'none'}`,
    )
  return { name, input: requireSource(name, given[name]) }
}
