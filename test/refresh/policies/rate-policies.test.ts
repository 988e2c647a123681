/** The policies by rates of change, beside their formulas and the rates that are optimal for all pages at once. */
import { describe, expect, it } from 'vitest'
import { poissonUtility } from '../../../src/change/divergence-curve.js'
import { choGarciaMolinaRate } from '../../../src/change/rate-estimators.js'
import { Ledger } from '../../../src/ledger/ledger.js'
import type { SignalTrust } from '../../../src/ledger/site-trust.js'
import { binaryFreshnessRates } from '../../../src/math/binary-freshness-rates.js'
import { harmonicRates, splitBandwidth } from '../../../src/math/harmonic-rates.js'
import { PriorityBlocks } from '../../../src/refresh/choose/priority-blocks.js'
import { binaryFreshness } from '../../../src/refresh/policies/binary-freshness.js'
import { choGarciaMolina } from '../../../src/refresh/policies/cho-garcia-molina.js'
import { greedyPoisson } from '../../../src/refresh/policies/greedy-poisson.js'
import { lambdaCrawl } from '../../../src/refresh/policies/lambda-crawl.js'
import type { Policy } from '../../../src/refresh/policies/policy.js'
import { proportional } from '../../../src/refresh/policies/proportional.js'
import { fullLedger, viewOf } from '../../support/ledgers.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000

function priorityOf(policy: Policy, ledger: Ledger, doc: number, atMs: number): number {
  return policy.priority(ledger.columns, doc, atMs, ledger.totals())
}

/** Page 0 changed at two of four visits in ten days, page 1 at none, page 2 was never visited again. */
function visited(): Ledger {
  const ledger = new Ledger()
  for (const doc of [0, 1, 2]) {
    ledger.created(doc, 0)
    ledger.setStake(doc, 3)
  }
  for (const [day, outcome] of [
    [1, 'same'],
    [4, 'changed'],
    [6, 'changed'],
    [10, 'same'],
  ] as const)
    ledger.refreshed(0, day * DAY_MS, outcome, 0)
  ledger.refreshed(1, 10 * DAY_MS, 'same', 0)
  return ledger
}

describe('rates as published', () => {
  const ledger = visited()
  const atMs = 30 * DAY_MS
  const known = choGarciaMolinaRate({ visits: 4, changes: 2, intervalMs: 2.5 * DAY_MS })
  const ofAll = choGarciaMolinaRate({ visits: 5, changes: 2, intervalMs: 4 * DAY_MS })

  it('make the utility of a refresh, times the stake where that counts', () => {
    const utilities = [poissonUtility(known, 20 * DAY_MS), 0, poissonUtility(ofAll, 30 * DAY_MS)]
    expect([0, 1, 2].map((doc) => priorityOf(choGarciaMolina, ledger, doc, atMs))).toEqual(utilities)
    expect([0, 1, 2].map((doc) => priorityOf(greedyPoisson, ledger, doc, atMs))).toEqual(utilities.map((u) => 3 * u))
  })

  it('make the changes to expect', () => {
    expect([0, 1, 2].map((doc) => priorityOf(proportional, ledger, doc, atMs))).toEqual([
      known * (20 * DAY_MS),
      0,
      ofAll * (30 * DAY_MS),
    ])
  })

  it('order pages without history by age while no change was seen', () => {
    const empty = new Ledger()
    for (const doc of [0, 1]) empty.created(doc, doc)
    for (const policy of [choGarciaMolina, proportional])
      expect(priorityOf(policy, empty, 0, 9)).toBeGreaterThan(priorityOf(policy, empty, 1, 9))
  })
})

/** Of all pages present: importance, rate of changes and rate of refreshes, as a policy explains them. */
function ratesOf(policy: Policy, ledger: Ledger, docs: readonly number[]) {
  const totals = ledger.totals()
  const terms = docs.map((doc) => policy.explain(ledger.columns, doc, 0, totals).terms)
  return {
    importance: Float64Array.from(terms, ({ importance }) => importance!),
    changeRates: Float64Array.from(terms, ({ changesPerMs }) => changesPerMs!),
    rates: docs.map((doc) => policy.growthPerMs(ledger.columns, doc, 0, totals)),
  }
}

function presentPages(ledger: Ledger): number[] {
  return Array.from({ length: ledger.rows }, (_, doc) => doc).filter((doc) => ledger.columns.present[doc] === 1)
}

function expectNear(actual: readonly number[], expected: Float64Array): void {
  expect(actual.length).toBe(expected.length)
  actual.forEach((rate, page) => {
    expect(Math.abs(rate - expected[page]!)).toBeLessThanOrEqual(1e-9 * Math.max(...expected))
  })
}

