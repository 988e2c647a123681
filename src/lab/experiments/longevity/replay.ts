/**
 * What copies of pages are worth under a schedule: fragment staleness (Information longevity, Eq. 1 to 3, the average
 * of Eq. 2 divided by the length of its time) and the refreshes that it costs. Pages can be refreshed at steps only;
 * between two steps divergence is interpolated by the eagerness of the page (appendix B).
 */
import { differenceOf, type FragmentHistories } from './fragment-histories.js'

/**
 * Told at which step a page was refreshed, says at which later one it is next: the last step or more is never. First
 * called at step 0, when all pages are fetched.
 */
export type NextRefresh = (step: number) => number

/** One page after the other: what a policy knows of a page is its own affair. */
export type PagePolicy = (page: number) => NextRefresh

export interface PolicyOutcome {
  /** Refreshes, as a share of all that are possible: 1 is every page at every step. */
  readonly cost: number
  /** Mean over pages and time. */
  readonly staleness: number
}

/** From the first step to the last, in the unit of steps; the time is that between them. */
export interface StepWindow {
  readonly from: number
  readonly to: number
}

export interface ReplayTotals {
  /** By step. The first fetch is none; a refresh at the last step would come too late for everything. */
  readonly refreshes: Float64Array
  /** By step: time until the next one, times staleness, summed over pages. */
  readonly staleMs: Float64Array
}

export function replayPolicy(histories: FragmentHistories, policy: PagePolicy): ReplayTotals {
  const steps = histories.atMs.length
  const totals = { refreshes: new Float64Array(steps), staleMs: new Float64Array(steps) }
  for (let page = 0; page < histories.pages; page++) replayPage(histories, page, policy(page), totals)
  return totals
}

function replayPage(
  histories: FragmentHistories,
  page: number,
  next: NextRefresh,
  { refreshes, staleMs }: ReplayTotals,
): void {
  const { atMs, differences } = histories
  const eagerness = histories.eagerness[page]!
  const last = atMs.length - 1
  for (let base = 0; base < last; ) {
    const following = Math.min(last, next(base))
    if (!(following > base)) throw new RangeError(`a refresh must come after step ${base}, received ${following}`)
    let before = 0
    for (let step = base; step < following; step++) {
      const after = differenceOf(histories, differences, page, base, step + 1)
      staleMs[step]! += ((1 - eagerness) * before + eagerness * after) * (atMs[step + 1]! - atMs[step]!)
      before = after
    }
    if (following < last) refreshes[following]!++
    base = following
  }
}

/** The outcome of a part of the time. Step 0 is no opportunity to refresh: all pages were just fetched. */
export function outcomeIn(
  { pages, atMs }: FragmentHistories,
  { refreshes, staleMs }: ReplayTotals,
  { from, to }: StepWindow,
): PolicyOutcome {
  const first = Math.max(1, from)
  return {
    cost: sum(refreshes, first, to) / (pages * Math.max(1, to - first)),
    staleness: sum(staleMs, from, to) / (pages * (atMs[to]! - atMs[from]!)),
  }
}

function sum(values: Float64Array, from: number, to: number): number {
  let total = 0
  for (let at = from; at < to; at++) total += values[at]!
  return total
}
