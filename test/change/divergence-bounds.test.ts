import { describe, expect, it } from 'vitest'
import type { Observations } from '../../src/change/curve-fit.js'
import {
  adjustPeriod,
  type LaterProfile,
  type PeriodState,
  replayedByAllMs,
  replayedPeriodMs,
  type SeenRefreshes,
  utilityBounds,
} from '../../src/change/divergence-bounds.js'
import { type DivergenceCurve, divergenceAt, refreshPeriodMs, utilityAt } from '../../src/change/divergence-curve.js'
import { boundedPeriodMs } from '../../src/change/period-limits.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import vectors from './vectors/information-longevity.json' with { type: 'json' }

const REFERENCE = vectors.boundBased

describe('the bounds of the reference', () => {
  const [[baseMs], ...later] = REFERENCE.profile as [number, number][] as [[number, number], ...[number, number][]]
  const profile = { agesMs: later.map(([atMs]) => atMs - baseMs), divergences: later.map(([, D]) => D) }
  const ageMs = REFERENCE.t - REFERENCE.tR

  it('are its areas and utilities', () => {
    const { least, most, leastArea, mostArea } = divergenceBounds([profile], ageMs)
    const utility = utilityBounds([profile], ageMs)
    const found = [least, most, leastArea, mostArea, utility.least, utility.most]
    const { D_t, Amin, Amax, Umin, Umax } = REFERENCE
    for (const [at, expected] of [D_t, D_t, Amin, Amax, Umin, Umax].entries()) {
      expect(Math.abs(found[at]! - expected)).toBeLessThan(1e-9)
    }
  })

  it('lead to its decisions', () => {
    for (const { T, phiBefore, phi, tR } of REFERENCE.decisions) {
      const before = { referenceMs: REFERENCE.tR, periodMs: phiBefore }
      const after = adjustPeriod(before, utilityBounds([profile], ageMs), REFERENCE.t, T)
      expect(after).toEqual({ referenceMs: tR, periodMs: phi })
    }
    const { rho, T, maxPhi } = REFERENCE.riskCap
    expect(boundedPeriodMs(26, { risk: rho, learning: 100 }, { thresholdMs: T, fetches: 1 })).toBe(maxPhi)
  })
})

describe('bounds', () => {
  it('are those of step functions, averaged', () => {
    withSeed('bounds', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 500; round++) {
        const profiles = Array.from({ length: random.between(1, 5) }, () => randomProfile(random))
        const ageMs = random.between(0, 24)
        const [bounds, utility] = [divergenceBounds(profiles, ageMs), utilityBounds(profiles, ageMs)]
        const plain = plainBounds(profiles, ageMs)
        for (const name of ['least', 'most', 'leastArea', 'mostArea'] as const) {
          expect(bounds[name]).toBeCloseTo(plain[name], 10)
        }
        expect(utility.least).toBeGreaterThanOrEqual(ageMs * plain.least - plain.mostArea - 1e-10)
        expect(utility.most).toBeLessThanOrEqual(ageMs * plain.most - plain.leastArea + 1e-10)
        // Where every profile was seen at this very age there is one D, and the utilities are those of the paper.
        if (plain.count > 0 && plain.least === plain.most) {
          expect(utility.least).toBeCloseTo(ageMs * plain.most - plain.mostArea, 10)
          expect(utility.most).toBeCloseTo(ageMs * plain.most - plain.leastArea, 10)
        }
      }
    })
  })

  it('hold the utility of any curve that was seen without error, and are reached by jumps', () => {
    withSeed('bounds of curves', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 300; round++) {
        const curve: DivergenceCurve = { ratePerMs: random.next(), items: random.between(1, 5), share: random.next() }
        const { agesMs } = randomProfile(random)
        const seen = { agesMs, divergences: agesMs.map((ageMs) => divergenceAt(curve, ageMs)) }
        const ageMs = agesMs.at(-1)! * random.next()
        const { least, most } = utilityBounds([seen], ageMs)
        expect(utilityAt(curve, ageMs)).toBeGreaterThanOrEqual(least - 1e-12)
        expect(utilityAt(curve, ageMs)).toBeLessThanOrEqual(most + 1e-12)
      }
    })
    // D jumps to 0.5 somewhere in (2, 6], so to t D - ∫ D = 0.5 x at x.
    expect(utilityBounds([{ agesMs: [2, 6], divergences: [0, 0.5] }], 6)).toEqual({ least: 1, most: 3 })
    expect(utilityBounds([{ agesMs: [2, 6], divergences: [0, 0.5] }], 4)).toEqual({ least: 0, most: 2 })
  })

  it('without a profile that is long enough are those of divergence itself', () => {
    const short = { agesMs: [3], divergences: [0.1] }
    expect(utilityBounds([short], 4)).toEqual({ least: 0, most: 4 })
    expect(divergenceBounds([], 4)).toEqual({ least: 0, most: 1, leastArea: 0, mostArea: 4 })
    expect(divergenceBounds([short], 0)).toEqual({ least: 0, most: 0, leastArea: 0, mostArea: 0 })
  })
})

