/**
 * User-centric refreshing with what is known of the whole period (User-centric crawling, section 6.2.3):
 *
 *   P(p, t) = mean of ΔQ_A / (t - LR) over the refreshes of p  ·  (t - LR)
 *
 * with LR the last refresh before t. Which refreshes these are, the paper says for its Figure 3: every update triggers
 * one at once. So the mean goes over the times of updates, and the policy is that of the product with these refreshes
 * in its ledger (known-history.ts). The form here goes over every step, updates or not; it is what a page gains per
 * time in all, and orders pages otherwise.
 */

import type { RepositoryQuality } from '../quality/repository-quality.js'
import { forEachChange, type Timeline } from '../quality/timeline.js'
import { forEachLaterChange } from './by-rate.js'
import type { Judge } from './judged.js'

/** The mean over all steps. */
export function userCentricPerStep(timeline: Timeline, gains: Float64Array): Judge {
  const rates = gainPerMs(timeline, gains)
  return { priority: (page, ageMs) => rates[page]! * ageMs }
}

/**
 * By page: the mean of ΔQ_A / interval over its updates, all of them or those at some steps; an interval goes from the
 * update before, or from the first sight. 0 for a page without any.
 */
export function gainPerUpdate(
  timeline: Timeline,
  gains: Float64Array,
  isCounted: (step: number) => boolean = () => true,
): Float64Array {
  const { atMs } = timeline
  const pages = timeline.urls.length
  const lastMs = new Float64Array(pages).fill(Number.NaN)
  forEachChange(timeline, 0, (page) => {
    lastMs[page] = atMs[0]!
  })
  const [sums, counts] = [new Float64Array(pages), new Uint32Array(pages)]
  forEachLaterChange(timeline, (change, page, step) => {
    const intervalMs = atMs[step]! - lastMs[page]!
    lastMs[page] = atMs[step]!
    if (Number.isNaN(intervalMs) || !isCounted(step)) return
    sums[page]! += gains[change]! / intervalMs
    counts[page]!++
  })
  return sums.map((sum, page) => (counts[page] === 0 ? 0 : sum / counts[page]!))
}

/** By page: the mean of ΔQ_A / interval over all steps but the first, or over some of them. */
export function gainPerMs(
  timeline: Timeline,
  gains: Float64Array,
  isCounted: (step: number) => boolean = () => true,
): Float64Array {
  const { atMs } = timeline
  const sums = new Float64Array(timeline.urls.length)
  forEachLaterChange(timeline, (change, page, step) => {
    if (isCounted(step)) sums[page]! += gains[change]! / (atMs[step]! - atMs[step - 1]!)
  })
  const intervals = Array.from(atMs.keys()).filter((step) => step > 0 && isCounted(step)).length
  return sums.map((sum) => (intervals === 0 ? 0 : sum / intervals))
}

/**
 * A page's value in today's answers, sum of f(q) I(rank) score over all queries: what can be lost while its copy is
 * old. With signals of changes that is all; without them, in proportion to the age of the copy.
 */
export function valueAtStake({ hasSignals }: { readonly hasSignals: boolean }): Judge {
  const stakes = currentStakes()
  return { ...stakes.judge, priority: (page, ageMs) => stakes.of(page) * (hasSignals ? 1 : ageMs) }
}

/** Stakes as of the step, for judges that want them. */
export function currentStakes() {
  let state: RepositoryQuality | undefined
  let stakes: Float64Array = new Float64Array()
  return {
    judge: {
      start: (given: RepositoryQuality) => {
        state = given
      },
      beginStep: () => {
        stakes = state!.stakes()
      },
    },
    of: (page: number) => stakes[page]!,
  }
}
