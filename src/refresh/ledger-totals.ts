/** Sums over the pages that are present, of what LedgerColumns has for each. */
export interface LedgerTotals {
  readonly pages: number
  readonly rated: number
  readonly changes: number
  readonly sumDeltaQuality: number
  readonly sumIntervalMs: number
  /** Per millisecond. */
  readonly sumRate: number
  readonly sumStake: number
}

/** Whether a mean that policies take from totals has moved by more than `share` of itself. */
export function haveMoved(before: LedgerTotals, after: LedgerTotals, share: number): boolean {
  const means = [meansOf(before), meansOf(after)] as const
  return means[0].some((mean, at) => {
    const other = means[1][at]!
    return Math.abs(mean - other) > share * Math.max(mean, other)
  })
}

function meansOf(totals: LedgerTotals): number[] {
  const { pages, rated, changes, sumDeltaQuality, sumIntervalMs, sumRate, sumStake } = totals
  const mean = (sum: number, count: number) => (count > 0 ? sum / count : 0)
  return [
    ...[mean(sumDeltaQuality, sumIntervalMs), mean(sumIntervalMs, rated), mean(sumRate, rated)],
    ...[mean(changes, rated), mean(sumStake, pages)],
  ]
}
