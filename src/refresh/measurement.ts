/**
 * Keeps the core's measurement of writes going: curves are fitted when there is a workload, and anew when the index or
 * the workload has moved on.
 *
 * A fit begins and ends as a turn of the index, between writes, and runs beside them. The first one is waited for by
 * the write that wants to be measured; later ones are not, the old curves serve meanwhile.
 */
import type { Fitted, MeasuringEngine } from '../engine.js'
import { encodeWorkload } from '../workload/measured-queries.js'
import type { WorkloadState } from '../workload/workload-state.js'

/** What the measurement needs of the prioritizer that it belongs to. */
export interface MeasurementOwner {
  /** Runs work as a turn of the index. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  hasDocuments(): boolean
  /** Called after each fit with every document's stake, by number, and the part of the workload that has no answer. */
  onFitted(fitted: Pick<Fitted, 'stakes' | 'unansweredShare'>): void
}

/** A workload of which this share is new is taken up by a new epoch. */
const NEW_SHARE = 0.1

export interface FitTotals {
  readonly epoch: number
  readonly queries: number
  readonly fits: number
  /** Curves fitted, all fits together. */
  readonly curves: number
  readonly fitMs: number
  readonly curveBytes: number
  readonly memoryBytes: number
  /** Why the last fit failed; undefined when it did not. Writes go on, with older curves or unmeasured. */
  readonly failure: string | undefined
}

export const NO_FITS: FitTotals = {
  ...{ epoch: 0, queries: 0, fits: 0, curves: 0, fitMs: 0, curveBytes: 0, memoryBytes: 0 },
  failure: undefined,
}

export class Measurement {
  readonly #engine: MeasuringEngine
  readonly #workload: WorkloadState
  readonly #owner: MeasurementOwner
  #totals = NO_FITS
  /** A fit beside writes, until it is adopted. */
  #running: Promise<void> | undefined
  /** Settles when that fit is computed; undefined when its result is not wanted any more. Never rejects. */
  #computed: Promise<void> | undefined
  #hasEpoch = false

  constructor(engine: MeasuringEngine, workload: WorkloadState, owner: MeasurementOwner) {
    this.#engine = engine
    this.#workload = workload
    this.#owner = owner
  }

  get totals(): FitTotals {
    return this.#totals
  }

  /**
   * Before a write, as part of its turn: the first fit, if there is a workload and nothing to measure with. Never
   * rejects.
   */
  async beforeWrite(): Promise<void> {
    if (!this.isReady) await this.#surviving(() => this.fit())
  }

  /** Nothing has to be fitted before a write. */
  get isReady(): boolean {
    return this.#hasEpoch || this.#running !== undefined || !this.#isEpochPossible()
  }

  /** After a write, as part of its turn. What is due begins now and goes on beside later writes. Never rejects. */
  async afterWrite(fitNeed: 0 | 1 | 2): Promise<void> {
    if (this.#running !== undefined) return
    if (this.#hasEpoch && this.#workload.isEmpty) {
      this.#hasEpoch = false
      await this.#surviving(() => this.#engine.stopMeasuring())
      return
    }
    const wantsEpoch = fitNeed === 2 || this.#isWorkloadNew()
    if (wantsEpoch ? !this.#isEpochPossible() : !this.#hasEpoch || fitNeed === 0) return
    await this.#surviving(async () => {
      await this.#start(wantsEpoch)
      this.#goOn()
    })
  }

  /** As a turn: brings everything up to date. */
  async fit(): Promise<void> {
    if (!this.#isEpochPossible()) return
    await this.#supersede()
    await this.#start(true)
    try {
      await this.#engine.runFit()
      await this.#adopt()
    } catch (error) {
      await this.#engine.abandonFit()
      throw error
    }
  }

  /** The same for whoever goes on with older curves if that fails. Never rejects. */
  async catchUp(): Promise<void> {
    await this.#surviving(() => this.fit())
  }

  /** Resolves when no fit is under way. */
  async settled(): Promise<void> {
    await this.#running
  }

  #isEpochPossible(): boolean {
    return !this.#workload.isEmpty && this.#owner.hasDocuments()
  }

  #isWorkloadNew(): boolean {
    return !this.#hasEpoch || this.#workload.newShare > NEW_SHARE
  }

  async #start(isEpoch: boolean): Promise<void> {
    const engine = this.#engine
    const workload = this.#workload
    if (!isEpoch) return engine.startFit()
    const wordOf = await engine.wordsOfHashes(workload.hashes())
    await engine.startFit(encodeWorkload(workload.measured(wordOf)), workload.pieces, workload.sampledView())
    workload.markMeasured()
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
      await this.#engine.abandonFit().catch(() => {})
    }
  }

  async #adopt(): Promise<void> {
    const adopted = await this.#engine.adoptFit()
    const { epoch, queries, fitted, fitMs, curveBytes, memoryBytes } = adopted
    const { fits, curves, fitMs: before } = this.#totals
    this.#totals = {
      epoch,
      queries,
      fits: fits + 1,
      curves: curves + fitted,
      fitMs: before + fitMs,
      curveBytes,
      memoryBytes,
      failure: undefined,
    }
    this.#hasEpoch = true
    this.#owner.onFitted(adopted)
  }
}
