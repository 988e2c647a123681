/** How often a page changes, from visits that saw whether it had. All estimators take the changes for a Poisson process. */
import { choiceOption } from '../option-checks.js'
import { choGarciaMolinaRate } from './rates/cho-garcia-molina.js'
import { irregularIntervalRate } from './rates/irregular-intervals.js'
import { lawOfLargeNumbersRate } from './rates/law-of-large-numbers.js'
import { totalsOf, type VisitHistory } from './visit-history.js'

const ESTIMATORS = {
  /** For equal intervals; of others it knows the mean only. Always finite. */
  'cho-garcia-molina': (history) => {
    const { visits, changes, totalMs } = totalsOf(history)
    return choGarciaMolinaRate({ visits, changes, intervalMs: totalMs / visits })
  },
  /** For any intervals. Infinity when every visit saw a change. */
  'irregular-intervals': irregularIntervalRate,
  /** For visits at random times. Always finite. */
  'law-of-large-numbers': (history) => {
    const { visits, changes, totalMs } = totalsOf(history)
    return lawOfLargeNumbersRate({ visits, changes, visitRatePerMs: visits / totalMs })
  },
} as const satisfies Record<string, (history: VisitHistory) => number>

export type RateEstimatorName = keyof typeof ESTIMATORS

export const RATE_ESTIMATOR_NAMES = Object.keys(ESTIMATORS) as readonly RateEstimatorName[]

/** Changes per millisecond. */
export function estimateRate(history: VisitHistory, estimator: RateEstimatorName = 'cho-garcia-molina'): number {
  return ESTIMATORS[choiceOption('estimator', estimator, 'cho-garcia-molina', RATE_ESTIMATOR_NAMES)](history)
}
