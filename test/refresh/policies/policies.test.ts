import { describe, expect, it } from 'vitest'
import { Ledger } from '../../../src/ledger/ledger.js'
import type { LedgerTotals } from '../../../src/ledger/totals.js'
import type { Policy } from '../../../src/refresh/policies/policy.js'
import { createPolicy, DEFAULT_POLICY, POLICY_CARDS, POLICY_NAMES } from '../../../src/refresh/policies/registry.js'
import { userCentric } from '../../../src/refresh/policies/user-centric.js'
import { userCentricShrunk } from '../../../src/refresh/policies/user-centric-shrunk.js'

/** Three refreshes with intervals 3, 2, 4 and gains 0.3, 0, 0.8; the values below are for time 12. */
function published(): Ledger {
  const ledger = new Ledger({ halfLifeMs: 2 })
  ledger.created(0, 0)
  ledger.refreshed(0, 3, 'changed', 0.3)
  ledger.refreshed(0, 5, 'same', 0)
  ledger.refreshed(0, 9, 'changed', 0.8)
  return ledger
}

function priorityOf(policy: Policy, ledger: Ledger, doc: number, atMs: number, totals = ledger.totals()): number {
  return policy.priority(ledger.columns, doc, atMs, totals)
}

describe('user-centric', () => {
  it('is the mean of the rates times the age', () => {
    expect(priorityOf(userCentric(), published(), 0, 12)).toBeCloseTo(0.3, 9)
    expect(userCentric().growthPerMs(published().columns, 0, 12, published().totals())).toBeCloseTo(0.1, 9)
  })

  it.each([
    [1, 0.2],
    [2, 0.1],
    [3, 0.1],
    [6, 0.1],
  ])('over the last %d refreshes has the rate %d', (window, rate) => {
    // Recent refreshes are kept as 32-bit floats.
    expect(priorityOf(userCentric({ window }), published(), 0, 12)).toBeCloseTo(3 * rate, 6)
  })

  it('forgets when it is to', () => {
    const rate = (0.1 * 2 ** -3 + 0 * 2 ** -2 + 0.2) / (2 ** -3 + 2 ** -2 + 1)
    expect(priorityOf(userCentric({ decayed: true }), published(), 0, 12)).toBeCloseTo(3 * rate, 6)
  })

  it('never returns to a page that gained nothing, as published', () => {
    const ledger = published()
    ledger.created(1, 0)
    ledger.refreshed(1, 5, 'same', 0)
    expect(priorityOf(userCentric(), ledger, 1, 1e9)).toBe(0)
  })

  it('gives a page without history the mean rate of all refreshes', () => {
    const ledger = published()
    ledger.created(1, 0)
    expect(priorityOf(userCentric(), ledger, 1, 12)).toBeCloseTo(0.1 * 12, 9)
  })

  it('gives pages without history their turn while nothing is known', () => {
    const ledger = new Ledger()
    for (const doc of [0, 1, 2]) ledger.created(doc, doc)
    ledger.refreshed(0, 5, 'same', 0)
    const [none, older, newer] = [0, 1, 2].map((doc) => priorityOf(userCentric(), ledger, doc, 12)) as [
      number,
      number,
      number,
    ]
    expect(none).toBe(0)
    expect(older).toBeGreaterThan(newer)
    expect(newer).toBeGreaterThan(0)
  })
})

