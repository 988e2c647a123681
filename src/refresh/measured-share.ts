/**
 * Keeps measuring within a share of what indexing takes (`maxOverhead`), by measuring less: the queries that promise
 * most per shift, as far as a share of all shifts goes (native/quality/measured_queries.h). That share follows what
 * writes have cost so far.
 */
import type { BatchMeasure, MeasuringEngine } from '../engine.js'

/** CPU time in microseconds. */
export interface ShareState {
  /** Of the shifts that all queries would have: what is measured, 0 to 1. */
  readonly share: number
  /** What writes have taken of late, all with this share. */
  readonly indexUs: number
  readonly measureUs: number
  /**
   * How far measuring has stayed below its limit since the share last changed. Below 0 it is a debt, which outlives
   * such changes: writes that took more than they should are paid back by later ones.
   */
  readonly savedUs: number
}

/** What a write took, in microseconds of CPU time. */
export interface WriteCost {
  readonly indexUs: number
  readonly measureUs: number
}

export interface ShareLimits {
  readonly maxOverhead: number
  /** What a fit of all curves takes: a share that grows brings queries back that only such a fit makes exact. */
  readonly epochUs: number
}

/** Less indexing than this says little of what measuring costs. */
const EVIDENCE_US = 8_000

/** After this much, what was before counts half. */
const WINDOW_US = 200_000

/** Below the limit by this much is not worth a fit. */
const SLACK = 0.7

/** Parts of the limit: with more than `over` the share falls, to where `aim` would be used. */
const NO_DEBT = { over: 1, aim: 0.95 } as const
const IN_DEBT = { over: 0.9, aim: 0.8 } as const

/** One step goes no further than this, since a single write can be an odd one. */
const STEEPEST_FALL = 1 / 4
const STEEPEST_RISE = 2

/** What is always measured, whatever it takes. */
export const SMALLEST_SHARE = 0.01

export const WHOLE_SHARE: ShareState = { share: 1, indexUs: 0, measureUs: 0, savedUs: 0 }

/**
 * A part of the cost does not depend on the share: reading the changes of a page takes as long for one query as for
 * all. A share that falls in proportion to the cost falls too little therefore, so it falls by the square of that. One
 * that rises in proportion does not rise beyond the limit.
 */
export function afterWrite(state: ShareState, cost: WriteCost, { maxOverhead, epochUs }: ShareLimits): ShareState {
  const indexUs = state.indexUs + cost.indexUs
  const measureUs = state.measureUs + cost.measureUs
  // A debt of more than a window would have measuring suffer for too long.
  const most = maxOverhead * WINDOW_US
  const savedUs = Math.max(-most, state.savedUs + maxOverhead * cost.indexUs - cost.measureUs)
  const left = { share: state.share, indexUs, measureUs, savedUs }
  if (indexUs < EVIDENCE_US) return left
  const used = measureUs / (maxOverhead * indexUs)
  const { over, aim } = savedUs < 0 ? IN_DEBT : NO_DEBT
  if (used > over && state.share > SMALLEST_SHARE) {
    const share = Math.max(SMALLEST_SHARE, state.share * Math.max(STEEPEST_FALL, (aim / used) ** 2))
    return movedTo(share, savedUs)
  }
  if (used < SLACK && state.share < 1 && savedUs >= epochUs)
    return movedTo(Math.min(1, state.share * Math.min(STEEPEST_RISE, 0.9 / used)), savedUs)
  return indexUs < WINDOW_US ? left : { ...left, indexUs: indexUs / 2, measureUs: measureUs / 2 }
}

function movedTo(share: number, savedUs: number): ShareState {
  return { ...WHOLE_SHARE, share, savedUs: Math.min(0, savedUs) }
}

/** Tells the core how much to measure. */
export class MeasuredShare {
  readonly #engine: Pick<MeasuringEngine, 'measureShare'>
  readonly #maxOverhead: number | undefined
  #state = WHOLE_SHARE
  #epochUs = 0

  /** Without `maxOverhead` all is measured. */
  constructor(engine: Pick<MeasuringEngine, 'measureShare'>, maxOverhead: number | undefined) {
    this.#engine = engine
    this.#maxOverhead = maxOverhead
  }

  /** All curves were fitted. */
  epochTook(epochUs: number): void {
    this.#epochUs = epochUs
  }

  /** After a write, as part of its turn. Never rejects. */
  async afterWrite({ measuredShare }: BatchMeasure, cost: WriteCost): Promise<void> {
    // Without curves nothing was measured, and that says nothing.
    if (measuredShare === undefined) return
    // What the core measures by may come from an earlier process, or wait for the end of a fit.
    if (measuredShare !== this.#state.share) this.#state = movedTo(measuredShare, this.#state.savedUs)
    this.#state = this.#next(cost)
    // A core that is closed, or refuses, measures as much as before, and the next write sees that.
    if (this.#state.share !== measuredShare) await this.#engine.measureShare(this.#state.share).catch(() => {})
  }

  #next(cost: WriteCost): ShareState {
    if (this.#maxOverhead === undefined) return WHOLE_SHARE
    return afterWrite(this.#state, cost, { maxOverhead: this.#maxOverhead, epochUs: this.#epochUs })
  }
}
