/** Each law against its own definition: integrals by plain summation, samples by counting. */
import { describe, expect, it } from 'vitest'
import { ParetoLaw } from '../../src/change/laws/pareto.js'
import { PoissonLaw } from '../../src/change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../src/change/laws/quasi-deterministic.js'
import { SurvivalLaw } from '../../src/change/laws/survival.js'
import { WeibullLaw } from '../../src/change/laws/weibull.js'
import type { RenewalLaw } from '../../src/change/update-law.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const LAWS: readonly (readonly [string, RenewalLaw])[] = [
  ['Poisson', new PoissonLaw({ rate: 1.7 })],
  ['rare Poisson', new PoissonLaw({ rate: 1e-6 })],
  ['Weibull, long tail', new WeibullLaw({ shape: 0.5, scale: 0.8 })],
  ['Weibull, regular', new WeibullLaw({ shape: 3, scale: 1.2 })],
  ['Pareto, alpha 1.3', new ParetoLaw({ shape: 1.3, scale: 0.4 })],
  ['Pareto, alpha 2', new ParetoLaw({ shape: 2, scale: 0.5 })],
  ['Pareto, alpha 3', new ParetoLaw({ shape: 3, scale: 2 })],
  ['Pareto, alpha 3.5', new ParetoLaw({ shape: 3.5, scale: 2 })],
  ['Pareto, alpha 40', new ParetoLaw({ shape: 40, scale: 30 })],
  ['uniform intervals', new SurvivalLaw({ survival: (t) => Math.max(0, 1 - t / 2) })],
  ['fixed intervals', new SurvivalLaw({ survival: (t) => (t < 0.75 ? 1 : 0), jumps: [0.75] })],
  ['Weibull by its survival', new SurvivalLaw({ survival: (t) => Math.exp(-Math.sqrt(t / 0.8)) })],
]
const LENGTHS = [1e-6, 1e-3, 0.03, 0.2, 0.7, 1.5, 4, 25]

describe.each(LAWS)('%s', (_, law) => {
  it('is stale by the integral of its survival function over its mean (Eq. 3)', () => {
    for (const length of LENGTHS) {
      const expected = simpson((t) => law.survival(t), length, 40_000) / law.meanInterval
      expect(Math.abs(law.staleProbability(length) / expected - 1)).toBeLessThan(1e-3)
    }
  })

  it('has the stale time whose slope is the stale probability', () => {
    for (const length of LENGTHS) {
      const step = 1e-4 * length
      const slope = (law.staleTime(length + step) - law.staleTime(length - step)) / (2 * step)
      expect(Math.abs(slope / law.staleProbability(length) - 1)).toBeLessThan(2e-4)
    }
  })

  it('has the stale time that summing its stale probability gives', () => {
    for (const length of LENGTHS) {
      const expected = simpson((t) => law.staleProbability(t), length)
      expect(Math.abs(law.staleTime(length) / expected - 1)).toBeLessThan(1e-5)
    }
  })

  it('is less and less stale, by less and less, the more often it is crawled', () => {
    for (const period of [0.01, 1, 30]) {
      const shares = Array.from({ length: 40 }, (_, x) => (law.staleTime(period / (x + 1)) * (x + 1)) / period)
      const gains = shares.slice(1).map((share, at) => (shares[at] as number) - share)
      expect(gains.filter((gain) => !(gain >= -1e-15))).toEqual([])
      expect(gains.filter((gain, at) => at > 0 && !(gain <= (gains[at - 1] as number) + 1e-12))).toEqual([])
    }
  })

  it('is fresh with the probability that it is not stale', () => {
    expect(law.freshProbability(3, 3.7)).toBeCloseTo(1 - law.staleProbability(3.7 - 3), 12)
    expect(law.freshProbability(5, 5)).toBe(1)
    expect(law.staleTime(0)).toBe(0)
  })

  it('has intervals that are as long, and as often longer than t, as it says', () => {
    withSeed(`intervals ${law.kind} ${law.meanInterval}`, (seed) => {
      const random = new SeededRandom(seed)
      const samples = Array.from({ length: 20_000 }, () => law.sampleInterval(random.next))
      for (const t of [0.1, 0.5, 1, 2].map((part) => part * law.meanInterval)) {
        const share = samples.filter((sample) => sample > t).length / samples.length
        const expected = law.survival(t)
        const error = Math.sqrt((expected * (1 - expected)) / samples.length)
        expect(Math.abs(share - expected)).toBeLessThanOrEqual(5 * error + 1e-12)
      }
      expect(law.nextUpdate(10, () => 0.5)).toBeCloseTo(10 + law.sampleInterval(() => 0.5), 12)
    })
  })
})

