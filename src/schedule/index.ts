export {
  FITTED_KINDS,
  type FittedKind,
  fitLaws,
  type LawFit,
  type LawFitOptions,
  type UpdateTimes,
} from '../change/law-fits.js'
export { ParetoLaw } from '../change/laws/pareto.js'
export { PoissonLaw } from '../change/laws/poisson.js'
export { QuasiDeterministicLaw } from '../change/laws/quasi-deterministic.js'
export { SurvivalLaw } from '../change/laws/survival.js'
export { WeibullLaw } from '../change/laws/weibull.js'
export {
  estimateRate,
  RATE_ESTIMATOR_NAMES,
  type RateEstimatorName,
  type Visit,
  type VisitHistory,
} from '../change/rate-estimators.js'
export type { LawKind, UpdateLaw } from '../change/update-law.js'
export { binaryFreshnessRates } from '../math/binary-freshness-rates.js'
export { harmonicRates, signalledCrawlChances } from '../math/harmonic-rates.js'
export { type ClickCurve, clickFrequencies, type EmbarrassmentFactors, embarrassmentWeight } from './embarrassment.js'
export type { TimeSpan } from './page-restrictions.js'
export { makeSchedule, type PageToCrawl, type Schedule, type ScheduleOptions } from './schedule.js'
export { SCHEDULE_STARTS, type ScheduleStart } from './staleness-table.js'
export { type TimetableRow, timetableRows } from './timetable-rows.js'
