/**
 * Which pages never fetched should come first, and how one budget is shared between new and known pages: the
 * experiments of Pandey and Olston, Crawl ordering by search impact, section 6.
 */

import { choiceOption, numberOption } from '../../../base/checks.js'
import type { Experiment } from '../../frame/experiment.js'
import { folderDigest } from '../../frame/result-file.js'
import { folderName } from '../../worlds/folder-tables.js'
import { SPLIT_PLANS } from './budget-split.js'
import { frontierChecks } from './checks.js'
import { fetchOrders, type OrdersResult } from './fetch-orders.js'
import {
  checkFrontierSpec,
  FRONTIER_PARTS,
  type FrontierInput,
  type FrontierPart,
  type FrontierSpec,
  loadFrontierInput,
  withSeed,
} from './input.js'
import { type FrontierResult, frontierJson, frontierReport } from './report.js'
import { FRONTIER_SETS, type FrontierSet } from './scenes.js'
import { type SketchesResult, sketchShares } from './sketch-shares.js'
import { type SplitResult, type SplitTask, splitReplay } from './split-replay.js'

export type FrontierTask =
  | { readonly part: 'orders'; readonly set: FrontierSet; readonly seed: number }
  | { readonly part: 'sketches'; readonly set: FrontierSet; readonly seed: number }
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

/** The shares of the budget for pages never fetched, where the split is fixed. */
const NEW_SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]

export const frontier: Experiment<FrontierSpec, FrontierInput, FrontierTask, FrontierRow, FrontierResult> = {
  name: 'frontier',
  check: checkFrontierSpec,
  question: async ({ data, budgets: _, seeds: __, parts: ___, ...spec }) => ({
    ...{ experiment: 'frontier', data: await folderDigest(data), ...spec },
  }),
  tasks: frontierTasks,
  load: (spec, _, tell) => loadFrontierInput(spec, tell),
  run: runFrontierTask,
  conclude: (spec, { timeline, scores, isHeldBack }, found) => {
    const rows = frontierRows(found)
    return {
      spec,
      data: folderName(spec.data),
      pages: timeline.urls.length,
      steps: timeline.atMs.length,
      queries: scores.weights.length,
      heldBackPages: isHeldBack.reduce((sum, is) => sum + is, 0),
      rows,
      checks: frontierChecks(rows),
    }
  },
  report: frontierReport,
  json: frontierJson,
}

/** One budget is shared with the first of the seeds only: a replay takes far longer than an order. */
export function frontierTasks({
  budgets,
  seed: first,
  seeds = 1,
  parts = FRONTIER_PARTS,
}: Pick<FrontierSpec, 'budgets' | 'seed' | 'seeds' | 'parts'>): FrontierTask[] {
  const drawn = Array.from({ length: seeds }, (_, at) => first + at)
  const tasksOf: Readonly<Record<FrontierPart, () => FrontierTask[]>> = {
    orders: () => drawn.flatMap((seed) => FRONTIER_SETS.map((set) => ({ part: 'orders', set, seed }) as const)),
    sketches: () => drawn.flatMap((seed) => FRONTIER_SETS.map((set) => ({ part: 'sketches', set, seed }) as const)),
    split: () =>
      budgets.flatMap((budgetShare) => [
        ...NEW_SHARES.map((newShare) => ({ part: 'split', plan: 'fixed', budgetShare, newShare }) as const),
        { part: 'split', plan: 'joint', budgetShare } as const,
        { part: 'split', plan: 'oracle', budgetShare } as const,
      ]),
  }
  return FRONTIER_PARTS.filter((part) => parts.includes(part)).flatMap((part) => tasksOf[part]())
}

/** `tell` is told how much of the task is done, from 0 to 1. */
export function runFrontierTask(
  input: FrontierInput,
  task: FrontierTask,
  tell: (done: number) => void = () => {},
): FrontierRow {
  switch (task.part) {
    case 'orders':
      return { part: 'orders', ...fetchOrders(withSeed(input, task.seed), task.set) }
    case 'sketches':
      return { part: 'sketches', ...sketchShares(withSeed(input, task.seed), task.set) }
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
