/** The policies by name, and what their options may be. */
import { booleanOption, choiceOption, numberOption, readOptions } from '../option-checks.js'
import { RECENT_REFRESHES } from './ledger-columns.js'
import { oldestFirst } from './policies/oldest-first.js'
import { type UserCentricOptions, userCentric } from './policies/user-centric.js'
import { type UserCentricShrunkOptions, userCentricShrunk } from './policies/user-centric-shrunk.js'
import type { Policy } from './policy.js'

/** The options of each policy. */
export interface PolicyOptions {
  readonly 'user-centric-shrunk': UserCentricShrunkOptions
  readonly 'user-centric': UserCentricOptions
  readonly 'oldest-first': Record<string, never>
}

export type PolicyName = keyof PolicyOptions

export const DEFAULT_POLICY: PolicyName = 'user-centric-shrunk'

const FACTORIES: { readonly [Name in PolicyName]: (options: unknown) => Policy } = {
  'user-centric-shrunk': (options) => {
    const { prior, priorMs } = readOptions('policy', options, ['prior', 'priorMs'])
    return userCentricShrunk({
      prior: choiceOption<'stake' | 'mean'>('prior', prior, 'stake', ['stake', 'mean']),
      ...(priorMs === undefined ? {} : { priorMs: numberOption('priorMs', priorMs, 1, { min: 1, max: 8.64e15 }) }),
    })
  },
  'user-centric': (options) => {
    const { window, decayed } = readOptions('policy', options, ['window', 'decayed'])
    if (window === undefined) return userCentric({ decayed: booleanOption('decayed', decayed, false) })
    if (decayed === true) throw new TypeError('window and decayed exclude each other, received both')
    booleanOption('decayed', decayed, false)
    return userCentric({ window: numberOption('window', window, 1, { min: 1, max: RECENT_REFRESHES, integer: true }) })
  },
  'oldest-first': (options) => {
    readOptions('policy', options, [])
    return oldestFirst
  },
}

export const POLICY_NAMES = Object.keys(FACTORIES) as readonly PolicyName[]

/** TypeError or RangeError for a name or an option that is not known. */
export function createPolicy<Name extends PolicyName>(
  name: Name = DEFAULT_POLICY as Name,
  options?: PolicyOptions[Name],
): Policy {
  return FACTORIES[choiceOption('policy', name, DEFAULT_POLICY, POLICY_NAMES)](options)
}
