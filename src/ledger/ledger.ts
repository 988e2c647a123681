/**
 * The history of every page: when it was refreshed, and what that did for the answers (deltaQuality, ΔQ_A of
 * User-centric crawling). Policies read its columns; whoever follows them is told which rows were touched.
 *
 * - The first download has no interval before it, so it is in no sum.
 * - A refresh less than a millisecond after the last one, or before it, counts as a refresh but is not rated: a gain
 *   divided by next to nothing would outweigh all other history for ever.
 * - A change whose gain nobody could measure is a refresh, a change and an interval. It is in no sum of gains, and
 *   counts as unmeasured. A refresh that found the page the same needs no measuring: it gained nothing.
 * - A failed attempt is not a refresh. It leaves priorities as they are; see back-off.ts for when to try again.
 * - A refresh answers the signals that came before it; a failed attempt answers nothing.
 * - A page that is gone keeps its history, in case it comes back, but is not to be refreshed. A page that is removed
 *   has none.
 */
import { numberOption } from '../base/checks.js'
import { DAY_MS, MAX_TIME_MS } from '../base/time.js'
import type { Steps } from '../base/turns.js'
import { BatchOutcome, NO_DOCUMENT } from '../engine.js'
import {
  BYTES_PER_PAGE,
  COLUMN_BYTES,
  clearRow,
  growColumns,
  hasVersions,
  type LedgerColumnArrays,
  type LedgerColumns,
  longerColumns,
  newColumns,
} from './column-arrays.js'
import { LEDGER } from './columns.js'
import { keepCurve, rebaseProfile, type VersionSketch } from './profile.js'
import { NO_QUESTIONS, type OpenQuestions } from './questions.js'
import { batchOfOne, type EnteredRows, type LedgerBatch, RowChanges, type VisitTimes } from './row-changes.js'
import { copyRows, putRowsBack, type RowCopies } from './row-copies.js'
import { checkRow, type LedgerRow, outcomeNumber, type PastRefresh, recentRefreshes, rowFrom, rowInto } from './rows.js'
import { type DocumentSections, type SectionParts, Sections } from './sections.js'
import { addSignal, type SignalKind } from './signals.js'
import { SiteTrust } from './site-trust.js'
import { type LedgerTotals, noTotals, numbersOf, STAKE_TOTAL, totalsOf } from './totals.js'
import { forgetVersions, MOST_PROFILES, ONE_PROFILE } from './versions.js'

const FIRST_ROWS = 1024
/** The moments that a Date can hold, so that no interval is infinite. */
const TIME_RANGE = { min: -MAX_TIME_MS, max: MAX_TIME_MS } as const
/** Far beyond any gain, and no sum or rate of such gains leaves the range of a 32-bit float. */
/** The largest gain or stake. */
export const MAX_GAIN = 1e30
const GAIN_RANGE = { min: 0, max: MAX_GAIN } as const
/** Some hundredths of a millisecond. */
const STAKES_PER_STEP = 8192
const CLUSTER_RANGE = { min: 0, max: LEDGER.cluster.max, integer: true } as const

export interface LedgerOptions {
  /** In decayedRate a refresh counts half after this time; 90 days unless told. */
  readonly halfLifeMs?: number | undefined
  /** h: change profiles that are kept of a page at once, 1 to 5; 1 unless told. */
  readonly profiles?: number | undefined
}

/** All that a ledger holds but what is kept of sites and questions. The arrays lie in shared memory. */
export interface LedgerParts {
  readonly rows: number
  readonly totals: LedgerTotals
  readonly columns: LedgerColumnArrays
  readonly sections: SectionParts
}

/** Rows as they were before a step, and the sums over all of them. */
export interface RowsBefore {
  readonly copies: RowCopies
  readonly totals: LedgerTotals
}

/** What policies and models read of a ledger: its own, or one that lives on another thread. */
export interface ReadableLedger {
  /** Each has a place for at least `rows` documents. */
  readonly columns: LedgerColumns
  /** All documents with a row have a number below this. */
  readonly rows: number
  /** Grows with every change of a row. */
  readonly version: number
  /** Grows when pages are put into other clusters, many at a time. */
  readonly groupings: number
  readonly questions: OpenQuestions
  readonly trust: SiteTrust
  readonly sections: DocumentSections
  totals(): LedgerTotals
  /** Calls back for every document whose row has changed, after the change. The function returned ends that. */
  onTouched(listener: (doc: number) => void): () => void
}

