/** A thread that computes forecasts, one for each way to estimate gains. */

import { type Forecast, forecast } from '../experiments/forecast/run.js'
import { loadQualityInput } from '../experiments/quality/input.js'
import type { QualitySpec } from '../experiments/quality/spec.js'
import { answerTasks } from './threads.js'

export interface ForecastTask {
  /** With `estimators`. */
  readonly spec: QualitySpec
  /** Of the bootstrap. */
  readonly samples: number
}

export interface ForecastAnswer {
  readonly pages: number
  readonly steps: number
  /** Of the workload, with a word; those of the same words are one. */
  readonly queries: number
  /** By estimator. */
  readonly forecasts: readonly Forecast[]
}

answerTasks(async (_: undefined, { spec, samples }: ForecastTask, tell): Promise<ForecastAnswer> => {
  const input = await loadQualityInput(spec, tell)
  const forecasts = (spec.estimators ?? []).map((estimator) => forecast(input, { estimator, samples }))
  const { timeline, scores } = input
  return { pages: timeline.urls.length, steps: timeline.atMs.length, queries: scores.weights.length, forecasts }
})
