/** Signals in bulk, from what sites publish: a sitemap, a feed, or a log of headers, taken as one step. */

import { booleanOption, nameOption, readOptions } from '../../base/checks.js'
import { type Time, toldTimeOption } from '../../base/time.js'
import { collecting, inTurns, Pauses } from '../../base/turns.js'
import { type PageNews, readFoundPage } from '../../frontier/frontier-page.js'
import type { RefreshOwner } from '../owner.js'
import { type NewsReport, PublishedNews, SOURCE_NAMES, type SourceName } from './published-news.js'
import { type ImportSource, requireSource } from './readers/source-text.js'

/** One source, compressed by gzip or not. Pieces of bytes are those of a stream, such as the body of a response. */
export type SignalImportSource =
  | { readonly sitemap: ImportSource }
  | { readonly feed: ImportSource }
  | { readonly headers: ImportSource }

export interface SignalImportOptions {
  /** When the source was fetched. Default now. Lines of a log have their own times. */
  readonly at?: Time
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

export async function importSignals(
  owner: RefreshOwner,
  source: unknown,
  options: unknown,
): Promise<SignalImportReport> {
  owner.check()
  const { name, input } = readSource(source)
  const { at, addToFrontier, etag } = readOptions('import', options, ['at', 'addToFrontier', 'etag'])
  const atMs = toldTimeOption('at', at, owner.now())
  const isFrontier = booleanOption('addToFrontier', addToFrontier, false)
  const etagName = etag === undefined ? undefined : nameOption('etag', etag)
  if (etagName !== undefined && name !== 'headers')
    throw new TypeError(`etag goes with headers, received it with ${name}`)
  owner.requireWriting()
  const said = new PublishedNews(owner, atMs)
  await said.read(name, input)
  if (etagName !== undefined) await said.readEtags(etagName)
  owner.check()
  const pauses = new Pauses(() => owner.check())
  const found = isFrontier ? await inTurns(collecting(foundPages(said.unknown)), pauses) : []
  const { added } = await owner.importSignals({ judging: () => said.judging(), found, atMs })
  return { ...said.report(), added }
}

function* foundPages(urls: Iterable<string>): Generator<PageNews> {
  for (const url of urls) yield readFoundPage({ url })
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
