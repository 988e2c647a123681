/**
 * What does the optimal schedule of a large site cost? Two parts, on one thread:
 *
 * Allocation: how often to crawl each page. Rates by Zipf's law, laws mixed 60% Poisson, 30% Pareto, 10%
 * quasi-deterministic, weights by embarrassment. `seconds` goes from laws to crawls of each page: staleness curves, and
 * the allocation itself.
 *
 * Timetable: which crawler makes which crawl when. Five to fifteen crawls of a page, a fifth of them
 * quasi-deterministic. `seconds` goes from ideal times to the crawl of each slot. `within20Slots` is the share of
 * crawls no further from their ideal time: `stratified` with phased crawls and update times that are spread evenly too;
 * `randomUpdates` with update times that are not, over which nobody has power; `unphased` with the ideal times of the
 * formulas.
 *
 * Claim: each takes less than 5 s, no other allocation is better by moving a crawl, and no quasi-deterministic crawl is
 * early.
 */
import { PoissonLaw, QuasiDeterministicLaw, type UpdateLaw } from 'freshdex/schedule'
import type { Bench, BenchRequest } from './bench.js'
import {
  allocate,
  crawlerSlots,
  generateMixture,
  type IdealCrawls,
  idealCrawls,
  makeTimetable,
  type Phasing,
  StalenessTable,
  type Table,
  timetableDeviation,
  vanDerCorput,
} from './library-parts.js'
import { uniform } from './random-numbers.js'

const MAX_SECONDS = 5
const CRAWLS_PER_PAGE = 2.5
const GROWTH = [10_000, 100_000, 1_000_000, 10_000_000]
const SEED = 20_260_101
const LEAST_CRAWLS = 5
const MOST_CRAWLS = 15
const UPDATE_TIMES_SHARE = 0.2

export const schedule: Bench = {
  name: 'schedule',
  question: 'What do the optimal number of crawls of each page, and the timetable of all crawls, cost?',
  isGenerated: true,
  options: {
    pages: { kind: 'count', default: 1_000_000, help: 'pages whose crawls are allocated, 2.5 for each' },
    crawls: { kind: 'count', default: 10_000_000, help: 'crawls of the timetable' },
    crawlers: { kind: 'count', default: 10, help: 'crawlers that share them' },
  },

  async run(request) {
    const allocation = measureAllocation(request, request.count('pages'))
    const timetable = measureTimetable(request, request.count('crawls'))
    const growth = GROWTH.map((crawls) => ({
      crawls,
      pages: crawls / CRAWLS_PER_PAGE,
      allocationSeconds: measureAllocation(request, crawls / CRAWLS_PER_PAGE).seconds,
      timetableSeconds: makeOnCrawlers(request, sitePages(crawls, 'even'), 'phased').seconds,
    }))
    const isClaimKept =
      allocation.seconds < MAX_SECONDS &&
      timetable.seconds < MAX_SECONDS &&
      allocation.betterByMovingOne === 0 &&
      timetable.quasiDeterministicEarly === 0
    return { result: { allocation, timetable, growth }, isClaimKept }
  },
}

function measureAllocation(request: BenchRequest, pages: number) {
  request.progress(`allocation for ${pages} pages`)
  const { laws, weights, period } = generateMixture({ pages, seed: SEED })
  const crawls = Math.round(pages * CRAWLS_PER_PAGE)
  const table = timed(() => new StalenessTable(laws, { period, weights }))
  const made = timed(() => allocate(table.value, { crawls }))
  const sumOfWeights = weights.reduce((sum, weight) => sum + weight, 0)
  return {
    pages,
    crawls,
    seconds: table.seconds + made.seconds,
    curvesSeconds: table.seconds,
    allocateSeconds: made.seconds,
    staleness: table.value.objective(made.value) / sumOfWeights,
    mostCrawls: made.value.reduce((most, count) => Math.max(most, count), 0),
    betterByMovingOne: gainByMovingOne(table.value, made.value),
  }
}