describe('a replayed period', () => {
  it('is that of one step after the other', () => {
    withSeed('replayed periods', (seed) => {
      const random = new SeededRandom(seed)
      let resets = 0
      for (let round = 0; round < 2000; round++) {
        const { agesMs, divergences } = randomProfile(random)
        const thresholdMs = random.chance(0.05) ? 0 : 10 ** (3 * random.next() - 2)
        const firstPeriodMs = random.between(1, 8)
        let state: PeriodState = { referenceMs: 0, periodMs: firstPeriodMs }
        for (const [at, nowMs] of agesMs.entries()) {
          const sofar = { agesMs: agesMs.slice(0, at + 1), divergences: divergences.slice(0, at + 1) }
          state = adjustPeriod(state, utilityBounds([sofar], nowMs - state.referenceMs), nowMs, thresholdMs)
        }
        if (state.referenceMs > 0) resets++
        const found = replayedPeriodMs(seenBy(agesMs, divergences), thresholdMs, firstPeriodMs)
        expect(found).toBe(state.periodMs)
      }
      expect(resets).toBeGreaterThan(200)
    })
  })

  it('takes refreshes that were left out to lie evenly between the others', () => {
    withSeed('refreshes left out', (seed) => {
      const random = new SeededRandom(seed)
      let others = 0
      for (let round = 0; round < 2000; round++) {
        const { agesMs, divergences } = randomProfile(random)
        const skipped = agesMs.map(() => (random.chance(0.5) ? 0 : random.int(random.chance(0.1) ? 40 : 4)))
        const thresholdMs = random.chance(0.05) ? 0 : 10 ** (3 * random.next() - 2)
        const all = agesMs.flatMap((ageMs, at): [number, number][] => {
          const [beforeMs, before] = at === 0 ? [0, 0] : [agesMs[at - 1]!, divergences[at - 1]!]
          const steps = skipped[at]! + 1
          const left = Array.from({ length: skipped[at]! }, (_, nth): [number, number] => [
            beforeMs + ((ageMs - beforeMs) * (nth + 1)) / steps,
            before,
          ])
          return [...left, [ageMs, divergences[at]!]]
        })
        let state: PeriodState = { referenceMs: 0, periodMs: 5 }
        for (const [at, [nowMs]] of all.entries()) {
          const until = all.slice(0, at + 1)
          const sofar = { agesMs: until.map(([ageMs]) => ageMs), divergences: until.map(([, value]) => value) }
          // The run goes on until the next observation, and its bounds are those of the observations alone.
          const next = agesMs.findIndex((ageMs) => ageMs >= nowMs)
          const observed = { agesMs: agesMs.slice(0, next + 1), divergences: divergences.slice(0, next + 1) }
          const bounds = utilityBounds([observed], nowMs - state.referenceMs)
          if (agesMs[next] === nowMs && skipped.every((count) => count === 0))
            expect(bounds).toEqual(utilityBounds([sofar], nowMs - state.referenceMs))
          state = adjustPeriod(state, bounds, nowMs, thresholdMs)
        }
        const found = replayedPeriodMs({ ...seenBy(agesMs, divergences), skipped }, thresholdMs, 5)
        expect(found).toBe(state.periodMs)
        if (found !== replayedPeriodMs(seenBy(agesMs, divergences), thresholdMs, 5)) others++
      }
      expect(others).toBeGreaterThan(200)
    })
  })

  it('goes by the mean of all profiles that a refresh knows', () => {
    withSeed('several profiles', (seed) => {
      const random = new SeededRandom(seed)
      let others = 0
      for (let round = 0; round < 2000; round++) {
        const { agesMs, divergences } = randomProfile(random)
        const thresholdMs = random.chance(0.05) ? 0 : 10 ** (3 * random.next() - 2)
        // Bases are refreshes of the page, and later refreshes are observations of them.
        const bases = agesMs.slice(0, -1).filter(() => random.chance(0.4))
        const more = bases.map((sinceMs): LaterProfile => {
          const later = agesMs.filter((ageMs) => ageMs > sinceMs)
          return { sinceMs, agesMs: later.map((ageMs) => ageMs - sinceMs), divergences: later.map(() => random.next()) }
        })
        let state: PeriodState = { referenceMs: 0, periodMs: 5 }
        for (const nowMs of agesMs) {
          const ageMs = nowMs - state.referenceMs
          // What was seen until now, as if nothing came after it.
          const until = ({ sinceMs, ...all }: LaterProfile): Observations => {
            const count = all.agesMs.length - Array.from(all.agesMs).filter((age) => sinceMs + age > nowMs).length
            return {
              agesMs: Array.from(all.agesMs).slice(0, count),
              divergences: Array.from(all.divergences).slice(0, count),
            }
          }
          const known = [{ sinceMs: 0, agesMs, divergences }, ...more].map(until)
          state = adjustPeriod(state, utilityBounds(known, ageMs), nowMs, thresholdMs)
        }
        const seen = seenBy(agesMs, divergences)
        expect(replayedByAllMs(seen, more, thresholdMs, 5)).toBe(state.periodMs)
        expect(replayedByAllMs(seen, [], thresholdMs, 5)).toBe(replayedPeriodMs(seen, thresholdMs, 5))
        if (state.periodMs !== replayedPeriodMs(seen, thresholdMs, 5)) others++
      }
      expect(others).toBeGreaterThan(100)
    })
  })

  it('is the first one without an observation, and doubles while nothing diverges', () => {
    expect(replayedPeriodMs(seenBy([], []), 1, 7)).toBe(7)
    expect(replayedPeriodMs(seenBy([2, 5, 11], [0, 0, 0]), 1, 7)).toBe(22)
    expect(replayedPeriodMs(seenBy([2, 5, 11], [0, 0, 0]), 0, 8)).toBe(1)
  })

  it('stays near the best period of a steady page, as doubling and halving can', () => {
    // The page is refreshed when its period is over; every refresh sees the mean divergence.
    const curve: DivergenceCurve = { ratePerMs: 0.1, items: 1, share: 1 }
    const thresholdMs = 2
    const agesMs: number[] = []
    let periodMs = 1
    const tried: number[] = []
    for (let nowMs = 0; agesMs.length < 200; ) {
      nowMs += periodMs
      agesMs.push(nowMs)
      const divergences = agesMs.map((ageMs) => divergenceAt(curve, ageMs))
      periodMs = replayedPeriodMs(seenBy(agesMs, divergences), thresholdMs, 1)
      tried.push(periodMs)
    }
    const bestMs = refreshPeriodMs(curve, thresholdMs)
    const last = tried.slice(100)
    expect(Math.min(...last)).toBeGreaterThan(bestMs / 4)
    expect(Math.max(...last)).toBeLessThan(bestMs * 2)
  })
})

