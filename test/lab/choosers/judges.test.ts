/** The formulas by which pages are judged, beside their definitions. */
import { describe, expect, it } from 'vitest'
import { poissonUtility } from '../../../src/change/divergence-curve.js'
import { choGarciaMolinaRate } from '../../../src/change/rate-estimators.js'
import { changesPerStep, greedyPosterior, LAB_RATES_PER_MS, RatePosterior } from '../../../src/lab/choosers/by-rate.js'
import { gainPerMs, gainPerUpdate, userCentricPerStep, valueAtStake } from '../../../src/lab/choosers/by-value.js'
import { judgedChooser } from '../../../src/lab/choosers/judged.js'
import { knowingUpdates, knowingVisits, oldestFirst } from '../../../src/lab/choosers/known-history.js'
import { adaptiveInterval } from '../../../src/lab/choosers/simple.js'
import { type RefreshOutcome, replay } from '../../../src/lab/quality/replay.js'
import { RepositoryQuality } from '../../../src/lab/quality/repository-quality.js'
import { scoredWorld } from '../quality/scored-worlds.js'

const SAME: RefreshOutcome = { step: 1, kind: 'same', deltaQuality: 0 }
const CHANGED: RefreshOutcome = { step: 1, kind: 'changed', deltaQuality: 1 }

/** Steps are a second apart. Page 0 changes at steps 1 and 3, page 1 at step 2, page 2 never. */
const WORLD = scoredWorld(
  3,
  [1],
  [
    new Map([0, 1, 2].map((page) => [page, { 0: 1 + page }])),
    new Map([[0, { 0: 2 }]]),
    new Map([[1, { 0: 3 }]]),
    new Map([[0, { 0: 4 }]]),
  ],
)

describe('user-centric refreshing', () => {
  // Three changes of the first step, then one each.
  const gains = Float64Array.of(9, 9, 9, 6, 1, 3)

  it('takes the mean of gain by interval over all steps, times the age', () => {
    const perSecond = Array.from(gainPerMs(WORLD.timeline, gains), (rate) => (rate * 1000).toFixed(12))
    expect(perSecond).toEqual([3, 1 / 3, 0].map((rate) => rate.toFixed(12)))
    const judge = userCentricPerStep(WORLD.timeline, gains)
    expect(judge.priority(0, 500)).toBeCloseTo(1.5, 12)
    expect(judge.priority(2, 1e9)).toBe(0)
  })

  it('as published takes the mean over the times of updates, each since the one before', () => {
    // Page 0: 6 after a second, then 3 after two. Page 1: 1 after two.
    const perSecond = [(6 + 3 / 2) / 2, 1 / 2, 0]
    expect(Array.from(gainPerUpdate(WORLD.timeline, gains), (rate) => rate * 1000)).toEqual(perSecond)
    // The policy of the product, which knows the updates, agrees.
    const judge = knowingUpdates(WORLD.timeline, gains)
    for (const [page, rate] of perSecond.entries()) expect(judge.priority(page, 500)).toBeCloseTo(rate / 2, 6)
    expect(
      Array.from(
        gainPerUpdate(WORLD.timeline, gains, (step) => step > 1),
        (rate) => rate * 1000,
      ),
    ).toEqual([3 / 2, 1 / 2, 0])
  })

  it('takes the mean over some steps where it is asked to', () => {
    expect([...gainPerMs(WORLD.timeline, gains, (step) => step <= 1)]).toEqual([6 / 1000, 0, 0])
    expect([...gainPerMs(WORLD.timeline, gains, (step) => step > 1)]).toEqual([1.5 / 1000, 0.5 / 1000, 0])
    expect([...gainPerMs(WORLD.timeline, gains, () => false)]).toEqual([0, 0, 0])
  })

  it('takes a gain that rounding made less than nothing for nothing', () => {
    const judge = knowingUpdates(WORLD.timeline, Float64Array.of(0, 0, 0, 6, -5.3e-14, 3))
    expect(judge.priority(1, 500)).toBe(0)
    expect(judge.priority(0, 500)).toBeGreaterThan(0)
  })

  it('refreshes what gained most first', () => {
    const chosen: number[] = []
    const chooser = judgedChooser(knowingUpdates(WORLD.timeline, gains))
    const next = (step: number, budget: number) => {
      const pages = [...chooser.next(step, budget)]
      chosen.push(...pages)
      return pages
    }
    replay(
      WORLD,
      { start: (state) => chooser.start?.(state), next, observe: (page, outcome) => chooser.observe(page, outcome) },
      { budget: 1 },
    )
    // At the second step page 0 has waited for one second at nine times the rate of page 1, which has for two.
    expect(chosen).toEqual([0, 0, 0])
  })
})

describe('oldest-first', () => {
  it('goes by the age alone', () => {
    const judge = oldestFirst()
    expect([judge.priority(0, 0), judge.priority(7, 5), judge.priority(2, 1e12)]).toEqual([0, 5, 1e12])
  })
})

describe('a policy that knows all visits', () => {
  it('counts no visit of a page that is not there', () => {
    const [added, removed, kept] = [1, 2, 3]
    const world = scoredWorld(
      4,
      [1],
      [
        new Map([0, removed, kept].map((page) => [page, { 0: 1 + page }])),
        new Map([[added, { 0: 2 }]]),
        new Map([
          [added, { 0: 9 }],
          [removed, undefined],
        ]),
        new Map([[added, { 0: 5 }]]),
      ],
    )
    const judge = knowingVisits('cho-garcia-molina', world.timeline)
    judge.start?.(new RepositoryQuality(world))
    judge.beginStep?.(1)
    // Two visits after the first, and both found a change.
    const rate = choGarciaMolinaRate({ visits: 2, changes: 2, intervalMs: 1000 })
    expect(judge.priority(added, 700)).toBeCloseTo(poissonUtility(rate, 700), 6)
    expect([judge.priority(removed, 700), judge.priority(kept, 700)]).toEqual([0, 0])
  })
})

