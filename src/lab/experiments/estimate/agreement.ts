/** How well estimates agree with exact values, pair by pair. */

import { spearman } from '../../report/statistics.js'

const TOP_SHARE = 0.1

export interface Pair {
  readonly estimate: number
  readonly exact: number
}

/** Over every (page, week) in which a page changed. */
export interface Agreement {
  readonly pageSpearman: number
  readonly top10pctOverlap: number
  readonly wMAPE: number
  readonly pages: number
  /** The stricter view: only those with either value above 0. */
  readonly gainsOnly: { readonly pages: number; readonly pageSpearman: number; readonly top10pctOverlap: number }
}

export function agreementOf(changed: readonly Pair[]): Agreement {
  const gains = changed.filter(({ estimate, exact }) => estimate > 0 || exact > 0)
  return {
    pageSpearman: pairSpearman(changed),
    top10pctOverlap: topOverlap(changed, TOP_SHARE),
    wMAPE: relativeDifference(changed),
    pages: changed.length,
    gainsOnly: {
      pages: gains.length,
      pageSpearman: pairSpearman(gains),
      top10pctOverlap: topOverlap(gains, TOP_SHARE),
    },
  }
}

/** The rank correlation of the pairs. */
export function pairSpearman(pairs: readonly Pair[]): number {
  return spearman(
    pairs.map(({ estimate }) => estimate),
    pairs.map(({ exact }) => exact),
  )
}

/** The part of the `share` best by exact value that are also among as many best by estimate. */
export function topOverlap(pairs: readonly Pair[], share: number): number {
  const count = Math.max(1, Math.round(pairs.length * share))
  const best = (value: (pair: Pair) => number) =>
    [...pairs.keys()].sort((a, b) => value(pairs[b]!) - value(pairs[a]!) || a - b).slice(0, count)
  const estimated = new Set(best(({ estimate }) => estimate))
  return best(({ exact }) => exact).filter((at) => estimated.has(at)).length / count
}

/** The sum of all errors against the sum of all exact values (wMAPE). */
export function relativeDifference(pairs: readonly Pair[]): number {
  let [wrong, total] = [0, 0]
  for (const { estimate, exact } of pairs) {
    wrong += Math.abs(estimate - exact)
    total += exact
  }
  return wrong / total
}
