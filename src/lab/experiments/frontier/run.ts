/**
 * The frontier experiment as tasks that can run on any thread. Everything follows from the files, the spec and the
 * task.
 */

import { choiceOption, numberOption } from '../../../base/checks.js'
import { SPLIT_PLANS } from './budget-split.js'
import { type FetchOrder, fetchOrders, type OrdersResult } from './fetch-orders.js'
import type { FrontierInput } from './input.js'
import { FRONTIER_SETS, type FrontierSet } from './scenes.js'
import { type SketchesResult, sketchShares } from './sketch-shares.js'
import { type SplitResult, type SplitTask, splitReplay } from './split-replay.js'

export type FrontierTask =
  | { readonly part: 'orders'; readonly set: FrontierSet }
  | { readonly part: 'sketches'; readonly set: FrontierSet }
  | ({ readonly part: 'split' } & SplitTask)

export type FrontierRow =
  | ({ readonly part: 'orders' } & OrdersResult)
  | ({ readonly part: 'sketches' } & SketchesResult)
  | ({ readonly part: 'split' } & SplitResult)

export interface FrontierRows {
  readonly orders: readonly OrdersResult[]
  readonly sketches: readonly SketchesResult[]
  readonly splits: readonly SplitResult[]
}

/** Of the budget, for pages never fetched, where it is fixed. */
const NEW_SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]

/** `budgets`: fetches per step as shares of the pages. */
export function frontierTasks(budgets: readonly number[]): FrontierTask[] {
  return [
    ...FRONTIER_SETS.map((set) => ({ part: 'orders', set }) as const),
    ...FRONTIER_SETS.map((set) => ({ part: 'sketches', set }) as const),
    ...budgets.flatMap((budgetShare) => [
      ...NEW_SHARES.map((newShare) => ({ part: 'split', plan: 'fixed', budgetShare, newShare }) as const),
      { part: 'split', plan: 'joint', budgetShare } as const,
      { part: 'split', plan: 'oracle', budgetShare } as const,
    ]),
  ]
}

/** `tell`: how much of the task is done, from 0 to 1. */
export function runFrontierTask(
  input: FrontierInput,
  task: FrontierTask,
  tell: (done: number) => void = () => {},
): FrontierRow {
  switch (task.part) {
    case 'orders':
      return { part: 'orders', ...fetchOrders(input, task.set) }
    case 'sketches':
      return { part: 'sketches', ...sketchShares(input, task.set) }
    case 'split': {
      choiceOption('plan', task.plan, 'joint', SPLIT_PLANS)
      numberOption('newShare', task.newShare, 0, { min: 0, max: 1 })
      return { part: 'split', ...splitReplay(input, task, tell) }
    }
  }
}

export function frontierRows(rows: readonly FrontierRow[]): FrontierRows {
  const of = <Part extends FrontierRow['part']>(part: Part) =>
    rows.filter((row): row is Extract<FrontierRow, { part: Part }> => row.part === part)
  return {
    orders: of('orders').map(({ part: _, ...row }) => row),
    sketches: of('sketches').map(({ part: _, ...row }) => row),
    splits: of('split').map(({ part: _, ...row }) => row),
  }
}

/**
 * What "Crawl ordering by search impact" says of its figures, and what one budget for new and known pages should do,
 * held against rows.
 */

export interface FrontierCheck {
  readonly name: string
  readonly holds: boolean
  /** null where there is nothing to measure. */
  readonly value: number | null
  /** At least this; at most where the name says so. */
  readonly limit: number
}

/** The paper's Pearson correlation is 0.09: so far importance may tell of impact and still be called weak. */
const WEAK_CORRELATION = 0.3
const PREDICTS = 0.5
/** Of the impact with all sketches, with a hundredth of them. */
const KEPT = 0.9
const FEW_SKETCHES = 0.01
/**
 * About the standard error of the difference of two plans, over queries: 0.0008 to 0.0023 on mdn, 0.0002 to 0.0006 on
 * k8s-docs.
 */
const SPLIT_TOLERANCE = 0.001

export function frontierChecks({ orders, sketches, splits }: FrontierRows): FrontierCheck[] {
  return [
    ...orders.flatMap(orderChecks),
    ...sketches.flatMap(sketchChecks),
    ...[...new Set(splits.map(({ budgetShare }) => budgetShare))].map((budgetShare) => {
      const own = splits.filter((row) => row.budgetShare === budgetShare)
      const best = Math.max(...own.filter(({ plan }) => plan === 'fixed').map(({ meanQuality }) => meanQuality))
      const joint = own.find(({ plan }) => plan === 'joint')?.meanQuality ?? null
      const name = `budget ${Number((100 * budgetShare).toPrecision(3))}%: the joint plan is as good as the best fixed split`
      return atLeast(name, joint, best - SPLIT_TOLERANCE)
    }),
  ]
}

function orderChecks({ set, curves, correlation }: OrdersResult): FrontierCheck[] {
  const areaOf = (order: FetchOrder) => curves.find((curve) => curve.order === order)!.area
  const hybrid = areaOf('hybrid')
  const { pearson } = correlation
  return [
    {
      name: `set ${set}: importance and impact correlate weakly, at most`,
      holds: pearson !== null && Math.abs(pearson) <= WEAK_CORRELATION,
      value: pearson,
      limit: WEAK_CORRELATION,
    },
    ...(['random', 'query-independent', 'query-driven'] as const).map((order) =>
      atLeast(`set ${set}: the area of hybrid is above that of ${order}`, hybrid, areaOf(order)),
    ),
  ]
}

function sketchChecks({ set, correlation, rows }: SketchesResult): FrontierCheck[] {
  const kept = rows.flatMap(({ sketchShare, kept: part }) =>
    sketchShare === FEW_SKETCHES && part !== null ? [part] : [],
  )
  const mean = kept.length === 0 ? null : kept.reduce((sum, part) => sum + part, 0) / kept.length
  return [
    atLeast(`set ${set}: improvability of half of the queries predicts the other half`, correlation.pearson, PREDICTS),
    atLeast(`set ${set}: a hundredth of the sketches keeps the impact, mean over budgets`, mean, KEPT),
  ]
}

function atLeast(name: string, value: number | null, limit: number): FrontierCheck {
  return { name, holds: value !== null && value >= limit, value, limit }
}
