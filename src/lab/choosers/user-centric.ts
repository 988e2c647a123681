/**
 * User-centric refreshing with what is known of the whole period (User-centric crawling, section 6.2.3):
 *
 *   P(p, t) = mean of ΔQ_A / (t - LR) over the refreshes of p  ·  (t - LR)
 *
 * with LR the last refresh before t. As the paper does for its Figure 3, the mean is taken with a refresh after every step.
 */
import type { Timeline } from '../quality/timeline.js'
import { forEachLaterChange } from './change-rates.js'
import type { Judge } from './judged-chooser.js'

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