export class Ledger implements ReadableLedger {
  readonly bytesPerPage = BYTES_PER_PAGE
  /** The parts of bytesPerPage. */
  readonly columnBytes = COLUMN_BYTES
  readonly halfLifeMs: number
  /** What refreshes have shown of the signals before them. */
  readonly trust = new SiteTrust()
  /** The section of each document follows from its key: whoever knows the keys places the documents. */
  readonly sections = new Sections()
  readonly #columns: LedgerColumnArrays = newColumns(FIRST_ROWS)
  readonly #listeners = new Set<(doc: number) => void>()
  #capacity = FIRST_ROWS
  #rows = 0
  #version = 0
  #groupings = 0
  #questions = NO_QUESTIONS
  readonly #totals = numbersOf(noTotals())
  readonly #changes: RowChanges
  #profiles: number

  constructor(options: LedgerOptions = {}) {
    this.#profiles = profilesOption(options.profiles)
    const range = { min: 0, aboveMin: true, max: Number.POSITIVE_INFINITY }
    this.halfLifeMs = numberOption('halfLifeMs', options.halfLifeMs, 90 * DAY_MS, range)
    this.#changes = new RowChanges(this.#columns, this.#totals, this.halfLifeMs)
  }

  /** Each has a place for at least `rows` documents, but for the versions of pages where none is kept. */
  get columns(): LedgerColumns {
    return this.#columns
  }

  /** h of the refreshes to come. */
  keepProfiles(profiles: number): void {
    this.#profiles = profilesOption(profiles)
  }

  /** All documents with a row have a number below this. */
  get rows(): number {
    return this.#rows
  }

  /** Grows with every change of a row. */
  get version(): number {
    return this.#version
  }

  /** How much of what people ask is open. */
  get questions(): OpenQuestions {
    return this.#questions
  }

  /** Grows when pages are put into other clusters, many at a time. */
  get groupings(): number {
    return this.#groupings
  }

