/**
 * User-centric refreshing with what is known of the whole period (User-centric crawling, section 6.2.3):
 *
 *   P(p, t) = mean of ΔQ_A / (t - LR) over the refreshes of p  ·  (t - LR)
 *
 * with LR the last refresh before t. As the paper does for its Figure 3, the mean is taken with a refresh after every
 * step.
 */

import type { RepositoryQuality } from '../quality/repository-quality.js'
import type { Timeline } from '../quality/timeline.js'
import { forEachLaterChange } from './by-rate.js'
import type { Judge } from './judged.js'

/** `gains`: ΔQ_A by change. */
export function userCentric(timeline: Timeline, gains: Float64Array): Judge {
  const rates = gainPerMs(timeline, gains)
  return { priority: (page, ageMs) => rates[page]! * ageMs }
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
