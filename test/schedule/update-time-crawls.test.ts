/** Greedy crawl times against all subsets of update times. */
import { expect, it } from 'vitest'
import { QuasiDeterministicLaw } from '../../src/change/laws/quasi-deterministic.js'
import { updateTimeCrawls } from '../../src/schedule/update-time-crawls.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { randomUpdateTimes } from './random-laws.js'

it('each crawl is where staleness drops most, and freshness at least 1 - 1/e of the best', () => {
  withSeed('update time crawls', (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < 300; round++) {
      const law = randomUpdateTimes(random, random.between(0, 7))
      const { times, staleness, gains } = updateTimeCrawls(law)
      expect(times).toHaveLength(law.times.length + 1)
      const made: number[] = []
      const candidates = [0, ...law.times]
      for (const [x, time] of times.entries()) {
        const left = candidates.filter((_, at) => !made.includes(at))
        const best = Math.min(...left.map((_, at) => stale(law, [...made, indexOf(candidates, made, at)])))
        // A crawl at 0 sees an update at 0.
        const at = candidates.findLastIndex((candidate, nth) => candidate === time && !made.includes(nth))
        made.push(at)
        expect(stale(law, made)).toBeCloseTo(best, 12)
        expect(staleness[x + 1]).toBeCloseTo(best, 12)
        expect(gains[x]).toBeCloseTo((staleness[x] as number) - (staleness[x + 1] as number), 12)
        expect(gains[x]).toBeLessThanOrEqual(gains[x - 1] ?? 1)
        const bestFreshness = 1 - Math.min(...subsets(candidates.length, x + 1).map((set) => stale(law, set)))
        expect(1 - best).toBeGreaterThanOrEqual((1 - 1 / Math.E) * bestFreshness - 1e-12)
      }
      expect(staleness[0]).toBeCloseTo(stale(law, []), 12)
      expect(staleness.at(-1)).toBeCloseTo(0, 12)
    }
  })
})

it('what was stale before the period stays so until the first crawl', () => {
  const law = new QuasiDeterministicLaw({ period: 2, times: [1], probabilities: [0.5], startStale: 0.4 })
  const { times, staleness } = updateTimeCrawls(law)
  // Stale with 0.4 for half of the time, then with 1 - 0.6 * 0.5.
  expect(staleness[0]).toBeCloseTo((0.4 + 0.7) / 2, 12)
  expect([...times]).toEqual([1, 0])
})

it('no crawl is planned after the latest time at which one can be made', () => {
  const law = new QuasiDeterministicLaw({ period: 1, times: [0.2, 0.95], probabilities: [1, 1] })
  const { times, staleness } = updateTimeCrawls(law, 0.9)
  expect([...times]).toEqual([0.2, 0])
  expect(staleness.at(-1)).toBeCloseTo(0.05, 12)
})

/** Eq. 18, from the probabilities of the law itself: `set` holds indexes into 0 and the update times. */
function stale(law: QuasiDeterministicLaw, set: readonly number[]): number {
  const starts = [0, ...law.times]
  let sum = 0
  for (const [at, start] of starts.entries()) {
    const end = starts[at + 1] ?? law.period
    const last = Math.max(-1, ...set.filter((crawl) => crawl <= at))
    let fresh = last === -1 ? 1 - law.startStale : 1
    for (let update = Math.max(1, last + 1); update <= at; update++)
      fresh *= 1 - (law.probabilities[update - 1] as number)
    sum += (end - start) * (1 - fresh)
  }
  return sum / law.period
}

function indexOf(candidates: readonly number[], made: readonly number[], nth: number): number {
  return candidates.map((_, at) => at).filter((at) => !made.includes(at))[nth] as number
}

function subsets(size: number, count: number): number[][] {
  const all = Array.from({ length: 2 ** size }, (_, bits) =>
    Array.from({ length: size }, (_, at) => at).filter((at) => (bits >> at) & 1),
  )
  return all.filter((set) => set.length === count)
}