describe('rates of refreshes', () => {
  it.each([
    ['binary-freshness', binaryFreshness, binaryFreshnessRates],
    ['lambda-crawl', lambdaCrawl, harmonicRates],
  ] as const)('of %s are those that are best for all pages at once', (name, create, solve) => {
    withSeed(`rates ${name}`, (seed) => {
      const random = new SeededRandom(seed)
      for (const weight of ['stake', 'none'] as const) {
        const { ledger } = fullLedger(random, 400)
        const { pages, rated, sumIntervalMs } = ledger.totals()
        const docs = presentPages(ledger)
        for (const refreshesPerDay of [undefined, 7]) {
          const policy = create({ weight, refreshesPerDay }).prepare!(viewOf(ledger))
          const { importance, changeRates, rates } = ratesOf(policy, ledger, docs)
          const bandwidth = refreshesPerDay === undefined ? pages / (sumIntervalMs / rated) : refreshesPerDay / DAY_MS
          expectNear(rates, solve(importance, changeRates, bandwidth).rates)
          const mean = importance.reduce((sum, value) => sum + value, 0) / docs.length
          expect(mean).toBeCloseTo(1, 5)
          if (weight === 'none') expect(new Set(importance)).toEqual(new Set([1]))
        }
      }
    })
  })

  it('make a page due when it is as old as its rate says, and follow later rows without being found anew', () => {
    withSeed('later rows', (seed) => {
      const { ledger, nowMs } = fullLedger(new SeededRandom(seed), 300)
      const policy = binaryFreshness().prepare!(viewOf(ledger))
      const totals = ledger.totals()
      const doc = presentPages(ledger).find((page) => policy.growthPerMs(ledger.columns, page, 0, totals) > 0)!
      const rate = policy.growthPerMs(ledger.columns, doc, nowMs, totals)
      expect(policy.priority(ledger.columns, doc, ledger.columns.refreshedMs[doc]! + 1 / rate, totals)).toBeCloseTo(
        1,
        6,
      )
      ledger.setStake(doc, 1e4)
      expect(policy.growthPerMs(ledger.columns, doc, nowMs, totals)).toBeGreaterThan(rate)
    })
  })

  it('are alike for all pages of which nothing is known', () => {
    for (const create of [binaryFreshness, lambdaCrawl]) {
      const ledger = new Ledger()
      const blocks = new PriorityBlocks(ledger, create())
      for (let doc = 0; doc < 5; doc++) ledger.created(doc, 0)
      for (const { priority } of blocks.top(7 * DAY_MS)) expect(priority).toBeCloseTo(1, 9)
    }
  })
})

describe('lambda-crawl', () => {
  const TRUST: SignalTrust = { likelihoodRatio: () => 5, recall: (site) => (site === 1 ? 0.95 : site === 2 ? 0.6 : 0) }

  it('refreshes pages on signal whose sites tell their changes, and others by rates, for the least cost', () => {
    withSeed('signals', (seed) => {
      const { ledger, nowMs } = fullLedger(new SeededRandom(seed), 500)
      const totals = ledger.totals()
      const policy = lambdaCrawl().prepare!(viewOf(ledger, TRUST))
      const docs = presentPages(ledger)
      const told = docs.filter((doc) => ledger.columns.site[doc] === 1)
      const untold = docs.filter((doc) => ledger.columns.site[doc] !== 1)
      expect(told.length).toBeGreaterThan(20)
      const { rates, ...without } = ratesOf(policy, ledger, untold)
      const bandwidth = totals.pages / (totals.sumIntervalMs / totals.rated)
      const best = splitBandwidth(without, ratesOf(policy, ledger, told), bandwidth)
      expectNear(rates, best.rates)
      told.forEach((doc, at) => {
        const priority = policy.priority(ledger.columns, doc, nowMs, totals)
        expect(priority).toBeCloseTo(best.chances[at]! * ledger.columns.signals[doc]!, 9)
        expect(policy.priority(ledger.columns, doc, nowMs + 99 * DAY_MS, totals)).toBe(priority)
      })
    })
  })

  it('follows every signal where the bandwidth is enough for all', () => {
    const ledger = new Ledger()
    for (let doc = 0; doc < 3; doc++) {
      ledger.created(doc, 0)
      ledger.restore({ ...ledger.rowOf(doc)!, site: 1, signals: doc, signalKinds: 1, signalMs: 1 })
    }
    const policy = lambdaCrawl({ refreshesPerDay: 1e6 }).prepare!(viewOf(ledger, TRUST))
    expect([0, 1, 2].map((doc) => priorityOf(policy, ledger, doc, DAY_MS))).toEqual([0, 1, 2])
  })
})
