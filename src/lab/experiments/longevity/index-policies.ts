/**
 * The longevity policies of an index itself, fed by what a replay sees: its ledger keeps profiles of eight minima, and
 * its policy says whether the utility of a refresh has reached the threshold.
 */
import { MAX_TIME_MS } from '../../../base/time.js'
import { Ledger } from '../../../ledger/ledger.js'
import { createPolicy } from '../../../refresh/policies/registry.js'
import { type FragmentHistories, sketchAt, versionAt } from './fragment-histories.js'
import { firstStep } from './online-policies.js'
import type { PagePolicy } from './replay.js'

export type IndexPolicyName = 'longevity-curve' | 'longevity-bound'

/** Rounding does not cost a step. */
const NEARLY = 1 - 1e-9

export interface IndexPolicySettings {
  readonly name: IndexPolicyName
  readonly thresholdMs: number
  /** h; 1 unless told. */
  readonly profiles?: number
}

export function indexPolicy(
  histories: FragmentHistories,
  { name, thresholdMs, profiles }: IndexPolicySettings,
): PagePolicy {
  const { atMs } = histories
  const ledger = new Ledger({ profiles })
  const policy = createPolicy(name, {})
  // A moment of a ledger is one that a Date can hold.
  const offsetMs = Math.max(0, -(atMs[0] ?? 0))
  if ((atMs.at(-1) ?? 0) + offsetMs > MAX_TIME_MS)
    throw new RangeError('the steps of a world must be moments of a Date')
  return (page) => {
    let seen: number | undefined
    return (step) => {
      const nowMs = atMs[step]! + offsetMs
      const version = versionAt(histories, page, step)
      const sketch = sketchAt(histories, page, version)
      if (seen === undefined) ledger.created(page, nowMs, sketch)
      else if (version === seen) ledger.refreshed(page, nowMs, 'same', 0)
      else ledger.refreshed(page, nowMs, 'changed', 0, sketch)
      const isFirst = seen === undefined
      seen = version
      if (isFirst) return firstStep(histories, page, step, thresholdMs)
      const totals = ledger.totals()
      const isDue = (at: number) =>
        policy.priority(ledger.columns, page, atMs[at]! + offsetMs, totals) >= thresholdMs * NEARLY
      return firstDue(step + 1, atMs.length, isDue)
    }
  }
}

/** The first step at which a page is due, before `end`; `end` if it is at none. A priority never falls. */
function firstDue(first: number, end: number, isDue: (step: number) => boolean): number {
  // Steps that are not due end at `low`; by steps that double, as most pages are due soon.
  let low = first - 1
  let high = first
  for (let stride = 1; high < end && !isDue(high); stride *= 2) {
    low = high
    high = Math.min(end, high + stride)
  }
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (isDue(middle)) high = middle
    else low = middle
  }
  return high
}
