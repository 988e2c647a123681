/**
 * Keeps the core's measurement of writes going. Curves that an earlier process fitted are taken over; queries that are
 * new get curves within the running epoch, and a query that is asked more or less often needs none. All curves are
 * fitted anew only when the index has moved on so far that the core asks for it, or when the view has.
 *
 * A fit begins and ends as a turn of the index, between writes, and runs beside them. The first one is waited for by
 * the write that wants to be measured; later ones are not, the old curves serve meanwhile.
 */
import { inTurns, nextTurn, Pauses, type Steps } from '../base/turns.js'
import type { Fitted, MeasuringEngine, Resumed } from '../engine.js'
import { encodeWorkload, type MeasuredQuery } from '../workload/measured-queries.js'
import type { SampledView } from '../workload/view-likelihood.js'
import type { WorkloadState } from '../workload/workload-state.js'
import {
  type CurveChange,
  type CurveSource,
  type CurveState,
  isSameView,
  keptIds,
  packState,
  unpackState,
} from './kept-curves.js'
import { mergeFits, NO_CURVES, type PackedCurves } from './packed-curves.js'

/** What the measurement needs of the prioritizer that it belongs to. */
export interface MeasurementOwner {
  /** Runs work as a turn of the index. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  hasDocuments(): boolean
  /** Called after each fit with stakes, the part of the workload that has no answer, and the curves to keep. */
  onFitted(fitted: Pick<Fitted, 'documents' | 'stakes' | 'unansweredShare' | 'fitUs'>, change: CurveChange): Steps<void>
  /** Called when curves are to be kept no longer. */
  onForgotten(change: CurveChange): void
  /** Stakes by document, as they are known. */
  stakes(): Steps<Float64Array>
}

/** What a measurement depends on. */
export interface MeasurementSetup {
  readonly engine: MeasuringEngine
  readonly workload: WorkloadState
  readonly owner: MeasurementOwner
  /** How documents are scored. */
  readonly scoring: string
  /** The hash of kept bytes. */
  readonly hash: (bytes: Uint8Array) => bigint
  /** Curves that an earlier process left; undefined in memory. */
  readonly stored: CurveSource | undefined
  /** Runs work that belongs to fits, and counts what it takes. */
  timed<T>(work: () => T): T
}

/** The form in which the core keeps curves (native/quality/stored_curves.h): those of another one are fitted anew. */
const CURVE_FORMAT = 2

/** After a write, a workload of which this share is new is taken up. */
const NEW_SHARE = 0.02

/** Weights decay all alike. When they have come this far, stakes follow: a stake is kept no more exactly than that. */
const SCALE_SHARE = 0.05

/** Kept curves are not taken over when stakes have more than this of queries whose curves were lost. */
const LOST_SHARE = 0.05

/** Weights that have decayed further than this are not scaled: all is begun anew. */
const SMALLEST_SCALE = 1e-6

export interface FitTotals {
  readonly epoch: number
  readonly queries: number
  readonly fits: number
  /** Curves fitted, all fits together. */
  readonly curves: number
  readonly fitUs: number
  readonly curveBytes: number
  readonly memoryBytes: number
  /** Why the last fit failed; undefined when it did not. Writes go on, with older curves or unmeasured. */
  readonly failure: string | undefined
}

export const NO_FITS: FitTotals = {
  ...{ epoch: 0, queries: 0, fits: 0, curves: 0, fitUs: 0, curveBytes: 0, memoryBytes: 0 },
  failure: undefined,
}

interface MeasuredWords {
  readonly queries: readonly MeasuredQuery[]
  /** Words by their hashes, where queries are named by these. */
  readonly wordOf: ReadonlyMap<bigint, string>
}

/** What holds as soon as the fit that was started is adopted. */
interface Intent {
  /** Undefined: the state stays. */
  readonly state: Omit<CurveState, 'statistics'> | undefined
  /** The queries of the log that it takes over; undefined: no others than before. */
  readonly taken: ReadonlySet<number> | undefined
}

