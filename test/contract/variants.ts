/** Every policy of the registry as it is unless told, and with each of its options. */
import { POLICY_NAMES, type PolicyChoice } from '../../src/refresh/policies/registry.js'

const DAY_MS = 86_400_000

const WITH_OPTIONS: readonly PolicyChoice[] = [
  { name: 'user-centric-shrunk', prior: 'mean' },
  { name: 'user-centric-shrunk', priorMs: DAY_MS },
  { name: 'user-centric', window: 2 },
  { name: 'user-centric', decayed: true },
  { name: 'longevity-curve', risk: 1 },
  { name: 'longevity-curve', risk: 1e38, weight: 'stake' },
  { name: 'longevity-curve', learningMs: DAY_MS },
  { name: 'longevity-curve', learningMs: 20 * DAY_MS, weight: 'stake', risk: 50 },
  { name: 'longevity-curve', threshold: DAY_MS / 2 },
  { name: 'longevity-curve', learning: 10 },
  { name: 'longevity-curve', fragments: 'workload' },
  { name: 'longevity-curve', fragments: 'workload', learningMs: 3 * DAY_MS, risk: 20 },
  { name: 'longevity-bound', risk: 1e38, weight: 'stake' },
  { name: 'longevity-bound', learningMs: 8.64e15 },
  { name: 'longevity-bound', learningMs: 5 * DAY_MS, threshold: DAY_MS },
  { name: 'binary-freshness', weight: 'none' },
  { name: 'binary-freshness', refreshesPerDay: 3 },
  { name: 'lambda-crawl', weight: 'none' },
  { name: 'lambda-crawl', refreshesPerDay: 1e6 },
  { name: 'cluster-sampling', by: 'site', weighting: 'nad' },
  { name: 'cluster-sampling', weighting: 'sad', fairness: 0 },
  { name: 'cluster-sampling', weighting: 'aad', fairness: 1 },
  { name: 'cluster-sampling', order: 'groups' },
]

export const VARIANTS: readonly (readonly [label: string, choice: PolicyChoice])[] = [
  ...POLICY_NAMES.map((name) => [name, name] as const),
  ...WITH_OPTIONS.map((choice) => [JSON.stringify(choice), choice] as const),
]
