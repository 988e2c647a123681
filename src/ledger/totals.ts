/** Sums over the ledger, which the core keeps up to date row by row: policies take their means from them. */
/** Sums over the pages that are present, of the columns of these names. */
export interface LedgerTotals {
  readonly pages: number
  readonly rated: number
  readonly changes: number
  readonly unmeasured: number
  readonly sumDeltaQuality: number
  readonly sumIntervalMs: number
  /** Per millisecond. */
  readonly sumRate: number
  readonly sumStake: number
}

/** In the order in which they lie in memory (native/ledger/ledger_rows.h). */
const TOTAL_NAMES = [
  ...(['pages', 'rated', 'changes', 'unmeasured'] as const),
  ...(['sumDeltaQuality', 'sumIntervalMs', 'sumRate', 'sumStake'] as const),
]

export function noTotals(): LedgerTotals {
  return totalsOf(new Float64Array(TOTAL_NAMES.length))
}

/** Numbers in which the core counts. */
export function numbersOf(totals: LedgerTotals): Float64Array {
  return Float64Array.from(TOTAL_NAMES, (name) => totals[name])
}

export function totalsOf(numbers: Float64Array): LedgerTotals {
  const at = (nth: number) => numbers[nth] as number
  return {
    ...{ pages: at(0), rated: at(1), changes: at(2), unmeasured: at(3) },
    ...{ sumDeltaQuality: at(4), sumIntervalMs: at(5), sumRate: at(6), sumStake: at(7) },
  }
}

/** The place of the sum of stakes among the numbers. */
export const STAKE_TOTAL = TOTAL_NAMES.indexOf('sumStake')

type Counted = Pick<LedgerTotals, 'rated' | 'unmeasured'>

/** Rated refreshes whose gain is known. */
export function measuredRefreshes({ rated, unmeasured }: Counted): number {
  return unmeasured > 0 ? rated - unmeasured : rated
}

/**
 * The intervals before the measured refreshes. Only the sum of all intervals is kept, so unmeasured refreshes are taken
 * to have had intervals like the others.
 */
export function measuredIntervalMs(counted: Counted & Pick<LedgerTotals, 'sumIntervalMs'>): number {
  const { rated, unmeasured, sumIntervalMs } = counted
  return unmeasured > 0 ? (sumIntervalMs * measuredRefreshes(counted)) / rated : sumIntervalMs
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
    ...[
      mean(sumDeltaQuality, measuredIntervalMs(totals)),
      mean(sumIntervalMs, rated),
      mean(sumRate, measuredRefreshes(totals)),
    ],
    ...[mean(changes, rated), mean(sumStake, pages)],
  ]
}
