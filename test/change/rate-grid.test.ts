import { describe, expect, it } from 'vitest'
import {
  chancesAround,
  changeChance,
  GRID_RATES_PER_MS,
  GRID_SIZE,
  gridCurves,
  learntPrior,
  meanUtility,
  meanUtilityGrowth,
  posteriorChances,
  visitLikelihoods,
} from '../../src/change/rate-grid.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const DAY_MS = 86_400_000
const NONE = { count: 0, intervalMs: 1 }
const sumOf = (values: Readonly<Float64Array>) => values.reduce((sum, value) => sum + value, 0)

describe('the chances of rates', () => {
  it('are those of Bayes, by the product of what each visit says', () => {
    withSeed('rate posterior', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 100; round++) {
        const visits = Array.from({ length: random.between(1, 9) }, () => ({
          intervalMs: DAY_MS * 10 ** (random.next() * 3 - 1),
          changed: random.chance(0.3),
        }))
        const prior = chancesAround(10 ** (random.next() * 2 - 2) / DAY_MS)
        const weights = prior.map((chance, at) =>
          visits.reduce((product, { intervalMs, changed }) => {
            const same = Math.exp(-GRID_RATES_PER_MS[at]! * intervalMs)
            return product * (changed ? 1 - 0.998 * same : 0.998 * same)
          }, chance),
        )
        const changedMs = visits.filter(({ changed }) => changed).map(({ intervalMs }) => intervalMs)
        const sameMs = visits.reduce((sum, { intervalMs, changed }) => sum + (changed ? 0 : intervalMs), 0)
        const found = posteriorChances(prior, visitLikelihoods({ sameMs, changedMs, furtherChanged: NONE }))
        expect(sumOf(found)).toBeCloseTo(1, 12)
        found.forEach((chance, at) => {
          expect(chance).toBeCloseTo(weights[at]! / sumOf(weights), 9)
        })
      }
    })
  })

  it('count further changes like changes of one length', () => {
    const one = visitLikelihoods({ sameMs: 5, changedMs: [7e7, 7e7, 7e7], furtherChanged: NONE })
    const other = visitLikelihoods({
      sameMs: 5,
      changedMs: [7e7],
      furtherChanged: { count: 2, intervalMs: 7e7 },
    })
    const even = chancesAround(1 / DAY_MS)
    posteriorChances(even, one).forEach((chance, at) => {
      expect(chance).toBeCloseTo(posteriorChances(even, other)[at]!, 9)
    })
  })

  it('are those that logarithms give, whatever was seen', () => {
    withSeed('rate likelihoods', (seed) => {
      const random = new SeededRandom(seed)
      const time = () => DAY_MS * 10 ** (random.next() * 8 - 5)
      for (let round = 0; round < 500; round++) {
        const changedMs = Array.from({ length: random.int(7) }, time)
        const furtherChanged = { count: random.pick([0, 0, 1, 40]), intervalMs: time() }
        const sameMs = random.chance(0.2) ? 0 : time()
        const logs = GRID_RATES_PER_MS.map((rate) => {
          const changedLog = (ms: number) => Math.log(0.002 - 0.998 * Math.expm1(-rate * ms))
          const changed = changedMs.reduce((sum, ms) => sum + changedLog(ms), 0)
          return changed + furtherChanged.count * changedLog(furtherChanged.intervalMs) - rate * sameMs
        })
        const prior = chancesAround(1 / (90 * DAY_MS))
        const weights = prior.map((chance, at) => chance * Math.exp(logs[at]! - Math.max(...logs)))
        posteriorChances(prior, visitLikelihoods({ sameMs, changedMs, furtherChanged })).forEach((chance, at) => {
          expect(chance).toBeCloseTo(weights[at]! / sumOf(weights), 9)
        })
      }
    })
  })

  it('are hardly moved by a change within a moment', () => {
    const prior = chancesAround(1 / (90 * DAY_MS))
    const found = posteriorChances(prior, visitLikelihoods({ sameMs: 0, changedMs: [5], furtherChanged: NONE }))
    found.forEach((chance, at) => {
      expect(chance).toBeCloseTo(prior[at]!, 3)
    })
  })

  it('stay numbers after times and counts without measure', () => {
    const prior = chancesAround(1 / DAY_MS)
    for (const sameMs of [0, 1e-3, 1e15, 1e38])
      for (const count of [0, 1, 2 ** 32])
        for (const intervalMs of [1, 1e30]) {
          const seen = { sameMs, changedMs: [1, 1e30], furtherChanged: { count, intervalMs } }
          expect(sumOf(posteriorChances(prior, visitLikelihoods(seen)))).toBeCloseTo(1, 9)
        }
  })
})

