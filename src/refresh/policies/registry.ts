/** The policies by name, with their cards and the checks of their options. */
import { booleanOption, choiceOption, numberOption, readOptions } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import { MAX_TIME_MS } from '../../base/time.js'
import { CHANGE_WEIGHTINGS } from '../../clusters/change-weights.js'
import { RECENT_REFRESHES } from '../../ledger/columns.js'
import type { RateOptions } from '../model/rate-inputs.js'
import { binaryFreshness, binaryFreshnessCard } from './binary-freshness.js'
import { choGarciaMolina, choGarciaMolinaCard } from './cho-garcia-molina.js'
import { type ClusterSamplingOptions, clusterSampling, clusterSamplingCard } from './cluster-sampling.js'
import { embarrassment, embarrassmentCard } from './embarrassment.js'
import { greedyPoisson, greedyPoissonCard } from './greedy-poisson.js'
import { lambdaCrawl, lambdaCrawlCard } from './lambda-crawl.js'
import { longevityBound, longevityBoundCard } from './longevity-bound.js'
import {
  type LongevityCurveOptions,
  type LongevityOptions,
  longevityCurve,
  longevityCurveCard,
} from './longevity-curve.js'
import { oldestFirst, oldestFirstCard } from './oldest-first.js'
import type { Policy, PolicyCard } from './policy.js'
import { POLICY_OPTIONS, type PolicyOption } from './policy-options.js'
import { proportional, proportionalCard } from './proportional.js'
import { qualityUtility, qualityUtilityCard } from './quality-utility.js'
import { type UserCentricOptions, userCentric, userCentricCard } from './user-centric.js'
import { type UserCentricShrunkOptions, userCentricShrunk, userCentricShrunkCard } from './user-centric-shrunk.js'
import { withSignals } from './with-signals.js'

/** A policy by name, or by name and options. */
export type PolicyChoice =
  | PolicyName
  | { readonly [Name in PolicyName]: { readonly name: Name } & PolicyOptions[Name] }[PolicyName]

/** The policy as an index uses it, with signals as evidence. TypeError or RangeError for anything but a policy. */
export function policyOf(choice: PolicyChoice): Policy {
  const policy = namedPolicy(choice)
  return policy.readsSignals ? policy : withSignals(policy)
}

function namedPolicy(choice: PolicyChoice): Policy {
  if (typeof choice !== 'object' || choice === null) return createPolicy(choice)
  const { name, ...options } = choice
  if (name === undefined) throw new TypeError(`policy must have a name, received ${describe(choice)}`)
  return createPolicy(name, options as PolicyOptions[typeof name])
}

type NoOptions = Record<string, never>

/** The options of each policy. */
export interface PolicyOptions {
  readonly 'quality-utility': NoOptions
  readonly 'user-centric-shrunk': UserCentricShrunkOptions
  readonly 'user-centric': UserCentricOptions
  readonly 'longevity-curve': LongevityCurveOptions
  readonly 'longevity-bound': LongevityOptions
  readonly 'greedy-poisson': NoOptions
  readonly embarrassment: NoOptions
  readonly 'cho-garcia-molina': NoOptions
  readonly 'binary-freshness': RateOptions
  readonly 'lambda-crawl': RateOptions
  readonly 'cluster-sampling': ClusterSamplingOptions
  readonly proportional: NoOptions
  readonly 'oldest-first': NoOptions
}

export type PolicyName = keyof PolicyOptions

export const DEFAULT_POLICY: PolicyName = 'quality-utility'

interface Entry<Name extends PolicyName> {
  readonly card: PolicyCard<Name>
  readonly create: (options: unknown) => Policy
}

const ENTRIES: { readonly [Name in PolicyName]: Entry<Name> } = {
  'quality-utility': { card: qualityUtilityCard, create: withoutOptions(qualityUtility) },
  'user-centric-shrunk': {
    card: userCentricShrunkCard,
    create: (options) => {
      const { prior, priorMs } = readOptions('policy', options, ['prior', 'priorMs'])
      return userCentricShrunk({
        prior: choiceOption<'stake' | 'mean'>('prior', prior, 'stake', ['stake', 'mean']),
        priorMs: optionalNumber('priorMs', priorMs, 1, MAX_TIME_MS),
      })
    },
  },
  'user-centric': {
    card: userCentricCard,
    create: (options) => {
      const { window, decayed } = readOptions('policy', options, ['window', 'decayed'])
      if (window === undefined) return userCentric({ decayed: booleanOption('decayed', decayed, false) })
      if (decayed === true) throw new TypeError('window and decayed exclude each other, received both')
      booleanOption('decayed', decayed, false)
      return userCentric({
        window: numberOption('window', window, 1, { min: 1, max: RECENT_REFRESHES, integer: true }),
      })
    },
  },
  'longevity-curve': { card: longevityCurveCard, create: (options) => longevityCurve(curveOptions(options)) },
  'longevity-bound': { card: longevityBoundCard, create: (options) => longevityBound(longevityOptions(options)) },
  'greedy-poisson': { card: greedyPoissonCard, create: withoutOptions(greedyPoisson) },
  embarrassment: { card: embarrassmentCard, create: withoutOptions(embarrassment) },
  'cho-garcia-molina': { card: choGarciaMolinaCard, create: withoutOptions(choGarciaMolina) },
  'binary-freshness': { card: binaryFreshnessCard, create: (options) => binaryFreshness(rateOptions(options)) },
  'lambda-crawl': { card: lambdaCrawlCard, create: (options) => lambdaCrawl(rateOptions(options)) },
  'cluster-sampling': { card: clusterSamplingCard, create: (options) => clusterSampling(samplingOptions(options)) },
  proportional: { card: proportionalCard, create: withoutOptions(proportional) },
  'oldest-first': { card: oldestFirstCard, create: withoutOptions(oldestFirst) },
}