describe('user-centric-shrunk', () => {
  /** The mean rate is 0.05. */
  const totals: LedgerTotals = {
    unmeasured: 0,
    pages: 2,
    rated: 50,
    changes: 0,
    sumDeltaQuality: 15,
    sumIntervalMs: 300,
    sumRate: 3,
    sumStake: 8,
  }

  it('shrinks the rate to the mean', () => {
    const ledger = published()
    expect(priorityOf(userCentricShrunk({ prior: 'mean', priorMs: 6 }), ledger, 0, 12, totals)).toBeCloseTo(0.28, 9)
    // 300 / 50 is the 6 above.
    expect(priorityOf(userCentricShrunk({ prior: 'mean' }), ledger, 0, 12, totals)).toBeCloseTo(0.28, 9)
    // The mean stake.
    ledger.setStake(0, 4)
    expect(priorityOf(userCentricShrunk(), ledger, 0, 12, totals)).toBeCloseTo(0.28, 9)
    // Without stakes there is nothing to go by but the mean.
    expect(priorityOf(userCentricShrunk(), published(), 0, 12, { ...totals, sumStake: 0 })).toBeCloseTo(0.28, 9)
  })

  it('shrinks the rate to the share of the stake', () => {
    const ledger = published()
    const rate = (stake: number) => (1.1 + 0.05 * (0.05 + (0.95 * stake) / 4) * 6) / (9 + 6)
    for (const stake of [0, 1, 4, 40]) {
      ledger.setStake(0, stake)
      expect(priorityOf(userCentricShrunk(), ledger, 0, 12, totals)).toBeCloseTo(rate(stake) * 3, 9)
    }
  })

  it('orders pages without history by stake, and forgets none', () => {
    const ledger = new Ledger()
    const stakes = [0, 3, 1, 0.5]
    for (const [doc, stake] of stakes.entries()) {
      ledger.created(doc, 0)
      ledger.setStake(doc, stake)
    }
    const order = () =>
      [0, 1, 2, 3].sort(
        (a, b) => priorityOf(userCentricShrunk(), ledger, b, 12) - priorityOf(userCentricShrunk(), ledger, a, 12),
      )
    expect(order()).toEqual([1, 2, 3, 0])
    expect(priorityOf(userCentricShrunk(), ledger, 0, 12)).toBeGreaterThan(0)
    ledger.refreshed(1, 5, 'same', 0)
    const before = priorityOf(userCentricShrunk(), ledger, 1, 5 + 12)
    expect(before).toBeGreaterThan(0)
    ledger.refreshed(1, 12 + 5, 'same', 0)
    expect(priorityOf(userCentricShrunk(), ledger, 1, 12 + 5 + 12)).toBeLessThan(before)
  })
})

describe('the registry', () => {
  it('has a default, and gives policies their names', () => {
    expect(createPolicy().name).toBe(DEFAULT_POLICY)
    expect(POLICY_NAMES).toContain(DEFAULT_POLICY)
    expect(POLICY_CARDS.map(({ name }) => name)).toEqual(POLICY_NAMES)
    for (const name of POLICY_NAMES) expect(createPolicy(name).name).toBe(name)
  })

  it.each<[unknown, unknown, string]>([
    [
      'newest-first',
      {},
      "policy must be 'quality-utility' or 'user-centric-shrunk' or 'user-centric' or 'longevity-curve' or " +
        "'longevity-bound'",
    ],
    [7, {}, 'received 7'],
    ['toString', {}, 'policy must be'],
    ['oldest-first', { window: 3 }, 'unknown policy option "window" (received 3)'],
    ['user-centric', { window: 7 }, 'window must be an integer from 1 to 6, received 7'],
    ['user-centric', { window: 3, decayed: true }, 'window and decayed exclude each other'],
    ['longevity-curve', { weight: 'stake', fragments: 'workload' }, 'exclude each other'],
    ['longevity-curve', { fragments: 'words' }, 'fragments'],
    ['longevity-bound', { fragments: 'workload' }, 'unknown policy option'],
    ['longevity-curve', { learning: 3, learningMs: 5 }, 'exclude each other'],
    ['user-centric', { decayed: 1 }, 'decayed must be true or false, received 1'],
    ['user-centric-shrunk', { prior: 'none' }, "prior must be 'stake' or 'mean', received \"none\""],
    ['longevity-curve', { risk: 0.5 }, 'risk must be a finite number from 1 to 1e+38, received 0.5'],
    [
      'longevity-curve',
      { learningMs: -1 },
      'learningMs must be a finite number from 0 to 8640000000000000, received -1',
    ],
    ['longevity-bound', { threshold: '1' }, 'threshold must be a number, received "1"'],
    ['longevity-bound', { weight: 'views' }, "weight must be 'none' or 'stake', received \"views\""],
    [
      'binary-freshness',
      { refreshesPerDay: 0 },
      'refreshesPerDay must be a finite number from 0.000001 to 1000000000000000, received 0',
    ],
    ['lambda-crawl', { risk: 1 }, 'unknown policy option "risk" (received 1); known: weight, refreshesPerDay'],
    ['greedy-poisson', { weight: 'none' }, 'unknown policy option "weight"'],
    ['user-centric-shrunk', { priorMs: 0 }, 'priorMs must be a finite number from 1 to 8640000000000000, received 0'],
  ])('refuses %j with %j', (name, options, message) => {
    expect(() => createPolicy(name as never, options as never)).toThrow(message)
  })
})
