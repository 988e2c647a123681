/** The longevity policies beside the paper's own way: a threshold first, then a period, then whether it is over. */
import { describe, expect, it } from 'vitest'
import { replayedPeriodMs } from '../../../src/change/divergence-bounds.js'
import { type DivergenceCurve, divergenceAt, refreshPeriodMs, utilityAt } from '../../../src/change/divergence-curve.js'
import { boundedPeriodMs } from '../../../src/change/period-limits.js'
import { Ledger } from '../../../src/ledger/ledger.js'
import { curveOf, profileOf, type VersionSketch } from '../../../src/ledger/profile.js'
import { PriorityBlocks } from '../../../src/refresh/choose/priority-blocks.js'
import { CurveMemo } from '../../../src/refresh/model/curve-memo.js'
import { longevityBound } from '../../../src/refresh/policies/longevity-bound.js'
import { type LongevityOptions, longevityCurve } from '../../../src/refresh/policies/longevity-curve.js'
import type { Policy } from '../../../src/refresh/policies/policy.js'
import { edgeRow, fullLedger, randomVersion } from '../../support/ledgers.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000
const LIMITS: readonly LongevityOptions[] = [
  {},
  { risk: 3 },
  { risk: 10, learning: 10 },
  { learningMs: 2 * DAY_MS },
  { learningMs: DAY_MS, risk: 40 },
]

function priorityOf(policy: Policy, ledger: Ledger, doc: number, atMs: number): number {
  return policy.priority(ledger.columns, doc, atMs, ledger.totals())
}

function isDue(
  periodMs: number,
  thresholdMs: number,
  age: number,
  refreshes: number,
  limits: LongevityOptions,
): boolean {
  return age >= boundedPeriodMs(periodMs, limits, { thresholdMs, fetches: refreshes + 1 })
}

function forEachPage(
  label: string,
  visit: (ledger: Ledger, doc: number, atMs: number, age: number, random: SeededRandom) => void,
): void {
  withSeed(label, (seed) => {
    const random = new SeededRandom(seed)
    const { ledger, nowMs } = fullLedger(random, 150)
    for (let doc = 0; doc < ledger.rows; doc++) {
      const atMs = nowMs + random.int(60) * DAY_MS + 1
      visit(ledger, doc, atMs, atMs - ledger.columns.refreshedMs[doc]!, random)
    }
  })
}

describe.each(LIMITS)('longevity-curve with %j', (limits) => {
  it('is the highest threshold under which the paper refreshes the page now', () => {
    forEachPage(`curve ${JSON.stringify(limits)}`, (ledger, doc, atMs, age, random) => {
      const priority = priorityOf(longevityCurve(limits), ledger, doc, atMs)
      expect(priority).toBeLessThanOrEqual(age)
      const curve = curveOf(ledger.columns, doc)
      const refreshes = ledger.columns.refreshes[doc]!
      const due = (thresholdMs: number) => {
        const periodMs = curve === undefined ? Number.POSITIVE_INFINITY : refreshPeriodMs(curve, thresholdMs)
        return isDue(periodMs, thresholdMs, age, refreshes, limits)
      }
      expect(due(priority * (1 - 1e-6))).toBe(true)
      // Learning knows no threshold, so that the age is the highest that there can be.
      if (priority < age) expect(due(priority * (1 + 1e-6))).toBe(false)
      expect(due(priority * random.next())).toBe(true)
    })
  })
})

