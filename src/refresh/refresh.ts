import { numberOption, readOptions } from '../base/checks.js'
import { isIterable, shielded } from '../base/gate.js'
import { hostOf } from '../base/hosts.js'
import { type Key, requireKey } from '../base/keys.js'
import { timeOption, timeValue } from '../base/time.js'
import { inTurns, nextTurn, Pauses } from '../base/turns.js'
import type { StakeQuery } from '../engine.js'
import { explainEffects } from '../ledger/effects.js'
import type { LedgerRow } from '../ledger/rows.js'
import { pendingSignals } from '../ledger/signals.js'
import type { Query } from '../search/query.js'
import type { RefreshState } from '../search/search-result.js'
import type { JudgedTotal } from './choose/gain-total.js'
import { type Candidate, choosingRefreshes } from './choose/next.js'
import { numbered, readEntries } from './entries.js'
import { adviceSentence } from './explain/advice-sentence.js'
import { type ChangeStats, changeStats, explainChange } from './explain/change-behaviour.js'
import type { QueryCurve } from './explain/curve-explanations.js'
import { refreshFacts, refreshSentence } from './explain/sentence.js'
import type { RefreshHistory } from './history.js'
import { IndexJudge } from './judge/index-judge.js'
import { chosenOf, type JudgedPages } from './judge/judging.js'
import type { KeptJudgement } from './judge/kept-judgement.js'
import type { RefreshOwner } from './owner.js'
import type { Policy } from './policies/policy.js'
import type { PolicyChoice } from './policies/registry.js'
import {
  type Advice,
  type AdviceBasis,
  DEFAULT_WAIT_MS,
  type JudgeOptions,
  type NextOptions,
  type NextRequest,
  type ObserveOptions,
  type RefreshExplanation,
  readNextOptions,
  readObserveOptions,
  readSignalOptions,
  type SignalOptions,
  type SuggestedPage,
} from './refresh-options.js'
import {
  makeRefreshSchedule,
  type RefreshSchedule,
  type RefreshScheduleOptions,
  readScheduleOptions,
} from './refresh-schedule.js'
import { type Review, type ReviewOptions, reviewOf } from './review/review.js'
import {
  importSignals,
  type SignalImportOptions,
  type SignalImportReport,
  type SignalImportSource,
} from './signals/import.js'
import type { RecentWrite } from './writes/recent-writes.js'
import { type WatchOptions, watchWrites } from './writes/watch.js'

/** The documents of an index, judged by one policy. */
export interface JudgedDocuments {
  readonly history: RefreshHistory
  readonly policy: Policy
  /** Documents with a lower priority are not to be refreshed. */
  readonly threshold: number
  readonly keyOf: (doc: number) => Key | undefined
  /** The best ones, at most `count`, highest priority first. */
  best(count: number): Promise<JudgedPages>
  /** All that may be refreshed, highest priority first. */
  all(): Promise<JudgedPages>
  /** What refreshing all documents would gain. */
  total(): Promise<JudgedTotal>
  /** Whether any query is known. */
  readonly hasQueries: boolean
  /** The share of the workload, by weight, whose queries are measured. */
  readonly learntShare: number
  /** A document as `next` would name it; undefined for one that was removed a moment ago. */
  describe(doc: number, priority: number): SuggestedPage | undefined
}

/** Documents that were refreshed lately, or wait after a failure, are left out. */
export interface ReadyLimits {
  readonly atMs: number
  readonly minIntervalMs: number
  /** Only documents whose columns pass. */
  readonly filter?: unknown
}

/** Asked for beyond the budget: some may be gone by the time that they are named. */
const SPARE_PAGES = 16
/** If hosts have had their share, so many times more are asked for. */
const MORE_PAGES = 8

/** What searches show of documents, by their numbers, at one moment. */
interface HitStates {
  stateOf(doc: number): RefreshState | undefined
  /** 0 for a document that is not present. */
  priorityOf(doc: number): number
}