describe('the prior of rates', () => {
  it('finds how rates are distributed over pages that were visited a few times each', () => {
    withSeed('rate prior', (seed) => {
      const random = new SeededRandom(seed)
      const [fast, slow] = [6, 12]
      const pages = Array.from({ length: 3000 }, () => {
        const rate = GRID_RATES_PER_MS[random.chance(0.3) ? fast : slow]!
        const changedMs: number[] = []
        let sameMs = 0
        for (let visit = 0; visit < 5; visit++) {
          const intervalMs = DAY_MS * random.between(1, 60)
          if (random.chance(1 - Math.exp(-rate * intervalMs))) changedMs.push(intervalMs)
          else sameMs += intervalMs
        }
        return visitLikelihoods({ sameMs, changedMs, furtherChanged: NONE })
      })
      const prior = learntPrior(pages, chancesAround(1 / (90 * DAY_MS)), 5, 60)
      const near = (rate: number) => sumOf(prior.filter((_, at) => Math.abs(at - rate) <= 1))
      expect(near(fast)).toBeGreaterThan(0.2)
      expect(near(fast)).toBeLessThan(0.4)
      expect(near(slow)).toBeGreaterThan(0.55)
      expect(sumOf(prior)).toBeCloseTo(1, 12)
      expect(Math.min(...prior)).toBeGreaterThan(0)
    })
  })

  it('is what is believed at first while no page was visited', () => {
    const first = chancesAround(1 / DAY_MS)
    expect(learntPrior([], first, 5, 3)).toEqual(first)
    expect(first.indexOf(Math.max(...first))).toBe(GRID_RATES_PER_MS.findIndex((rate) => rate * DAY_MS < 1.5))
  })
})

describe('what chances of rates come to', () => {
  it('is the mean chance of a change, and the integral of x times its growth as utility (Eq. 4)', () => {
    const chances = chancesAround(1 / (20 * DAY_MS))
    expect(changeChance(chances, 0)).toBe(0)
    const ageMs = 30 * DAY_MS
    const parts = 20_000
    let utility = 0
    for (let part = 0; part < parts; part++) {
      const [begin, end] = [(part * ageMs) / parts, ((part + 1) * ageMs) / parts]
      utility += ((begin + end) / 2) * (changeChance(chances, end) - changeChance(chances, begin))
    }
    expect(meanUtility(chances, gridCurves(1), ageMs) / utility).toBeCloseTo(1, 4)
    for (const items of [1, 5]) {
      const curves = gridCurves(items)
      const growth = meanUtilityGrowth(chances, curves, ageMs)
      for (const laterMs of [ageMs, 3 * ageMs, 50 * ageMs]) {
        const grown = meanUtility(chances, curves, laterMs + DAY_MS) - meanUtility(chances, curves, laterMs)
        expect(grown).toBeGreaterThan(0)
        expect(grown).toBeLessThanOrEqual(growth * DAY_MS)
      }
    }
    const one = new Float64Array(GRID_SIZE)
    one[9] = 1
    expect(changeChance(one, DAY_MS)).toBeCloseTo(1 - Math.exp(-GRID_RATES_PER_MS[9]! * DAY_MS), 12)
  })
})