describe('longevity-curve', () => {
  const SKETCHES = withSeed('sketches', (seed) => {
    const random = new SeededRandom(seed)
    return Array.from({ length: 20 }, () => randomVersion(random))
  })

  /** Refreshed every day, found rewritten every so many days. */
  function watched(days: number, everyDays: number): Ledger {
    const ledger = new Ledger()
    ledger.created(0, 0, SKETCHES[0])
    for (let day = 1; day <= days; day++) {
      const isChanged = day % everyDays === 0
      ledger.refreshed(
        0,
        day * DAY_MS,
        isChanged ? 'changed' : 'same',
        0,
        isChanged ? SKETCHES[day / everyDays] : undefined,
      )
    }
    return ledger
  }

  it('is the utility of the fitted curve where that is more than risk and learning ask for', () => {
    const ledger = watched(20, 8)
    const curve = curveOf(ledger.columns, 0) as DivergenceCurve
    const age = 10 * DAY_MS
    expect(utilityAt(curve, age)).toBeGreaterThan(age / 63)
    expect(priorityOf(longevityCurve(), ledger, 0, 20 * DAY_MS + age)).toBe(utilityAt(curve, age))
  })

  it('weighs fragments by what refreshes of the page gained, and before that by its stake', () => {
    const policy = longevityCurve({ fragments: 'workload', risk: 1e38, learning: 1e6 })
    const ledger = watched(20, 8)
    ledger.setStake(0, 4)
    const { share, ...shape } = curveOf(ledger.columns, 0) as DivergenceCurve
    const moving = { ...shape, share: 1 }
    const [atMs, age] = [30 * DAY_MS, 10 * DAY_MS]
    const utility = utilityAt(moving, age)
    // All six refreshes that are known one by one gained nothing, each a day after the one before.
    const unpaid = (4 * share) / (6 * divergenceAt(moving, DAY_MS) + 1)
    expect(priorityOf(policy, ledger, 0, atMs) / (unpaid * utility)).toBeCloseTo(1, 9)
    // One that gained 3 in five days takes the place of the first.
    ledger.refreshed(0, 25 * DAY_MS, 'changed', 3, SKETCHES[9])
    const curve = curveOf(ledger.columns, 0) as DivergenceCurve
    const after = { ...curve, share: 1 }
    const value = (3 + 4 * curve.share) / (5 * divergenceAt(after, DAY_MS) + divergenceAt(after, 5 * DAY_MS) + 1)
    const paid = priorityOf(policy, ledger, 0, 25 * DAY_MS + age)
    expect(paid / (value * utilityAt(after, age))).toBeCloseTo(1, 9)
    // A change that could not be measured says nothing of what changes gain.
    ledger.refreshed(0, 26 * DAY_MS, 'changed', undefined, SKETCHES[10])
    const last = curveOf(ledger.columns, 0) as DivergenceCurve
    const moved = { ...last, share: 1 }
    const measured = (3 + 4 * last.share) / (4 * divergenceAt(moved, DAY_MS) + divergenceAt(moved, 5 * DAY_MS) + 1)
    const unmeasured = priorityOf(policy, ledger, 0, 26 * DAY_MS + age)
    expect(unmeasured / (measured * utilityAt(moved, age))).toBeCloseTo(1, 9)
  })

  it('with weighted fragments brings pages back by their stake: what has none, and gained nothing, can wait', () => {
    const policy = longevityCurve({ fragments: 'workload' })
    const ledger = new Ledger()
    for (const doc of [0, 1, 2]) ledger.created(doc, 0, SKETCHES[0])
    ledger.setStake(1, 2)
    ledger.setStake(2, 6)
    expect([0, 1, 2].map((doc) => priorityOf(policy, ledger, doc, 9 * DAY_MS))).toEqual([0, 6 * DAY_MS, 18 * DAY_MS])
  })

  it('leaves a page that never changed to risk, after learning', () => {
    const ledger = watched(50, 100)
    // 51 fetches would let it wait for 153 thresholds.
    expect(priorityOf(longevityCurve(), ledger, 0, 150 * DAY_MS)).toBe(DAY_MS)
    expect(priorityOf(longevityCurve({ risk: 1e38 }), watched(4, 100), 0, 19 * DAY_MS)).toBe(DAY_MS)
    const byTime = longevityCurve({ learningMs: DAY_MS, risk: 10 })
    expect(priorityOf(byTime, ledger, 0, 100 * DAY_MS)).toBe(5 * DAY_MS)
    expect(priorityOf(byTime, ledger, 0, 101 * DAY_MS)).toBe(51 * DAY_MS)
  })

  it('orders pages by utility, not by age, where little of them changes', () => {
    const ledger = new Ledger()
    const first = SKETCHES[0] as VersionSketch
    // One in eight of the smallest hashes is another one by the next look, and stays so.
    const little = { minima: Uint32Array.from(first.minima.slice(first.at, first.at + 8)), at: 0 }
    little.minima[0] = (little.minima[0] as number) - 1
    ledger.created(0, 0, first)
    for (let day = 1; day <= 40; day++) ledger.refreshed(0, day * DAY_MS, day === 8 ? 'changed' : 'same', 0, little)
    const curve = curveOf(ledger.columns, 0) as DivergenceCurve
    expect(curve.share).toBeLessThan(0.3)
    const atMs = 70 * DAY_MS
    expect(priorityOf(longevityCurve(), ledger, 0, atMs)).toBe(utilityAt(curve, 30 * DAY_MS))
  })

  it('counts what a page has at stake if told', () => {
    const ledger = watched(20, 8)
    ledger.setStake(0, 4)
    const [plain, weighted] = [longevityCurve(), longevityCurve({ weight: 'stake' })]
    for (const day of [21, 30, 60])
      expect(priorityOf(weighted, ledger, 0, day * DAY_MS)).toBe(4 * priorityOf(plain, ledger, 0, day * DAY_MS))
  })

  it('leaves out pages below a threshold, whatever the budget', () => {
    const ledger = watched(20, 100)
    // 21 fetches: a page that never changed may wait for 63 thresholds.
    const blocks = new PriorityBlocks(ledger, longevityCurve({ threshold: DAY_MS }))
    expect([...blocks.top(82 * DAY_MS)]).toEqual([])
    expect([...blocks.top(83 * DAY_MS)]).toEqual([{ doc: 0, priority: DAY_MS }])
  })

  it('fits a curve once for every state of a profile, whatever the state was before', () => {
    withSeed('memo', (seed) => {
      const random = new SeededRandom(seed)
      const ledger = new Ledger()
      const memo = new CurveMemo()
      for (let round = 0; round < 300; round++) {
        const doc = random.int(5)
        if (random.chance(0.3) || ledger.rowOf(doc) === undefined) ledger.restore(edgeRow(random, doc))
        else {
          const sketch: VersionSketch | undefined = random.pick([undefined, ...SKETCHES])
          const atMs = ledger.columns.refreshedMs[doc]! + random.int(9 * DAY_MS)
          if (Math.abs(atMs) <= 8.64e15) ledger.refreshed(doc, atMs, random.pick(['same', 'changed']), 0, sketch)
        }
        expect(memo.curveOf(ledger.columns, doc)).toEqual(curveOf(ledger.columns, doc))
        expect(memo.curveOf(ledger.columns, doc)).toEqual(new CurveMemo().curveOf(ledger.columns, doc))
      }
    })
  })
})

