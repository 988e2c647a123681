import { describe, expect, it } from 'vitest'
import { fitDivergenceCurve } from '../../src/change/curve-fit.js'
import { replayedPeriodMs } from '../../src/change/divergence-bounds.js'
import { SKETCH_MINIMA, sketchDifference } from '../../src/change/sketches.js'
import { COLUMN_BYTES } from '../../src/ledger/column-arrays.js'
import { PROFILE_OBSERVATIONS } from '../../src/ledger/columns.js'
import { Ledger } from '../../src/ledger/ledger.js'
import {
  curveOf,
  DIVERGENCES,
  type ProfileObservation,
  profileOf,
  type VersionSketch,
} from '../../src/ledger/profile.js'
import type { LedgerRow } from '../../src/ledger/rows.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const DAY_MS = 86_400_000

/** A version whose smallest hashes are these. */
function version(...minima: number[]): VersionSketch {
  const full = [...minima.sort((a, b) => a - b), ...Array(SKETCH_MINIMA).fill(0xffffffff)].slice(0, SKETCH_MINIMA)
  return { minima: Uint32Array.from(full), at: 0 }
}

/** With more ends of runs than these a profile begins anew. */
const MOST_ENDS = PROFILE_OBSERVATIONS - 2

const FIRST = version(1, 2, 3, 4, 5, 6, 7, 8)
/** Half of its smallest hashes are those of the first version. */
const HALF = version(1, 2, 3, 4, 9, 10, 11, 12)

/** Days and divergences. */
function observed(ledger: Ledger, doc = 0): [number, number][] | undefined {
  return profileOf(ledger.columns, doc)?.observations.map(({ ageMs, divergence }) => [ageMs / DAY_MS, divergence])
}

