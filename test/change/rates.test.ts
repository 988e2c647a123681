import { describe, expect, it } from 'vitest'
import {
  choGarciaMolinaRate,
  estimateRate,
  irregularIntervalRate,
  lawOfLargeNumbersRate,
  RATE_ESTIMATOR_NAMES,
  type RateEstimatorName,
  type Visit,
  type VisitHistory,
} from '../../src/change/rate-estimators.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const changed = (intervalMs: number): Visit => ({ intervalMs, changed: true })
const same = (intervalMs: number): Visit => ({ intervalMs, changed: false })

describe('rates', () => {
  it('are those of the reference values', () => {
    expect(choGarciaMolinaRate({ changes: 4, visits: 10, intervalMs: 2 })).toBeCloseTo(0.2397865401309431, 12)
    const history = [changed(1), changed(2), same(1), same(1), same(3)]
    expect(irregularIntervalRate(history)).toBeCloseTo(0.31397663590047287, 12)
    const lln = lawOfLargeNumbersRate({ changes: 4, visits: 10, visitRatePerMs: 0.5, smoothing: 0 })
    expect(lln).toBeCloseTo(1 / 3, 12)
  })

  it('are 0 where nothing changed, and finite or infinite as they say where everything did', () => {
    for (const name of RATE_ESTIMATOR_NAMES) expect([name, estimateRate([same(3), same(4)], name)]).toEqual([name, 0])
    const always = [changed(3), changed(4)]
    expect(estimateRate(always)).toBeCloseTo(-Math.log(0.5 / 2.5) / 3.5, 12)
    expect(estimateRate(always, 'irregular-intervals')).toBe(Number.POSITIVE_INFINITY)
    expect(estimateRate(always, 'law-of-large-numbers')).toBeCloseTo(((2 / 7) * 2) / 1, 12)
  })

  it('refuse histories that are none', () => {
    expect(() => estimateRate([])).toThrow(/history must hold at least one visit/)
    expect(() => estimateRate([same(1), same(0)])).toThrow(/history\[1\]\.intervalMs must be a finite number above 0/)
    expect(() => estimateRate([same(1)], 'guess' as RateEstimatorName)).toThrow(
      /estimator must be 'cho-garcia-molina' or/,
    )
    expect(() => choGarciaMolinaRate({ changes: 3, visits: 2, intervalMs: 1 })).toThrow(
      /changes must be an integer from 0 to 2/,
    )
    expect(() => lawOfLargeNumbersRate({ changes: 1, visits: 2, visitRatePerMs: 0 })).toThrow(/visitRatePerMs/)
  })
})

describe('the rate for irregular intervals', () => {
  it('is where a search over all rates finds the largest likelihood', () => {
    withSeed('irregular likelihood', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 200; round++) {
        const history = Array.from({ length: random.between(2, 30) }, () => ({
          intervalMs: 10 ** (random.next() * 6),
          changed: random.chance(0.4),
        }))
        const rate = irregularIntervalRate(history)
        const changes = history.filter((visit) => visit.changed).length
        if (changes === 0 || changes === history.length) continue
        const best = searchedMaximum(
          (logRate) => logLikelihood(history, Math.exp(logRate)),
          Math.log(1e-9),
          Math.log(1e3),
        )
        expect(Math.log(rate)).toBeCloseTo(best, 5)
      }
    })
  })

  it('has the standard error that the curvature of the likelihood gives', () => {
    const history = [changed(1), changed(2), same(1), same(1), same(3)]
    const rate = irregularIntervalRate(history)
    const h = 1e-4
    const at = (offset: number) => logLikelihood(history, rate + offset)
    const curvature = (at(h) - 2 * at(0) + at(-h)) / h ** 2
    expect(irregularIntervalStandardError(history, rate)).toBeCloseTo(1 / Math.sqrt(-curvature), 5)
    expect(irregularIntervalStandardError([same(1)], 0)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('rates of made-up histories', () => {
  const RATE = 0.7

  it('come back within their standard error, each with the visits it is made for', () => {
    withSeed('recovered rates', (seed) => {
      const random = new SeededRandom(seed)
      const visits = 40_000
      const regular = poissonVisits(random, RATE, visits, () => 1.3)
      const irregular = poissonVisits(random, RATE, visits, () => 0.1 + 3 * random.next())
      const accidental = poissonVisits(random, RATE, visits, () => -Math.log(1 - random.next()) / 0.5)
      // Standard errors of all three are near this one; four of them are passed by chance once in 16,000.
      const error = irregularIntervalStandardError(irregular, RATE)
      expect(Math.abs(irregularIntervalRate(irregular) - RATE)).toBeLessThan(4 * error)
      expect(Math.abs(estimateRate(regular, 'cho-garcia-molina') - RATE)).toBeLessThan(5 * error)
      const found = accidental.filter((visit) => visit.changed).length
      const lln = lawOfLargeNumbersRate({ visits, changes: found, visitRatePerMs: 0.5 })
      const share = RATE / (RATE + 0.5)
      expect(Math.abs(lln - RATE)).toBeLessThan((4 * 0.5 * Math.sqrt(share / (1 - share) ** 3)) / Math.sqrt(visits))
    })
  })
})

function poissonVisits(random: SeededRandom, rate: number, visits: number, interval: () => number): Visit[] {
  return Array.from({ length: visits }, () => {
    const intervalMs = interval()
    return { intervalMs, changed: random.next() < -Math.expm1(-rate * intervalMs) }
  })
}

function logLikelihood(history: readonly Visit[], rate: number): number {
  return history.reduce(
    (sum, visit) => sum + (visit.changed ? Math.log(-Math.expm1(-rate * visit.intervalMs)) : -rate * visit.intervalMs),
    0,
  )
}

/** Finer and finer grids: slow, and right for anything with one peak. */
function searchedMaximum(value: (x: number) => number, low: number, high: number): number {
  let [from, to] = [low, high]
  while (to - from > 1e-8) {
    const step = (to - from) / 50
    let best = from
    for (let x = from; x <= to; x += step) if (value(x) > value(best)) best = x
    from = best - step
    to = best + step
  }
  return (from + to) / 2
}

/** The standard error of the maximum likelihood estimate, from the curvature of the log-likelihood. */
function irregularIntervalStandardError(history: VisitHistory, ratePerMs: number): number {
  if (!(ratePerMs > 0 && ratePerMs < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
  let information = 0
  for (const { intervalMs, changed } of history) {
    // t² e^x / (e^x - 1)², in a form that neither overflows nor cancels.
    if (changed) information += (intervalMs / (2 * Math.sinh((ratePerMs * intervalMs) / 2))) ** 2
  }
  return 1 / Math.sqrt(information)
}