export const POLICY_NAMES = Object.keys(ENTRIES) as readonly PolicyName[]

/** A card with the options that the policy takes. */
export interface ListedPolicy extends PolicyCard<PolicyName> {
  readonly options: readonly PolicyOption[]
}

/** In the order of POLICY_NAMES. */
export const POLICY_CARDS: readonly ListedPolicy[] = POLICY_NAMES.map((name) => ({
  ...ENTRIES[name].card,
  options: POLICY_OPTIONS[name],
}))

/** The policy by itself, without evidence from signals. TypeError or RangeError for an unknown name or option. */
export function createPolicy<Name extends PolicyName>(
  name: Name = DEFAULT_POLICY as Name,
  options?: PolicyOptions[Name],
): Policy {
  return ENTRIES[choiceOption('policy', name, DEFAULT_POLICY, POLICY_NAMES)].create(options)
}

function withoutOptions(policy: Policy): (options: unknown) => Policy {
  return (options) => {
    readOptions('policy', options, [])
    return policy
  }
}

const LONGEVITY_NAMES = ['threshold', 'risk', 'learning', 'learningMs', 'weight'] as const

function curveOptions(options: unknown): LongevityCurveOptions {
  const { fragments, ...rest } = readOptions('policy', options, [...LONGEVITY_NAMES, 'fragments'])
  const chosen = choiceOption<'alike' | 'workload'>('fragments', fragments, 'alike', ['alike', 'workload'])
  if (chosen === 'workload' && rest.weight !== undefined)
    throw new TypeError("weight and fragments: 'workload' exclude each other: the workload weighs pages, too")
  return { ...longevityOptions(rest), fragments: chosen }
}

function longevityOptions(options: unknown): LongevityOptions {
  const { threshold, risk, learning, learningMs, weight } = readOptions('policy', options, LONGEVITY_NAMES)
  if (learning !== undefined && learningMs !== undefined) {
    throw new TypeError('learning and learningMs exclude each other, received both')
  }
  return {
    threshold: optionalNumber('threshold', threshold, 0, MAX_AMOUNT),
    risk: optionalNumber('risk', risk, 1, MAX_AMOUNT),
    learning: optionalNumber('learning', learning, 1, MAX_AMOUNT),
    learningMs: optionalNumber('learningMs', learningMs, 0, MAX_TIME_MS),
    weight: weightOption(weight, 'none'),
  }
}

function rateOptions(options: unknown): RateOptions {
  const { weight, refreshesPerDay } = readOptions('policy', options, ['weight', 'refreshesPerDay'])
  return {
    weight: weightOption(weight, 'stake'),
    refreshesPerDay:
      refreshesPerDay === undefined
        ? undefined
        : numberOption('refreshesPerDay', refreshesPerDay, 1, { min: 1e-6, max: 1e15 }),
  }
}

function samplingOptions(options: unknown): ClusterSamplingOptions {
  const { weighting, by, fairness, order } = readOptions('policy', options, ['weighting', 'by', 'fairness', 'order'])
  if (order === 'groups' && fairness !== undefined)
    throw new TypeError("fairness is for the order 'age': whole groups come by their change probability alone")
  return {
    order: choiceOption<'age' | 'groups'>('order', order, 'age', ['age', 'groups']),
    weighting: choiceOption('weighting', weighting, 'gad', CHANGE_WEIGHTINGS),
    by: choiceOption<'cluster' | 'site'>('by', by, 'cluster', ['cluster', 'site']),
    fairness: optionalNumber('fairness', fairness, 0, 1),
  }
}

/** Far beyond any measurement, and small enough that the product of two such numbers is finite. */
const MAX_AMOUNT = 1e38

function weightOption(weight: unknown, fallback: 'none' | 'stake'): 'none' | 'stake' {
  return choiceOption<'none' | 'stake'>('weight', weight, fallback, ['none', 'stake'])
}

function optionalNumber(name: string, value: unknown, min: number, max: number): number | undefined {
  return value === undefined ? undefined : numberOption(name, value, min, { min, max })
}
