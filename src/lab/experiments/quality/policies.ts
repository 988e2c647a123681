/** The policies that the experiment compares, each with the modes in which it makes sense and what it needs to know. */

import { describe } from '../../../base/describe.js'
import { POLICY_CARDS, type PolicyChoice, type PolicyName } from '../../../index.js'
import { greedyPosterior, RatePosterior } from '../../choosers/by-rate.js'
import { userCentricPerStep, valueAtStake } from '../../choosers/by-value.js'
import type { ChangeSignals } from '../../choosers/change-signals.js'
import { type Judge, judgedChooser } from '../../choosers/judged.js'
import { knowingUpdates, knowingVisits, oldestFirst } from '../../choosers/known-history.js'
import { clicksOf, planByEmbarrassment, planByStaleness, plannedChooser, proportional } from '../../choosers/planned.js'
import { adaptiveInterval, oracle, randomPages, roundRobin, uniform } from '../../choosers/simple.js'
import { allowanceOf, type Chooser } from '../../quality/replay.js'
import type { ScoredWorld } from '../../quality/repository-quality.js'

/** Parameters fitted on the whole period; learnt from own refreshes only; the same with signals of changes. */
export type QualityMode = 'offline' | 'online' | 'signals'

export const QUALITY_MODES: readonly QualityMode[] = ['offline', 'online', 'signals']

/** What a policy is given to choose by. */
export interface ChoosingContext extends ScoredWorld {
  readonly mode: QualityMode
  /** Refreshes per step. */
  readonly budget: number
  readonly seed: number
  /** In the mode 'signals'. */
  readonly signals: ChangeSignals | undefined
  /** See QualityInput. */
  readonly differences?: Float64Array
  readonly gains: Readonly<Partial<Record<GainEstimator, Float64Array>>>
  /** One of the policy's own. */
  readonly threshold?: number
}

export interface QualityPolicy {
  readonly name: string
  readonly modes: readonly QualityMode[]
  /** Where it comes from. */
  readonly paper: string
  readonly description: string
  /** Thresholds of shingles: all are tried, and the best counts. */
  readonly thresholds?: readonly number[]
  /** The estimate of ΔQ_A by which it chooses. */
  readonly gains?: GainEstimator
  /** In these modes it is a policy of the product: an index chooses. */
  readonly indexPolicy?: { readonly choice: PolicyChoice; readonly modes: readonly QualityMode[] }
  /** In all other modes. */
  readonly choose?: (context: ChoosingContext) => Chooser
}

/** Those of the paper. */
const THRESHOLDS: readonly number[] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
/** Where most changes are small, those of the paper pass over most of them. 0: any change of a shingle. */
const FINE_THRESHOLDS: readonly number[] = [0, 0.01, 0.02, 0.05, ...THRESHOLDS]

const PAPERS = {
  userCentric: 'Pandey and Olston, User-centric web crawling (WWW 2005)',
  freshness: 'Cho and Garcia-Molina, Synchronizing a database to improve freshness (SIGMOD 2000)',
  optimal: 'Wolf et al., Optimal crawling strategies for web search engines (WWW 2002)',
  longevity: 'Olston and Pandey, Recrawl scheduling based on information longevity (WWW 2008)',
  nutch: 'Apache Nutch, AdaptiveFetchSchedule',
  none: '-',
} as const

const SIMPLE: readonly QualityPolicy[] = [
  {
    name: 'uniform',
    modes: ['offline', 'online'],
    paper: PAPERS.freshness,
    description: 'every page equally often, in a random order',
    choose: (context) => uniform(pagesOf(context), context.seed),
  },
  {
    name: 'round-robin',
    modes: ['offline', 'online'],
    paper: PAPERS.none,
    description: 'one page after the other, in order of first sight',
    choose: (context) => roundRobin(pagesOf(context)),
  },
  {
    name: 'random',
    modes: ['offline', 'online', 'signals'],
    paper: PAPERS.none,
    description: 'any pages; with signals, those that may have changed',
    choose: (context) => judged(context, randomPages(context.seed)),
  },
  {
    name: 'adaptive-interval',
    modes: ['online'],
    paper: PAPERS.nutch,
    description: 'a change makes the interval shorter, none makes it longer',
    choose: (context) => judged(context, adaptiveInterval(pagesOf(context))),
  },
]

const PLANNED: readonly QualityPolicy[] = [
  ...byThresholds({
    name: 'sbr',
    paper: PAPERS.userCentric,
    description: 'staleness-based: fewest stale pages',
    plan: ({ timeline, differences }, threshold, allowances) =>
      planByStaleness(timeline, differences!, threshold, allowances),
  }),
  ...byThresholds({
    name: 'ebr',
    paper: `${PAPERS.userCentric}; ${PAPERS.optimal}`,
    description: 'embarrassment-based: fewest clicks on stale pages',
    plan: (context, threshold, allowances) =>
      planByEmbarrassment(context, context.differences!, clicksOf(context), threshold, allowances),
  }),
]

const USER_CENTRIC: readonly QualityPolicy[] = [
  byGains('user-centric-single', 'single', 'as published: mean over updates; ΔQ_A by single words, from curves'),
  byGains('user-centric-full', 'full', 'mean over updates; ΔQ_A by whole queries, from score-rank curves'),
  byGains('user-centric-single-exact', 'single-exact', 'mean over updates; ΔQ_A by single words, from whole lists'),
  byGains('user-centric-full-exact', 'full-exact', 'mean over updates; ΔQ_A by whole queries, from whole lists'),
  byGains('user-centric-single-steps', 'single', 'mean over all steps; ΔQ_A by single words', userCentricPerStep),
  byGains('user-centric-full-steps', 'full', 'mean over all steps; ΔQ_A by whole queries', userCentricPerStep),
]

