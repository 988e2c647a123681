/** Sums over the ledger, kept up to date row by row: policies take their means from them. */
import type { LedgerColumns } from './column-arrays.js'

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

export type CountedTotals = { -readonly [Name in keyof LedgerTotals]: number }

export function noTotals(): CountedTotals {
  return {
    ...{ pages: 0, rated: 0, changes: 0, unmeasured: 0 },
    ...{ sumDeltaQuality: 0, sumIntervalMs: 0, sumRate: 0, sumStake: 0 },
  }
}

/** Adds the row of a page that is present to the totals, or takes it away. */
export function countRow(totals: CountedTotals, columns: LedgerColumns, doc: number, sign: 1 | -1): void {
  totals.pages += sign
  if (totals.pages === 0) {
    Object.assign(totals, noTotals())
    return
  }
  totals.rated += sign * columns.rated[doc]!
  totals.changes += sign * columns.changes[doc]!
  totals.unmeasured += sign * columns.unmeasured[doc]!
  for (const name of ['sumDeltaQuality', 'sumIntervalMs', 'sumRate'] as const) {
    // Rounding must not leave a sum of gains below nothing.
    totals[name] = Math.max(0, totals[name] + sign * columns[name][doc]!)
  }
  totals.sumStake = Math.max(0, totals.sumStake + sign * columns.stake[doc]!)
}

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