/** Of every refresh. */
function seenBy(agesMs: readonly number[], divergences: readonly number[]): SeenRefreshes {
  return { agesMs, divergences, skipped: agesMs.map(() => 0), count: agesMs.length }
}

function randomProfile(random: SeededRandom): { agesMs: number[]; divergences: number[] } {
  const agesMs: number[] = []
  const divergences: number[] = []
  const isQuiet = random.chance(0.2)
  for (let ageMs = 0; agesMs.length < 1 + random.int(10); ) {
    ageMs += random.between(1, 6)
    agesMs.push(ageMs)
    divergences.push(isQuiet && random.chance(0.8) ? 0 : Math.min(1, random.int(5) / 8 + ageMs / 60))
  }
  return { agesMs, divergences }
}

/** On a grid of whole milliseconds, on which all ages lie. */
function plainBounds(profiles: readonly Observations[], ageMs: number) {
  const long = profiles.filter(({ agesMs }) => Math.max(...Array.from(agesMs)) >= ageMs)
  const mean = (value: (profile: Observations) => number) =>
    long.reduce((sum, profile) => sum + value(profile), 0) / long.length
  const highest = ({ agesMs, divergences }: Observations, isIn: (ageMs: number) => boolean) =>
    Math.max(0, ...Array.from(divergences).filter((_, at) => isIn(agesMs[at]!)))
  // The first observation from an age on, and all before it; all until an age.
  const upper = (profile: Observations, t: number) => {
    const next = Array.from(profile.agesMs).find((seen) => seen >= t)!
    return t === 0 ? 0 : highest(profile, (seen) => seen <= next)
  }
  const lower = (profile: Observations, t: number) => highest(profile, (seen) => seen <= t)
  const area = (height: (t: number) => number) => {
    let sum = 0
    for (let t = 0; t < ageMs; t++) sum += height(t)
    return sum
  }
  if (long.length === 0) return { count: 0, least: 0, most: ageMs > 0 ? 1 : 0, leastArea: 0, mostArea: ageMs }
  return {
    count: long.length,
    least: mean((profile) => lower(profile, ageMs)),
    most: mean((profile) => upper(profile, ageMs)),
    leastArea: mean((profile) => area((t) => lower(profile, t))),
    mostArea: mean((profile) => area((t) => upper(profile, t + 1))),
  }
}

