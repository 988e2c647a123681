/**
 * Whether what refreshes gained says what they will gain (User-centric crawling, Figure 3): ΔQ_A per time of each page
 * in the first half of a world against the second, every change being refreshed at once: the mean over the updates of
 * each half, as the policy takes it.
 */

import { numberOption } from '../../../base/checks.js'
import { DAY_MS } from '../../../base/time.js'
import { gainPerUpdate } from '../../choosers/by-value.js'
import type { Experiment } from '../../frame/experiment.js'
import { type Interval, spearman, spearmanInterval } from '../../report/statistics.js'
import { folderName } from '../../worlds/folder-tables.js'
import { loadQualityInput, type QualityInput } from '../quality/input.js'
import type { GainEstimator } from '../quality/policies.js'
import { checkSpec, type FolderSpec } from '../quality/spec.js'
import { type ForecastResult, forecastJson, forecastReport } from './report.js'

export interface ForecastSpec extends FolderSpec {
  readonly estimators: readonly GainEstimator[]
  /** Samples of the bootstrap that gives the intervals. */
  readonly samples: number
}

/** All estimators at once: most of the time goes by while the world is read. */
export interface ForecastTask {
  readonly estimators: readonly GainEstimator[]
  readonly samples: number
}

export type ForecastRow = readonly Forecast[]

export const forecast: Experiment<ForecastSpec, QualityInput, ForecastTask, ForecastRow, ForecastResult> = {
  name: 'forecast',
  check: (spec) => {
    checkSpec(spec)
    numberOption('samples', spec.samples, 1, { min: 1, integer: true })
  },
  tasks: ({ estimators, samples }) => [{ estimators, samples }],
  load: (spec, _, tell) => loadQualityInput({ ...spec, policies: [] }, tell),
  run: (input, { estimators, samples }) => estimators.map((estimator) => forecastGains(input, { estimator, samples })),
  conclude: (spec, { timeline, scores }, [forecasts]) => ({
    spec,
    data: folderName(spec.data),
    pages: timeline.urls.length,
    steps: timeline.atMs.length,
    queries: scores.weights.length,
    forecasts: forecasts!,
  }),
  report: forecastReport,
  json: forecastJson,
}

export interface ForecastOptions {
  /** Among spec.estimators or those of the policies. */
  readonly estimator: GainEstimator
  /** Samples of the bootstrap. Default 1,000. */
  readonly samples?: number
  /** The share of the samples that the interval holds. Default 0.95. */
  readonly confidence?: number
}

export interface Forecast {
  readonly estimator: GainEstimator
  /** The last step of the first half. */
  readonly lastOfFirst: number
  readonly pages: Correlation
  /** The correlation of the pages with a gain in at least one half, which are those that the figure shows. */
  readonly gainingPages: Correlation
  /** The pages with a gain in at least one half. */
  readonly points: readonly ForecastPoint[]
}

export interface Correlation {
  readonly count: number
  /** null where there is none: too few pages, or a half without any gain. */
  readonly spearman: number | null
  readonly interval: Interval | null
}

export interface ForecastPoint {
  readonly url: string
  /** ΔQ_A per day. */
  readonly first: number
  readonly second: number
}

export function forecastGains(input: QualityInput, options: ForecastOptions): Forecast {
  const { timeline, spec } = input
  const gains = input.gains[options.estimator]
  if (gains === undefined)
    throw new RangeError(`the input has no gains by ${options.estimator}: name it among spec.estimators`)
  const samples = numberOption('samples', options.samples, 1000, { min: 1, integer: true })
  const confidence = numberOption('confidence', options.confidence, 0.95, { min: 0, max: 1 })
  // The 47 steps after the first are 23 in the first half and 24 in the second.
  const lastOfFirst = Math.floor((timeline.atMs.length - 1) / 2)
  const halves = [(step: number) => step <= lastOfFirst, (step: number) => step > lastOfFirst].map((isCounted) =>
    gainPerUpdate(timeline, gains, isCounted).map((rate) => rate * DAY_MS),
  )
  const [first, second] = halves as [Float64Array, Float64Array]
  const gaining = Array.from(first.keys()).filter((page) => first[page]! > 0 || second[page]! > 0)
  const correlate = (pages: readonly number[]): Correlation => {
    const [a, b] = [pages.map((page) => first[page]!), pages.map((page) => second[page]!)]
    const correlation = spearman(a, b)
    if (Number.isNaN(correlation)) return { count: pages.length, spearman: null, interval: null }
    const interval = spearmanInterval(a, b, { samples, confidence, seed: spec.seed })
    return { count: pages.length, spearman: correlation, interval }
  }
  return {
    estimator: options.estimator,
    lastOfFirst,
    pages: correlate([...first.keys()]),
    gainingPages: correlate(gaining),
    points: gaining.map((page) => ({ url: timeline.urls[page]!, first: first[page]!, second: second[page]! })),
  }
}
