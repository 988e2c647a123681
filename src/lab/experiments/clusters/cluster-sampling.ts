/**
 * One download cycle by clusters (Tan and Mitra, Clustering-based incremental web crawling, section 4): of every
 * cluster a few pages are visited, those nearest to its centroid, until the mean of their φ (change-weights.ts) is
 * known well enough; then clusters are downloaded by descending mean φ until the budget R is used up, the last one as
 * far as it goes. Within a cluster the pages visited longest ago come first: the paper says nothing of their order, and
 * the pages nearest to the centroid, which have just been looked at as samples, would be downloaded again and again.
 *
 * A sample is a download: it counts as one of the R and its page is not downloaded again in the cycle. Where φ comes
 * from what is known already, samples cost nothing and are pages like others.
 *
 * The paper's way never visits a page of a cluster that seems calm, and names that as an open question. Here a share of
 * R goes to the pages visited longest ago, whatever their cluster, so that each page has its turn.
 */

import { booleanOption, choiceOption, numberOption, parameter } from '../../../base/checks.js'
import { MOST_SEED } from '../../../clusters/bisection.js'
import { groupCount, groupPages, type PageGroups } from '../../../clusters/centroids.js'
import { studentQuantile } from '../../../math/distributions.js'
import { shuffledNumbers } from '../../../math/draws.js'

/** The value of the paper is lost; this is a tenth of the range of φ. */
const DEFAULT_DELTA = 0.1
const DEFAULT_CONFIDENCE = 0.8
/** Two equal values would be "known well enough" with an interval of no width; the paper says nothing of it. */
const DEFAULT_LEAST_SAMPLES = 5
const DEFAULT_FAIR_SHARE = 0.05

export const DOWNLOAD_ORDERS = ['oldest', 'nearest'] as const

export type DownloadOrder = (typeof DOWNLOAD_ORDERS)[number]

export interface SamplingCycleOptions {
  /** R: downloads in this cycle. */
  readonly budget: number
  /** By page: when it was visited last, in any unit; -Infinity if never. */
  readonly lastVisits: ArrayLike<number>
  /** The number of the cycle, from 0. What a share of R leaves over goes to later cycles. Default 0. */
  readonly cycle?: number
  /** Half width of the interval at which a sample is large enough. Default 0.1. */
  readonly delta?: number
  /** The confidence of the interval. Default 0.8. */
  readonly confidence?: number
  /** Samples of a cluster, at least. Default 5. */
  readonly leastSamples?: number
  /** Samples of a cluster, at most. Default R / clusters, at least 1. */
  readonly mostSamples?: number
  /** The share of R for the pages visited longest ago. Default 0.05. */
  readonly fairShare?: number
  /** The order of downloads within a cluster: 'oldest', those visited longest ago (the default), or 'nearest'. */
  readonly within?: DownloadOrder
  /** Whether looking at a sample is a download. Default true. */
  readonly samplesCost?: boolean
}

export interface SamplingCyclePlan {
  /** All downloads of the cycle, none twice: samples that cost, then clusters, then the pages visited longest ago. */
  readonly downloads: Uint32Array
  /** How many of the downloads, at their end, are for the sake of fairness. */
  readonly fair: number
  /** The samples, in the order in which they were looked at. */
  readonly samples: Uint32Array
  /** By cluster: the mean φ of its samples; NaN without any. */
  readonly probabilities: Float64Array
  /** By cluster: how well that is known; Infinity for fewer than two samples. */
  readonly halfWidths: Float64Array
  /** Clusters by descending probability, of equal ones the first; those without samples come last. */
  readonly order: Uint32Array
}

/**
 * Yields pages to be looked at, and expects the φ of each: visits that are made in between count. Returns the plan,
 * whose samples were then visited already.
 */
export function* sampleCycle(
  groups: PageGroups,
  options: SamplingCycleOptions,
): Generator<Uint32Array, SamplingCyclePlan, ArrayLike<number>> {
  const rules = checkCycle(groups, options)
  const intervals = new MeanIntervals(groupCount(groups), rules.confidence)
  const samples: number[] = []
  for (;;) {
    const wanted = wantedSamples(groups, intervals, rules, samples.length)
    if (wanted.length === 0) break
    const pages = Uint32Array.from(wanted, ([, page]) => page)
    const answers = yield pages
    wanted.forEach(([group, page], at) => {
      intervals.add(group, parameter(`φ of page ${page}`, answers[at], { min: 0, max: 1 }))
      samples.push(page)
    })
  }
  return planOf(groups, intervals, rules, samples)
}

