/** How well estimates agree with exact values, pair by pair. */
import { spearman } from '../experiments/rank-correlation.js'

export interface Pair {
  readonly estimate: number
  readonly exact: number
}

/** Of the pairs; see rank-correlation.ts. */
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
