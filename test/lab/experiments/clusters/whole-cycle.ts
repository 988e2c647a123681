import type { PageGroups } from '../../../../src/clusters/centroids.js'
import {
  type SamplingCycleOptions,
  type SamplingCyclePlan,
  sampleCycle,
} from '../../../../src/lab/experiments/clusters/cluster-sampling.js'

/** The whole cycle at once, with φ from a function. */
export function planSamplingCycle(
  groups: PageGroups,
  probabilityOf: (page: number) => number,
  options: SamplingCycleOptions,
): SamplingCyclePlan {
  const cycle = sampleCycle(groups, options)
  for (let step = cycle.next(); ; step = cycle.next(Array.from(step.value, probabilityOf))) {
    if (step.done) return step.value
  }
}