const NO_INTENT: Intent = { state: undefined, taken: undefined }

export class Measurement {
  readonly #engine: MeasuringEngine
  readonly #workload: WorkloadState
  readonly #owner: MeasurementOwner
  readonly #stored: CurveSource | undefined
  readonly #basis: string
  readonly #hash: (bytes: Uint8Array) => bigint
  readonly #timed: MeasurementSetup['timed']
  #totals = NO_FITS
  /** A fit beside writes, until it is adopted. */
  #running: Promise<void> | undefined
  /** Settles when that fit is computed; undefined when its result is not wanted any more. Never rejects. */
  #computed: Promise<void> | undefined
  #intent: Intent = NO_INTENT
  /** Of the epoch that measures; undefined without one. */
  #state: CurveState | undefined
  /** Queries of the log that the curves speak for; undefined until that was looked up. */
  #taken: ReadonlySet<number> | undefined
  /** The last `learntShare`, and what it was made of. */
  #share: { readonly taken: ReadonlySet<number>; readonly version: number; readonly share: number } | undefined
  /** The one look for kept curves: whether there were any that can be used. */
  #looking: Promise<boolean> | undefined
  #isChurned = false

  constructor({ engine, workload, owner, scoring, hash, stored, timed }: MeasurementSetup) {
    this.#timed = timed
    this.#engine = engine
    this.#workload = workload
    this.#owner = owner
    this.#stored = stored
    this.#hash = hash
    this.#basis = JSON.stringify([scoring, workload.terms, workload.pieces, CURVE_FORMAT])
  }

  get totals(): FitTotals {
    return this.#totals
  }

  /** Whether there are curves that the core measures by. */
  get hasCurves(): boolean {
    return this.#state !== undefined
  }

  /** Whether a fit is under way, or waits to be adopted. */
  get isFitting(): boolean {
    return this.#running !== undefined
  }