/** Policies of the product that the lab can fit on the whole period. */
const FITTED: Readonly<Partial<Record<PolicyName, (context: ChoosingContext) => Chooser>>> = {
  'oldest-first': (context) => judged(context, oldestFirst()),
  'greedy-poisson': (context) => judged(context, knowingVisits('greedy-poisson', context.timeline)),
  proportional: (context) => proportional(context.timeline, allowancesOf(context)),
}

const BY_INDEX: readonly QualityMode[] = ['online', 'signals']

/** All policies of the product: they learn by an index. */
const OF_THE_INDEX: readonly QualityPolicy[] = POLICY_CARDS.map(({ name, paper, purpose }) => {
  const policy = { name, paper, description: purpose, indexPolicy: { choice: name, modes: BY_INDEX } }
  const choose = FITTED[name]
  return choose === undefined
    ? { ...policy, modes: BY_INDEX }
    : { ...policy, modes: ['offline', ...BY_INDEX] as const, choose }
})

/** Policies of the product with options that the papers name. */
const WITH_OPTIONS: readonly QualityPolicy[] = [
  {
    name: 'longevity-curve-workload',
    modes: BY_INDEX,
    paper: `${PAPERS.longevity}, footnote 1`,
    description: 'longevity-curve with pieces of pages weighed by what their words mean to the workload',
    indexPolicy: { choice: { name: 'longevity-curve', fragments: 'workload' }, modes: BY_INDEX },
  },
]

const STAKES: readonly QualityPolicy[] = [
  {
    name: 'stake',
    modes: ['online', 'signals'],
    paper: PAPERS.none,
    description: "the page's value in today's answers, by its age; with signals, by the chance that it has changed",
    choose: (context) => judged(context, valueAtStake({ hasSignals: context.signals !== undefined })),
  },
  {
    name: 'greedy-posterior',
    modes: ['online'],
    paper: `${PAPERS.freshness}; ${PAPERS.longevity}`,
    description: 'greedy-poisson by all rates that the own visits leave likely, instead of one estimate',
    choose: (context) => judged(context, greedyPosterior(new RatePosterior(pagesOf(context)))),
  },
  {
    name: 'oracle',
    modes: ['offline', 'online', 'signals'],
    paper: PAPERS.none,
    description: 'sees the live pages: the largest true gains of each step, which no policy can know',
    choose: () => judgedChooser(oracle(), { newPagesFirst: false, spendsAll: false }),
  },
]

export const QUALITY_POLICIES: readonly QualityPolicy[] = [
  ...SIMPLE,
  ...PLANNED,
  ...USER_CENTRIC,
  ...OF_THE_INDEX,
  ...WITH_OPTIONS,
  ...STAKES,
]

/** RangeError for a name that is none. */
export function requirePolicy(name: string): QualityPolicy {
  const policy = QUALITY_POLICIES.find((known) => known.name === name)
  if (policy !== undefined) return policy
  throw new RangeError(
    `unknown policy ${describe(name)}; known: ${QUALITY_POLICIES.map((known) => known.name).join(', ')}`,
  )
}

/** As published, and with further thresholds for small changes. */
function byThresholds({
  plan,
  ...policy
}: Pick<QualityPolicy, 'name' | 'paper' | 'description'> & {
  readonly plan: (context: ChoosingContext, threshold: number, allowances: readonly number[]) => number[][]
}): QualityPolicy[] {
  const modes: readonly QualityMode[] = ['offline']
  const choose = (context: ChoosingContext) => plannedChooser(plan(context, context.threshold!, allowancesOf(context)))
  const best = (count: number) => `${policy.description}; the best of ${count} shingle thresholds`
  return [
    { ...policy, modes, choose, thresholds: THRESHOLDS, description: `${best(THRESHOLDS.length)}, from 0.1 on` },
    {
      ...policy,
      name: `${policy.name}-fine`,
      modes,
      choose,
      thresholds: FINE_THRESHOLDS,
      description: `${best(FINE_THRESHOLDS.length)}, from 0 on`,
    },
  ]
}

function byGains(
  name: string,
  gains: GainEstimator,
  description: string,
  judgeOf: (timeline: ChoosingContext['timeline'], gains: Float64Array) => Judge = knowingUpdates,
): QualityPolicy {
  return {
    name,
    modes: ['offline'],
    paper: PAPERS.userCentric,
    description,
    gains,
    choose: (context) => judged(context, judgeOf(context.timeline, context.gains[gains]!)),
  }
}

function judged({ signals }: ChoosingContext, judge: Judge): Chooser {
  // Who is told of all changes would gain nothing by the pages that are left.
  return judgedChooser(judge, { signals, spendsAll: signals === undefined })
}

function pagesOf({ timeline }: ChoosingContext): number {
  return timeline.urls.length
}

/** Refreshes of each step but the first. */
function allowancesOf({ timeline, budget }: ChoosingContext): number[] {
  return Array.from({ length: timeline.atMs.length - 1 }, (_, at) => allowanceOf(at + 1, budget))
}

/**
 * Ways to know what a refresh added to the quality of the answers, ΔQ_A: by whole queries or by their words one by one
 * (User-centric crawling, section 5.1); measured by an index as it takes the page in, or exactly, from whole answer
 * lists.
 */
export const GAIN_ESTIMATORS = ['single', 'full', 'single-exact', 'full-exact'] as const

export type GainEstimator = (typeof GAIN_ESTIMATORS)[number]
