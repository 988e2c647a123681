import { describe, expect, it } from 'vitest'
import { type FittedKind, fitLaws, fitQuasiDeterministic } from '../../src/change/law-fits.js'
import { ParetoLaw } from '../../src/change/laws/pareto.js'
import { PoissonLaw } from '../../src/change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../src/change/laws/quasi-deterministic.js'
import { WeibullLaw } from '../../src/change/laws/weibull.js'
import type { Visit } from '../../src/change/rate-estimators.js'
import { fitPareto, fitPoisson, fitWeibull, renewalLogLikelihood } from '../../src/change/renewal-fits.js'
import type { RenewalLaw } from '../../src/change/update-law.js'
import { climb } from '../../src/math/nelder-mead.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { visitsFrom, visitsTo } from './visit-making.js'

const REGULAR = new WeibullLaw({ shape: 3, scale: 4 })
const BURSTY = new WeibullLaw({ shape: 0.6, scale: 2 })
const HEAVY = new ParetoLaw({ shape: 1.8, scale: 1.5 })

describe('the likelihood of visits under a renewal law', () => {
  it('is that of independent visits for a Poisson law', () => {
    withSeed('poisson likelihood', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 100; round++) {
        const rate = 10 ** (2 * random.next() - 1)
        const history = randomHistory(random, random.between(1, 20))
        // A visit that comes soon and sees a change: no law has to be almost sure of what did not happen.
        history[0] = { intervalMs: 1, changed: true }
        expect(renewalLogLikelihood(new PoissonLaw({ rate }), history)).toBeCloseTo(independent(rate, history), 8)
      }
    })
  })

  it.each([REGULAR, BURSTY, HEAVY])('adds up to 1 over all that visits can see: law %#', (law) => {
    const intervals = [2, 1, 3.5, 0.5, 2]
    expect(outcomes(intervals).reduce((sum, seen) => sum + Math.exp(renewalLogLikelihood(law, seen)), 0)).toBeCloseTo(
      1,
      9,
    )
  })

  it.each([REGULAR, BURSTY, HEAVY])('is how often it happens: law %#', (law) => {
    withSeed('likelihood by simulation', (seed) => {
      const random = new SeededRandom(seed)
      const intervals = [2, 1, 3, 2]
      const counts = new Map<string, number>()
      const runs = rounds(15_000, 40_000)
      for (let run = 0; run < runs; run++) {
        const name = nameOf(visitsTo(law, intervals, random))
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      for (const seen of outcomes(intervals)) {
        const probability = Math.exp(renewalLogLikelihood(law, seen))
        const share = (counts.get(nameOf(seen)) ?? 0) / runs
        // Five standard errors of the share, and what the cells may be wrong by.
        const allowed = 5 * Math.sqrt((probability * (1 - probability)) / runs) + 0.003
        expect(Math.abs(share - probability), nameOf(seen)).toBeLessThan(allowed)
      }
    })
  })

  it.each([REGULAR, BURSTY, HEAVY])('changes little with finer cells: law %#', (law) => {
    withSeed('finer cells', (seed) => {
      const history = randomHistory(new SeededRandom(seed), 20)
      const [coarse, fine] = [8, 64].map((cells) => renewalLogLikelihood(law, history, cells))
      expect(Math.abs(coarse! - fine!)).toBeLessThan(0.15)
    })
  })

  it('is nothing for what a law cannot do', () => {
    const never = [{ intervalMs: 1e6, changed: false }]
    expect(renewalLogLikelihood(new WeibullLaw({ shape: 5, scale: 1 }), never)).toBe(Number.NEGATIVE_INFINITY)
  })
})