  get memoryBytes(): number {
    const versionBytes = hasVersions(this.#columns) ? COLUMN_BYTES.versions : 0
    return this.#capacity * (BYTES_PER_PAGE + versionBytes) + this.sections.memoryBytes
  }

  totals(): LedgerTotals {
    return totalsOf(this.#totals)
  }

  /** Calls back for every document whose row has changed, after the change. The function returned ends that. */
  onTouched(listener: (doc: number) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The first download of a page. What the row held before is forgotten: it was another page's. */
  created(doc: number, atMs: number, sketch?: VersionSketch): void {
    requireDocument(doc)
    this.enter(batchOfOne(doc, 'added', { sketch }), { atMs, latestMs: Number.POSITIVE_INFINITY })
  }

  /**
   * A refresh, and what it did for the answers: undefined where a change could not be measured. `sketch` is that of the
   * new version.
   */
  refreshed(
    doc: number,
    atMs: number,
    outcome: 'changed' | 'same',
    deltaQuality: number | undefined,
    sketch?: VersionSketch,
  ): void {
    this.#requireRow(doc)
    if (deltaQuality !== undefined) numberOption('deltaQuality', deltaQuality, 0, GAIN_RANGE)
    this.enter(batchOfOne(doc, outcome, { deltaQuality, sketch }), { atMs, latestMs: Number.POSITIVE_INFINITY })
  }

  /**
   * What a write did, document by document: one that is added, or has no row, is created, others are refreshed or
   * removed. Gives what became of each. REQUIRES: gains and stakes are amounts, or NaN.
   */
  enter(batch: LedgerBatch, times: VisitTimes): EnteredRows {
    requireTime(times.atMs)
    for (const doc of batch.documents) if (doc !== NO_DOCUMENT) this.#reserve(doc)
    if (this.trust.size > 0) this.#answerSignals(batch, times)
    const done = this.#changes.enter(batch, times, this.#profiles, (doc) => keepCurve(this.#columns, doc))
    const { touched, removed } = done
    this.#version += touched.length + removed.length
    for (const listener of this.#listeners) {
      for (const doc of removed) listener(doc)
      for (const doc of touched) listener(doc)
    }
    return done
  }

  /** Before refreshes are entered: they find out what the signals before them, or their absence, were worth. */
  #answerSignals({ documents, outcomes }: LedgerBatch, { atMs, latestMs }: VisitTimes): void {
    const { refreshedMs, signals, signalMs, signalKinds, site } = this.#columns
    for (let at = 0; at < documents.length; at++) {
      const doc = documents[at]!
      const isRefresh = REFRESHES.has(outcomes[at]!) && this.#hasRow(doc) && refreshedMs[doc]! <= latestMs
      if (!isRefresh || (signals[doc]! > 0 && atMs < signalMs[doc]!)) continue
      this.trust.answered(site[doc]!, signalKinds[doc]!, outcomes[at] === BatchOutcome.changed)
    }
  }

  /** An attempt that brought nothing: neither the page nor the news that it is gone. */
  failed(doc: number, atMs: number): void {
    this.#requireRow(doc)
    requireTime(atMs)
    this.#columns.errors[doc] = Math.min(this.#columns.errors[doc]! + 1, LEDGER.errors.max)
    this.#columns.lastOutcome[doc] = outcomeNumber('error')
    this.#columns.lastAttemptMs[doc] = atMs
    this.#touched(doc)
  }

  /** The page is there no more. Should it come back, `refreshed` goes on with its history. */
  gone(doc: number, atMs: number): void {
    this.#requireRow(doc)
    requireTime(atMs)
    this.#changes.count(doc, -1)
    this.#columns.present[doc] = 0
    this.#columns.errors[doc] = 0
    this.#columns.lastOutcome[doc] = outcomeNumber('gone')
    this.#columns.lastAttemptMs[doc] = atMs
    this.#touched(doc)
  }

  /** Forgets the page. */
  removed(doc: number): void {
    if (this.#hasRow(doc)) this.enter(batchOfOne(doc, 'removed', {}), { atMs: 0, latestMs: 0 })
  }

  /** Something says that the page may have changed. A signal from before the last refresh is ignored. */
  signalled(doc: number, site: number, kind: SignalKind, atMs: number): void {
    this.#requireRow(doc)
    requireTime(atMs)
    if (!addSignal(this.#columns, doc, kind, atMs)) return
    this.#columns.site[doc] = site
    this.trust.heard(site, kind)
    this.#touched(doc)
  }

  /** Something that would signal a change of the page says that there is none: from now on its silence is evidence. */
  saidSame(doc: number, site: number, kind: SignalKind): void {
    this.trust.heard(site, kind)
    this.setSite(doc, site)
  }

  /** Whether the page's site sends signals of this kind, so that silence is evidence that the page has not changed. */
  hasSilence(doc: number, kind: SignalKind): boolean {
    return this.trust.sites.get(this.#columns.site[doc]!)?.counts.has(kind) === true
  }

  /** From now on the silence of the site is evidence about this page, too. */
  setSite(doc: number, site: number): void {
    this.#requireRow(doc)
    if (this.#columns.site[doc] === site) return
    this.#columns.site[doc] = site
    this.#touched(doc)
  }

  /**
   * `clusters` has the number of each of `docs`, 0 for none. Listeners are not called for each row: whoever follows the
   * ledger looks at `groupings`.
   */
  setClusters(docs: ArrayLike<number>, clusters: ArrayLike<number>): void {
    for (let at = 0; at < docs.length; at++) {
      this.#requireRow(docs[at]!)
      this.#columns.cluster[docs[at]!] = numberOption('cluster', clusters[at], 0, CLUSTER_RANGE)
    }
    this.#groupings++
    this.#version++
  }

  /** The number of the cluster of each row, 0 for none. */
  clusterNumbers(): Uint16Array {
    return this.#columns.cluster.slice(0, this.rows)
  }

  /** The same for all rows at once. REQUIRES: a number for each row, 0 where no document ever was. */
  regroup(numbers: Uint16Array): void {
    this.#columns.cluster.set(numbers)
    this.#groupings++
    this.#version++
  }

  setQuestions(questions: OpenQuestions): void {
    if (questions === this.#questions) return
    this.#questions = questions
    this.#version++
  }

  setStake(doc: number, stake: number): void {
    this.#requireRow(doc)
    numberOption('stake', stake, 0, GAIN_RANGE)
    const before = this.#columns.stake[doc]!
    this.#columns.stake[doc] = stake
    const after = this.#columns.stake[doc]!
    if (after === before) return
    if (this.#columns.present[doc] === 1)
      this.#totals[STAKE_TOTAL] = Math.max(0, this.#totals[STAKE_TOTAL]! + after - before)
    this.#touched(doc)
  }

  /** The stakes of all documents, by their numbers, in steps. */
  *stakes(): Steps<Float64Array> {
    const stakes = new Float64Array(this.#rows)
    for (let first = 0; first < stakes.length; first += STAKES_PER_STEP) {
      stakes.set(this.#columns.stake.subarray(first, Math.min(stakes.length, first + STAKES_PER_STEP)), first)
      yield
    }
    return stakes
  }

  /** The last rated refreshes, newest first. */
  history(doc: number): PastRefresh[] {
    this.#requireRow(doc)
    return recentRefreshes(this.#columns, doc)
  }

  /** What another ledger can take over. Both share the arrays from then on. */
  parts(): LedgerParts {
    return { rows: this.#rows, totals: this.totals(), columns: this.#columns, sections: this.sections.parts() }
  }

  /** Takes over what another thread has read, in place of what is here. REQUIRES: nobody follows the ledger yet. */
  takeOver({ rows, totals, columns, sections }: LedgerParts): void {
    Object.assign(this.#columns, columns)
    this.#totals.set(numbersOf(totals))
    this.#rows = rows
    this.#capacity = columns.present.length
    this.sections.takeOver(sections)
    this.#version++
  }

  /** The row as an object that `restore` takes; undefined where there is none. */
  rowOf(doc: number): LedgerRow | undefined {
    return this.#hasRow(doc) ? rowFrom(this.#columns, doc) : undefined
  }

  /**
   * Puts a row back as `rowOf` gave it, in place of what is there; RangeError for one that no ledger can have given.
   */
  restore(row: LedgerRow): void {
    checkRow(row)
    const { doc } = row
    requireDocument(doc)
    this.#reserve(doc)
    this.#changes.count(doc, -1)
    clearRow(this.#columns, doc)
    rowInto(this.#columns, row)
    this.#changes.count(doc, 1)
    this.#touched(doc)
  }

  /** What `putBack` needs to undo whatever happens to these documents from now on. */
  copyOf(docs: ArrayLike<number>): RowsBefore {
    return { copies: copyRows(this.#columns, docs), totals: this.totals() }
  }

  /** REQUIRES: no other documents have changed since. */
  putBack({ copies, totals }: RowsBefore): void {
    putRowsBack(this.#columns, copies)
    this.#totals.set(numbersOf(totals))
    for (const doc of copies.docs) this.#touched(doc)
  }

  /** The page goes on with its history, but what was sketched of it before means nothing any more. */
  rebase(doc: number, sketch?: VersionSketch): void {
    this.#requireRow(doc)
    rebaseProfile(this.#columns, doc, sketch)
    forgetVersions(this.#columns, doc)
    this.#touched(doc)
  }

  /** Whether there is room for so many rows more. */
  hasRoomFor(rows: number): boolean {
    return this.#rows + rows <= this.#capacity
  }

  /**
   * Makes room for so many rows more, in steps, so that no new row has to wait for that. Whatever changes rows
   * meanwhile is not troubled: where one was changed, the next new row makes the room.
   */
  *makingRoom(rows: number): Steps<void> {
    const capacity = this.#capacityFor(this.#rows + rows)
    const version = this.#version
    const longer = yield* longerColumns(this.#columns, capacity)
    if (this.#version !== version || this.#capacity >= capacity) return
    Object.assign(this.#columns, longer)
    this.#capacity = capacity
  }

  #reserve(doc: number): void {
    this.#rows = Math.max(this.#rows, doc + 1)
    if (doc < this.#capacity) return
    this.#capacity = this.#capacityFor(doc + 1)
    growColumns(this.#columns, this.#capacity)
  }

  #capacityFor(rows: number): number {
    let capacity = this.#capacity
    while (capacity < rows) capacity *= 2
    return capacity
  }

  #hasRow(doc: number): boolean {
    return doc < this.#rows && this.#columns.lastOutcome[doc]! > 0
  }

  #requireRow(doc: number): void {
    if (!this.#hasRow(doc)) throw new RangeError(`doc must be a document of the ledger, received ${doc}`)
  }

  #touched(doc: number): void {
    this.#version++
    for (const listener of this.#listeners) listener(doc)
  }
}

function profilesOption(profiles: unknown): number {
  return numberOption('profiles', profiles, ONE_PROFILE, { min: ONE_PROFILE, max: MOST_PROFILES, integer: true })
}

function requireDocument(doc: number): void {
  numberOption('doc', doc, 0, { min: 0, max: 2 ** 32 - 2, integer: true })
}

/** Outcomes of documents that somebody has looked at again. */
const REFRESHES: ReadonlySet<number> = new Set([BatchOutcome.changed, BatchOutcome.same, BatchOutcome.reweighted])

function requireTime(atMs: number): void {
  numberOption('atMs', atMs, 0, TIME_RANGE)
}
