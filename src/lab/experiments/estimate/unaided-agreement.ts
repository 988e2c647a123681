/**
 * What is lost when curves get older: gains measured by an index that fits when it sees fit, beside those of an index
 * that is fitted anew before every week, both against the same exact values under the statistics of the week.
 */

import { type Pair, pairSpearman, relativeDifference } from './agreement.js'
import type { OwnFits } from './unaided-index.js'

/** The gain of one replaced page in one week. */
export interface UnaidedGain {
  readonly exact: number
  /** By curves of this week. */
  readonly refitted: number
  /** By the curves that there were. */
  readonly unaided: number
  readonly weeksSinceEpoch: number
  /** The part of `exact` that is due to queries with a word in twice as many pages as when the epoch began. */
  readonly exactOfDoubled: number
}

/** Over some (page, week) pairs. Errors are sums of errors by sums of exact values. */
export interface UnaidedAgreement {
  readonly pages: number
  readonly refittedSpearman: number
  readonly unaidedSpearman: number
  readonly refittedError: number
  readonly unaidedError: number
}

export interface UnaidedComparison extends OwnFits {
  readonly all: UnaidedAgreement
  /** Pages whose gain is at least half due to queries with a word in twice as many pages as when the epoch began. */
  readonly doubled: UnaidedAgreement
  readonly byWeeksSinceEpoch: Readonly<Record<string, UnaidedAgreement>>
}

/** The most by which an index may be worse than one that is fitted every week. */
export const UNAIDED_LIMITS = { spearmanBelow: 0.005, errorFactor: 1.1 } as const

/** With fewer pages one of them decides. */
export const FEWEST_PAGES = 30

/** The last number of weeks of each group. */
const AGE_ENDS: readonly number[] = [0, 1, 3, 7, 15, 31]

export function compareUnaided(gains: readonly UnaidedGain[], fits: OwnFits): UnaidedComparison {
  const byAge = new Map<string, UnaidedGain[]>()
  for (const gain of gains.toSorted((a, b) => a.weeksSinceEpoch - b.weeksSinceEpoch)) {
    const name = ageGroup(gain.weeksSinceEpoch)
    byAge.set(name, [...(byAge.get(name) ?? []), gain])
  }
  return {
    ...fits,
    all: agreementOf(gains),
    doubled: agreementOf(gains.filter(({ exact, exactOfDoubled }) => exact > 0 && exactOfDoubled >= exact / 2)),
    byWeeksSinceEpoch: Object.fromEntries([...byAge].map(([name, some]) => [name, agreementOf(some)])),
  }
}

/** Whether nothing is lost beyond the limits; too few pages say nothing. */
export function isAsGoodAsRefitted(agreement: UnaidedAgreement): boolean {
  const { pages, refittedSpearman, unaidedSpearman, refittedError, unaidedError } = agreement
  if (pages < FEWEST_PAGES) return true
  const { spearmanBelow, errorFactor } = UNAIDED_LIMITS
  return unaidedSpearman >= refittedSpearman - spearmanBelow && unaidedError <= refittedError * errorFactor
}

function agreementOf(gains: readonly UnaidedGain[]): UnaidedAgreement {
  const pairs = (name: 'refitted' | 'unaided'): Pair[] =>
    gains.map((gain) => ({ estimate: gain[name], exact: gain.exact }))
  const [refitted, unaided] = [pairs('refitted'), pairs('unaided')]
  return {
    pages: gains.length,
    refittedSpearman: pairSpearman(refitted),
    unaidedSpearman: pairSpearman(unaided),
    refittedError: relativeDifference(refitted),
    unaidedError: relativeDifference(unaided),
  }
}

function ageGroup(weeks: number): string {
  const at = AGE_ENDS.findIndex((end) => weeks <= end)
  if (at === -1) return `${AGE_ENDS.at(-1)! + 1} weeks and more`
  const [from, to] = [at === 0 ? 0 : AGE_ENDS[at - 1]! + 1, AGE_ENDS[at]!]
  return from === to ? `week ${from}` : `weeks ${from} to ${to}`
}