describe('fits of renewal laws', () => {
  const logWeibull = ([scale = 0, shape = 0]: readonly number[]) =>
    new WeibullLaw({ scale: Math.exp(scale), shape: Math.exp(shape) })
  const logPareto = ([scale = 0, shape = 0]: readonly number[]) =>
    new ParetoLaw({ scale: Math.exp(scale), shape: 1 + Math.exp(shape) })

  it('are as likely as the best of a fine grid', () => {
    withSeed('grid of laws', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < rounds(2, 4); round++) {
        const history = visitsTo(random.pick([REGULAR, BURSTY, HEAVY]), Array(25).fill(2), random)
        const changes = history.filter(({ changed }) => changed).length
        if (changes === 0 || changes === history.length) continue
        // Within the bounds of the fits, and a little more of the scale.
        const weibull = bestOfGrid(history, logWeibull, [Math.log(0.05), Math.log(60)], [Math.log(0.11), Math.log(19)])
        expect(fitWeibull(history).logLikelihood).toBeGreaterThan(weibull - 1e-3)
        const pareto = bestOfGrid(history, logPareto, [Math.log(0.05), Math.log(2000)], [Math.log(0.02), Math.log(900)])
        expect(fitPareto(history).logLikelihood).toBeGreaterThan(pareto - 1e-3)
      }
    })
  })

  it.each([
    ['Weibull above 1', REGULAR, 1.5],
    ['Weibull below 1', BURSTY, 1],
    ['Pareto', HEAVY, 1],
  ])('find the parameters again within their standard error: %s', (_, law, every) => {
    withSeed('recovered laws', (seed) => {
      const random = new SeededRandom(seed)
      const intervals = Array.from({ length: 4000 }, () => every * (0.5 + random.next()))
      const history = visitsTo(law, intervals, random)
      const [fitted, lawOf, limit] =
        law instanceof WeibullLaw ? [fitWeibull(history).law, logWeibull, 0] : [fitPareto(history).law, logPareto, 1]
      const logOf = (one: { scale: number; shape: number }) => [Math.log(one.scale), Math.log(one.shape - limit)]
      const errors = standardErrors((place) => renewalLogLikelihood(lawOf(place), history), logOf(fitted))
      const distances = logOf(fitted).map((value, at) => Math.abs(value - logOf(law)[at]!))
      for (const [at, distance] of distances.entries()) {
        // Cells add an error of their own, which is small beside that of 4,000 visits.
        expect(distance).toBeLessThan(4 * errors[at]! + 0.02)
        expect(errors[at]).toBeLessThan(0.6)
      }
    })
  })

  it('are what the visits say for a Poisson law, and stay finite', () => {
    withSeed('recovered poisson', (seed) => {
      const random = new SeededRandom(seed)
      const history = visitsTo(new PoissonLaw({ rate: 0.4 }), Array(5000).fill(1.5), random)
      const { law, logLikelihood } = fitPoisson(history)
      expect(Math.abs(law.rate - 0.4)).toBeLessThan(0.04)
      expect(logLikelihood).toBeCloseTo(independent(law.rate, history), 9)
    })
    const always = [1, 2].map((intervalMs) => ({ intervalMs, changed: true }))
    expect(fitPoisson(always).law.rate).toBeCloseTo(-Math.log(0.5 / 2.5) / 1.5, 12)
  })

  it.each([4, 5, 12])('are laws, too, where a page changed %i times and then never again', (changes) => {
    const day = 86_400_000
    const history = Array.from({ length: 30 }, (_, nth) => ({ intervalMs: day, changed: nth < changes }))
    const poisson = fitPoisson(history)
    for (const fit of [fitWeibull(history), fitPareto(history)]) {
      expect(fit.logLikelihood).toBeGreaterThan(poisson.logLikelihood)
      expect(fit.law.meanInterval).toBeGreaterThan(poisson.law.meanInterval / 2e9)
      // The staleness of a copy is known for ages.
      expect(fit.law.staleTime(1000 * 365 * day)).toBeGreaterThan(0)
    }
  })
})

