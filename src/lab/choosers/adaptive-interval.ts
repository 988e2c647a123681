/**
 * Intervals that adapt, as the AdaptiveFetchSchedule of Apache Nutch has them: a page found changed is due after a shorter
 * interval, one found the same after a longer one. Not followed is the shift of its due times towards the times of changes,
 * which a crawler knows only from the server.
 *
 * Nutch fetches what is due. So that all policies do equally much, the pages longest due in proportion to their intervals are
 * taken here, whether the budget is less or more than is due; only the proportions of intervals matter then.
 */
import type { Judge } from './judged-chooser.js'

/** Nutch's db.fetch.schedule.adaptive.inc_rate and dec_rate. */
const GROWTH = 0.4
const SHRINKAGE = 0.2
/** Shortest and longest interval, by the first one: a minute and a year by 30 days, in Nutch. */
const LEAST = 1 / (30 * 24 * 60)
const MOST = 365 / 30

export function adaptiveInterval(pages: number): Judge {
  /** By page, in the unit of the first interval, which is the same for all. */
  const intervals = new Float64Array(pages).fill(1)
  return {
    priority: (page, ageMs) => ageMs / intervals[page]!,
    observe: (page, { kind }) => {
      const factor = kind === 'same' ? 1 + GROWTH : 1 - SHRINKAGE
      intervals[page] = Math.min(MOST, Math.max(LEAST, intervals[page]! * factor))
    },
  }
}