describe.each(LAWS.filter(([name]) => name !== 'fixed intervals'))('the logarithms of %s', (_, law) => {
  it('are those of the survival function and of its slope', () => {
    for (const t of [0.2, 0.5, 0.9, 1.4].map((part) => part * law.meanInterval)) {
      expect(law.logSurvival(t)).toBeCloseTo(Math.log(law.survival(t)), 12)
      const step = 1e-4 * t
      const slope = (law.survival(t - step) - law.survival(t + step)) / (2 * step)
      expect(law.logDensity(t)).toBeCloseTo(Math.log(slope), 5)
    }
  })
})

describe('laws that are each other', () => {
  it('agree: by formula and by integration', () => {
    const pairs: readonly (readonly [RenewalLaw, RenewalLaw])[] = LAWS.filter(([, law]) => law.kind !== 'survival').map(
      ([, law]) => [law, new SurvivalLaw({ survival: (t) => law.survival(t) })],
    )
    for (const [law, twin] of pairs) {
      expect(Math.abs(twin.meanInterval / law.meanInterval - 1)).toBeLessThan(1e-9)
      for (const length of LENGTHS) {
        expect(Math.abs(twin.staleTime(length) / law.staleTime(length) - 1)).toBeLessThan(1e-9)
      }
    }
  })

  it('agree: Weibull of shape 1 is Poisson', () => {
    const weibull = new WeibullLaw({ shape: 1, scale: 0.25 })
    const poisson = new PoissonLaw({ rate: 4 })
    for (const length of [...LENGTHS, 1e3]) {
      expect(Math.abs(weibull.staleTime(length) / poisson.staleTime(length) - 1)).toBeLessThan(1e-12)
      expect(weibull.logDensity(length)).toBeCloseTo(poisson.logDensity(length), 9)
    }
  })

  it('agree: Pareto on both sides of its special case and of its series', () => {
    for (const length of LENGTHS) {
      const at = new ParetoLaw({ shape: 2, scale: 1 }).staleTime(length)
      expect(new ParetoLaw({ shape: 2 + 1e-11, scale: 1 }).staleTime(length) / at).toBeCloseTo(1, 9)
      const edge = Math.expm1(1 / (1.7 - 1))
      const law = new ParetoLaw({ shape: 1.7, scale: 1 })
      expect(law.staleTime(edge * (1 - 1e-13)) / law.staleTime(edge * (1 + 1e-13))).toBeCloseTo(1, 11)
    }
  })
})

