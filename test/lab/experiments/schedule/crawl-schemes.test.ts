/** The orderings of "Optimal crawling strategies", section 5, on its settings with fewer pages. */
import { describe, expect, it } from 'vitest'
import {
  compareSchemes,
  deviationOnCrawlers,
  type SchemeRow,
} from '../../../../src/lab/experiments/schedule/crawl-schemes.js'
import { generateMixture } from '../../../../src/lab/experiments/schedule/update-mixture.js'
import { schemesByCrawls, schemesBySkew, schemesByTail } from './varied-schemes.js'

const BUDGETS = [1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]
const paper = { pages: 5000, seed: 20_260_101 }
const pure = {
  poisson: { ...paper, paretoShare: 0, quasiDeterministicShare: 0 },
  pareto: { ...paper, paretoShare: 1, quasiDeterministicShare: 0 },
  quasiDeterministic: { ...paper, paretoShare: 0, quasiDeterministicShare: 1 },
}

describe.each([
  ['mixed, embarrassment', paper, 'embarrassment'],
  ['mixed', paper, 'staleness'],
  ['Poisson', pure.poisson, 'staleness'],
  ['Pareto', pure.pareto, 'staleness'],
  ['quasi-deterministic', pure.quasiDeterministic, 'staleness'],
] as const)('%s pages', (_, options, metric) => {
  const rows = schemesByCrawls(options, metric, BUDGETS)

  it('are never fresher than with optimal crawls', () => {
    for (const row of rows) expect(row.staleness).toBeGreaterThanOrEqual(optimum(rows, row.crawlsPerPage) - 1e-12)
  })

  it('are fresher with uniform crawls than with proportional ones', () => {
    // Proportional crawls of quasi-deterministic pages end up at all update times, if there are enough: uniform ones do
    // not.
    const enough = options === pure.quasiDeterministic ? 3 : 5
    for (const crawls of BUDGETS.filter((crawls) => crawls <= enough)) {
      const [uniform, proportional] = ['uniform', 'proportional'].map((scheme) => find(rows, scheme, crawls))
      expect(uniform).toBeLessThan(proportional as number)
    }
  })

  it('have an optimum that is convex in the number of crawls', () => {
    const optima = BUDGETS.map((crawls) => optimum(rows, crawls))
    const drops = optima.slice(1).map((value, at) => (optima[at] as number) - value)
    for (const [at, drop] of drops.entries()) expect(drop).toBeLessThanOrEqual((drops[at - 1] ?? 1) + 1e-12)
  })
})

it('quasi-deterministic pages are never stale with enough crawls', () => {
  const mixture = generateMixture(pure.quasiDeterministic)
  const needed = mixture.laws.reduce((sum, law) => sum + ('times' in law ? (law.times as Float64Array).length : 0), 0)
  const [optimal] = compareSchemes(mixture, 'staleness', needed / mixture.laws.length)
  expect(optimal?.scheme).toBe('optimal')
  expect(optimal?.staleness).toBeCloseTo(0, 12)
})

it('schemes meet where all pages are alike', () => {
  const rows = schemesBySkew(pure.poisson, 'staleness', 2.5, [0, 0.5, 1])
  const spread = (theta: number) => {
    const values = rows.filter((row) => row.theta === theta).map(({ staleness }) => staleness)
    return Math.max(...values) - Math.min(...values)
  }
  expect(spread(0)).toBeGreaterThan(spread(0.5))
  expect(spread(1)).toBeLessThan(1e-9)
})

it('heavy tails are worth waiting for: the optimum moves most where the shape is below 2', () => {
  const rows = schemesByTail(paper, 'staleness', 2.5, [1.2, 1.6, 2, 3, 4]).filter(({ scheme }) => scheme === 'optimal')
  const values = rows.map(({ staleness }) => staleness)
  expect(Math.abs((values[0] as number) - (values[2] as number))).toBeGreaterThan(
    Math.abs((values[2] as number) - (values[4] as number)),
  )
})

it('phased crawls are near their times, and no crawl is made before an update that it waits for', () => {
  const setting = { crawlsPerPage: 2.5, crawlers: 10 }
  const phased = deviationOnCrawlers(paper, { ...setting, phasing: 'phased' })
  const unphased = deviationOnCrawlers(paper, { ...setting, phasing: 'unphased' })
  expect([phased.early, unphased.early]).toEqual([0, 0])
  expect(phased.within20Slots).toBeGreaterThan(unphased.within20Slots)
  expect(phased.meanSlots).toBeLessThan(unphased.meanSlots)
})

it('a mixture has the rates, shares and weights that were asked for, and is the same for the same seed', () => {
  const { laws, weights } = generateMixture({ ...paper, pages: 20_000, theta: 0.8 })
  const share = (kind: string) => laws.filter((law) => law.kind === kind).length / laws.length
  expect(share('poisson')).toBeCloseTo(0.6, 1)
  expect(share('pareto')).toBeCloseTo(0.3, 1)
  expect(laws.reduce((sum, law) => sum + 1 / law.meanInterval, 0) / laws.length).toBeCloseTo(1.5, 2)
  expect(weights.every((weight) => weight > 0 && weight < 1)).toBe(true)
  expect(generateMixture(paper)).toEqual(generateMixture(paper))
})

function find(rows: readonly SchemeRow[], scheme: string, crawlsPerPage: number): number {
  return rows.find((row) => row.scheme === scheme && row.crawlsPerPage === crawlsPerPage)?.staleness as number
}

function optimum(rows: readonly SchemeRow[], crawlsPerPage: number): number {
  return find(rows, 'optimal', crawlsPerPage)
}
