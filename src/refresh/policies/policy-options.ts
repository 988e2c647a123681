/** The options of each policy as data, from which the command line reads and lists them. registry.ts checks them. */
import { CHANGE_WEIGHTINGS } from '../../clusters/change-weights.js'
import { RECENT_REFRESHES } from '../../ledger/columns.js'

/** Whether the value is a number, a length of time in milliseconds, one of a few words, or true or false. */
export type PolicyOptionKind = 'number' | 'time' | 'choice' | 'flag'

export interface PolicyOption {
  readonly name: string
  readonly kind: PolicyOptionKind
  /** What the option does, in one line. */
  readonly text: string
  /** What holds without it, in words. */
  readonly fallback: string
  readonly choices?: readonly string[]
}

const NONE: readonly PolicyOption[] = []
const STAKES = ['none', 'stake'] as const

const LONGEVITY: readonly PolicyOption[] = [
  {
    name: 'threshold',
    kind: 'time',
    text: 'pages whose refresh saves less full divergence than this are left alone, whatever the budget',
    fallback: 'none',
  },
  { name: 'risk', kind: 'number', text: 'rho: no refresh period is above so many thresholds', fallback: '100' },
  {
    name: 'learning',
    kind: 'number',
    text: 'l: each fetch of a page lets it wait for so many thresholds more',
    fallback: '3',
  },
  { name: 'learningMs', kind: 'time', text: 'l as a time, instead of learning', fallback: 'none' },
  { name: 'weight', kind: 'choice', text: 'what a page weighs', fallback: 'none', choices: STAKES },
]

const LONGEVITY_CURVE: readonly PolicyOption[] = [
  ...LONGEVITY,
  {
    name: 'fragments',
    kind: 'choice',
    text: 'whether pieces of a page weigh alike, or what their words mean to the workload; not beside weight',
    fallback: 'alike',
    choices: ['alike', 'workload'],
  },
]

const RATES: readonly PolicyOption[] = [
  { name: 'weight', kind: 'choice', text: 'what a page weighs', fallback: 'stake', choices: STAKES },
  {
    name: 'refreshesPerDay',
    kind: 'number',
    text: 'the refreshes of all pages in a day, for which rates are best',
    fallback: 'as many as there were',
  },
]

export const POLICY_OPTIONS = {
  'quality-utility': NONE,
  'user-centric-shrunk': [
    {
      name: 'prior',
      kind: 'choice',
      text: 'what a change gains before any was seen: by the stake of the page, or as the mean change',
      fallback: 'stake',
      choices: ['stake', 'mean'],
    },
    { name: 'priorMs', kind: 'time', text: 'how long a page is watched until it counts as much', fallback: 'by data' },
  ],
  'user-centric': [
    { name: 'window', kind: 'number', text: `only the last refreshes, 1 to ${RECENT_REFRESHES}`, fallback: 'all' },
    { name: 'decayed', kind: 'flag', text: 'older refreshes count less; not beside window', fallback: 'false' },
  ],
  'longevity-curve': LONGEVITY_CURVE,
  'longevity-bound': LONGEVITY,
  'greedy-poisson': NONE,
  embarrassment: NONE,
  'cho-garcia-molina': NONE,
  'binary-freshness': RATES,
  'lambda-crawl': RATES,
  'cluster-sampling': [
    {
      name: 'weighting',
      kind: 'choice',
      text: 'how refreshes count in the frequency of changes',
      fallback: 'gad',
      choices: CHANGE_WEIGHTINGS,
    },
    { name: 'by', kind: 'choice', text: 'which pages change alike', fallback: 'cluster', choices: ['cluster', 'site'] },
    { name: 'fairness', kind: 'number', text: 'the weight of age alone, 0 to 1', fallback: '0.05' },
    {
      name: 'order',
      kind: 'choice',
      text: 'pages by chance of change and age, or whole clusters by their chance',
      fallback: 'age',
      choices: ['age', 'groups'],
    },
  ],
  proportional: NONE,
  'oldest-first': NONE,
} as const satisfies Readonly<Record<string, readonly PolicyOption[]>>
