import { describe, expect, it } from 'vitest'
import {
  type DivergenceCurve,
  divergenceAt,
  largestUtility,
  lifetimeShare,
  poissonUtility,
  refreshPeriodMs,
  utilityAt,
  utilityGrowth,
} from '../../src/change/divergence-curve.js'
import { logGamma } from '../../src/math/gamma.js'
import { integrate } from '../../src/math/quadrature.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import vectors from './vectors/information-longevity.json' with { type: 'json' }

const NEVER: DivergenceCurve = { ratePerMs: 0, items: 1, share: 0 }

describe('the curves of the reference', () => {
  it('have its divergence and utility', () => {
    for (const { kind, lam, K = 1, t, D, U } of vectors.curves) {
      const curve = referenceCurve(kind, lam, K)
      expect(Math.abs(divergenceAt(curve, t) - D)).toBeLessThan(1e-9)
      expect(Math.abs(utilityAt(curve, t) - U)).toBeLessThan(1e-9)
    }
  })

  it('have its refresh periods', () => {
    for (const { kind, lam, K = 1, T, phi, Usup } of vectors.refreshPeriod) {
      const curve = referenceCurve(kind, lam, K)
      expect(Math.abs(largestUtility(curve) - Usup)).toBeLessThan(1e-9)
      if (phi === null) expect(refreshPeriodMs(curve, T)).toBe(Number.POSITIVE_INFINITY)
      else expect(Math.abs(refreshPeriodMs(curve, T) - phi)).toBeLessThan(1e-9)
    }
  })

  it('have its lifetimes', () => {
    for (const { lam, K, t, cdf } of vectors.lifetimeCDF) {
      expect(Math.abs(lifetimeShare({ ratePerMs: lam, items: K, share: 1 }, t) - cdf)).toBeLessThan(1e-9)
    }
  })
})

describe('a divergence curve', () => {
  it('is the mean over the number of updates of what these leave', () => {
    eachRandomCurve('divergence by updates', (curve, ageMs) => {
      const updates = curve.ratePerMs * ageMs
      let sum = 0
      for (let n = 1; n <= 4 * (curve.items + updates + 30); n++) sum += chanceOf(n, updates) * loss(curve, n)
      expectNear(divergenceAt(curve, ageMs), curve.share * sum, 1e-10)
    })
  })

  it('has the utility of Eq. 4', () => {
    eachRandomCurve('utility by quadrature', (curve, ageMs) => {
      const area = integrate((t) => divergenceAt(curve, t), 0, ageMs)
      const product = ageMs * divergenceAt(curve, ageMs)
      expect(Math.abs(utilityAt(curve, ageMs) - (product - area))).toBeLessThanOrEqual(1e-11 * product)
    })
  })

  it('has it to the last digits however few updates there were', () => {
    eachRandomCurve('utility without cancelling', (curve, ageMs) => {
      // t dD*(t) has one sign, so nothing cancels here either.
      expectNear(
        utilityAt(curve, ageMs),
        integrate((t) => growthAt(curve, t), 0, ageMs),
        1e-11,
      )
      if (curve.items === 1) {
        expectNear(poissonUtility(curve.ratePerMs, ageMs) * curve.share, utilityAt(curve, ageMs), 1e-14)
      }
    })
  })

  it('has a largest utility, reached only in the end', () => {
    eachRandomCurve('largest utility', (curve, ageMs) => {
      expect(utilityAt(curve, ageMs)).toBeLessThanOrEqual(largestUtility(curve) * (1 + 1e-14))
      expectNear(utilityAt(curve, 1000 / curve.ratePerMs), largestUtility(curve), 1e-14)
      expect(divergenceAt(curve, 1000 / curve.ratePerMs)).toBe(curve.share)
    })
  })

  it('reaches a threshold at its refresh period', () => {
    withSeed('refresh periods', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 3000; round++) {
        const curve = randomCurve(random)
        const part = random.chance(0.1) ? 1 - 10 ** -random.between(1, 12) : 10 ** (-12 * random.next() ** 2)
        const thresholdMs = part * largestUtility(curve)
        if (part >= 1) continue
        expectNear(utilityAt(curve, refreshPeriodMs(curve, thresholdMs)), thresholdMs, 1e-12)
      }
    })
  })

  it('never reaches one that is too high, and one of 0 at once', () => {
    eachRandomCurve('thresholds out of reach', (curve) => {
      expect(refreshPeriodMs(curve, largestUtility(curve))).toBe(Number.POSITIVE_INFINITY)
      expect(refreshPeriodMs(curve, 0)).toBe(0)
    })
    expect(refreshPeriodMs({ ratePerMs: 1, items: 1, share: 0 }, 1e-9)).toBe(Number.POSITIVE_INFINITY)
  })

  it('has a bound of its growth that holds from then on, and is not much more than needed', () => {
    eachRandomCurve('growth', (curve, ageMs) => {
      const bound = utilityGrowth(curve, ageMs)
      let most = 0
      for (let step = 0; step <= 400; step++) {
        most = Math.max(most, growthAt(curve, ageMs + ((step / 100) * (curve.items + 1)) / curve.ratePerMs))
      }
      expect(bound).toBeGreaterThanOrEqual(most * (1 - 1e-12))
      expect(bound).toBeLessThanOrEqual(curve.share)
      const hasAllTurned = curve.ratePerMs * ageMs >= curve.items
      if (hasAllTurned) expectNear(bound, growthAt(curve, ageMs), 1e-9)
    })
    const many: DivergenceCurve = { ratePerMs: 1, items: 100, share: 1 }
    for (let ageMs = 0; ageMs < 300; ageMs++) expect(growthAt(many, ageMs)).toBeLessThan(utilityGrowth(many, 0))
  })

  it('says how likely so many updates have come as push a fragment out', () => {
    eachRandomCurve('lifetimes', (curve, ageMs) => {
      const updates = curve.ratePerMs * ageMs
      let sum = 0
      for (let n = curve.items; n <= 4 * (curve.items + updates + 30); n++) sum += chanceOf(n, updates)
      expectNear(lifetimeShare(curve, ageMs), sum, 1e-9)
    })
  })

  it('of a page that never changes stays 0', () => {
    for (const ageMs of [0, 1, 1e12, Number.POSITIVE_INFINITY]) {
      expect(divergenceAt(NEVER, ageMs)).toBe(0)
      expect(utilityAt(NEVER, ageMs)).toBe(0)
      expect(utilityGrowth(NEVER, ageMs)).toBe(0)
      expect(lifetimeShare(NEVER, ageMs)).toBe(0)
    }
    expect(largestUtility(NEVER)).toBe(0)
    expect(refreshPeriodMs(NEVER, 0)).toBe(Number.POSITIVE_INFINITY)
  })

  it('begins at 0 and ends at its limits', () => {
    for (const items of [1, 2, 20]) {
      const curve: DivergenceCurve = { ratePerMs: 0.3, items, share: 0.4 }
      expect([divergenceAt(curve, 0), utilityAt(curve, 0), lifetimeShare(curve, 0)]).toEqual([0, 0, 0])
      const end = Number.POSITIVE_INFINITY
      expect([divergenceAt(curve, end), utilityAt(curve, end)]).toEqual([0.4, largestUtility(curve)])
      expect([utilityGrowth(curve, end), lifetimeShare(curve, end)]).toEqual([0, 1])
    }
  })
})