interface CycleRules extends Omit<Required<SamplingCycleOptions>, 'cycle' | 'fairShare'> {
  /** Downloads that are kept for fairness. */
  readonly fairBudget: number
}

function checkCycle(groups: PageGroups, options: SamplingCycleOptions): CycleRules {
  const budget = parameter('budget', options.budget, { min: 0, integer: true })
  const cycle = numberOption('cycle', options.cycle, 0, { min: 0, integer: true })
  const fairShare = numberOption('fairShare', options.fairShare, DEFAULT_FAIR_SHARE, { min: 0, max: 1 })
  const beyond = groups.pages.find((page) => page >= options.lastVisits.length)
  if (beyond !== undefined) {
    throw new RangeError(`lastVisits must have page ${beyond}, received ${options.lastVisits.length} pages`)
  }
  const fairBudget = wholeShare(cycle + 1, budget * fairShare) - wholeShare(cycle, budget * fairShare)
  const perGroup = Math.floor((budget - fairBudget) / Math.max(1, groupCount(groups)))
  const mostSamples = numberOption('mostSamples', options.mostSamples, Math.max(1, perGroup), { min: 1, integer: true })
  return {
    budget,
    lastVisits: options.lastVisits,
    fairBudget,
    mostSamples,
    delta: numberOption('delta', options.delta, DEFAULT_DELTA, { min: 0 }),
    confidence: numberOption('confidence', options.confidence, DEFAULT_CONFIDENCE, { min: 0, max: 1, aboveMin: true }),
    leastSamples: numberOption('leastSamples', options.leastSamples, DEFAULT_LEAST_SAMPLES, { min: 1, integer: true }),
    within: choiceOption<DownloadOrder>('within', options.within, 'oldest', DOWNLOAD_ORDERS),
    samplesCost: booleanOption('samplesCost', options.samplesCost, true),
  }
}

/** Whole downloads of the first so many cycles; 0.29 · 100 is to be 29. */
function wholeShare(cycles: number, share: number): number {
  return Math.floor(cycles * share * (1 + Number.EPSILON * 4))
}

/**
 * Pairs of group and page: the least number from every group at first, then one from each group that is not known well
 * enough.
 */
function wantedSamples(
  groups: PageGroups,
  intervals: MeanIntervals,
  rules: CycleRules,
  sampled: number,
): readonly (readonly [group: number, page: number])[] {
  const allowed = rules.samplesCost ? rules.budget - rules.fairBudget - sampled : Number.POSITIVE_INFINITY
  const wanted: [number, number][] = []
  for (const group of samplingOrder(groups, rules, allowed)) {
    const taken = intervals.counts[group]!
    const size = groups.starts[group + 1]! - groups.starts[group]!
    const most = Math.min(size, rules.mostSamples)
    const isKnown = taken >= rules.leastSamples && intervals.halfWidth(group) <= rules.delta
    const next = isKnown ? taken : Math.min(most, Math.max(taken + 1, rules.leastSamples))
    for (let at = taken; at < next; at++) {
      if (wanted.length === allowed) return wanted
      wanted.push([group, groups.pages[groups.starts[group]! + at]!])
    }
  }
  return wanted
}

/** Where the budget cannot reach all groups, those are sampled of which no page was visited for the longest time. */
function samplingOrder(groups: PageGroups, rules: CycleRules, allowed: number): readonly number[] {
  const numbers = Array.from({ length: groupCount(groups) }, (_, group) => group)
  const most = Math.min(rules.leastSamples, rules.mostSamples)
  if (numbers.length * most <= allowed) return numbers
  const latest = numbers.map((group) => {
    let visit = Number.NEGATIVE_INFINITY
    for (let at = groups.starts[group]!; at < groups.starts[group + 1]!; at++) {
      visit = Math.max(visit, rules.lastVisits[groups.pages[at]!]!)
    }
    return visit
  })
  return numbers.sort((a, b) => compare(latest[a]!, latest[b]!) || a - b)
}

