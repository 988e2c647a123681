/** Values computed beforehand by another program. */
import { describe, expect, it } from 'vitest'
import { ParetoLaw } from '../../src/change/laws/pareto.js'
import { PoissonLaw } from '../../src/change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../src/change/laws/quasi-deterministic.js'
import { allocate } from '../../src/schedule/allocation.js'
import { embarrassmentWeight } from '../../src/schedule/embarrassment.js'
import { StalenessTable } from '../../src/schedule/staleness-table.js'
import { updateTimeCrawls } from '../../src/schedule/update-time-crawls.js'
import { allocateGreedily } from './greedy-allocation.js'
import vectors from './vectors/optimal-crawling.json' with { type: 'json' }

const period = vectors.T

describe('the staleness of the reference', () => {
  it('is that of exponential intervals (Eq. 14)', () => {
    for (const { lam, x, A } of vectors.A_exponential) {
      const table = new StalenessTable([new PoissonLaw({ rate: lam })], { period })
      expect(Math.abs(table.staleness(0, x) - A)).toBeLessThan(1e-9)
    }
  })

  it('is that of Pareto intervals', () => {
    for (const { alpha, beta, x, A } of vectors.A_pareto) {
      const table = new StalenessTable([new ParetoLaw({ shape: alpha, scale: beta })], { period })
      expect(Math.abs(table.staleness(0, x) - A)).toBeLessThan(1e-9)
    }
  })

  it('is that of known update times, crawl by crawl', () => {
    const { u, k, k0, greedyOrder, A_greedy } = vectors.quasiDeterministic
    const law = new QuasiDeterministicLaw({ period, times: u, probabilities: k, startStale: k0 })
    const { times, staleness } = updateTimeCrawls(law)
    expect([...times]).toEqual(greedyOrder.map((at) => [0, ...u][at]))
    expect(staleness).toHaveLength(A_greedy.length)
    for (const [x, expected] of A_greedy.entries()) {
      expect(Math.abs((staleness[x] as number) - expected)).toBeLessThan(1e-9)
    }
  })

  it('is not the best where the greedy choice is not', () => {
    const { u, k, x, greedyStaleness, greedyCrawlIdx } = vectors.quasiDeterministicGreedySuboptimal
    const { times, staleness } = updateTimeCrawls(new QuasiDeterministicLaw({ period, times: u, probabilities: k }))
    expect(Math.abs((staleness[x] as number) - greedyStaleness)).toBeLessThan(1e-9)
    expect([...times.slice(0, x)].sort()).toEqual(greedyCrawlIdx.map((at) => [0, ...u][at]))
  })
})

describe.each([
  ['allocate', allocate],
  ['allocateGreedily', allocateGreedily],
])('the allocation of the reference by %s', (_, method) => {
  it('has no bounds', () => {
    const { lam, w, R, x, objective } = vectors.allocation
    const table = new StalenessTable(
      lam.map((rate) => new PoissonLaw({ rate })),
      { period, weights: w },
    )
    const crawls = method(table, { crawls: R })
    expect([...crawls]).toEqual(x)
    expect(Math.abs(table.objective(crawls) - objective)).toBeLessThan(1e-9)
  })

  it('has bounds', () => {
    const { lam, w, R, m, M, x, objective } = vectors.allocationBounded
    const table = new StalenessTable(
      lam.map((rate) => new PoissonLaw({ rate })),
      { period, weights: w },
    )
    const crawls = method(table, { crawls: R, minimums: m, maximums: M })
    expect([...crawls]).toEqual(x)
    expect(Math.abs(table.objective(crawls) - objective)).toBeLessThan(1e-9)
  })
})

it('the weight of the reference is that of Eq. 8', () => {
  const { d, c, b, w } = vectors.embarrassmentWeight
  expect(Math.abs(embarrassmentWeight({ incorrect: d, clicks: c, returned: b }) - w)).toBeLessThan(1e-9)
})

it('a weight without the same places, or with what is no probability, is refused', () => {
  expect(() => embarrassmentWeight({ incorrect: 1, clicks: [[1, 2]], returned: [[1]] })).toThrow(/same places/)
  expect(() => embarrassmentWeight({ incorrect: 2, clicks: [[1]], returned: [[1]] })).toThrow(/incorrect must be/)
  expect(() => embarrassmentWeight({ incorrect: 1, clicks: [[1]], returned: [[-1]] })).toThrow(/returned\[0\]\[0\]/)
})
