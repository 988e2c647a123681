/**
 * Does a page churn or scroll, and how surely? (Recrawl scheduling based on information longevity, section 3.3.) The
 * closest curve of curve-fit.ts names one of the two, whatever the noise. Here both are weighed by how likely they make
 * what was seen.
 *
 * A region of σ of the fragments of a page holds K items; each update of a Poisson process of rate λ replaces the
 * oldest of them (churn: K = 1). After j updates the Jaccard divergence from the base is d_j = 2σj / (K + σj), up to
 * j = K, with the limit a = 2σ / (1 + σ). So the share that moves and the shape of the curve belong together: the
 * curve of a page of which little moves is nearly a straight line.
 *
 * What is seen at an observation is the number of updates since the base, N, through a sketch of m minima: if there was
 * an update since the observation before, m times the divergence is binomial with d_N; if there was none, it is what it
 * was. Where it is known whether the version is another one, that says whether there was an update. The probability
 * of all observations follows by summing over N, forward in time, for each K, λ and a of a grid.
 */
import type { Observations } from './curve-fit.js'
import { SKETCH_MINIMA } from './sketches.js'

/** A page that changes. */
export interface KindOfChange {
  readonly kind: 'churn' | 'scroll'
  /** How likely it is of this kind, from 0.5 to 1. */
  readonly probability: number
  /** K: the likeliest of the kind. */
  readonly items: number
  /** λ and a: means over the grid for this K, geometric and plain. */
  readonly ratePerMs: number
  readonly share: number
}

const ITEMS = [1, 2, 3, 5, 10, 20] as const
/** Two thirds of what moved on the pages of the paper churned (section 3.3.2). */
const CHURN_PRIOR = 2 / 3
const RATES = 10
/** λ by the longest age, and by the shortest time between two observations. */
const FEWEST_UPDATES = 0.1
const MOST_UPDATES = 6
const SHARES = [0.08, 0.18, 0.33, 0.52, 0.75, 0.97] as const

const BINOMIALS = Array.from({ length: SKETCH_MINIMA + 1 }, (_, k) => binomialCoefficient(SKETCH_MINIMA, k))

export interface ProfileSeen extends Observations {
  /** Whether each observation found another version than the one before; undefined where that is not known. */
  readonly changed?: readonly boolean[] | undefined
}

/**
 * REQUIRES: ages ascend from above 0, and some divergence is above 0.
 */
export function kindOfChange(seen: ProfileSeen): KindOfChange {
  const places = ITEMS.map((items, at) => ({ ...likelihoods(seen, items), items, at }))
  const weightOf = ({ at, total }: (typeof places)[number]) =>
    total * (at === 0 ? CHURN_PRIOR : (1 - CHURN_PRIOR) / (ITEMS.length - 1))
  const all = places.reduce((sum, place) => sum + weightOf(place), 0)
  const churn = all > 0 ? weightOf(places[0]!) / all : CHURN_PRIOR
  const kind = churn >= 0.5 ? 'churn' : 'scroll'
  const ofKind = kind === 'churn' ? places.slice(0, 1) : places.slice(1)
  const best = ofKind.reduce((a, b) => (b.total > a.total ? b : a))
  const { items, meanLogRate, meanShare } = best
  const probability = Math.max(churn, 1 - churn)
  return { kind, probability, items, ratePerMs: Math.exp(meanLogRate), share: meanShare }
}

/**
 * How likely it is that a page never changes of which nothing was seen to change: half of all pages never do (section
 * 3.4), and the others change by a rate of the grid.
 */
export function stillProbability(watchedMs: number, visits: number): number {
  const rates = rateGrid(watchedMs, watchedMs / Math.max(1, visits))
  const moving = rates.reduce((sum, rate) => sum + Math.exp(-rate * watchedMs), 0) / rates.length
  return 1 / (1 + moving)
}

