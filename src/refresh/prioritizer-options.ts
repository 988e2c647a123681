import { booleanOption, numberOption, readOptions } from '../base/checks.js'
import { MOST_PROFILES, ONE_PROFILE } from '../ledger/versions.js'
import { resolveWorkload, type WorkloadSettings } from '../workload/workload-options.js'
import { type PolicyChoice, policyOf } from './policies/registry.js'

/** How refreshes are measured and chosen, after validation. */
export interface PrioritizerSettings {
  /** False: there is no prioritizer, and the rest says that nothing is measured and kept. */
  readonly isOn: boolean
  readonly workload: WorkloadSettings | undefined
  readonly policy: PolicyChoice | undefined
  /** h: change profiles of a document; 0: none. */
  readonly changeProfiles: number
}

/** What an opener says about refreshes, as given. */
export interface GivenPrioritizerOptions {
  readonly prioritizer?: unknown
  readonly workload?: unknown
  readonly refresh?: unknown
  readonly changeProfiles?: unknown
}

/** Options that say something to a prioritizer only. */
const OPTIONS_OF_PRIORITIZER = ['workload', 'refresh', 'changeProfiles'] as const

const NO_PRIORITIZER: PrioritizerSettings = {
  isOn: false,
  workload: undefined,
  policy: undefined,
  changeProfiles: 0,
}

export function resolvePrioritizerOptions(given: GivenPrioritizerOptions): PrioritizerSettings {
  if (!booleanOption('prioritizer', given.prioritizer, true)) {
    const name = OPTIONS_OF_PRIORITIZER.find((option) => given[option] !== undefined)
    if (name !== undefined) throw new TypeError(`${name} is for a prioritizer, not with prioritizer: false`)
    return NO_PRIORITIZER
  }
  const { policy } = readOptions('refresh', given.refresh, ['policy'])
  // Made once to find out whether it can be.
  if (policy !== undefined) policyOf(policy as PolicyChoice)
  return {
    isOn: true,
    workload: resolveWorkload(given.workload),
    policy: policy as PolicyChoice | undefined,
    changeProfiles: profilesOption(given.changeProfiles),
  }
}

function profilesOption(given: unknown): number {
  if (typeof given === 'number') {
    return numberOption('changeProfiles', given, ONE_PROFILE, { min: ONE_PROFILE, max: MOST_PROFILES, integer: true })
  }
  return booleanOption('changeProfiles', given, true) ? ONE_PROFILE : 0
}