describe.each(LIMITS)('longevity-bound with %j', (limits) => {
  it('is the highest threshold of the grid whose period is over, or what risk and learning ask for', () => {
    forEachPage(`bound ${JSON.stringify(limits)}`, (ledger, doc, atMs, age) => {
      const priority = priorityOf(longevityBound(limits), ledger, doc, atMs)
      const observations = profileOf(ledger.columns, doc)?.observations ?? []
      const agesMs = observations.map(({ ageMs }) => ageMs)
      const divergences = observations.map(({ divergence }) => divergence)
      const skipped = observations.map((observation) => observation.skipped)
      const seen = { agesMs, divergences, skipped, count: agesMs.length }
      const refreshes = ledger.columns.refreshes[doc]!
      const { risk = 100, learning = 3, learningMs } = limits
      const fetches = refreshes + 1
      const byLearning = learningMs === undefined ? age / (learning * fetches) : age >= learningMs * fetches ? age : 0
      let expected = Math.max(age / risk, byLearning)
      for (let step = -8; step < 4 * 60; step++) {
        const thresholdMs = 2 ** (step / 4)
        if (thresholdMs > age || agesMs.length === 0) break
        const periodMs = replayedPeriodMs(seen, thresholdMs, agesMs[0]!)
        if (isDue(periodMs, thresholdMs, age, refreshes, limits)) expected = Math.max(expected, thresholdMs)
      }
      expect(Math.abs(priority - expected)).toBeLessThanOrEqual(1e-12 * expected)
    })
  })
})

describe('longevity-bound', () => {
  it('comes back to a page that never changed when its period has doubled', () => {
    const ledger = new Ledger()
    ledger.created(0, 0, randomVersion(new SeededRandom(1)))
    for (let day = 1; day <= 20; day++) ledger.refreshed(0, day * DAY_MS, 'same', 0)
    expect(priorityOf(longevityBound(), ledger, 0, 59 * DAY_MS)).toBeCloseTo((39 * DAY_MS) / 63, 3)
    const priority = priorityOf(longevityBound(), ledger, 0, 60 * DAY_MS)
    expect(priority).toBeLessThanOrEqual(40 * DAY_MS)
    expect(priority).toBeGreaterThan((40 * DAY_MS) / 2 ** (1 / 4))
  })
})