describe('the fit of a quasi-deterministic law', () => {
  const law = new QuasiDeterministicLaw({ period: 7, times: [1, 3, 6], probabilities: [0.9, 0.2, 0.5] })
  const pattern = { periodMs: 7, timesMs: [1, 3, 6] }

  it('finds the probabilities again, though visits see only some of the times apart', () => {
    withSeed('recovered times', (seed) => {
      const random = new SeededRandom(seed)
      const intervals = Array.from({ length: 6000 }, () => 0.5 + 4 * random.next())
      const fitted = fitQuasiDeterministic(visitsFrom(law, 100, intervals, random), { ...pattern, startMs: 100 })
      for (const [at, probability] of law.probabilities.entries()) {
        expect(Math.abs(fitted!.law.probabilities[at]! - probability)).toBeLessThan(0.05)
      }
    })
  })

  it('is the most likely one, and its likelihood that of the law', () => {
    withSeed('likely times', (seed) => {
      const random = new SeededRandom(seed)
      const intervals = Array.from({ length: 60 }, () => 0.5 + 6 * random.next())
      const history = visitsFrom(law, 50, intervals, random)
      const fitted = fitQuasiDeterministic(history, { ...pattern, startMs: 50 })!
      const likelihood = (probabilities: readonly number[]) => {
        const one = new QuasiDeterministicLaw({ period: 7, times: [1, 3, 6], probabilities })
        let atMs = 50
        return history.reduce((sum, { intervalMs, changed }) => {
          const fresh = one.freshProbability(atMs, atMs + intervalMs)
          atMs += intervalMs
          return sum + Math.log(changed ? 1 - fresh : fresh)
        }, 0)
      }
      expect(fitted.logLikelihood).toBeCloseTo(likelihood([...fitted.law.probabilities]), 9)
      for (let a = 0.025; a < 1; a += 0.05) {
        for (let b = 0.025; b < 1; b += 0.05) {
          for (let c = 0.025; c < 1; c += 0.05) expect(likelihood([a, b, c])).toBeLessThan(fitted.logLikelihood + 1e-6)
        }
      }
    })
  })

  it('is none where an update came at another time', () => {
    const history = [{ intervalMs: 1, changed: true }]
    expect(fitQuasiDeterministic(history, { ...pattern, startMs: 1 })).toBeUndefined()
    expect(fitQuasiDeterministic(history, { ...pattern, startMs: 0.5 })?.law.probabilities).toEqual(
      Float64Array.of(1, 0, 0),
    )
    expect(() => fitQuasiDeterministic(history, { periodMs: 7, timesMs: [8], startMs: 0 })).toThrow(
      /times must ascend within/,
    )
  })
})

describe('the choice of a law', () => {
  it('finds the kind again where there is enough to see', () => {
    withSeed('chosen kinds', (seed) => {
      const random = new SeededRandom(seed)
      const best = (law: RenewalLaw, every: number) =>
        fitLaws(visitsTo(law, Array(3000).fill(every), random))[0]?.law.kind
      expect(best(REGULAR, 1.5)).toBe('weibull')
      expect(best(new ParetoLaw({ shape: 1.3, scale: 0.5 }), 0.7)).toBe('pareto')
      const clock = new QuasiDeterministicLaw({ period: 7, times: [1, 3], probabilities: [0.9, 0.2] })
      const updateTimes = { periodMs: 7, timesMs: [1, 3], startMs: 10 }
      const history = visitsFrom(clock, 10, Array(300).fill(2.3), random)
      expect(fitLaws(history, { updateTimes })[0]?.law.kind).toBe('quasi-deterministic')
    })
  })

  it('prefers the simple law where the others are no better', () => {
    withSeed('simple laws', (seed) => {
      const random = new SeededRandom(seed)
      let simple = 0
      for (let page = 0; page < 40; page++) {
        const history = visitsTo(new PoissonLaw({ rate: 0.3 }), Array(48).fill(1), random)
        const fits = fitLaws(history)
        const criteria = fits.map(({ akaike }) => akaike)
        expect(criteria).toEqual(criteria.toSorted((a, b) => a - b))
        const n = history.filter(({ changed }) => changed).length
        for (const { akaike, parameters: k, logLikelihood } of fits) {
          const expected = 2 * k - 2 * logLikelihood + (2 * k * (k + 1)) / (n - k - 1)
          if (n > k + 1) expect(akaike).toBeCloseTo(expected, 9)
        }
        if (fits[0]?.law.kind === 'poisson') simple++
      }
      // About nine in ten are.
      expect(simple).toBeGreaterThan(25)
    })
  })

  it('takes one change among many visits for chance, wherever it was', () => {
    for (let at = 0; at < 47; at += 5) {
      const once = Array.from({ length: 47 }, (_, nth) => ({ intervalMs: 7, changed: nth === at }))
      expect(fitLaws(once)[0]?.law.kind).toBe('poisson')
    }
  })

  it('prefers fewer parameters where changes are too few for any', () => {
    const visits = [true, false].map((changed) => ({ intervalMs: 1, changed }))
    expect(fitLaws(visits)[0]?.law.kind).toBe('poisson')
  })

  it('has no law for a page that never changed, and few for one that always did', () => {
    expect(fitLaws([{ intervalMs: 5, changed: false }])).toEqual([])
    expect(fitLaws([{ intervalMs: 5, changed: true }]).map(({ law }) => law.kind)).toEqual(['poisson'])
    // Unchanged for long, then always changed: only a law without memory can be told apart from the impossible.
    const awoken = [{ intervalMs: 1e6, changed: false }, ...Array(60).fill({ intervalMs: 1, changed: true })]
    for (const { logLikelihood } of fitLaws(awoken)) expect(logLikelihood).toBeLessThan(0)
    expect(() => fitLaws([])).toThrow(/history must hold at least one visit/)
    expect(() => fitLaws([], { kinds: ['normal' as FittedKind] })).toThrow(/kinds must be among poisson/)
  })
})

