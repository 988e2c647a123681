/** A thread that computes forecasts, one for each way to estimate gains. */
import { type Forecast, forecast, loadQualityInput, type QualitySpec } from '../experiments/quality-experiment.js'
import { answerTasks } from './task-answers.js'

export interface ForecastTask {
  /** With `estimators`. */
  readonly spec: QualitySpec
  /** Of the bootstrap. */
  readonly samples: number
}

export interface ForecastAnswer {
  readonly pages: number
  readonly steps: number
  /** By estimator. */
  readonly forecasts: readonly Forecast[]
}

answerTasks(async (_: undefined, { spec, samples }: ForecastTask, tell): Promise<ForecastAnswer> => {
  const input = await loadQualityInput(spec, tell)
  const forecasts = (spec.estimators ?? []).map((estimator) => forecast(input, { estimator, samples }))
  return { pages: input.timeline.urls.length, steps: input.timeline.atMs.length, forecasts }
})