/** Bounds of D(t), and of the integral of D over [0, t]. */
interface DivergenceBounds {
  readonly least: number
  readonly most: number
  readonly leastArea: number
  readonly mostArea: number
}

/** Means over the profiles that reach this age. Where none does, only that divergence is from 0 to 1 is known. */
function divergenceBounds(profiles: Iterable<Observations>, ageMs: number): DivergenceBounds {
  let count = 0
  let [least, most, leastArea, mostArea] = [0, 0, 0, 0]
  for (const { agesMs, divergences } of profiles) {
    if (!(agesMs.length > 0 && agesMs[agesMs.length - 1]! >= ageMs)) continue
    count++
    let beforeMs = 0
    let before = 0
    for (let at = 0; beforeMs < ageMs; at++) {
      const untilMs = Math.min(agesMs[at]!, ageMs)
      const after = Math.max(before, divergences[at]!)
      leastArea += before * (untilMs - beforeMs)
      mostArea += after * (untilMs - beforeMs)
      if (agesMs[at]! >= ageMs) {
        least += agesMs[at] === ageMs ? after : before
        most += after
      }
      beforeMs = untilMs
      before = after
    }
  }
  if (count === 0) return { least: 0, most: ageMs > 0 ? 1 : 0, leastArea: 0, mostArea: ageMs }
  return { least: least / count, most: most / count, leastArea: leastArea / count, mostArea: mostArea / count }
}