/** What moving one crawl from one page to another could win at most: 0 for an optimum, as gains never rise. */
function gainByMovingOne(table: Table, crawls: Uint32Array): number {
  let highestNotMade = 0
  let lowestMade = Number.POSITIVE_INFINITY
  for (const [page, count] of crawls.entries()) {
    highestNotMade = Math.max(highestNotMade, table.gain(page, count))
    if (count > 0) lowestMade = Math.min(lowestMade, table.gain(page, count - 1))
  }
  return Math.max(0, highestNotMade - lowestMade)
}

function measureTimetable(request: BenchRequest, crawls: number) {
  request.progress(`timetable of ${crawls} crawls`)
  const even = sitePages(crawls, 'even')
  const stratified = makeOnCrawlers(request, even, 'phased')
  const unphased = makeOnCrawlers(request, even, 'unphased')
  const randomUpdates = makeOnCrawlers(request, sitePages(crawls, 'random'), 'phased')
  return {
    crawls,
    crawlers: request.count('crawlers'),
    seconds: stratified.seconds,
    idealTimesSeconds: stratified.idealTimesSeconds,
    quasiDeterministicCrawls: stratified.quasiDeterministicCrawls,
    quasiDeterministicEarly: stratified.deviation.early + unphased.deviation.early + randomUpdates.deviation.early,
    within20Slots: {
      stratified: stratified.deviation.within20Slots,
      randomUpdates: randomUpdates.deviation.within20Slots,
      unphased: unphased.deviation.within20Slots,
    },
    meanSlotsAway: {
      stratified: stratified.deviation.meanSlots,
      randomUpdates: randomUpdates.deviation.meanSlots,
      unphased: unphased.deviation.meanSlots,
    },
  }
}

interface SitePages {
  readonly table: Table
  readonly crawls: Uint32Array
}

/** Pages that are crawled at every update time, or at any time, until all crawls are used up. */
function sitePages(total: number, updates: 'even' | 'random'): SitePages {
  const random = uniform(SEED)
  const laws: UpdateLaw[] = []
  const counts: number[] = []
  const often = new PoissonLaw({ rate: 1 })
  const known = new Uint32Array(MOST_CRAWLS + 1)
  // Update times end a little before the period, where there are slots left for all of them.
  const latest = 1 - 100 / total
  for (let left = total; left > 0; ) {
    const count = Math.min(left, LEAST_CRAWLS + Math.floor((MOST_CRAWLS - LEAST_CRAWLS + 1) * random()))
    const isKnown = random() < UPDATE_TIMES_SHARE
    const phase = vanDerCorput(isKnown ? known[count]!++ : 0)
    const time = (at: number) => (latest * (at + (updates === 'even' ? phase : random()))) / count
    const times = Float64Array.from({ length: isKnown ? count : 0 }, (_, at) => time(at))
    const probabilities = new Float64Array(times.length).fill(1)
    laws.push(isKnown ? new QuasiDeterministicLaw({ period: 1, times, probabilities }) : often)
    counts.push(count)
    left -= count
  }
  return { table: new StalenessTable(laws, { period: 1 }), crawls: Uint32Array.from(counts) }
}

function makeOnCrawlers(request: BenchRequest, { table, crawls }: SitePages, phasing: Phasing) {
  const ideal = timed((): IdealCrawls => idealCrawls(table, crawls, phasing))
  const total = ideal.value.times.length
  const crawlers = request.count('crawlers')
  const capacities = Array.from(
    { length: crawlers },
    (_, crawler) => Math.floor(total / crawlers) + (crawler < total % crawlers ? 1 : 0),
  )
  const made = timed(() => {
    const slots = crawlerSlots(capacities, 1)
    return { slots, timetable: makeTimetable(ideal.value, slots) }
  })
  const { slots, timetable } = made.value
  return {
    seconds: made.seconds,
    idealTimesSeconds: ideal.seconds,
    quasiDeterministicCrawls: ideal.value.neverEarly.reduce((sum, one) => sum + one, 0),
    deviation: timetableDeviation(ideal.value, slots, timetable, { capacities, period: 1 }),
  }
}

function timed<T>(work: () => T): { readonly value: T; readonly seconds: number } {
  const start = performance.now()
  const value = work()
  return { value, seconds: (performance.now() - start) / 1000 }
}
