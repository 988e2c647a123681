/**
 * What a page was between two snapshots (Recrawl scheduling based on information longevity, appendix B). An eager page has changed soon after
 * a snapshot, so that in between it is like the next one; a page that is not is still like the one before.
 */

/** Of a page that tells nothing: as likely here as there. */
const UNKNOWN_EAGERNESS = 0.5

/**
 * E: the mean of D(t0, t1) / D(t0, t2) over all three consecutive snapshots, each at most 1. A snapshot that failed is undefined, and where
 * nothing changed nothing is told.
 */
export function eagernessOf<Snapshot>(
  snapshots: readonly (Snapshot | undefined)[],
  difference: (before: Snapshot, after: Snapshot) => number,
): number {
  let sum = 0
  let count = 0
  for (let at = 2; at < snapshots.length; at++) {
    const [first, second, third] = [snapshots[at - 2], snapshots[at - 1], snapshots[at]]
    if (first === undefined || second === undefined || third === undefined) continue
    const early = difference(first, second)
    const late = difference(first, third)
    if (early === 0 && late === 0) continue
    sum += early >= late ? 1 : early / late
    count++
  }
  return count === 0 ? UNKNOWN_EAGERNESS : sum / count
}

/** The divergence from some version at any moment between two snapshots, from those at the two. */
export function interpolatedDivergence(eagerness: number, before: number, after: number): number {
  return (1 - eagerness) * before + eagerness * after
}