describe('a change profile', () => {
  it('takes at most 128 bytes a page', () => {
    expect(COLUMN_BYTES.profile).toBeLessThanOrEqual(128)
  })

  it('knows every divergence that two sketches can have', () => {
    const shares = Array.from({ length: 8 }, (_, less) => Array.from({ length: less + 2 }, (_, j) => j / (less + 1)))
    expect([...DIVERGENCES]).toEqual([...new Set(shares.flat())].sort((a, b) => a - b))
    expect(DIVERGENCES).toHaveLength(23)
  })

  it('tells how far the page has moved from its first version', () => {
    const ledger = new Ledger()
    ledger.created(0, 0, FIRST)
    expect(profileOf(ledger.columns, 0)).toEqual({ baseMs: 0, observations: [] })
    ledger.refreshed(0, DAY_MS, 'same', 0)
    // The eight smallest of both are 1 to 8, and four of them are in both.
    ledger.refreshed(0, 3 * DAY_MS, 'changed', 0, HALF)
    ledger.refreshed(0, 4 * DAY_MS, 'changed', 0, version(20, 21))
    expect(observed(ledger)).toEqual([
      [1, 0],
      [3, 0.5],
      [4, 1],
    ])
  })

  it('keeps every refresh while there is room, then the ends of runs and the number of the others', () => {
    const ledger = new Ledger()
    ledger.created(0, 0, FIRST)
    for (let day = 1; day <= 30; day++) ledger.refreshed(0, day * DAY_MS, 'same', 0)
    // Before the first divergence later ones say all.
    expect(observed(ledger)).toEqual(Array.from({ length: 12 }, (_, at) => [19 + at, 0]))
    ledger.refreshed(0, 31 * DAY_MS, 'changed', 0, HALF)
    for (let day = 32; day <= 60; day++) ledger.refreshed(0, day * DAY_MS, 'same', 0)
    const kept = observed(ledger)!
    expect(kept).toHaveLength(12)
    // Of regular refreshes those that were last stay, and the others are counted.
    const newest = Array.from({ length: 10 }, (_, at) => [51 + at, 0.5])
    expect(kept).toEqual([[30, 0], [31, 0.5], ...newest])
    expect(profileOf(ledger.columns, 0)!.observations.map(({ skipped }) => skipped)).toEqual([
      29,
      0,
      19,
      ...Array(9).fill(0),
    ])
  })

  it('keeps a refresh between the others that they would not tell of', () => {
    const ledger = new Ledger()
    ledger.created(0, 0, FIRST)
    ledger.refreshed(0, DAY_MS, 'changed', 0, HALF)
    ledger.refreshed(0, 2 * DAY_MS, 'same', 0)
    for (let day = 20; day <= 40; day++) ledger.refreshed(0, day * DAY_MS, 'same', 0)
    expect(observed(ledger)!.slice(0, 3)).toEqual([
      [1, 0.5],
      [2, 0.5],
      [20, 0.5],
    ])
  })

  it('begins with the first version that was sketched', () => {
    const ledger = new Ledger()
    ledger.created(0, 0)
    ledger.refreshed(0, DAY_MS, 'same', 0)
    expect(profileOf(ledger.columns, 0)).toBeUndefined()
    ledger.refreshed(0, 2 * DAY_MS, 'changed', 0, FIRST)
    ledger.refreshed(0, 5 * DAY_MS, 'changed', 0, HALF)
    expect(profileOf(ledger.columns, 0)?.baseMs).toBe(2 * DAY_MS)
    expect(observed(ledger)).toEqual([[3, 0.5]])
  })

  it('knows nothing of a version that was not sketched until the next one', () => {
    const ledger = new Ledger()
    ledger.created(0, 0, FIRST)
    ledger.refreshed(0, DAY_MS, 'changed', 0)
    ledger.refreshed(0, 2 * DAY_MS, 'same', 0)
    expect(observed(ledger)).toEqual([])
    ledger.refreshed(0, 3 * DAY_MS, 'changed', 0, HALF)
    expect(observed(ledger)).toEqual([[3, 0.5]])
  })

  it('leaves out refreshes that are not later than the last', () => {
    const ledger = new Ledger()
    ledger.created(0, 5 * DAY_MS, FIRST)
    ledger.refreshed(0, 5 * DAY_MS, 'same', 0)
    ledger.refreshed(0, DAY_MS, 'changed', 0, HALF)
    expect(observed(ledger)).toEqual([])
  })

  it('begins anew when it is nearly full, and keeps the curve of before', () => {
    const ledger = new Ledger()
    ledger.created(0, 0, FIRST)
    const versions = Array.from({ length: 11 }, (_, at) => version(...FIRST.minima.slice(0, 7 - (at % 4)), 100 + at))
    versions.slice(0, -1).forEach((sketch, at) => {
      ledger.refreshed(0, (at + 1) * DAY_MS, 'changed', 0, sketch)
    })
    const full = profileOf(ledger.columns, 0)!
    expect(full.observations).toHaveLength(10)
    ledger.refreshed(0, 11 * DAY_MS, 'changed', 0, versions.at(-1))
    expect(profileOf(ledger.columns, 0)).toEqual({ baseMs: 11 * DAY_MS, observations: [] })
    const last = sketchDifference(FIRST.minima, 0, versions.at(-1)!.minima, 0, SKETCH_MINIMA)
    const all = [...full.observations, { ageMs: 11 * DAY_MS, divergence: last }]
    const fit = fitDivergenceCurve(
      all.map(({ ageMs }) => ageMs),
      all.map(({ divergence }) => divergence),
    )!
    const kept = curveOf(ledger.columns, 0)!
    expect(kept.items).toBe(fit.items)
    expect(kept.share).toBeCloseTo(fit.share, 6)
    expect(kept.ratePerMs / fit.ratePerMs).toBeCloseTo(1, 6)
  })

  it('has a curve of share 0 for a page that was seen unchanged only, and none for a page never seen again', () => {
    const ledger = new Ledger()
    ledger.created(0, 0, FIRST)
    expect(curveOf(ledger.columns, 0)).toBeUndefined()
    ledger.refreshed(0, DAY_MS, 'same', 0)
    expect(curveOf(ledger.columns, 0)).toMatchObject({ share: 0 })
  })

  it('says what a list of all refreshes says, whatever happens to the page', () => {
    withSeed('profiles', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 300; round++) {
        const ledger = new Ledger()
        let atMs = random.int(1000) * DAY_MS
        let minima = Uint32Array.from({ length: SKETCH_MINIMA }, () => random.uint32() >>> 1).sort()
        ledger.created(0, atMs, { minima, at: 0 })
        let twin: { baseMs: number; base: Uint32Array; seen: [number, number][] } = {
          baseMs: atMs,
          base: minima,
          seen: [],
        }
        for (let step = random.int(60); step > 0; step--) {
          atMs += random.between(1, 20) * DAY_MS
          if (random.chance(0.5)) {
            ledger.refreshed(0, atMs, 'same', 0)
            twin.seen.push([atMs - twin.baseMs, twin.seen.at(-1)?.[1] ?? 0])
            continue
          }
          minima = minima.map((value) => (random.chance(0.2) ? random.uint32() >>> 1 : value)).sort()
          ledger.refreshed(0, atMs, 'changed', 0, { minima: Uint32Array.from([7, ...minima]), at: 1 })
          twin.seen.push([atMs - twin.baseMs, sketchDifference(twin.base, 0, minima, 0, SKETCH_MINIMA)])
          if (endsOfRuns(twin.seen).length > MOST_ENDS) twin = { baseMs: atMs, base: minima, seen: [] }
        }
        const profile = profileOf(ledger.columns, 0)!
        expect(profile.baseMs).toBe(twin.baseMs)
        const kept = profile.observations.map(({ ageMs, divergence }): [number, number] => [ageMs, divergence])
        if (twin.seen.length <= PROFILE_OBSERVATIONS) expect(kept).toEqual(twin.seen)
        expect(twin.seen).toEqual(expect.arrayContaining(kept))
        expect(endsOfRuns(kept)).toEqual(endsOfRuns(twin.seen))
        expect(kept).toHaveLength(Math.min(twin.seen.length, PROFILE_OBSERVATIONS))
        const skipped = profile.observations.reduce((sum, observation) => sum + observation.skipped, 0)
        expect(kept.length + skipped).toBe(twin.seen.length)
        for (const [at, observation] of profile.observations.entries()) {
          const place = twin.seen.findIndex(([ageMs]) => ageMs === observation.ageMs)
          const before = at === 0 ? -1 : twin.seen.findIndex(([ageMs]) => ageMs === kept[at - 1]![0])
          expect(place - before - 1).toBe(observation.skipped)
        }
      }
    })
  })

  it.each([
    [20, 0.98],
    [40, 0.95],
    [60, 0.93],
    [120, 0.9],
  ])('keeps periods of the bound-based policy within a tenth: up to %i refreshes', (most, share) => {
    withSeed('periods', (seed) => {
      const random = new SeededRandom(seed)
      const pages = most > 60 ? 300 : 600
      let [near, nearUncounted, all] = [0, 0, 0]
      for (let page = 0; page < pages; page++) {
        const seen = randomProfile(random, random.between(1, most)).map(([ageMs, divergence]) => ({
          ...{ ageMs, divergence, skipped: 0 },
        }))
        const kept = keptOf(new Ledger(), page, seen)
        const uncounted = kept.map((observation) => ({ ...observation, skipped: 0 }))
        for (let doubling = 0; doubling < 10; doubling++) {
          const thresholdMs = 2 ** doubling * (DAY_MS / 4)
          const whole = periodOf(seen, thresholdMs)
          const isNear = (some: readonly ProfileObservation[]) =>
            Math.abs(periodOf(some, thresholdMs) / whole - 1) <= 0.1
          all++
          if (isNear(kept)) near++
          if (isNear(uncounted)) nearUncounted++
        }
      }
      expect(near / all).toBeGreaterThan(share)
      if (most >= 60) expect(nearUncounted / all).toBeLessThan(0.9)
    })
  })

  it('survives being packed and restored', () => {
    const ledger = new Ledger()
    ledger.created(3, 0, FIRST)
    ledger.refreshed(3, DAY_MS, 'changed', 0, HALF)
    const copy = new Ledger()
    copy.restore(ledger.rowOf(3)!)
    expect(copy.rowOf(3)).toEqual(ledger.rowOf(3))
    expect(profileOf(copy.columns, 3)).toEqual(profileOf(ledger.columns, 3))
    copy.refreshed(3, 2 * DAY_MS, 'changed', 0, FIRST)
    expect(observed(copy, 3)).toEqual([
      [1, 0.5],
      [2, 0],
    ])
  })

  it('is refused with bytes that make no sense', () => {
    const ledger = new Ledger()
    ledger.created(0, 0, FIRST)
    ledger.refreshed(0, DAY_MS, 'changed', 0, HALF)
    const good = ledger.rowOf(0)!
    const spoilt = (spoil: (view: DataView) => void): LedgerRow => {
      const profile = good.profile.slice()
      spoil(new DataView(profile.buffer))
      return { ...good, profile }
    }
    const faults: ((view: DataView) => void)[] = [
      (view) => view.setUint8(121, 0),
      (view) => view.setUint8(121, 3),
      (view) => view.setUint8(122, 13),
      (view) => view.setFloat64(0, Number.NaN, true),
      (view) => view.setFloat32(40, -1, true),
      (view) => view.setFloat32(40, Number.POSITIVE_INFINITY, true),
      (view) => view.setUint8(88, 23),
      (view) => view.setFloat32(112, Number.NaN, true),
      (view) => view.setFloat32(116, 1.5, true),
      (view) => view.setUint32(8, 5, true),
    ]
    for (const fault of faults) {
      expect(() => new Ledger().restore(spoilt(fault))).toThrow('profile of a row of the ledger must be')
    }
    expect(() => new Ledger().restore({ ...good, profile: good.profile.slice(1) })).toThrow('profile of a row')
    new Ledger().restore(spoilt(() => {}))
  })
})