function referenceCurve(kind: string, ratePerMs: number, items: number): DivergenceCurve {
  return { ratePerMs, items, share: 1, loss: kind === 'scroll-linear' ? 'linear' : 'jaccard' }
}

function randomCurve(random: SeededRandom): DivergenceCurve {
  return {
    ratePerMs: 10 ** (10 * random.next() - 8),
    items: random.chance(0.3) ? 1 : random.between(2, 20),
    share: random.chance(0.3) ? 1 : 0.01 + 0.99 * random.next(),
    ...(random.chance(0.5) && { loss: random.pick(['jaccard', 'linear'] as const) }),
  }
}

/** Ages from next to no update to many times what all items live. */
function eachRandomCurve(label: string, check: (curve: DivergenceCurve, ageMs: number) => void): void {
  withSeed(label, (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < 500; round++) {
      const curve = randomCurve(random)
      check(curve, 10 ** (8 * random.next() - 6) / curve.ratePerMs)
    }
  })
}

function loss({ items, loss = 'jaccard' }: DivergenceCurve, updates: number): number {
  const gone = Math.min(items, updates)
  return loss === 'linear' ? gone / items : 1 - (items - gone) / (items + gone)
}

/** Of exactly n updates when so many are to be expected. */
function chanceOf(n: number, updates: number): number {
  return Math.exp(n * Math.log(updates) - updates - (n === 0 ? 0 : logGamma(n + 1)))
}

/** t dD*(t)/dt: an update comes with chance λ dt and adds what it adds to those that came before. */
function growthAt(curve: DivergenceCurve, ageMs: number): number {
  const updates = curve.ratePerMs * ageMs
  let sum = 0
  for (let n = 0; n < curve.items; n++) sum += chanceOf(n, updates) * (loss(curve, n + 1) - loss(curve, n))
  return ageMs === 0 ? 0 : curve.share * updates * sum
}

function expectNear(value: number, expected: number, relative: number): void {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(relative * Math.abs(expected) + Number.MIN_VALUE)
}
