/** Signals in bulk, from what sites publish: a sitemap, a feed, or a log of headers, taken as one step. */

import { booleanOption, nameOption, numberOption, readOptions } from '../../base/checks.js'
import { MAX_TIME_MS } from '../../base/time.js'
import { readFoundPage } from '../../frontier/frontier-page.js'
import type { AddReport } from '../../frontier/frontier-state.js'
import type { SignalImportStep } from '../history.js'
import { type NewsParts, type NewsReport, PublishedNews, SOURCE_NAMES, type SourceName } from './published-news.js'
import { type ImportSource, requireSource } from './readers/source-text.js'

/** One of them, compressed by gzip or not. Pieces of bytes are those of a stream, such as the body of an answer. */
export type SignalImportSource =
  | { readonly sitemap: ImportSource }
  | { readonly feed: ImportSource }
  | { readonly headers: ImportSource }

export interface SignalImportOptions {
  /** When it was published or heard, in milliseconds since 1970. Default now. Lines of a log have their own times. */
  readonly at?: number
  /** Pages that are no documents are added to the frontier. Default false. */
  readonly addToFrontier?: boolean
  /**
   * With `headers`: the property of stored documents that has the ETag of the copy. Default: ETags of the log are
   * compared with each other.
   */
  readonly etag?: string
}

export interface SignalImportReport extends NewsReport {
  /** Of the unknown pages, those that are new to the frontier. */
  readonly added: number
}

/** What an import needs of the index. */
export interface SignalImportParts extends NewsParts {
  readonly now: () => number
  readonly check: () => void
  /** Rejects where nothing can be written. */
  readonly requireWriting: () => Promise<void>
  readonly importSignals: (step: SignalImportStep) => Promise<AddReport>
}

const TIME_RANGE = { min: 0, max: MAX_TIME_MS } as const

export async function importSignals(
  parts: SignalImportParts,
  source: unknown,
  options: unknown,
): Promise<SignalImportReport> {
  parts.check()
  const { name, input } = readSource(source)
  const { at, addToFrontier, etag } = readOptions('import', options, ['at', 'addToFrontier', 'etag'])
  const atMs = numberOption('at', at, parts.now(), TIME_RANGE)
  const isFrontier = booleanOption('addToFrontier', addToFrontier, false)
  const etagName = etag === undefined ? undefined : nameOption('etag', etag)
  if (etagName !== undefined && name !== 'headers')
    throw new TypeError(`etag goes with headers, received it with ${name}`)
  await parts.requireWriting()
  const said = new PublishedNews(parts, atMs)
  await said.read(name, input)
  if (etagName !== undefined) await said.readEtags(etagName)
  parts.check()
  const found = isFrontier ? Array.from(said.unknown, (url) => readFoundPage({ url })) : []
  const isDocument = (url: string) => parts.numberOf(url) !== undefined
  const { added } = await parts.importSignals({ signals: () => said.judge(), found, atMs, isDocument })
  return { ...said.report(), added }
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