function planOf(
  groups: PageGroups,
  intervals: MeanIntervals,
  rules: CycleRules,
  samples: readonly number[],
): SamplingCyclePlan {
  const probabilities = intervals.means.map((mean, group) => (intervals.counts[group] === 0 ? Number.NaN : mean))
  const order = Uint32Array.from(probabilities.keys()).sort(
    (a, b) => compare(ranked(probabilities[b]!), ranked(probabilities[a]!)) || a - b,
  )
  const isTaken = new Uint8Array(rules.lastVisits.length)
  const downloads: number[] = []
  const download = (page: number, limit: number) => {
    if (downloads.length >= limit || isTaken[page] === 1) return
    isTaken[page] = 1
    downloads.push(page)
  }
  if (rules.samplesCost) for (const page of samples) download(page, rules.budget)
  for (const group of order) {
    for (const page of inOrder(groups.pages.slice(groups.starts[group], groups.starts[group + 1]), rules))
      download(page, rules.budget - rules.fairBudget)
  }
  const chosen = downloads.length
  for (const page of longestAgo(groups, rules.lastVisits, isTaken)) download(page, rules.budget)
  return {
    downloads: Uint32Array.from(downloads),
    fair: downloads.length - chosen,
    samples: Uint32Array.from(samples),
    probabilities,
    halfWidths: probabilities.map((_, group) => intervals.halfWidth(group)),
    order,
  }
}

/** The pages of a group, which come nearest first. */
function inOrder(pages: Uint32Array, { within, lastVisits }: CycleRules): Uint32Array {
  if (within === 'nearest') return pages
  const places = new Map(Array.from(pages, (page, place) => [page, place]))
  return pages.sort((a, b) => compare(lastVisits[a]!, lastVisits[b]!) || places.get(a)! - places.get(b)!)
}

/** Groups without samples after all others. */
function ranked(probability: number): number {
  return Number.isNaN(probability) ? -1 : probability
}

function longestAgo({ pages }: PageGroups, lastVisits: ArrayLike<number>, isTaken: Uint8Array): Uint32Array {
  return pages.filter((page) => isTaken[page] === 0).sort((a, b) => compare(lastVisits[a]!, lastVisits[b]!) || a - b)
}

/** A difference would be NaN for two pages that were never visited. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * The means of many groups, made value by value, and how well each is known: the half width of its t-interval (Tan and
 * Mitra, section 4.1).
 */
export class MeanIntervals {
  readonly counts: Uint32Array
  readonly means: Float64Array
  /** Squared distances from the mean, summed up as the mean moves (Welford, 1962). */
  readonly #squares: Float64Array
  /** By degrees of freedom: the quantile, once it was asked for. */
  readonly #quantiles: number[] = []
  readonly #probability: number

  /** `confidence`: how likely the interval holds the mean of the group, between 0 and 1. */
  constructor(groups: number, confidence: number) {
    parameter('confidence', confidence, { min: 0, max: 1 - 1e-12, aboveMin: true })
    this.counts = new Uint32Array(groups)
    this.means = new Float64Array(groups)
    this.#squares = new Float64Array(groups)
    this.#probability = (1 + confidence) / 2
  }

  add(group: number, value: number): void {
    const count = ++this.counts[group]!
    const distance = value - this.means[group]!
    this.means[group]! += distance / count
    this.#squares[group]! += distance * (value - this.means[group]!)
  }

  /** Infinite for fewer than two values. */
  halfWidth(group: number): number {
    const count = this.counts[group]!
    if (count < 2) return Number.POSITIVE_INFINITY
    const degrees = count - 1
    this.#quantiles[degrees] ??= studentQuantile(this.#probability, degrees)
    return this.#quantiles[degrees] * Math.sqrt(this.#squares[group]! / degrees / count)
  }
}

/**
 * Sites instead of clusters as what is sampled (Cho and Ntoulas, Effective change detection using sampling, VLDB 2002):
 * "SLS" of Tan and Mitra, to compare with. A site has no centroid, so its pages come in random order.
 */
export interface SiteGroups extends PageGroups {
  /** By group, in order of first sight. */
  readonly sites: readonly string[]
}

/** `sites`: of each page. */
export function groupBySite(sites: readonly string[], seed: number): SiteGroups {
  parameter('seed', seed, { min: 0, max: MOST_SEED, integer: true })
  const numbers = new Map<string, number>()
  const assignment = Uint32Array.from(sites, (site) => {
    if (!numbers.has(site)) numbers.set(site, numbers.size)
    return numbers.get(site)!
  })
  const places = shuffledNumbers(sites.length, seed)
  return { ...groupPages(assignment, numbers.size, (a, b) => places[a]! - places[b]!), sites: [...numbers.keys()] }
}
