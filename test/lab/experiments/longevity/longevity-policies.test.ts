/** When each policy refreshes pages whose story is known. */
import { describe, expect, it } from 'vitest'
import { offlinePolicy, uniformPolicy } from '../../../../src/lab/experiments/longevity/offline-policies.js'
import {
  boundBasedPolicy,
  curveFittingPolicy,
  warmedCurveFitting,
  warmedRatePolicy,
} from '../../../../src/lab/experiments/longevity/online-policies.js'
import {
  LONGEVITY_POLICIES,
  makePolicy,
  onlineName,
  SPACES,
  windowsOf,
} from '../../../../src/lab/experiments/longevity/policies.js'
import type { PagePolicy } from '../../../../src/lab/experiments/longevity/replay.js'
import { changingAt, historiesOf, refreshSteps, still } from './told-pages.js'

const STEPS = 40
const every = Array.from({ length: STEPS }, (_, step) => step)
const evenly = (first: number, by: number) =>
  every.filter((step) => step >= first && (step - first) % by === 0 && step < STEPS - 1)
const whole = { profiles: 5, summaries: 'whole' } as const

describe('policies that know pages beforehand', () => {
  it('leave static pages alone', () => {
    const histories = historiesOf([still(STEPS)])
    for (const name of ['uniform', 'fs-s', 'fs-d', 'hs-s', 'hs-d', 'naive-s', 'naive-d'] as const)
      expect([name, refreshSteps(histories, offlinePolicy(name, histories, 0.001))]).toEqual([name, []])
  })

  it('refresh nothing that never lasts, but the naive and the uniform ones do', () => {
    const histories = historiesOf([changingAt(STEPS, every)])
    // After one step as far away as ever: t D - t D = 0.
    for (const name of ['fs-s', 'fs-d', 'hs-d'] as const)
      expect([name, refreshSteps(histories, offlinePolicy(name, histories, 0.001))]).toEqual([name, []])
    // U(t) = 1 - (1 + t) e^-t is above 0.5 from 1.68 on, and never 1.
    expect(refreshSteps(histories, offlinePolicy('hs-s', histories, 0.5))).toEqual(evenly(2, 2))
    expect(refreshSteps(histories, offlinePolicy('hs-s', histories, 1))).toEqual([])
    expect(refreshSteps(histories, offlinePolicy('naive-s', histories, 0.5))).toEqual(evenly(1, 1))
    expect(refreshSteps(histories, offlinePolicy('naive-d', histories, 0.7))).toEqual([])
    expect(refreshSteps(histories, offlinePolicy('uniform', histories, 1))).toEqual(evenly(1, 1))
  })

  it('refresh by what did happen when the area over the curve is large enough', () => {
    // One change of 2/3, as likely in the first half of a pair of steps as in the second: E = 1/2.
    const histories = historiesOf([changingAt(STEPS, [10])])
    const gain = (10 - 0.5) * (2 / 3)
    expect(refreshSteps(histories, offlinePolicy('fs-d', histories, gain - 0.01))).toEqual([10])
    expect(refreshSteps(histories, offlinePolicy('fs-d', histories, gain + 0.01))).toEqual([])
    expect(refreshSteps(histories, offlinePolicy('hs-d', histories, 9.49))).toEqual([10])
    expect(refreshSteps(histories, offlinePolicy('hs-d', histories, 9.51))).toEqual([])
    expect(refreshSteps(histories, offlinePolicy('naive-d', histories, 0.66))).toEqual([10])
  })

  it('refresh after equal periods where only the mean is known', () => {
    const changes = evenly(4, 8)
    const histories = historiesOf([changingAt(STEPS, changes)])
    const steps = refreshSteps(histories, offlinePolicy('fs-s', histories, 0.3))
    expect(new Set(steps.map((step, at) => step - (steps[at - 1] ?? 0))).size).toBe(1)
    // λ = 5/39: U(t) >= 1 from t = 4.82 on.
    expect(refreshSteps(histories, offlinePolicy('hs-s', histories, 1))).toEqual(evenly(5, 5))
  })

  it('spread uniform refreshes over pages and time', () => {
    const histories = historiesOf([still(STEPS), still(STEPS), still(STEPS), still(STEPS)])
    const quarter = uniformPolicy(histories, 0.25, () => true)
    expect([0, 1, 2, 3].map((page) => refreshSteps(histories, quarter, page)[0])).toEqual([4, 2, 3, 1])
    expect([0, 1, 2, 3].map((page) => refreshSteps(histories, quarter, page).length)).toEqual([9, 10, 9, 10])
    expect(
      refreshSteps(
        histories,
        uniformPolicy(histories, 0.25, (page) => page !== 2),
        2,
      ),
    ).toEqual([])
  })
})