/** Refreshes of a page that moves away from its base in steps of an eighth, and comes back now and then. */
function randomProfile(random: SeededRandom, visits: number): [number, number][] {
  const isRegular = random.chance(0.5)
  const gapDays = random.between(1, 14)
  const chance = 10 ** (-2 * random.next())
  const seen: [number, number][] = []
  let [ageMs, moved] = [0, 0]
  for (let visit = 0; visit < visits; visit++) {
    ageMs += (isRegular ? gapDays : Math.ceil(gapDays * (0.2 + 2 * random.next()))) * DAY_MS
    if (random.chance(chance)) moved = Math.max(0, Math.min(8, moved + random.between(-1, 4)))
    seen.push([ageMs, moved / 8])
    if (endsOfRuns(seen).length > MOST_ENDS) return seen.slice(0, -1)
  }
  return seen
}

/** What a ledger keeps of these refreshes. */
function keptOf(ledger: Ledger, doc: number, seen: readonly ProfileObservation[]): readonly ProfileObservation[] {
  ledger.created(doc, 0, FIRST)
  let before = 0
  for (const { ageMs, divergence } of seen) {
    // Of the eight smallest hashes of both versions so many are those of the base alone.
    const shared = 8 - 8 * divergence
    const sketch = version(...FIRST.minima.slice(0, shared), ...Array.from({ length: 8 }, (_, at) => 100 + at))
    if (divergence === before) ledger.refreshed(doc, ageMs, 'same', 0)
    else ledger.refreshed(doc, ageMs, 'changed', 0, sketch)
    before = divergence
  }
  return profileOf(ledger.columns, doc)!.observations
}

function periodOf(observations: readonly ProfileObservation[], thresholdMs: number): number {
  const seen = {
    agesMs: observations.map(({ ageMs }) => ageMs),
    divergences: observations.map(({ divergence }) => divergence),
    skipped: observations.map(({ skipped }) => skipped),
    count: observations.length,
  }
  return replayedPeriodMs(seen, thresholdMs, seen.agesMs[0]!)
}

/** The first and the last of each run of equal divergences; 0 is the run that the base begins. */
function endsOfRuns(seen: readonly [number, number][]): [number, number][] {
  const all: [number, number][] = [[0, 0], ...seen]
  return all.filter(([, value], at) => {
    if (at === 0) return false
    return !(all[at - 1]![1] === value && all[at + 1]?.[1] === value)
  })
}
