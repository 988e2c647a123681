import { describe, expect, it } from 'vitest'
import { ClusterRates, posteriorRate, type RatePrior } from '../../src/clusters/cluster-priors.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface WatchedPage {
  readonly cluster: number
  readonly changes: number
  readonly watchedMs: number
}
const FALLBACK = { meanPerMs: 0.5, strengthMs: 2 }

describe('priors of rates', () => {
  it('are those of the formulas, page by page', () => {
    withSeed('priors', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 100; round++) {
        const clusters = random.between(1, 6)
        const pages = Array.from({ length: random.between(1, 40) }, () => ({
          cluster: random.int(clusters),
          changes: random.chance(0.4) ? 0 : random.int(20),
          watchedMs: 0.1 + 10 * random.next(),
        }))
        const priors = ratesOf(clusters, pages).priors(FALLBACK)
        for (let cluster = 0; cluster < clusters; cluster++) {
          const expected = plainPrior(pages, clusters, cluster)
          const found = priors.priorOf(cluster)
          expect(found.meanPerMs / expected.meanPerMs).toBeCloseTo(1, 8)
          expect(found.strengthMs / expected.strengthMs).toBeCloseTo(1, 8)
          expect(found.meanPerMs).toBeGreaterThan(0)
        }
      }
    })
  })

  it('come back from pages that were drawn with them', () => {
    withSeed('drawn priors', (seed) => {
      const random = new SeededRandom(seed)
      // κ = 1 / shape = 0.5; means of clusters differ by a factor of 2 from one to the next.
      const [shape, means] = [2, [0.25, 0.5, 1, 2, 4]]
      const pages = means.flatMap((mean, cluster) =>
        Array.from({ length: 4000 }, () => drawPage(random, cluster, (mean / shape) * gamma(random, shape))),
      )
      const priors = ratesOf(means.length, pages).priors(FALLBACK)
      means.forEach((mean, cluster) => {
        const { meanPerMs, strengthMs } = priors.priorOf(cluster)
        expect(Math.abs(meanPerMs / mean - 1)).toBeLessThan(0.1)
        expect(Math.abs((strengthMs * mean) / shape - 1)).toBeLessThan(0.15)
      })
      const { meanPerMs, strengthMs } = priors.overall
      const squares = means.reduce((sum, mean) => sum + mean ** 2, 0) / means.length
      const average = means.reduce((sum, mean) => sum + mean, 0) / means.length
      expect(meanPerMs).toBeCloseTo(average, 1)
      // Five clusters, so B is that of a sample of five.
      const between = ((squares - average ** 2) * 5) / 4
      const variance = between + (average ** 2 + between) / shape
      expect(Math.abs(meanPerMs / strengthMs / variance - 1)).toBeLessThan(0.15)
    })
  })

  it('foretell rates of other pages better than one mean for all, and than each cluster by itself', () => {
    withSeed('foretold rates', (seed) => {
      const random = new SeededRandom(seed)
      const clusters = 300
      const means = Array.from({ length: clusters }, () => gamma(random, 2))
      const rateIn = (cluster: number) => (means[cluster]! / 3) * gamma(random, 3)
      // Two or three pages a cluster, seldom watched for long: where shrinking matters.
      const pages = means.flatMap((_, cluster) =>
        Array.from({ length: random.between(2, 3) }, () => drawPage(random, cluster, rateIn(cluster))),
      )
      const priors = ratesOf(clusters, pages).priors(FALLBACK)
      const errors = { prior: 0, overall: 0, raw: 0 }
      for (let round = 0; round < 20_000; round++) {
        const cluster = random.int(clusters)
        const rate = rateIn(cluster)
        const own = pages.filter((page) => page.cluster === cluster)
        const raw = total(own, 'changes') / total(own, 'watchedMs')
        errors.prior += (priors.priorOf(cluster).meanPerMs - rate) ** 2
        errors.overall += (priors.overall.meanPerMs - rate) ** 2
        errors.raw += (raw - rate) ** 2
      }
      expect(errors.prior).toBeLessThan(0.95 * errors.overall)
      expect(errors.prior).toBeLessThan(0.95 * errors.raw)
    })
  })

  it('are the same for clusters that differ only by chance', () => {
    const rates = ratesOf(2, [
      ...Array.from({ length: 20 }, (_, at) => ({ cluster: 0, changes: at % 3, watchedMs: 2 })),
      ...Array.from({ length: 20 }, (_, at) => ({ cluster: 1, changes: (at + 1) % 3, watchedMs: 2 })),
    ])
    const priors = rates.priors(FALLBACK)
    expect(priors.priorOf(0)).toEqual(priors.priorOf(1))
    expect(priors.priorOf(0)).toEqual(priors.overall)
  })

  it('of clusters without pages, and of no cluster, are those of all pages', () => {
    const rates = ratesOf(3, [
      { cluster: 0, changes: 9, watchedMs: 3 },
      { cluster: 0, changes: 5, watchedMs: 3 },
      { cluster: 1, changes: 0, watchedMs: 50 },
      { cluster: 2, changes: 0, watchedMs: 0 },
    ])
    const priors = rates.priors(FALLBACK)
    expect(priors.priorOf(2)).toEqual(priors.overall)
    expect(priors.priorOf(undefined)).toBe(priors.overall)
    expect(priors.priorOf(17)).toBe(priors.overall)
    expect(priors.priorOf(0).meanPerMs).toBeGreaterThan(priors.overall.meanPerMs)
    expect(priors.priorOf(1).meanPerMs).toBeLessThan(priors.overall.meanPerMs)
    expect(priors.priorOf(1).meanPerMs).toBeGreaterThan(0)
  })

  it('without any page are the fallback, and a month for a month by default', () => {
    expect(new ClusterRates(0).priors(FALLBACK).priorOf(0)).toEqual(FALLBACK)
    const { meanPerMs, strengthMs } = new ClusterRates(4).priors().priorOf(1)
    expect(meanPerMs * strengthMs).toBeCloseTo(1, 12)
  })

  it('weigh as much as having watched the page for their strength', () => {
    expect(posteriorRate({ meanPerMs: 0.5, strengthMs: 4 }, 0, 0)).toBe(0.5)
    expect(posteriorRate({ meanPerMs: 0.5, strengthMs: 4 }, 6, 4)).toBe(1)
  })

  it('refuse wrong arguments by name', () => {
    const rates = new ClusterRates(2)
    expect(() => rates.add(2, 1, 1)).toThrow(/cluster must be an integer from 0 to 1/)
    expect(() => rates.add(0, -1, 1)).toThrow(/changes must be/)
    expect(() => rates.add(0, 1, Number.NaN)).toThrow(/watchedMs must be/)
    expect(() => rates.priors({ meanPerMs: 0, strengthMs: 1 })).toThrow(/fallback\.meanPerMs must be/)
    expect(() => new ClusterRates(-1)).toThrow(/clusters must be/)
  })
})

