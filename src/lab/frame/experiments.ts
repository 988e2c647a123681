/** The experiments by name. Each is loaded when it is asked for: they bring most of the library with them. */

import { choiceOption } from '../../base/checks.js'
import type { Experiment } from './experiment.js'

const EXPERIMENTS = {
  quality: async () => (await import('../experiments/quality/run.js')).quality,
  forecast: async () => (await import('../experiments/forecast/run.js')).forecast,
  frontier: async () => (await import('../experiments/frontier/run.js')).frontier,
  schedule: async () => (await import('../experiments/schedule/run.js')).schedule,
  longevity: async () => (await import('../experiments/longevity/run.js')).longevity,
  clusters: async () => (await import('../experiments/clusters/run.js')).clusters,
  estimate: async () => (await import('../experiments/estimate/run.js')).estimate,
  overhead: async () => (await import('../experiments/overhead/run.js')).overhead,
} as const

export type ExperimentName = keyof typeof EXPERIMENTS

export const EXPERIMENT_NAMES = Object.keys(EXPERIMENTS) as readonly ExperimentName[]

/** Any experiment, for whoever only hands on what it is given. */
export type AnyExperiment = Experiment<unknown, unknown, unknown, unknown, unknown>

/** RangeError for a name that no experiment has. */
export function loadExperiment<Name extends ExperimentName>(name: Name): ReturnType<(typeof EXPERIMENTS)[Name]> {
  choiceOption<ExperimentName>('experiment', name, 'quality', EXPERIMENT_NAMES)
  return EXPERIMENTS[name]() as ReturnType<(typeof EXPERIMENTS)[Name]>
}
