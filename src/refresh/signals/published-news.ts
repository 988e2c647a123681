/** What a sitemap, a feed or a log of headers says about the documents of an index, and the signals that follow. */
import { type Key, requireKey } from '../../base/keys.js'
import { nextTurn, type Steps } from '../../base/turns.js'
import type { SearchEngine } from '../../engine.js'
import type { ObservedOutcome, Signal } from '../observations.js'
import type { RefreshOwner } from '../owner.js'
import { readFeed } from './readers/feed.js'
import { etagOf, type Probe, readHeaderLog } from './readers/header-log.js'
import { readDate } from './readers/published-date.js'
import { readSitemap } from './readers/sitemap.js'
import { type ImportSource, textOf } from './readers/source-text.js'
import { latestDate, type SkippedEntries, SkipTally, usableProbe } from './readers/usable-entries.js'
import { judgeDate, judgeProbes, type KnownPage, type PageProbe, type Verdict } from './readers/verdicts.js'

export const SOURCE_NAMES = ['sitemap', 'feed', 'headers'] as const
export type SourceName = (typeof SOURCE_NAMES)[number]

export interface NewsReport {
  /** Signals recorded: documents that have changed since their last refresh, according to the source. */
  readonly signals: number
  /** Signals of documents that were signalled in the same way since their last refresh. They are not counted again. */
  readonly repeated: number
  /** Documents that have not changed since their last refresh, according to the source. */
  readonly unchanged: number
  /** Pages that are no documents. */
  readonly unknown: number
  /** Entries that could not be used, the most frequent reason first. */
  readonly skipped: readonly SkippedEntries[]
  /** The sitemaps that a sitemap index lists, to be fetched and imported next. */
  readonly sitemaps: readonly { readonly url: string; readonly modifiedAt: number | undefined }[]
  /** Documents that are gone or unchanged, according to a log of headers. To be recorded by observeAll. */
  readonly outcomes: readonly (readonly [Key, { readonly outcome: ObservedOutcome; readonly at: number }])[]
}

/** What is asked of the index that the news are about. */
export type NewsOwner = Pick<RefreshOwner, 'history'> & {
  readonly engine: Pick<SearchEngine, 'numberOf' | 'documentOf'>
}

/** Stored documents that are read between two turns of the event loop. */
const PORTION = 64

export class PublishedNews {
  readonly #owner: NewsOwner
  readonly #atMs: number
  readonly #skipped = new SkipTally()
  readonly #sitemaps: { readonly url: string; readonly modifiedAt: number | undefined }[] = []
  readonly #outcomes: [Key, { readonly outcome: ObservedOutcome; readonly at: number }][] = []
  /** When a document last changed, according to a sitemap or a feed. */
  readonly #dates = new Map<string, number>()
  readonly #probes = new Map<string, PageProbe[]>()
  readonly #etags = new Map<string, string | undefined>()
  readonly #counts = { changed: 0, repeated: 0, same: 0 }
  readonly unknown = new Set<string>()
  #kind: 'sitemap' | 'feed' = 'sitemap'

  constructor(owner: NewsOwner, atMs: number) {
    this.#owner = owner
    this.#atMs = atMs
  }

  async read(name: SourceName, input: ImportSource): Promise<void> {
    const text = textOf(name, input, { isXml: name !== 'headers' })
    if (name === 'headers') {
      for await (const probe of readHeaderLog(text)) this.#addProbe(probe)
      return
    }
    this.#kind = name
    if (name === 'feed') {
      for await (const { url, dates } of readFeed(text)) this.#addDated(url, dates)
      return
    }
    for await (const { what, url, lastmod } of readSitemap(text)) {
      if (what === 'page') this.#addDated(url, lastmod === undefined ? [] : [lastmod])
      else this.#addSitemap(url, lastmod)
    }
  }

  /** Reads the ETags of the copies of those documents for which the log has ETags. */
  async readEtags(name: string): Promise<void> {
    let read = 0
    for (const [key, probes] of this.#probes) {
      if (!probes.some(({ etag }) => etag !== undefined)) continue
      const etag = this.#owner.engine.documentOf(key)?.[name]
      this.#etags.set(key, typeof etag === 'string' ? etagOf(etag) : undefined)
      if (++read % PORTION === 0) await nextTurn()
    }
  }

  /** The signals to record, in steps. REQUIRES: called once, within a turn of the writer. */
  *judging(): Steps<Signal[]> {
    const signals: Signal[] = []
    yield* this.#judgingDates(signals)
    yield* this.#judgingProbes(signals)
    return signals
  }

