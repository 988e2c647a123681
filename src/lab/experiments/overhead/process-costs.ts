/**
 * What repeated measurements of the same thing say: medians with quartiles, what one contender costs beyond another,
 * and whether the machine was too busy to tell.
 */

import { centralInterval, medianOf } from '../../../math/quantiles.js'

export interface Quartiles {
  readonly median: number
  readonly p25: number
  readonly p75: number
}

/** REQUIRES: at least one value. */
export function quartilesOf(values: readonly number[]): Quartiles {
  const [p25, p75] = centralInterval(values, 0.5)
  return { median: medianOf(values), p25, p75 }
}

/**
 * Run by run, how much more the first one is. Two runs of one number were made one after the other, so that a machine
 * that changes its speed changes both. REQUIRES: as many of the one as of the other, at least one.
 */
export function differencesOf(more: readonly number[], less: readonly number[]): number[] {
  return more.map((value, run) => value - less[run]!)
}

export interface Measured {
  readonly cores: number
  /** The load average before the first run. */
  readonly loadBefore: number
  /** The load average after each run. */
  readonly loads: readonly number[]
  /** Runs of what changes least, in any unit. */
  readonly steady: readonly number[]
  /** What is to be told, and how much of it is allowed, in one unit. */
  readonly differences: readonly number[]
  readonly limit: number
}

export interface Busyness {
  readonly isTooBusy: boolean
  /** Empty when it is not. */
  readonly because: readonly string[]
  readonly loadBefore: number
  readonly loadDuring: number
  /** The middle half of the steady runs, by their median. */
  readonly steadySpread: number
}

/** Beyond these somebody else was at work: a benchmark keeps a core busy, and little of another. */
const BUSY_BEFORE = 0.5
const BUSY_DURING = 1
const WIDEST_SPREAD = 0.06

export function busynessOf({ cores, loadBefore, loads, steady, differences, limit }: Measured): Busyness {
  const loadDuring = medianOf(loads)
  const quartiles = quartilesOf(steady)
  const steadySpread = (quartiles.p75 - quartiles.p25) / quartiles.median
  const told = quartilesOf(differences)
  const because = [
    loadBefore > BUSY_BEFORE * cores ? 'the load average was high before the first run' : '',
    loadDuring > BUSY_DURING * cores ? 'the load average was high during the runs' : '',
    steadySpread > WIDEST_SPREAD ? 'runs that should be the same differ' : '',
    told.p75 - told.p25 > limit ? 'the middle half of the differences is wider than what is allowed' : '',
  ].filter((reason) => reason !== '')
  return { isTooBusy: because.length > 0, because, loadBefore, loadDuring, steadySpread }
}

/** How far two accounts of one thing may be apart, relatively. */
export const ACCOUNT_TOLERANCE = 0.1

export interface AccountAgreement {
  readonly toldUs: number
  readonly processUs: number
  /** toldUs / processUs. */
  readonly ratio: number
  readonly agrees: boolean
}

export function accountAgreement(toldUs: number, processUs: number): AccountAgreement {
  const ratio = toldUs / processUs
  return { toldUs, processUs, ratio, agrees: Math.abs(ratio - 1) <= ACCOUNT_TOLERANCE }
}