describe('the utility of a Poisson page', () => {
  it('is t D(t) less the integral of D, the chance that the copy is stale', () => {
    for (const rate of [1e-9, 1e-4, 0.01, 0.5, 3]) {
      for (const age of [1e-3, 0.5, 0.99, 1.01, 7, 100]) {
        const D = (t: number) => -Math.expm1(-rate * t)
        const pieces = 20_000
        let integral = 0
        for (let at = 0; at < pieces; at++) integral += (D(((at + 0.5) * age) / pieces) * age) / pieces
        const expected = age * D(age) - integral
        expect(Math.abs(poissonUtility(rate, age) - expected)).toBeLessThan(1e-4 * expected + 1e-15)
      }
    }
    expect(poissonUtility(0, 5)).toBe(0)
  })

  it('is multiplied with the stake', () => {
    const state = new RepositoryQuality(WORLD)
    // By the changes that three visits of each page, a second apart, would find.
    const perStep = changesPerStep(WORLD.timeline)
    expect(Array.from(perStep, (rate) => rate > 0)).toEqual([true, true, false])
    const judge = knowingVisits('greedy-poisson', WORLD.timeline)
    judge.start?.(state)
    judge.beginStep?.(1)
    for (let page = 0; page < 3; page++) {
      const expected = state.stakes()[page]! * poissonUtility(perStep[page]! / 1000, 300)
      expect(Math.abs(judge.priority(page, 300) - expected)).toBeLessThanOrEqual(1e-6 * expected)
    }
  })
})

describe('the posterior of rates', () => {
  const DAY_MS = 86_400_000
  const likelihood = (rate: number, visits: readonly (readonly [RefreshOutcome, number])[]) =>
    visits.reduce(
      (product, [{ kind }, ageMs]) =>
        product * (kind === 'same' ? Math.exp(-rate * ageMs) : 1 - Math.exp(-rate * ageMs)),
      1,
    )
  const normalized = (values: readonly number[]) => {
    const sum = values.reduce((a, b) => a + b)
    return values.map((value) => value / sum)
  }

  it('is the prior times the likelihood of the visits; the prior is that of the pages visited', () => {
    const posterior = new RatePosterior(3)
    const visits = [
      [CHANGED, 3 * DAY_MS],
      [SAME, 5 * DAY_MS],
    ] as const
    for (const [outcome, ageMs] of visits) posterior.note(0, outcome, ageMs)
    posterior.note(1, SAME, 40 * DAY_MS)
    posterior.note(2, { ...CHANGED, kind: 'added' }, DAY_MS)
    const first = normalized(LAB_RATES_PER_MS.map((rate) => likelihood(rate, visits)))
    const second = normalized(LAB_RATES_PER_MS.map((rate) => likelihood(rate, [[SAME, 40 * DAY_MS]])))
    const close = (actual: Float64Array, expected: readonly number[]) => {
      for (const [at, chance] of actual.entries()) expect(chance).toBeCloseTo(expected[at]!, 12)
    }
    close(posterior.chances(0), first)
    close(posterior.chances(1), second)
    close(posterior.chances(2), Array(12).fill(1 / 12))
    posterior.learnPrior()
    const prior = first.map((chance, at) => (1 + chance + second[at]!) / 14)
    close(posterior.chances(2), prior)
    close(posterior.chances(0), normalized(first.map((chance, at) => chance * prior[at]!)))
  })

  it('leaves a page seen unchanged something to expect', () => {
    const judge = greedyPosterior(new RatePosterior(3))
    judge.start?.(new RepositoryQuality(WORLD))
    judge.observe?.(0, SAME, 7 * DAY_MS)
    judge.observe?.(1, CHANGED, 7 * DAY_MS)
    judge.beginStep?.(1)
    const perStake = [0, 1].map(
      (page) => judge.priority(page, 30 * DAY_MS) / new RepositoryQuality(WORLD).stakes()[page]!,
    )
    expect(perStake[0]).toBeGreaterThan(0)
    expect(perStake[1]).toBeGreaterThan(perStake[0]!)
  })
})

describe('adaptive intervals', () => {
  it('grow by 0.4 where nothing changed and shrink by 0.2 where something did, within limits', () => {
    const judge = adaptiveInterval(2)
    judge.observe?.(0, SAME, 1)
    judge.observe?.(1, CHANGED, 1)
    expect(judge.priority(0, 14)).toBeCloseTo(10, 12)
    expect(judge.priority(1, 8)).toBeCloseTo(10, 12)
    for (let visit = 0; visit < 100; visit++) {
      judge.observe?.(0, SAME, 1)
      judge.observe?.(1, CHANGED, 1)
    }
    expect(judge.priority(0, 365)).toBeCloseTo(30, 9)
    expect(judge.priority(1, 1)).toBeCloseTo(43_200, 6)
  })
})

describe('the value at stake', () => {
  it('counts by age, and alone where signals tell of changes', () => {
    for (const hasSignals of [false, true]) {
      const state = new RepositoryQuality(WORLD)
      const judge = valueAtStake({ hasSignals })
      judge.start?.(state)
      judge.beginStep?.(1)
      expect(judge.priority(2, 5)).toBe(3 * (hasSignals ? 1 : 5))
      expect(judge.priority(0, 5)).toBeCloseTo(3 ** -1.5 * (hasSignals ? 1 : 5), 12)
    }
  })
})