  /** The share, by weight, of the queries that the curves speak for: 0 to 1; 0 without queries. */
  get learntShare(): number {
    this.#taken ??= this.#takenByStore()
    const { version } = this.#workload
    // Weights decay alike, so that shares last until the next query is counted.
    if (this.#share?.taken !== this.#taken || this.#share.version !== version)
      this.#share = { taken: this.#taken, version, share: this.#workload.measured.shareOf(this.#taken) }
    return this.#share.share
  }

  /**
   * Before a write, as part of its turn: kept curves or the first fit, if there is a workload and nothing to measure
   * with. Never rejects.
   */
  async beforeWrite(): Promise<void> {
    if (this.isReady) return
    await this.#surviving(async () => {
      if (!(await this.#resume())) await this.fit()
    })
  }

  /**
   * Before questions: goes on with kept curves, if there are any and nobody has looked for them. Not within a turn.
   * Never rejects.
   */
  async takeOverKept(): Promise<void> {
    if (this.#stored === undefined || this.hasCurves) return
    if (this.#looking === undefined && !this.isReady)
      await this.#surviving(() =>
        this.#owner.inTurn(async () => {
          if (this.#looking === undefined && !this.isReady) await this.#resume()
        }),
      )
    await this.#looking?.catch(() => {})
  }

  /** Nothing has to be fitted before a write. */
  get isReady(): boolean {
    return this.hasCurves || this.#running !== undefined || !this.#isEpochPossible()
  }

  /** After a write, as part of its turn. What is due begins now and goes on beside later writes. Never rejects. */
  async afterWrite(fitNeed: 0 | 1 | 2): Promise<void> {
    this.#isChurned = this.hasCurves
    if (this.#running !== undefined) return
    if (this.hasCurves && this.#workload.isEmpty) {
      await this.#surviving(() => this.#stop())
      return
    }
    if (!this.#isEpochPossible()) return
    const takesUp = this.#workload.measured.newShare > NEW_SHARE
    if (this.hasCurves && !takesUp && fitNeed === 0) return
    await this.#surviving(async () => {
      if (fitNeed === 2 && this.#isTakenUp()) await this.#renewEpoch()
      else if (fitNeed === 2 || !this.hasCurves) await this.#startEpoch()
      else if (takesUp) await this.#startTakingUp()
      else await this.#startRefit()
      this.#goOn()
    })
  }

  /**
   * Takes up what has been learnt: resolves when its curves are adopted, or when that has failed. A fit under way that
   * only brings known curves up to date is waited for where `waitsForRefits` says so. Not within a turn. Never rejects.
   */
  async takeUp({ waitsForRefits }: { readonly waitsForRefits: boolean }): Promise<void> {
    if (!waitsForRefits && this.hasCurves && !this.#hasNews() && this.learntShare >= 1) return
    await this.#running
    if (!this.#hasNews()) return
    await this.#surviving(() =>
      this.#owner.inTurn(async () => {
        if (this.#running !== undefined || !this.#hasNews()) return
        if (!this.hasCurves && (await this.#resume()) && !this.#hasNews()) return
        if (this.hasCurves) await this.#startTakingUp()
        else await this.#startEpoch()
        this.#goOn()
      }),
    )
    await this.#running
  }

  /** As a turn: brings everything up to date. */
  async fit(): Promise<void> {
    if (!this.#isEpochPossible()) return
    await this.#supersede()
    try {
      await this.#startEpoch()
      await this.#engine.runFit()
      await this.#adopt()
    } catch (error) {
      this.#workload.measured.markOutdated()
      await this.#engine.abandonFit().catch(() => {})
      throw error
    }
  }

  /** Resolves when no fit is under way. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** At the end: how far lists have changed since their curves were fitted; undefined if no write has changed any. */
  async churn(): Promise<Uint8Array | undefined> {
    if (!this.#isChurned || !this.hasCurves) return undefined
    this.#isChurned = false
    return this.#engine.churn()
  }

  #isEpochPossible(): boolean {
    return !this.#workload.isEmpty && this.#owner.hasDocuments()
  }

  /** Whether queries have come, or have been asked more often, that the curves do not know of. */
  #hasNews(): boolean {
    if (!this.#isEpochPossible()) return false
    return this.#workload.measured.newShare > 0 || (!this.hasCurves && this.learntShare < 1)
  }

  /** Within a turn: all curves, in a new epoch. */
  async #startEpoch(): Promise<void> {
    const { queries, wordOf } = await this.#takenUp()
    const view = this.#workload.sampledView()
    await this.#engine.startFit(await this.#inPortions(encodeWorkload(queries)), this.#workload.pieces, view)
    const taken = await this.#inPortions(
      this.#workload.measured.takenOver(new Set(queries.map(({ id }) => id)), wordOf),
    )
    const { weighedAtMs: referenceMs } = this.#workload
    this.#intent = { state: { referenceMs, basis: this.#basis, view, lostShare: 0 }, taken }
  }

  /** Whether the core has the workload as it is now, but for what weights have decayed, which they do all alike. */
  #isTakenUp(): boolean {
    const { measured } = this.#workload
    if (this.#state === undefined || measured.newShare > 0 || !measured.areWordsKnown) return false
    return areSame(this.#workload.sampledView(), this.#state.view)
  }

  /** Within a turn: the same in a new epoch, without a look at the workload. REQUIRES: isTakenUp. */
  async #renewEpoch(): Promise<void> {
    this.#intent = { state: { ...(this.#state as CurveState), lostShare: 0 }, taken: undefined }
    await this.#engine.renewEpoch()
  }

  /** Within a turn: the curves whose lists have changed too far. */
  async #startRefit(): Promise<void> {
    this.#intent = NO_INTENT
    await this.#engine.startFit()
  }

  /** Within a turn: the workload as it is now, within the epoch if that can be. REQUIRES: hasCurves. */
  async #startTakingUp(): Promise<void> {
    const state = this.#state as CurveState
    const view = this.#workload.sampledView()
    const nowMs = this.#workload.weighedAtMs
    // What is left of a weight of the reference time. All weights are given as of that time until it is long ago.
    const left = 2 ** ((state.referenceMs - nowMs) / this.#workload.halfLifeMs)
    const isFar = left < SMALLEST_SCALE || left > 1 / SMALLEST_SCALE
    if (isFar || !areSame(view, state.view)) return this.#startEpoch()
    const isScaled = Math.abs(left - 1) > SCALE_SHARE
    const { queries, wordOf } = await this.#takenUp()
    const weighed = isScaled ? queries : queries.map((query) => ({ ...query, weight: query.weight / left }))
    await this.#engine.startExtension(await this.#inPortions(encodeWorkload(weighed)), isScaled ? left : 1)
    const taken = await this.#inPortions(
      this.#workload.measured.takenOver(new Set(queries.map(({ id }) => id)), wordOf),
    )
    this.#intent = { state: isScaled ? { ...state, referenceMs: nowMs } : undefined, taken }
  }

  /** What is to be fitted. Whatever is recorded from now on, also before the fit has begun, is new to it. */
  #takenUp(): Promise<MeasuredWords> {
    this.#workload.measured.markTakenUp()
    return this.#measured()
  }