function ratesOf(clusters: number, pages: readonly WatchedPage[]): ClusterRates {
  const rates = new ClusterRates(clusters)
  for (const { cluster, changes, watchedMs } of pages) rates.add(cluster, changes, watchedMs)
  return rates
}

function total(pages: readonly WatchedPage[], name: 'changes' | 'watchedMs'): number {
  return pages.reduce((sum, page) => sum + page[name], 0)
}

function plainPrior(pages: readonly WatchedPage[], clusters: number, wanted: number): RatePrior {
  const lists = Array.from({ length: clusters }, (_, cluster) => pages.filter((page) => page.cluster === cluster))
  const all = FALLBACK.meanPerMs * FALLBACK.strengthMs + total(pages, 'changes')
  const mean = all / (FALLBACK.strengthMs + total(pages, 'watchedMs'))
  const compared = lists.filter((list) => list.length > 1 && total(list, 'changes') > 0)
  const squaresOf = (list: readonly WatchedPage[]) => list.reduce((sum, page) => sum + page.watchedMs ** 2, 0)
  let [excess, scale] = [0, 0]
  for (const list of compared) {
    const rate = total(list, 'changes') / total(list, 'watchedMs')
    const distances = list.reduce((sum, page) => sum + (page.changes - rate * page.watchedMs) ** 2, 0)
    excess += (distances * list.length) / (list.length - 1) - rate * total(list, 'watchedMs')
    scale += rate ** 2 * squaresOf(list)
  }
  const kappa = compared.length === 0 ? 1 : Math.min(100, Math.max(0.01, excess / scale))
  const chance = (list: readonly WatchedPage[], square: number) =>
    mean * total(list, 'watchedMs') + kappa * square * squaresOf(list)
  const known = lists.filter((list) => list.length > 0).length
  const surplus = lists.reduce((sum, list) => {
    const distance = total(list, 'changes') - mean * total(list, 'watchedMs')
    return sum + (distance ** 2 * known) / (known - 1) - chance(list, mean ** 2)
  }, 0)
  const weights = lists.reduce((sum, list) => sum + total(list, 'watchedMs') ** 2 + kappa * squaresOf(list), 0)
  const between = known < 2 ? 0 : Math.max(0, surplus / weights)
  const own = lists[wanted]!
  const watched = total(own, 'watchedMs')
  const weight = watched === 0 ? 0 : between / (between + chance(own, mean ** 2 + between) / watched ** 2)
  const meanPerMs = (1 - weight) * mean + (watched === 0 ? 0 : weight * (total(own, 'changes') / watched))
  const within = kappa * (watched === 0 ? mean ** 2 + between : meanPerMs ** 2)
  return { meanPerMs, strengthMs: meanPerMs / (within + (1 - weight) * between) }
}

function drawPage(random: SeededRandom, cluster: number, rate: number): WatchedPage {
  const watchedMs = 1 + 3 * random.next()
  let changes = -1
  for (let time = 0; time < watchedMs; changes++) time -= Math.log(1 - random.next()) / rate
  return { cluster, changes, watchedMs }
}

/** A sum of exponential draws: for a whole shape. */
function gamma(random: SeededRandom, shape: number): number {
  return Array.from({ length: shape }, () => -Math.log(1 - random.next())).reduce((sum, draw) => sum + draw, 0)
}
