/** Rows of the quality experiment as tables: a line for each policy and mode, a column for each budget. */

import { DAY_MS } from '../../../base/time.js'
import type { LowHigh } from '../../report/statistics.js'
import { decimals, distinctValues, NOTHING, shareText, type Table } from '../../report/table.js'
import type { LossComparison, LossIntervals, MeanLoss } from './intervals.js'
import type { QualityRow } from './run.js'

interface Placed {
  readonly policy: string
  readonly mode: string
  readonly budgetShare: number
}

export function byBudgetTable<Row extends Placed>(rows: readonly Row[], cell: (row: Row) => string): Table {
  const shares = distinctValues(rows.map(({ budgetShare }) => budgetShare))
  return {
    columns: [
      { name: 'policy' },
      { name: 'mode' },
      ...shares.map((share) => ({ name: shareText(share), isNumber: true })),
    ],
    rows: curvesOf(rows).map((curve) => [
      curve[0]!.policy,
      curve[0]!.mode,
      ...shares.map((share) => {
        const row = curve.find(({ budgetShare }) => budgetShare === share)
        return row === undefined ? '' : cell(row)
      }),
    ]),
  }
}

export function lossTable(rows: readonly QualityRow[]): Table {
  return byBudgetTable(rows, ({ lossShare }) => decimals(lossShare, 3))
}

/** Of a thousand queries. */
export function embarrassmentTable(rows: readonly QualityRow[]): Table {
  return byBudgetTable(rows, ({ embarrassment }) =>
    decimals(embarrassment === undefined ? null : 1000 * embarrassment, 1),
  )
}

export function qualityTable(rows: readonly QualityRow[]): Table {
  return byBudgetTable(rows, ({ meanQuality }) => decimals(meanQuality, 5))
}

export function intervalTable(rows: readonly QualityRow[], { rows: intervals }: LossIntervals): Table {
  const byRow = new Map(rows.map((row, at) => [row, intervals[at]!]))
  return byBudgetTable(rows, (row) => intervalText(byRow.get(row) ?? null, 3))
}

export function comparisonTable(comparisons: readonly LossComparison[]): Table {
  return byBudgetTable(comparisons, ({ ratio, interval }) => withInterval(ratio, interval, 2))
}

/** Without the default policy there is nothing to compare with. */
export function meansTable(means: readonly MeanLoss[]): Table {
  const isCompared = means.some(({ ratio }) => ratio !== null)
  return {
    columns: [
      { name: 'policy' },
      { name: 'mode' },
      { name: 'loss that is left', isNumber: true },
      { name: '95% interval', isNumber: true },
      ...(isCompared ? [{ name: 'default by it', isNumber: true }] : []),
    ],
    rows: means.map(({ policy, mode, lossShare, interval, ratio, ratioInterval }) => [
      policy,
      mode,
      decimals(lossShare, 3),
      intervalText(interval, 3),
      ...(isCompared ? [withInterval(ratio, ratioInterval, 2)] : []),
    ]),
  }
}

export function agesTable(rows: readonly QualityRow[]): Table {
  const days = (ms: number) => String(Math.round(ms / DAY_MS))
  return byBudgetTable(rows, ({ agesMs: { p50, p90, p99, max } }) => [p50, p90, p99, max].map(days).join(' / '))
}

export function withInterval(value: number | null, interval: LowHigh | null, digits: number): string {
  return interval === null ? decimals(value, digits) : `${decimals(value, digits)} (${intervalText(interval, digits)})`
}

function intervalText(interval: LowHigh | null, digits: number): string {
  return interval === null ? NOTHING : interval.map((end) => decimals(end, digits)).join('–')
}

/** What belongs to each policy and mode, in order of first sight. */
export function curvesOf<T extends { readonly policy: string; readonly mode: string }>(rows: readonly T[]): T[][] {
  const curves = new Map<string, T[]>()
  for (const row of rows) {
    const name = `${row.mode} ${row.policy}`
    curves.set(name, [...(curves.get(name) ?? []), row])
  }
  return [...curves.values()]
}