  async #measured(): Promise<MeasuredWords> {
    const wordOf = await this.#engine.wordsOfHashes(this.#workload.measured.hashes())
    return { queries: await this.#inPortions(this.#workload.measured.queries(wordOf)), wordOf }
  }

  /** Within a turn: goes on with the curves of an earlier process. False when there are none that can be used. */
  async #resume(): Promise<boolean> {
    if (this.#stored === undefined || this.#looking !== undefined) return false
    this.#looking = this.#takeKept(this.#stored)
    return this.#looking
  }

  async #takeKept(stored: CurveSource): Promise<boolean> {
    const state = this.#storedState()
    if (state === undefined) return false
    const { queries, wordOf } = await this.#measured()
    const { pieces } = this.#workload
    let resumed: Resumed | undefined
    let rows: PackedCurves
    try {
      rows = await this.#inPortions(mergeFits(stored.fits()))
      const churn = stored.churn()
      const kept = {
        ...rows,
        statistics: state.statistics,
        churn: churn instanceof Uint8Array ? churn : new Uint8Array(),
      }
      const wire = await this.#inPortions(encodeWorkload(queries))
      const stakes = await this.#inPortions(this.#owner.stakes())
      // The stakes of millions of documents take some milliseconds to be copied on their way to the core, too.
      await nextTurn()
      resumed = await this.#engine.resume(wire, pieces, state.view, kept, stakes)
    } catch {
      // Curves that cannot be read are fitted anew, like those that there are not.
      return false
    }
    if (resumed === undefined || state.lostShare + resumed.lostShare > LOST_SHARE) return false
    this.#state = state
    if (resumed.lostShare > 0) this.#forgetLost(rows, resumed)
    this.#taken = await this.#inPortions(this.#workload.measured.takenOver(new Set(resumed.queries), wordOf))
    const { epoch, curveBytes, memoryBytes } = resumed
    this.#totals = { ...this.#totals, epoch, queries: resumed.queries.length, curveBytes, memoryBytes }
    await nextTurn()
    // Queries that have come since, or whose curves were lost, are news.
    if (this.learntShare < 1) this.#workload.measured.markOutdated()
    return true
  }

  /** Rows of queries that are gone. What the stakes have of them stays, and is counted. */
  #forgetLost({ ids }: PackedCurves, { queries, lostShare }: Resumed): void {
    const before = this.#state as CurveState
    this.#state = { ...before, lostShare: before.lostShare + lostShare }
    const known = new Set(queries)
    const state = packState(this.#state, this.#hash)
    this.#owner.onForgotten({ isAll: false, state, put: NO_CURVES, removed: ids.filter((id) => !known.has(id)) })
  }

  /** Undefined unless the curves that are kept are of this scoring, these pieces and this view. */
  #storedState(): CurveState | undefined {
    try {
      const state = unpackState(this.#stored?.state(), this.#hash)
      const fits = state?.basis === this.#basis && areSame(this.#workload.sampledView(), state.view)
      return fits ? state : undefined
    } catch {
      return undefined
    }
  }

  #takenByStore(): ReadonlySet<number> {
    if (this.#stored === undefined || this.#workload.terms === 'single' || this.#storedState() === undefined)
      return new Set()
    try {
      return keptIds(this.#stored)
    } catch {
      return new Set()
    }
  }

  async #stop(): Promise<void> {
    this.#state = undefined
    this.#taken = new Set()
    await this.#engine.stopMeasuring()
    this.#owner.onForgotten({ isAll: true, state: undefined, put: NO_CURVES, removed: new Uint32Array() })
  }

  #goOn(): void {
    const result = this.#engine.runFit()
    const computed = result.catch(() => {})
    const fit = async () => {
      await result
      await this.#owner.inTurn(async () => {
        if (this.#computed === computed) await this.#adopt()
      })
    }
    this.#computed = computed
    const running = this.#surviving(fit).finally(() => {
      if (this.#running === running) this.#running = undefined
      if (this.#computed === computed) this.#computed = undefined
    })
    this.#running = running
  }

  /**
   * Within a turn: a fit under way would be adopted by a later turn, for which this one cannot wait. Its result is
   * given up.
   */
  async #supersede(): Promise<void> {
    const computed = this.#computed
    if (computed === undefined) return
    this.#computed = undefined
    await computed
    await this.#engine.abandonFit()
  }

  /** A write is not to fail for its measurement: what goes wrong is noted, and the next write tries again. */
  async #surviving(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#totals = { ...this.#totals, failure: error instanceof Error ? error.message : String(error) }
      // What was to be taken up is news again.
      this.#workload.measured.markOutdated()
      await this.#engine.abandonFit().catch(() => {})
    }
  }

  /** A workload has up to many thousands of queries. */
  #inPortions<T>(steps: Steps<T>): Promise<T> {
    return inTurns(steps, new Pauses(), { timed: this.#timed })
  }

  async #adopt(): Promise<void> {
    const intent = this.#intent
    this.#intent = NO_INTENT
    const adopted = await this.#engine.adoptFit()
    const { epoch, queries, fitted, fitUs, curveBytes, memoryBytes, statistics, ids, bytes, ends, removed } = adopted
    const { fits, curves, fitUs: before } = this.#totals
    const isEpoch = statistics.length > 0
    this.#totals = {
      epoch,
      queries,
      fits: fits + (isEpoch || fitted > 0 ? 1 : 0),
      curves: curves + fitted,
      fitUs: before + fitUs,
      curveBytes,
      memoryBytes,
      failure: undefined,
    }
    this.#taken = intent.taken ?? this.#taken
    let state: Uint8Array | undefined
    if (intent.state !== undefined) {
      this.#state = { ...intent.state, statistics: isEpoch ? statistics : (this.#state as CurveState).statistics }
      state = packState(this.#state, this.#hash)
    }
    const change = { isAll: isEpoch, state, put: { ids, bytes, ends }, removed }
    await this.#inPortions(this.#owner.onFitted(adopted, change))
  }
}

/** Whether stakes by one view can stand for stakes by the other; undefined is r^-3/2. */
function areSame(one: SampledView | undefined, other: SampledView | undefined): boolean {
  return one === undefined || other === undefined ? one === other : isSameView(one, other)
}