describe('laws that are none', () => {
  it.each([
    [() => new PoissonLaw({ rate: 0 }), /rate must be a finite number above 0, received 0/],
    [() => new PoissonLaw({ rate: Number.NaN }), /rate must be/],
    [() => new ParetoLaw({ shape: 1, scale: 1 }), /shape of a Pareto law must be above 1.*infinite, received 1$/],
    [() => new ParetoLaw({ shape: 0.5, scale: 1 }), /above 1/],
    [() => new ParetoLaw({ shape: 2, scale: -1 }), /scale must be/],
    [() => new WeibullLaw({ shape: 0, scale: 1 }), /shape must be/],
    [() => new WeibullLaw({ shape: 1e-3, scale: 1 }), /mean interval of a Weibull law/],
    [() => new SurvivalLaw({ survival: (t) => 1 / (1 + t) }), /mean interval of a survival function must be finite/],
    [() => new SurvivalLaw({ survival: () => 0.5 }), /survival\(0\) must be 1, it is 0.5/],
    [() => quasi({ times: [0.2, 0.2] }), /times must ascend within \[0, 1\], times\[1\] is 0.2/],
    [() => quasi({ times: [0.2, 1.2] }), /times\[1\] is 1.2/],
    [() => quasi({ probabilities: [0.5, 1.5] }), /probabilities\[1\] must be/],
    [() => quasi({ probabilities: [0.5] }), /as many, received 2 and 1/],
    [() => quasi({ startStale: 2 }), /startStale must be/],
    [() => quasi({ period: 0 }), /period must be/],
  ])('are refused: %s', (make, message) => {
    expect(make).toThrow(RangeError)
    expect(make).toThrow(message)
  })

  it('are refused without their parameters', () => {
    expect(() => new PoissonLaw({} as never)).toThrow(new TypeError('rate must be a number, received undefined'))
    expect(() => new SurvivalLaw({} as never)).toThrow(TypeError)
  })
})

describe('quasi-deterministic updates', () => {
  it('leave a copy fresh with the product over the updates that it has missed', () => {
    const law = quasi({ times: [0.1, 0.4], probabilities: [0.9, 0.2] })
    expect(law.freshProbability(0.1, 0.39)).toBe(1)
    expect(law.freshProbability(0.05, 0.4)).toBeCloseTo(0.1 * 0.8, 12)
    expect(law.freshProbability(0.2, 3.3)).toBeCloseTo(0.8 * 0.1 * 0.8 * 0.1 * 0.8 * 0.1, 12)
    expect(law.meanInterval).toBeCloseTo(1 / 1.1, 12)
  })

  it('come as often as they should, each in its turn', () => {
    withSeed('quasi-deterministic samples', (seed) => {
      const random = new SeededRandom(seed)
      const law = quasi({ times: [0, 0.25, 1], probabilities: [0.1, 0.02, 0.3] })
      const laps = 40_000
      const counts = new Map<number, number>()
      let last = -1
      for (let at = law.nextUpdate(-0.5, random.next); at < laps; at = law.nextUpdate(at, random.next)) {
        expect(at).toBeGreaterThan(last)
        last = at
        counts.set(at % 1, (counts.get(at % 1) ?? 0) + 1)
      }
      // The end of a period is the start of the next one.
      expect([...counts.keys()].sort()).toEqual([0, 0.25])
      expect(Math.abs((counts.get(0.25) ?? 0) / laps - 0.02)).toBeLessThan(0.005)
      expect(Math.abs((counts.get(0) ?? 0) / laps - (0.1 + 0.3 - 0.03))).toBeLessThan(0.02)
    })
  })

  it('never come where nothing may happen', () => {
    const law = quasi({ probabilities: [0, 0] })
    expect(law.nextUpdate(0, () => 0)).toBe(Number.POSITIVE_INFINITY)
    expect(law.meanInterval).toBe(Number.POSITIVE_INFINITY)
    expect(law.freshProbability(0, 100)).toBe(1)
  })
})

function quasi(options: Partial<ConstructorParameters<typeof QuasiDeterministicLaw>[0]>): QuasiDeterministicLaw {
  return new QuasiDeterministicLaw({ period: 1, times: [0.2, 0.6], probabilities: [0.5, 0.5], ...options })
}

/** Simpson's rule over [0, end], in the square root of t: survival functions may be steep at 0. */
function simpson(f: (t: number) => number, end: number, panels = 4000): number {
  const step = Math.sqrt(end) / panels
  const at = (n: number) => f((n * step) ** 2) * 2 * n * step
  let sum = at(0) + at(panels)
  for (let n = 1; n < panels; n++) sum += (n % 2 === 1 ? 4 : 2) * at(n)
  return (sum * step) / 3
}