describe('policies that learn', () => {
  it('look at a static page ever more rarely, within the bound on risk', () => {
    const histories = historiesOf([still(STEPS)])
    // 2 (t - t_R): 1, 3, 9, 27.
    expect(refreshSteps(histories, boundBasedPolicy(histories, { ...whole, thresholdMs: 3 }))).toEqual([1, 3, 9, 27])
    const risky = { ...whole, thresholdMs: 0.4, limits: { risk: 10 } }
    expect(refreshSteps(histories, boundBasedPolicy(histories, risky))).toEqual([1, 3, ...evenly(7, 4)])
    // The n-th pause is n times 3 T, or as strict as the paper's risk of 10 T at all times.
    expect(refreshSteps(histories, curveFittingPolicy(histories, { ...whole, thresholdMs: 1 / 3 }))).toEqual([
      1, 3, 6, 10, 15, 21, 28, 36,
    ])
    expect(refreshSteps(histories, curveFittingPolicy(histories, risky))).toEqual([1, 4, ...evenly(8, 4)])
  })

  it('begin at phases that are spread over what learning allows', () => {
    const histories = historiesOf(Array.from({ length: 8 }, () => still(STEPS)))
    for (const policy of [curveFittingPolicy, boundBasedPolicy]) {
      const first = (page: number) =>
        refreshSteps(histories, policy(histories, { ...whole, thresholdMs: 8 / 3 }), page)[0]!
      expect(Array.from({ length: 8 }, (_, page) => first(page)).toSorted((a, b) => a - b)).toEqual([
        1, 1, 2, 3, 4, 5, 6, 7,
      ])
    }
  })

  it('do not forget what a page once did', () => {
    const changes = [4, 8, 12]
    for (const profiles of [1, 5]) {
      const histories = historiesOf([changingAt(80, changes)])
      const settings = { profiles, summaries: 'whole', thresholdMs: 0.05 } as const
      const steps = refreshSteps(histories, curveFittingPolicy(histories, settings))
      expect(steps.filter((step) => step > 60).length).toBeGreaterThan(5)
    }
  })

  it('tell an item list from a block that is as large and changes as often, which rates cannot', () => {
    const list = Array.from({ length: STEPS }, (_, step) => [
      ...Array.from({ length: 10 }, (__, at) => at),
      ...Array.from({ length: 10 }, (__, at) => 1000 + step + at),
    ])
    const histories = historiesOf([list, changingAt(STEPS, every)])
    const { from } = windowsOf(histories).steady
    const later = (policy: PagePolicy) => [0, 1].map((page) => refreshSteps(histories, policy, page).slice(5))
    const [scroll, churn] = later(warmedCurveFitting(histories, { ...whole, thresholdMs: 0.5 }, from))
    expect(churn).toEqual([])
    expect(scroll!.length).toBeGreaterThan(4)
    const [asList, asBlock] = later(warmedRatePolicy(histories, 0.5, 'regular', from))
    expect(asList).toEqual(asBlock)
  })

  it('have the same warm-up, fitted and by rates', () => {
    const histories = historiesOf([still(STEPS), changingAt(STEPS, every)])
    const { from } = windowsOf(histories).steady
    const fitted = warmedCurveFitting(histories, { ...whole, thresholdMs: 1 }, from)
    expect(refreshSteps(histories, fitted)).toEqual([1, 3, 6, 10, 15])
    for (const estimate of ['regular', 'irregular'] as const)
      expect(refreshSteps(histories, warmedRatePolicy(histories, 1, estimate, from))).toEqual([1, 3, 6, 10, 15])
    // All of five visits within 15 steps saw a change: -ln(0.5 / 5.5) / 3 per step, so U has 0.5 at 1.8 steps; by
    // maximum likelihood it is infinite.
    expect(refreshSteps(histories, warmedRatePolicy(histories, 0.5, 'regular', from), 1).slice(5, 7)).toEqual([20, 22])
    expect(refreshSteps(histories, warmedRatePolicy(histories, 0.5, 'irregular', from), 1)).toEqual([1, 3, 6, 10, 15])
  })

  it('are found by their names', () => {
    const histories = historiesOf([still(STEPS)])
    expect(LONGEVITY_POLICIES.has(onlineName('curve-fitting', SPACES.at(-1)!))).toBe(true)
    expect(onlineName('bound-based', SPACES[0]!)).toBe('bound-based m=∞ h=5')
    for (const [name, { thresholds }] of LONGEVITY_POLICIES)
      expect(refreshSteps(histories, makePolicy(name, histories, thresholds[0]!)).length).toBeLessThan(STEPS)
    expect(() => makePolicy('best', histories, 1)).toThrow('received "best"')
  })
})
