/**
 * What "Crawl ordering by search impact" says of its figures, and what one budget for new and known pages should do,
 * held against rows. A value has to be at least its limit, or at most where the name of the check says so.
 */

import type { Check } from '../../report/checks.js'
import { orderAreas, setsOf } from './areas.js'
import type { FetchOrder, OrdersResult } from './fetch-orders.js'
import type { FrontierRows } from './run.js'
import type { SketchesResult } from './sketch-shares.js'

/** The paper's Pearson correlation is 0.09: so far importance may tell of impact and still be called weak. */
const WEAK_CORRELATION = 0.3
const PREDICTS = 0.5
/** The share of the impact with all sketches that a hundredth of them has to keep. */
const KEPT = 0.9
const FEW_SKETCHES = 0.01
/**
 * About the standard error of the difference of two plans, over queries: 0.0008 to 0.0023 on mdn, 0.0002 to 0.0006 on
 * k8s-docs.
 */
const SPLIT_TOLERANCE = 0.001

export function frontierChecks({ orders, sketches, splits }: FrontierRows): Check[] {
  return [
    ...setsOf(orders).flatMap((set) => orderChecks(orders.filter((one) => one.set === set))),
    ...setsOf(sketches).flatMap((set) => sketchChecks(sketches.filter((one) => one.set === set))),
    ...[...new Set(splits.map(({ budgetShare }) => budgetShare))].map((budgetShare) => {
      const own = splits.filter((row) => row.budgetShare === budgetShare)
      const best = Math.max(...own.filter(({ plan }) => plan === 'fixed').map(({ meanQuality }) => meanQuality))
      const joint = own.find(({ plan }) => plan === 'joint')?.meanQuality ?? null
      const budget = `budget ${Number((100 * budgetShare).toPrecision(3))}%`
      const name = `${budget}: the joint plan is as good as the best fixed split`
      return atLeast(name, joint, best - SPLIT_TOLERANCE)
    }),
  ]
}

/** `own`: of one set, by seed. A check is of the mean over the seeds. */
function orderChecks(own: readonly OrdersResult[]): Check[] {
  const { set } = own[0]!
  const areas = orderAreas(own)
  const areaOf = (order: FetchOrder) => areas.find((one) => one.order === order)!.mean
  const pearson = meanOf(own.map(({ correlation }) => correlation.pearson))
  return [
    {
      name: `set ${set}: importance and impact correlate weakly, at most`,
      holds: pearson !== null && Math.abs(pearson) <= WEAK_CORRELATION,
      value: pearson,
      limit: WEAK_CORRELATION,
    },
    ...(['random', 'query-independent', 'query-driven'] as const).map((order) =>
      atLeast(`set ${set}: the area of hybrid is above that of ${order}`, areaOf('hybrid'), areaOf(order)),
    ),
  ]
}

function sketchChecks(own: readonly SketchesResult[]): Check[] {
  const { set } = own[0]!
  const kept = own.flatMap(({ rows }) =>
    rows.filter(({ sketchShare }) => sketchShare === FEW_SKETCHES).map((row) => row.kept),
  )
  const predicted = meanOf(own.map(({ correlation }) => correlation.pearson))
  return [
    atLeast(`set ${set}: improvability of half of the queries predicts the other half`, predicted, PREDICTS),
    atLeast(`set ${set}: a hundredth of the sketches keeps the impact, mean over budgets`, meanOf(kept), KEPT),
  ]
}

/** Of those that are known; null where none is. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function atLeast(name: string, value: number | null, limit: number): Check {
  return { name, holds: value !== null && value >= limit, value, limit }
}
