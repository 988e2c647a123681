/** Generated worlds that are as one-sided as real ones are not: where a policy that learns could be led astray. */

import { DAY_MS } from '../../base/time.js'
import { PoissonLaw } from '../../change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../change/laws/quasi-deterministic.js'
import type { AskedQuery } from './generated-text.js'
import { type GeneratedWorld, type GeneratedWorldOptions, generatedWorld } from './generated-world.js'
import { Randomness, streamSeed } from './randomness.js'

export const TRIAL_WORLDS = [
  'all-churn',
  'all-scroll',
  'site-bursts',
  'quasi-deterministic',
  'one-daily',
  'shifting-workload',
] as const

export type TrialWorldName = (typeof TRIAL_WORLDS)[number]

export const TRIAL_WORLD_TITLES: Readonly<Record<TrialWorldName, string>> = {
  'all-churn': 'every page has a block that each update replaces',
  'all-scroll': 'every page has a list that each update pushes on',
  'site-bursts': 'the pages of a host change together, at moments of its own',
  'quasi-deterministic': 'updates come at fixed hours, more or less surely',
  'one-daily': 'one page changes every day, all others once a year',
  'shifting-workload': 'half-way people begin to ask for other pages',
}

export interface TrialWorldOptions {
  readonly seed: number
  readonly pages: number
  readonly steps: number
}

export interface TrialWorld {
  readonly world: GeneratedWorld
  readonly queries: readonly AskedQuery[]
  /** What is asked from a step on, instead. */
  readonly shift?: { readonly fromStep: number; readonly queries: readonly AskedQuery[] }
}

const STEP_MS = 7 * DAY_MS
const YEAR_MS = 365 * DAY_MS
const SITES = 10
/** Between two bursts of a host, and how likely a page is part of one. */
const BURST_INTERVAL_MS = 10 * STEP_MS
const BURST_SHARE = 0.7

/** No page comes or goes, so that all of the loss is that of refreshes. */
export function trialWorld(name: TrialWorldName, { seed, pages, steps }: TrialWorldOptions): TrialWorld {
  const size: GeneratedWorldOptions = { seed, pages, steps, stepMs: STEP_MS, lossPerStep: 0, growthPerStep: 0 }
  const told = (options: GeneratedWorldOptions = {}): TrialWorld => {
    const world = generatedWorld({ ...size, ...options })
    return { world, queries: world.queries }
  }
  switch (name) {
    case 'all-churn':
      return told({ regions: { churn: 1 } })
    case 'all-scroll':
      return told({ regions: { scroll: 1 } })
    case 'quasi-deterministic':
      return told({ laws: { 'quasi-deterministic': 1 } })
    case 'site-bursts':
      return told({ sites: SITES, motionOf: burstsOf(seed, steps * STEP_MS) })
    case 'one-daily':
      return told({ motionOf: dailyAmongYearly(seed, pages) })
    case 'shifting-workload': {
      const { world } = told()
      const fromStep = Math.ceil(steps / 2)
      const shift = { fromStep, queries: world.asked(1, fromStep, steps) }
      return { world, queries: world.asked(0, 0, fromStep), shift }
    }
  }
}

function burstsOf(seed: number, endMs: number): NonNullable<GeneratedWorldOptions['motionOf']> {
  const laws = Array.from({ length: SITES }, (_, site) => {
    const random = new Randomness(streamSeed(seed, 'bursts', site))
    const moments = new PoissonLaw({ rate: 1 / BURST_INTERVAL_MS })
    const draw = () => random.next()
    const times: number[] = []
    for (let at = moments.nextUpdate(0, draw); at < endMs; at = moments.nextUpdate(at, draw)) times.push(at)
    // Once, so that what is due later than the end of the world does not matter.
    return new QuasiDeterministicLaw({ period: endMs, times, probabilities: times.map(() => BURST_SHARE) })
  })
  return (number) => ({ region: 'churn', law: laws[number % SITES]! })
}

function dailyAmongYearly(seed: number, pages: number): NonNullable<GeneratedWorldOptions['motionOf']> {
  const daily = new Randomness(streamSeed(seed, 'daily', 0)).between(0, pages - 1)
  const lawOf = (meanMs: number) => new PoissonLaw({ rate: 1 / meanMs })
  const [often, rarely] = [lawOf(DAY_MS), lawOf(YEAR_MS)]
  return (number) => ({ region: 'churn', law: number === daily ? often : rarely })
}
