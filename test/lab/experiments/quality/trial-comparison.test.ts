import { describe, expect, it } from 'vitest'
import { type LossRow, packLosses } from '../../../../src/lab/experiments/quality/intervals.js'
import { compareTrials, type Trial, trialChecks } from '../../../../src/lab/experiments/quality/trials.js'

const rowOf = (policy: string, budgetShare: number, losses: readonly number[]): LossRow => ({
  ...{ policy, mode: 'online', budgetShare },
  lossShare: losses.reduce((sum, loss) => sum + loss, 0),
  queryLosses: packLosses(Float64Array.from(losses)),
})

/** Losses at two budgets: of a policy, and of uniform. */
const trial = (seed: number, ours: readonly [number, number], uniform: readonly [number, number]): Trial => ({
  seed,
  rows: [0.01, 0.1].flatMap((share, at) => [
    rowOf('ours', share, [ours[at]!]),
    rowOf('uniform', share, [uniform[at]!]),
  ]),
})

describe('a policy beside uniform', () => {
  it("has the geometric mean of its ratios over the seeds, and Student's interval around it", () => {
    const found = compareTrials([trial(1, [0.4, 0.1], [0.8, 0.2]), trial(2, [0.6, 0.1], [0.6, 0.1])])
    expect(found.map(({ policy, mode, budgetShare }) => [policy, mode, budgetShare])).toEqual([
      ['ours', 'online', 0.01],
      ['ours', 'online', 0.1],
      ['ours', 'online', null],
    ])
    // Logarithms ln 0.5 and 0, one degree of freedom: t is 12.706, and the error of the mean half of their difference.
    const [mean, reach] = [Math.log(0.5) / 2, 12.706 * Math.abs(Math.log(0.5) / 2)]
    for (const { ratio, interval } of found) {
      expect(ratio).toBeCloseTo(Math.SQRT1_2, 12)
      expect(interval![0]).toBeCloseTo(Math.exp(mean - reach), 12)
      expect(interval![1]).toBeCloseTo(Math.exp(mean + reach), 9)
    }
  })

  it('is worse beyond noise where all of the interval is above 1', () => {
    const worse = [1.4, 1.5, 1.6].map((ratio, seed) => trial(seed, [0.4 * ratio, 0.1], [0.4, 0.1]))
    const checks = trialChecks('one-daily', compareTrials(worse))
    expect(checks.map(({ name, holds }) => [name, holds])).toEqual([
      ['one-daily, budget 1%: ours (online) is never worse than uniform beyond noise', false],
      ['one-daily, budget 10%: ours (online) is never worse than uniform beyond noise', true],
      ['one-daily, all budgets: ours (online) is never worse than uniform beyond noise', false],
    ])
    expect(checks[0]!.value).toBeGreaterThan(1)
    expect(checks[1]).toMatchObject({ value: 1, limit: 1 })
    const noisy = [0.5, 1.5, 2.5].map((ratio, seed) => trial(seed, [0.4 * ratio, 0.1], [0.4, 0.1]))
    expect(trialChecks('one-daily', compareTrials(noisy)).map(({ holds }) => holds)).toEqual([true, true, true])
  })

  it('goes by the queries where there is one seed', () => {
    const uniform = [0.1, 0.1, 0.1, 0.1]
    const rows = [rowOf('ours', 0.1, [0.2, 0.05, 0.05, 0.05]), rowOf('uniform', 0.1, uniform)]
    const [found] = compareTrials([{ seed: 3, rows }])
    expect(found!.ratio).toBeCloseTo(0.35 / 0.4, 6)
    expect(found!.interval![0]).toBeCloseTo(0.5, 6)
    // At most each query is the first one: 2.
    expect(found!.interval![1]).toBeGreaterThan(1)
    expect(found!.interval![1]).toBeLessThanOrEqual(2 + 1e-6)
  })

  it('is not compared where uniform loses nothing, and has a ratio where it loses nothing itself', () => {
    const [none] = compareTrials([trial(1, [0.1, 0.1], [0, 0]), trial(2, [0.1, 0.1], [0, 0])])
    expect(none).toMatchObject({ ratio: null, interval: null })
    expect(trialChecks('w', [none!])).toMatchObject([{ holds: null, value: null }])
    const [best] = compareTrials([trial(1, [0, 0.1], [0.1, 0.1]), trial(2, [0, 0.1], [0.2, 0.1])])
    expect(best!.ratio).toBeCloseTo(1e-3, 12)
    expect(compareTrials([])).toEqual([])
  })
})