/** Which documents should be fetched anew, and why. */
export class Refresh {
  readonly #owner: RefreshOwner
  readonly #hostOf = (doc: number) => hostOf(this.#owner.engine.keyOf(doc) ?? '')
  readonly #numberOf = (key: Key) => this.#owner.engine.numberOf(key)
  #judge: IndexJudge | undefined

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
    await this.#owner.loaded()
    // Beside all that the first question has to take over.
    const { policy, atMs, minIntervalMs } = request
    this.#current().foresee({ policy, atMs, minIntervalMs })
    const learntShare = await this.#owner.takeOverLearnt(request.waitMs)
    this.#owner.check()
    const judge = this.#current()
    const { history } = judge
    // Whoever asks what is next is told why, too. What that takes is loaded beside the judging.
    const [chosen] = await Promise.all([this.#choose(judge, request), this.#owner.prepareExplanations()])
    this.#owner.check()
    const pauses = this.#pauses()
    history.gains.rememberForReview()
    if (pauses.isDue) await pauses.pause()
    this.#keepForSql(judge, request, chosen)
    const pages: SuggestedPage[] = []
    for (const { doc, priority } of chosen) {
      if (pauses.isDue) await pauses.pause()
      const page = this.#suggestion(judge, doc, priority, request.atMs, pages.at(-1)?.cumulativeGain ?? 0)
      if (page !== undefined) pages.push(page)
    }
    const basis = this.#basis(history)
    const expectedGain = pages.at(-1)?.cumulativeGain ?? 0
    const hasStakes = history.ledger.totals().sumStake > 0
    const sentence = adviceSentence({ basis, learntShare, expectedGain, pages: pages.length, hasStakes })
    return { pages, basis, learntShare, expectedGain, sentence }
  }

  /**
   * Resolves when the histories of the documents are in memory. Questions that cannot wait, such as `explain` and
   * searches with `refresh`, need them: of a large index the first of these would hold the event loop until they are.
   */
  async ready(): Promise<void> {
    this.#owner.check()
    await this.#owner.loaded()
  }

  /**
   * A timetable of refreshes for a period: how often and when each document is refreshed so that answers come from
   * stale copies as little as possible, by laws that are fitted to what its refreshes have found.
   */
  async schedule(options: RefreshScheduleOptions): Promise<RefreshSchedule> {
    this.#owner.check()
    const request = readScheduleOptions(options, this.#owner.now())
    await this.#owner.loaded()
    await this.#owner.takeOverLearnt(DEFAULT_WAIT_MS)
    this.#owner.check()
    const { ledger } = this.#current().history
    const check = () => this.#owner.check()
    return makeRefreshSchedule(ledger, request, { keyOf: this.#owner.engine.keyOf, pauses: new Pauses(check), check })
  }

  /** Records that a document was looked for and not written: it had not changed, was gone, or could not be had. */
  async observe(key: Key, options: ObserveOptions): Promise<void> {
    await this.observeAll([[key, options]])
  }

  /** The same for many documents, as one step: all are recorded or, when the promise rejects, none. */
  async observeAll(observations: Iterable<readonly [key: Key, options: ObserveOptions]>): Promise<void> {
    this.#owner.check()
    const nowMs = this.#owner.now()
    const read = (options: unknown) => this.#owner.shield(() => readObserveOptions(options, nowMs))
    const given = readEntries('observation', this.#shielded(observations), read, this.#numberOf)
    if (given.length > 0)
      await this.#owner.record((history) => history.observing(numbered(given, this.#numberOf), nowMs))
  }

  /** A list of the user, whose iterator may not call the index. */
  #shielded(list: unknown): unknown {
    return isIterable(list) ? shielded(list, (code) => this.#owner.shield(code)) : list
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
    this.#owner.check()
    const nowMs = this.#owner.now()
    const read = (options: unknown) => this.#owner.shield(() => readSignalOptions(options, nowMs))
    const given = readEntries('signal', this.#shielded(signals), read, this.#numberOf)
    if (given.length > 0) await this.#owner.record((history) => history.signalling(numbered(given, this.#numberOf)))
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
    const { doc, atMs, blocks, judge } = found
    const { history } = judge
    const row = history.ledger.rowOf(doc)
    if (row === undefined) return undefined
    const effects = history.effectsOf(doc)
    const state = this.#state(judge, doc, blocks.priority(doc, atMs), atMs)
    const stakeQueries = this.#owner.stakeQueries(doc)
    return {
      key,
      at: atMs,
      sentence: this.#why(history, row, state, stakeQueries, atMs),
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

  /**
   * The score→rank curve by which writes are measured for a query, beside the answers of today; undefined for a query
   * without a curve.
   */
  curve(query: Query): QueryCurve | undefined {
    this.#owner.check()
    return this.#owner.curve(query)
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
  statesAt(atMs: number): HitStates {
    const judge = this.#current()
    const blocks = judge.blocks(undefined)
    const { columns } = judge.history.ledger
    const priorityOf = (doc: number) => blocks.priority(doc, atMs)
    // The columns of a ledger that grows meanwhile are replaced.
    const isPresent = (doc: number) => columns.present[doc] === 1
    return {
      stateOf: (doc) => (isPresent(doc) ? this.#state(judge, doc, priorityOf(doc), atMs) : undefined),
      priorityOf,
    }
  }

  /** For plans: documents by their numbers, as they are now, by all that has been learnt. */
  async judged(choice: PolicyChoice | undefined, limits: ReadyLimits): Promise<JudgedDocuments> {
    const { atMs, minIntervalMs, filter } = limits
    const learntShare = await this.#owner.takeOverLearnt(DEFAULT_WAIT_MS)
    await this.#owner.prepareExplanations()
    this.#owner.check()
    const judge = this.#current()
    const policy = judge.policyOf(choice)
    const request = { atMs, minIntervalMs, policy: choice }
    const passing = () => this.#owner.engine.matching(undefined, filter)
    const total = async () => (await judge.best({ ...request, count: 0 })).total
    return {
      ...{ history: judge.history, policy, threshold: policy.threshold ?? 0, keyOf: this.#owner.engine.keyOf },
      best: async (count) =>
        filter === undefined
          ? judge.best({ ...request, count })
          : chosenOf(await judge.ranked(await passing(), request), (_, at) => at < count),
      all: async () => {
        const all = await judge.all(request)
        if (filter === undefined) return all
        const passed = new Uint8Array(judge.history.ledger.rows)
        for (const doc of await passing()) passed[doc] = 1
        return chosenOf(all, (doc) => passed[doc] === 1)
      },
      total,
      ...{ learntShare, hasQueries: this.#owner.hasQueries() },
      describe: (doc, priority) => this.#suggestion(judge, doc, priority, atMs, 0),
    }
  }

  /** Starts what the first question about a large history would have to wait for. */
  async warmUp(): Promise<void> {
    const judge = this.#judgeOf(this.#owner.history())
    judge.startThread()
    await judge.history.loadInPortions(this.#owner.now())
    this.#owner.check()
    judge.learn()
  }

  /** Before the end: nobody is answered any more. */
  refuse(): void {
    this.#judge?.refuse()
  }

  /** What is known of the documents beside their rows, for the next opening. */
  async keptJudgement(): Promise<KeptJudgement | undefined> {
    return this.#judge?.kept()
  }

  async close(): Promise<void> {
    await this.#judge?.close()
  }

  #current(): IndexJudge {
    const history = this.#owner.history()
    history.load(this.#owner.now())
    return this.#judgeOf(history)
  }

  #judgeOf(history: RefreshHistory): IndexJudge {
    if (this.#judge?.history !== history) {
      void this.#judge?.close()
      this.#judge = new IndexJudge(history, this.#owner.policy)
    }
    return this.#judge
  }

  async #choose(judge: IndexJudge, request: NextRequest): Promise<Candidate[]> {
    const { policy, where, filter, atMs, minIntervalMs, budget, perHost } = request
    const limits = { policy, atMs, minIntervalMs }
    const choose = (pages: JudgedPages) => {
      const candidates = this.#known(pages)
      return inTurns(choosingRefreshes({ candidates, budget, perHost, hostOf: this.#hostOf }), this.#pauses())
    }
    if (where !== undefined || filter !== undefined) {
      // The total is judged along with the best.
      await judge.best({ ...limits, count: 0 })
      return choose(await judge.ranked(await this.#owner.engine.matching(where, filter), limits))
    }
    for (let count = Math.min(budget + SPARE_PAGES, Number.MAX_SAFE_INTEGER); ; count *= MORE_PAGES) {
      const pages = await judge.best({ ...limits, count })
      this.#owner.check()
      const chosen = await choose(pages)
      if (chosen.length === budget || pages.docs.length < count) return chosen
    }
  }

  /** What SQL shows is the policy of the index. */
  #keepForSql(judge: IndexJudge, { policy, atMs }: NextRequest, named: readonly Candidate[]): void {
    if (policy !== undefined) return
    const { deltaQuality } = judge.lastTotal(atMs)
    const { history } = judge
    this.#owner.keepJudgement({ history, atMs, named, deltaQuality, blocks: judge.blocks(policy) })
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
    const judge = this.#current()
    return { doc, atMs, judge, blocks: judge.blocks(policy as PolicyChoice | undefined) }
  }

  #time(at: unknown): number {
    return timeOption('at', at, this.#owner.now())
  }

  #pauses(): Pauses {
    return new Pauses(() => this.#owner.check())
  }

  /** A row may be of a document whose removal is under way. */
  *#known({ docs, priorities }: JudgedPages): Generator<Candidate> {
    for (let at = 0; at < docs.length; at++) {
      const doc = docs[at]!
      if (this.#owner.engine.keyOf(doc) !== undefined) yield { doc, priority: priorities[at]! }
    }
  }

  #suggestion(
    judge: IndexJudge,
    doc: number,
    priority: number,
    atMs: number,
    gainBefore: number,
  ): SuggestedPage | undefined {
    const row = judge.history.ledger.rowOf(doc)
    const key = this.#owner.engine.keyOf(doc)
    // Removed a moment ago.
    if (row === undefined || key === undefined) return undefined
    const state = this.#state(judge, doc, priority, atMs)
    const { stake, expectedGain, ageMs, currentProbability } = state
    return {
      key,
      ...{ priority, stake, expectedGain, cumulativeGain: Math.min(1, gainBefore + expectedGain) },
      ...{ ageMs, currentProbability },
      why: this.#why(judge.history, row, state, this.#owner.stakeQueries(doc), atMs),
    }
  }

  #why(
    history: RefreshHistory,
    row: LedgerRow,
    state: RefreshState,
    stakeQueries: readonly StakeQuery[],
    atMs: number,
  ): string {
    const queries = { hasQueries: this.#owner.hasQueries(), stakeQueries }
    return refreshSentence(refreshFacts(history, row, state, queries, atMs))
  }

  #state(judge: IndexJudge, doc: number, priority: number, atMs: number): RefreshState {
    const { ledger, gains } = judge.history
    const { sumStake } = ledger.totals()
    const { changeChance, gainIfChanged } = gains.expected(doc, atMs)
    const deltaQuality = changeChance * gainIfChanged
    const all = judge.lastTotal(atMs)
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
