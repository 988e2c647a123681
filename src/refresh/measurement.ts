/**
 * Keeps the core's measurement of writes going: curves are fitted when there is a workload, and anew when the index or
 * the workload has moved on.
 *
 * A fit begins and ends as a turn of the index, between writes, and runs beside them. The first one is waited for by
 * the write that wants to be measured; later ones are not, the old curves serve meanwhile.
 */
import type { Fitted, MeasuringCore } from '../engine.js'
import { encodeWorkload } from '../workload/measured-queries.js'
import type { WorkloadState } from '../workload/workload-state.js'

export interface MeasurementParts {
  readonly core: MeasuringCore
  readonly workload: WorkloadState
  /** Runs work as a turn of the index. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  readonly hasDocuments: () => boolean
  /** After each fit: every document's stake, by number, and what part of the workload no document answers. */
  readonly onFitted: (fitted: Pick<Fitted, 'stakes' | 'unansweredShare'>) => void
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
  readonly #parts: MeasurementParts
  #totals = NO_FITS
  /** A fit beside writes, until it is adopted. */
  #running: Promise<void> | undefined
  /** Settles when that fit is computed; undefined when its result is not wanted any more. Never rejects. */
  #computed: Promise<void> | undefined
  #hasEpoch = false

  constructor(parts: MeasurementParts) {
    this.#parts = parts
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
    if (this.#hasEpoch && this.#parts.workload.isEmpty) {
      this.#hasEpoch = false
      await this.#surviving(() => this.#parts.core.stopMeasuring())
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
      await this.#parts.core.runFit()
      await this.#adopt()
    } catch (error) {
      await this.#parts.core.abandonFit()
      throw error
    }
  }

  /** Resolves when no fit is under way. */
  async settled(): Promise<void> {
    await this.#running
  }

  #isEpochPossible(): boolean {
    return !this.#parts.workload.isEmpty && this.#parts.hasDocuments()
  }

  #isWorkloadNew(): boolean {
    return !this.#hasEpoch || this.#parts.workload.newShare > NEW_SHARE
  }

  async #start(isEpoch: boolean): Promise<void> {
    const { core, workload } = this.#parts
    if (!isEpoch) return core.startFit()
    const wordOf = await core.wordsOfHashes(workload.hashes())
    await core.startFit(encodeWorkload(workload.measured(wordOf)), workload.pieces, workload.sampledView())
    workload.takeUp()
  }

  #goOn(): void {
    const { core, inTurn } = this.#parts
    const result = core.runFit()
    const computed = result.catch(() => {})
    const fit = async () => {
      await result
      await inTurn(async () => {
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
    await this.#parts.core.abandonFit()
  }

  /** A write is not to fail for its measurement: what goes wrong is noted, and the next write tries again. */
  async #surviving(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#totals = { ...this.#totals, failure: error instanceof Error ? error.message : String(error) }
      await this.#parts.core.abandonFit().catch(() => {})
    }
  }

  async #adopt(): Promise<void> {
    const adopted = await this.#parts.core.adoptFit()
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
    this.#parts.onFitted(adopted)
  }
}