  report(): NewsReport {
    const { changed, repeated, same } = this.#counts
    return {
      ...{ signals: changed, repeated, unchanged: same, unknown: this.unknown.size },
      ...{ skipped: this.#skipped.list(), sitemaps: this.#sitemaps, outcomes: this.#outcomes },
    }
  }

  #addSitemap(url: string | undefined, lastmod: string | undefined): void {
    const modifiedAt = readDate(lastmod)
    if (url === undefined || url === '') this.#skipped.add('no URL', lastmod)
    else this.#sitemaps.push({ url, modifiedAt: typeof modifiedAt === 'number' ? modifiedAt : undefined })
  }

  #addDated(url: string | undefined, dates: readonly string[]): void {
    const key = this.#documentAt(url, dates[0])
    const valueMs = key === undefined ? undefined : latestDate(key, dates, this.#atMs, this.#skipped)
    if (key !== undefined && valueMs !== undefined) this.#dates.set(key, Math.max(valueMs, this.#dates.get(key) ?? 0))
  }

  #addProbe(probe: Probe): void {
    const key = this.#documentAt(probe.url, undefined)
    const usable = key === undefined ? undefined : usableProbe(probe, this.#atMs, this.#skipped)
    if (key === undefined || usable === undefined) return
    const probes = this.#probes.get(key)
    if (probes === undefined) this.#probes.set(key, [usable])
    else probes.push(usable)
  }

  /** The key of the document, if the page is one. */
  #documentAt(url: string | undefined, date: string | undefined): string | undefined {
    if (url === undefined || url === '') this.#skipped.add('no URL', date)
    else if (!isKey(url)) this.#skipped.add('URL not understood', url)
    else if (this.#owner.engine.numberOf(url) !== undefined) return url
    else return this.#sameAddress(url)
    return undefined
  }

  /** The same address may be written differently, for example without the '/' behind the host. */
  #sameAddress(url: string): string | undefined {
    const href = URL.canParse(url) ? new URL(url).href : undefined
    if (href !== undefined && isKey(href) && this.#owner.engine.numberOf(href) !== undefined) return href
    if (href === undefined && !url.startsWith('/')) this.#skipped.add('URL not understood', url)
    else this.unknown.add(url)
    return undefined
  }

  // Each page is a step, also where it yields no signal: those of a sitemap that is imported again yield none.

  *#judgingDates(signals: Signal[]): Steps<void> {
    for (const [key, valueMs] of this.#dates) {
      yield
      const page = this.#pageOf(key)
      if (page !== undefined) this.#addSignals(signals, key, page, [judgeDate(this.#kind, valueMs, this.#atMs, page)])
    }
  }

  *#judgingProbes(signals: Signal[]): Steps<void> {
    for (const [key, probes] of this.#probes) {
      yield
      const page = this.#pageOf(key)
      if (page === undefined) continue
      const { verdicts, outcome } = judgeProbes(
        probes.sort((a, b) => a.atMs - b.atMs),
        page,
      )
      if (outcome !== undefined) this.#outcomes.push([key, { outcome: outcome.outcome, at: outcome.atMs }])
      else if (verdicts.length === 0) this.#skipped.add(whyNothing(probes, page), key)
      this.#addSignals(signals, key, page, verdicts)
    }
  }

  #addSignals(signals: Signal[], key: Key, { doc }: { readonly doc: number }, verdicts: readonly Verdict[]): void {
    const { ledger } = this.#owner.history()
    for (const { kind, says, atMs, valueMs } of verdicts) {
      if (says === 'outdated') {
        this.#skipped.add('heard before the last refresh', key)
        continue
      }
      this.#counts[says]++
      const isSame = says === 'same'
      // What is known already is not written again.
      if (says === 'changed' || (isSame && !ledger.hasSilence(doc, kind)))
        signals.push({ doc, key, kind, atMs, valueMs, isSame })
    }
  }

  /** Undefined for a document that was removed meanwhile. */
  #pageOf(key: string): (KnownPage & { readonly doc: number }) | undefined {
    const doc = this.#owner.engine.numberOf(key)
    if (doc === undefined) {
      this.unknown.add(key)
      return undefined
    }
    const { columns } = this.#owner.history().ledger
    const [refreshedMs, signalKinds] = [columns.refreshedMs[doc]!, columns.signalKinds[doc]!]
    return { doc, refreshedMs, signalKinds, etag: this.#etags.get(key) }
  }
}

/** Why the probes of a page led to no verdict. */
function whyNothing(probes: readonly PageProbe[], { refreshedMs }: KnownPage) {
  const isLater = probes.some(({ atMs }) => atMs > refreshedMs)
  return isLater ? 'no earlier ETag to compare with' : 'heard before the last refresh'
}

function isKey(text: string): boolean {
  try {
    requireKey(text)
    // The replacement character stands for bytes that could not be decoded.
    return !text.includes('\ufffd')
  } catch {
    return false
  }
}
