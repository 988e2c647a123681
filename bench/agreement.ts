/** How well estimates agree with exact values, pair by pair. */
export interface Pair {
  readonly estimate: number
  readonly exact: number
}

/** Spearman's rank correlation; equal values share the mean of their ranks. NaN when either side is constant. */
export function spearman(pairs: readonly Pair[]): number {
  const estimates = meanRanks(pairs.map(({ estimate }) => estimate))
  const exacts = meanRanks(pairs.map(({ exact }) => exact))
  const middle = (pairs.length + 1) / 2
  let [both, left, right] = [0, 0, 0]
  for (let at = 0; at < pairs.length; at++) {
    const [a, b] = [estimates[at]! - middle, exacts[at]! - middle]
    both += a * b
    left += a * a
    right += b * b
  }
  return both / Math.sqrt(left * right)
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

function meanRanks(values: readonly number[]): Float64Array {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!)
  const ranks = new Float64Array(values.length)
  for (let first = 0; first < order.length; ) {
    let end = first + 1
    while (end < order.length && values[order[end]!] === values[order[first]!]) end++
    for (let at = first; at < end; at++) ranks[order[at]!] = (first + end + 1) / 2
    first = end
  }
  return ranks
}