describe('the climb to a maximum', () => {
  it('reaches the top of hills of one, two and three dimensions', () => {
    withSeed('hills', (seed) => {
      const random = new SeededRandom(seed)
      for (let dimensions = 1; dimensions <= 3; dimensions++) {
        const top = Array.from({ length: dimensions }, () => 4 * random.next() - 2)
        const steepness = top.map((_, at) => 10 ** at)
        const hill = (place: readonly number[]) =>
          7 - place.reduce((sum, x, at) => sum + steepness[at]! * (x - top[at]!) ** 2, 0)
        const { place, value } = climb(hill, Array(dimensions).fill(0), 0.5)
        expect(value).toBeCloseTo(7, 6)
        for (const [at, x] of place.entries()) expect(x).toBeCloseTo(top[at]!, 3)
      }
    })
  })

  it('stays where the function is defined', () => {
    const { place } = climb(([x = 0, y = 0]) => (x > 1 || y > 1 ? Number.NEGATIVE_INFINITY : x + y), [0, 0], 0.5)
    expect(place[0]! + place[1]!).toBeGreaterThan(1.9)
    expect(Math.max(...place)).toBeLessThanOrEqual(1)
  })
})

function independent(rate: number, history: readonly Visit[]): number {
  return history.reduce(
    (sum, { intervalMs, changed }) => sum + (changed ? Math.log(-Math.expm1(-rate * intervalMs)) : -rate * intervalMs),
    0,
  )
}

function randomHistory(random: SeededRandom, visits: number): Visit[] {
  return Array.from({ length: visits }, () => ({ intervalMs: 0.2 + 3 * random.next(), changed: random.chance(0.5) }))
}

/** Everything that visits at these intervals can see. */
function outcomes(intervals: readonly number[]): Visit[][] {
  return Array.from({ length: 2 ** intervals.length }, (_, bits) =>
    intervals.map((intervalMs, at) => ({ intervalMs, changed: ((bits >> at) & 1) === 1 })),
  )
}

function nameOf(history: readonly Visit[]): string {
  return history.map(({ changed }) => (changed ? 'x' : '.')).join('')
}

function bestOfGrid(
  history: readonly Visit[],
  lawOf: (place: readonly number[]) => RenewalLaw,
  [lowScale, highScale]: readonly [number, number],
  [lowShape, highShape]: readonly [number, number],
): number {
  const STEPS = 50
  let best = Number.NEGATIVE_INFINITY
  for (let i = 0; i <= STEPS; i++) {
    for (let j = 0; j <= STEPS; j++) {
      const place = [lowScale + ((highScale - lowScale) * i) / STEPS, lowShape + ((highShape - lowShape) * j) / STEPS]
      best = Math.max(best, renewalLogLikelihood(lawOf(place), history))
    }
  }
  return best
}

/** Of two parameters, from the curvature of the log-likelihood by differences. */
function standardErrors(value: (place: readonly number[]) => number, [x = 0, y = 0]: readonly number[]): number[] {
  const h = 0.02
  const f = (dx: number, dy: number) => value([x + dx * h, y + dy * h])
  const xx = (f(1, 0) - 2 * f(0, 0) + f(-1, 0)) / h ** 2
  const yy = (f(0, 1) - 2 * f(0, 0) + f(0, -1)) / h ** 2
  const xy = (f(1, 1) - f(1, -1) - f(-1, 1) + f(-1, -1)) / (4 * h ** 2)
  const determinant = xx * yy - xy ** 2
  return [Math.sqrt(-yy / determinant), Math.sqrt(-xx / determinant)]
}
