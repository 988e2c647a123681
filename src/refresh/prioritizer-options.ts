import { booleanOption, readOptions } from '../base/checks.js'
import { resolveWorkload, type WorkloadSettings } from '../workload/workload-options.js'
import { type PolicyChoice, policyOf } from './policies/registry.js'

/** How refreshes are measured and chosen, after validation. */
export interface PrioritizerSettings {
  readonly workload: WorkloadSettings | undefined
  readonly policy: PolicyChoice | undefined
  readonly changeProfiles: boolean
}

/** What an opener says about refreshes, as given. */
export interface GivenPrioritizerOptions {
  readonly workload?: unknown
  readonly refresh?: unknown
  readonly changeProfiles?: unknown
}

export function resolvePrioritizerOptions(given: GivenPrioritizerOptions): PrioritizerSettings {
  const { policy } = readOptions('refresh', given.refresh, ['policy'])
  // Made once to find out whether it can be.
  if (policy !== undefined) policyOf(policy as PolicyChoice)
  return {
    workload: resolveWorkload(given.workload),
    policy: policy as PolicyChoice | undefined,
    changeProfiles: booleanOption('changeProfiles', given.changeProfiles, true),
  }
}
