import { choiceOption, numberOption, readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { hostOf } from '../base/hosts.js'
import { type Key, requireKey } from '../base/keys.js'
import { timeOption, timeValue } from '../base/time.js'
import { nextTurn } from '../base/turns.js'
import type { StakeQuery } from '../engine.js'
import { explainEffects } from '../ledger/effects.js'
import type { LedgerRow } from '../ledger/rows.js'
import { pendingSignals } from '../ledger/signals.js'
import type { RefreshState } from '../search/search-result.js'
import { GainTotal } from './choose/gain-total.js'
import { type Candidate, chooseRefreshes, isReadyAt, rankSome } from './choose/next.js'
import { PolicyRankings } from './choose/policy-rankings.js'
import type { PriorityBlocks } from './choose/priority-blocks.js'
import { adviceSentence } from './explain/advice-sentence.js'
import { type ChangeStats, changeStats, explainChange } from './explain/change-behaviour.js'
import { refreshFacts, refreshSentence } from './explain/sentence.js'
import type { RefreshHistory } from './history.js'
import type { Observation } from './observations.js'
import type { RefreshOwner } from './owner.js'
import type { PolicyChoice } from './policies/registry.js'
import {
  type Advice,
  type AdviceBasis,
  type JudgeOptions,
  type NextOptions,
  type NextRequest,
  type ObserveOptions,
  type RefreshExplanation,
  readNextOptions,
  readSignalOptions,
  type SignalOptions,
  type SuggestedPage,
} from './refresh-options.js'
import { type Review, type ReviewOptions, reviewOf } from './review/review.js'
import {
  importSignals,
  type SignalImportOptions,
  type SignalImportReport,
  type SignalImportSource,
} from './signals/import.js'
import type { RecentWrite } from './writes/recent-writes.js'
import { type WatchOptions, watchWrites } from './writes/watch.js'

/** The documents of an index under one policy. */
export interface JudgedDocuments {
  readonly history: RefreshHistory
  readonly blocks: PriorityBlocks
  readonly keyOf: (doc: number) => Key | undefined
  /** What refreshing all documents would gain. */
  readonly total: GainTotal
  /** Whether any query is known. */
  readonly hasQueries: boolean
  /** A document as `next` would name it. REQUIRES: the document has a row and a key. */
  describe(doc: number, priority: number, atMs: number): SuggestedPage
}

interface JudgedLedger {
  readonly history: RefreshHistory
  readonly blocks: PriorityBlocks
  readonly total: GainTotal
}

/** Which documents should be fetched anew, and why. */
export class Refresh {
  readonly #owner: RefreshOwner
  #judged: { readonly rankings: PolicyRankings; readonly total: GainTotal } | undefined

  constructor(owner: RefreshOwner) {
    this.#owner = owner
  }

  /**
   * The documents to refresh next, best first, with what they are expected to gain. Documents that could not be fetched
   * lately, or were refreshed just before, are not named.
   */
  async next(options: NextOptions): Promise<Advice> {
    this.#owner.check()
    const request = readNextOptions(options, this.#owner.now())
    const learntShare = await this.#owner.takeOverLearnt(request.waitMs)
    this.#owner.check()
    const { history, blocks, total } = this.#judge(request.policy)
    const chosen = this.#choose(request)
    history.gains.rememberForReview()
    const { deltaQuality } = total.at(request.atMs)
    // What SQL shows is the policy of the index.
    if (request.policy === undefined) {
      const named = request.where === undefined ? chosen.map(({ doc }) => doc) : []
      this.#owner.keepJudgement({ history, blocks, atMs: request.atMs, named, deltaQuality })
    }
    let cumulativeGain = 0
    const pages = chosen.map(({ doc, priority }) => {
      const page = this.#suggestion(doc, priority, request.atMs, cumulativeGain)
      cumulativeGain = page.cumulativeGain
      return page
    })
    const basis = this.#basis(history)
    const expectedGain = cumulativeGain
    const sentence = adviceSentence({ basis, learntShare, expectedGain, pages: pages.length })
    return { pages, basis, learntShare, expectedGain, sentence }
  }

  /** Records that a document was looked for and not written: it had not changed, was gone, or could not be had. */
  async observe(key: Key, options: ObserveOptions): Promise<void> {
    await this.observeAll([[key, options]])
  }

  /** The same for many documents, as one step: all are recorded or, when the promise rejects, none. */
  async observeAll(observations: Iterable<readonly [key: Key, options: ObserveOptions]>): Promise<void> {
    const given = this.#read('observation', observations, (options) => this.#readObservation(options as ObserveOptions))
    if (given.length > 0) await this.#owner.record((history) => history.observe(this.#numbered(given)))
  }

  /**
   * Records that a document may have changed, as its site says: evidence for its priority, weighed by how often the
   * site was right.
   */
  async signal(key: Key, options: SignalOptions): Promise<void> {
    await this.signalAll([[key, options]])
  }

  /** The same for many signals, as one step: all are recorded or, when the promise rejects, none. */
  async signalAll(signals: Iterable<readonly [key: Key, options: SignalOptions]>): Promise<void> {
    const nowMs = this.#owner.now()
    const given = this.#read('signal', signals, (options) => readSignalOptions(options, nowMs))
    if (given.length > 0) await this.#owner.record((history) => history.signal(this.#numbered(given)))
  }

  /**
   * Records what a site has published of its pages: a sitemap, a feed, or what looking at their headers found. All of
   * it or, when the promise rejects, none.
   */
  async importSignals(source: SignalImportSource, options?: SignalImportOptions): Promise<SignalImportReport> {
    return importSignals(this.#owner, source, options)
  }

  /** Why a document has its priority; undefined when it is not there. */
  explain(key: Key, options?: JudgeOptions): RefreshExplanation | undefined {
    const found = this.#find(key, options)
    if (found === undefined) return undefined
    const { doc, atMs, blocks, history } = found
    const row = history.ledger.rowOf(doc)
    if (row === undefined) return undefined
    const effects = history.effectsOf(doc)
    const state = this.#state(doc, blocks.priority(doc, atMs), atMs)
    const stakeQueries = this.#owner.stakeQueries(doc)
    return {
      key,
      at: atMs,
      sentence: this.#why(row, state, stakeQueries, atMs),
      ...state,
      stakeQueries,
      policy: { name: blocks.policy.name, ...blocks.explain(doc, atMs) },
      createdAt: row.createdMs,
      refreshedAt: row.refreshedMs,
      refreshes: row.refreshes,
      changes: row.changes,
      errors: row.errors,
      lastOutcome: row.lastOutcome,
      lastDeltaQuality: row.recent.length === 0 ? 0 : row.recent[0]?.deltaQuality,
      signals: pendingSignals(history.ledger.columns, doc),
      history: row.recent,
      change: explainChange(history.ledger.columns, doc),
      queries: explainEffects(effects, (ids) => this.#owner.queriesById(ids)),
    }
  }

  /** By which a document is compared with others; undefined when it is not there. */
  priority(key: Key, options?: JudgeOptions): number | undefined {
    const found = this.#find(key, options)
    return found?.blocks.priority(found.doc, found.atMs)
  }

  /** How the documents change, taken together: how many churn or scroll, and how long what they say stays. */
  async changes(): Promise<ChangeStats> {
    this.#owner.check()
    const ledger = () => {
      this.#owner.check()
      const history = this.#owner.history()
      history.load(this.#owner.now())
      return history.ledger
    }
    return changeStats(ledger, nextTurn)
  }

  /**
   * Whether refreshes have gained what was expected of them, day by day. They are reviewed from the first time on that
   * somebody asks what is next.
   */
  review(options?: ReviewOptions): Review {
    this.#owner.check()
    const { since, until } = readOptions('review', options, ['since', 'until'])
    const time = (name: string, value: unknown, fallback: number) =>
      numberOption(name, timeValue(name, value), fallback, {
        min: Number.NEGATIVE_INFINITY,
        max: Number.POSITIVE_INFINITY,
      })
    const from = time('since', since, Number.NEGATIVE_INFINITY)
    const to = time('until', until, Number.POSITIVE_INFINITY)
    const history = this.#owner.history()
    history.load(this.#owner.now())
    return reviewOf(history.reviewDays, { since: from, until: to })
  }

  /**
   * Brings the measurement up to date with the index and the workload, and resolves when that is done. It also happens
   * by itself, beside writes.
   */
  async fit(): Promise<void> {
    this.#owner.check()
    await this.#owner.fit()
  }

  /** The last writes, oldest first: what each did to the answers. At most 256 of them are kept. */
  writes(): RecentWrite[] {
    this.#owner.check()
    return this.#owner.writesAfter(0)
  }

  /** Writes as they come, of this process or of another one, until the signal or the end of the index. */
  watch(options?: WatchOptions): AsyncGenerator<RecentWrite, void> {
    return watchWrites((id) => {
      this.#owner.check()
      return this.#owner.writesAfter(id)
    }, options)
  }

  /** For searches: the state of documents by their numbers, at one moment. */
  statesAt(atMs: number): (doc: number) => RefreshState | undefined {
    const { blocks, history } = this.#judge(undefined)
    return (doc) =>
      history.ledger.columns.present[doc] === 1 ? this.#state(doc, blocks.priority(doc, atMs), atMs) : undefined
  }

  /** For plans: the priorities of documents by their numbers, as they are now. */
  judged(choice: PolicyChoice | undefined): JudgedDocuments {
    this.#owner.check()
    return {
      ...this.#judge(choice),
      keyOf: this.#owner.engine.keyOf,
      hasQueries: this.#owner.hasQueries(),
      describe: (doc, priority, atMs) => this.#suggestion(doc, priority, atMs, 0),
    }
  }

  #judge(choice: PolicyChoice | undefined): JudgedLedger {
    const history = this.#owner.history()
    history.load(this.#owner.now())
    if (this.#judged?.rankings.ledger !== history.ledger) {
      const { ledger, gains } = history
      const rankings = new PolicyRankings(ledger, this.#owner.policy, gains)
      this.#judged = { rankings, total: new GainTotal(ledger, gains) }
    }
    const { rankings, total } = this.#judged
    return { blocks: rankings.of(choice), total, history }
  }

  #choose({ policy, where, atMs, minIntervalMs, budget, perHost }: NextRequest): Candidate[] {
    const { blocks, history } = this.#judge(policy)
    const isReady = isReadyAt(history.ledger.columns, atMs, minIntervalMs)
    const candidates = where === undefined ? blocks.top(atMs, isReady) : this.#matching(where, blocks, atMs, isReady)
    const host = (doc: number) => hostOf(this.#owner.engine.keyOf(doc) ?? '')
    return chooseRefreshes({ candidates: this.#known(candidates), budget, perHost, hostOf: host })
  }

  #basis({ ledger }: RefreshHistory): AdviceBasis {
    if (ledger.totals().pages === 0) return 'no-history'
    return this.#owner.hasQueries() ? 'learnt' : 'no-queries'
  }

  #find(key: Key, options: JudgeOptions | undefined) {
    this.#owner.check()
    const { at, policy } = readOptions('judge', options, ['at', 'policy'])
    const atMs = this.#time(at)
    const doc = this.#owner.engine.numberOf(requireKey(key))
    if (doc === undefined) return undefined
    return { doc, atMs, ...this.#judge(policy as PolicyChoice | undefined) }
  }

  #time(at: unknown): number {
    return timeOption('at', at, this.#owner.now())
  }

  #readObservation(options: ObserveOptions): Omit<Observation, 'doc' | 'key'> {
    const { outcome, at } = readOptions('observe', options, ['outcome', 'at'])
    if (outcome === undefined) throw new TypeError("observe needs an outcome: 'same', 'changed', 'gone' or 'error'")
    const known = choiceOption('outcome', outcome, 'same', ['same', 'changed', 'gone', 'error'] as const)
    return { outcome: known, atMs: this.#time(at) }
  }

  /** Entries of a list of [key, options]. */
  #read<Given>(what: string, entries: unknown, read: (options: unknown) => Given): (Given & { readonly key: Key })[] {
    this.#owner.check()
    if (typeof entries !== 'object' || entries === null || !(Symbol.iterator in entries))
      throw new TypeError(`${what}s must be iterable, received ${describe(entries)}`)
    return Array.from(entries as Iterable<unknown>, (entry) => {
      if (!Array.isArray(entry)) {
        const article = what === 'observation' ? 'an' : 'a'
        throw new TypeError(`${article} ${what} must be [key, options], received ${describe(entry)}`)
      }
      const given = { ...read(entry[1]), key: requireKey(entry[0]) }
      // Now as well, so that whoever makes the entries one by one is told which of them is wrong.
      this.#requireNumber(given.key)
      return given
    })
  }

  #numbered<Given extends { readonly key: Key }>(given: readonly Given[]): (Given & { readonly doc: number })[] {
    return given.map((entry) => ({ ...entry, doc: this.#requireNumber(entry.key) }))
  }

  #requireNumber(key: Key): number {
    const doc = this.#owner.engine.numberOf(key)
    if (doc === undefined) throw new RangeError(`there is no document with the key ${describe(key)}`)
    return doc
  }

  #matching(where: unknown, blocks: PriorityBlocks, atMs: number, isReady: (doc: number) => boolean): Candidate[] {
    const { present } = this.#owner.history().ledger.columns
    const docs = this.#owner.engine.matching(where).filter((doc) => present[doc] === 1 && isReady(doc))
    const ranked = rankSome(docs, (doc) => blocks.priority(doc, atMs))
    return ranked.filter(({ priority }) => priority >= blocks.threshold)
  }

  /** A row may be of a document whose removal is under way. */
  *#known(candidates: Iterable<Candidate>): Generator<Candidate> {
    for (const candidate of candidates) if (this.#owner.engine.keyOf(candidate.doc) !== undefined) yield candidate
  }

  #suggestion(doc: number, priority: number, atMs: number, gainBefore: number): SuggestedPage {
    const history = this.#owner.history()
    const row = history.ledger.rowOf(doc)
    if (row === undefined) throw new RangeError(`document ${doc} has no history`)
    const state = this.#state(doc, priority, atMs)
    const { stake, expectedGain, ageMs, currentProbability } = state
    return {
      key: this.#owner.engine.keyOf(doc) as Key,
      ...{ priority, stake, expectedGain, cumulativeGain: Math.min(1, gainBefore + expectedGain) },
      ...{ ageMs, currentProbability },
      why: this.#why(row, state, this.#owner.stakeQueries(doc), atMs),
    }
  }

  #why(row: LedgerRow, state: RefreshState, stakeQueries: readonly StakeQuery[], atMs: number): string {
    const queries = { hasQueries: this.#owner.hasQueries(), stakeQueries }
    return refreshSentence(refreshFacts(this.#owner.history(), row, state, queries, atMs))
  }

  #state(doc: number, priority: number, atMs: number): RefreshState {
    const { history, total } = this.#judge(undefined)
    const { ledger, gains } = history
    const { sumStake } = ledger.totals()
    const { changeChance, gainIfChanged } = gains.expected(doc, atMs)
    const deltaQuality = changeChance * gainIfChanged
    const all = total.lastOr(atMs)
    return {
      priority,
      stake: shareOf(ledger.columns.stake[doc] as number, sumStake),
      expectedGain: shareOf(deltaQuality, all.deltaQuality),
      ageMs: Math.max(0, atMs - (ledger.columns.refreshedMs[doc] as number)),
      currentProbability: 1 - changeChance,
      judgedAt: all.atMs,
      expected: { changeChance, deltaQuality },
    }
  }
}

/** Sums are kept row by row, so that rounding may leave a part above its whole. */
function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0
}