/** The mean probability of the observations over rates and shares, and what is likely of these. */
function likelihoods({ agesMs, divergences, changed }: ProfileSeen, items: number) {
  const count = agesMs.length
  const gapsMs = Array.from({ length: count }, (_, at) => agesMs[at]! - (at === 0 ? 0 : agesMs[at - 1]!))
  const seen = Array.from(divergences, (divergence) => Math.round(divergence * SKETCH_MINIMA))
  // A version that moved is another one, whatever was told.
  const isSame = seen.map((x, at) => x === (seen[at - 1] ?? 0) && changed?.[at] !== true)
  const isOther = seen.map((x, at) => x !== (seen[at - 1] ?? 0) || changed?.[at] !== false)
  const rates = rateGrid(agesMs[count - 1]!, Math.min(...gapsMs))
  const chances = SHARES.map((share) => emissions(items, share))
  let [total, logRates, shares] = [0, 0, 0]
  for (const rate of rates) {
    const steps = gapsMs.map((gapMs) => poissonChances(rate * gapMs, items))
    for (const [at, share] of SHARES.entries()) {
      const likelihood = forward({ steps, seen, isSame, isOther }, chances[at]!, items)
      total += likelihood
      logRates += likelihood * Math.log(rate)
      shares += likelihood * share
    }
  }
  const size = rates.length * SHARES.length
  return { total: total / size, meanLogRate: logRates / total, meanShare: shares / total }
}

function rateGrid(longestMs: number, shortestMs: number): number[] {
  const low = FEWEST_UPDATES / longestMs
  const high = MOST_UPDATES / shortestMs
  return Array.from({ length: RATES }, (_, at) => low * (high / low) ** (at / (RATES - 1)))
}

interface Watched {
  /** By observation: the chances of 0, 1, … updates since the one before. */
  readonly steps: readonly Float64Array[]
  /** Divergence in minima. */
  readonly seen: readonly number[]
  /** Whether there may have been no update, and some. */
  readonly isSame: readonly boolean[]
  readonly isOther: readonly boolean[]
}

/** The probability of the observations, summed over the number of updates since the base at each of them. */
function forward({ steps, seen, isSame, isOther }: Watched, chances: readonly Float64Array[], items: number): number {
  let states = new Float64Array(items + 1)
  states[0] = 1
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at]!
    const x = seen[at]!
    const next = new Float64Array(items + 1)
    for (let from = 0; from <= items; from++) {
      const weight = states[from]!
      if (weight === 0) continue
      if (isSame[at]!) next[from]! += weight * step[0]!
      if (!isOther[at]!) continue
      let left = 1 - step[0]!
      for (let to = from + 1; to < items; to++) {
        const chance = step[to - from]!
        left -= chance
        next[to]! += weight * chance * chances[to]![x]!
      }
      next[items]! += weight * Math.max(0, left) * chances[items]![x]!
    }
    states = next
  }
  return states.reduce((sum, state) => sum + state, 0)
}

/** By updates, up to the number of items: the chance of each sketch difference. */
function emissions(items: number, share: number): Float64Array[] {
  const moving = share / (2 - share)
  return Array.from({ length: items + 1 }, (_, updates) => {
    const divergence = (2 * moving * updates) / (items + moving * updates)
    return Float64Array.from(
      { length: SKETCH_MINIMA + 1 },
      (_, x) => BINOMIALS[x]! * divergence ** x * (1 - divergence) ** (SKETCH_MINIMA - x),
    )
  })
}

/** Of 0, 1, … updates, below the number of items. */
function poissonChances(mean: number, items: number): Float64Array {
  const chances = new Float64Array(items)
  let chance = Math.exp(-mean)
  for (let updates = 0; updates < items; updates++) {
    chances[updates] = chance
    chance *= mean / (updates + 1)
  }
  return chances
}

function binomialCoefficient(n: number, k: number): number {
  let result = 1
  for (let at = 1; at <= k; at++) result *= (n - k + at) / at
  return result
}
