import { describe, expect, it } from 'vitest'
import type { CycleGain } from '../../../../src/lab/choosers/measured-index.js'
import { calibrationSections, calibrations } from '../../../../src/lab/experiments/quality/calibration.js'

const cycle = (expected: number, measured: number): CycleGain => ({
  expected,
  low: 0.5 * expected,
  high: 2 * expected,
  measured,
})
const rowOf = (cycleGains?: readonly CycleGain[]) => ({
  ...{ policy: 'ours', mode: 'online' as const, budgetShare: 0.1 },
  ...(cycleGains === undefined ? {} : { cycleGains }),
})
const figuresOf = (cycleGains: readonly CycleGain[]) => calibrations([rowOf(cycleGains)])[0]!

describe('expected and measured gains', () => {
  it('are on a line where every promise is kept by the same part', () => {
    const [one, two, three] = [cycle(1, 0.8), cycle(2, 1.6), cycle(4, 3.2)]
    expect(figuresOf([one, two, three])).toMatchObject({
      ...{
        policy: 'ours',
        mode: 'online',
        budgetShare: 0.1,
        cycles: 3,
        expected: 7,
        measured: expect.closeTo(5.6, 12),
      },
      ...{ ratio: expect.closeTo(0.8, 12), slopeThroughOrigin: expect.closeTo(0.8, 12) },
      ...{ slope: expect.closeTo(0.8, 12), correlation: expect.closeTo(1, 12), withinShare: 1 },
      secondHalf: { cycles: 2, expected: 6, measured: expect.closeTo(4.8, 12) },
    })
  })

  it('have the lines of least squares', () => {
    const cycles = [cycle(1, 3), cycle(2, 0.5), cycle(4, 9), cycle(3, 2)]
    const { ratio, slopeThroughOrigin, slope, correlation, withinShare } = figuresOf(cycles)
    expect(ratio).toBeCloseTo(14.5 / 10, 12)
    expect(slopeThroughOrigin).toBeCloseTo((3 + 1 + 36 + 6) / (1 + 4 + 16 + 9), 12)
    const squares = (a: number, b: number) =>
      cycles.reduce((sum, { expected: x, measured: y }) => sum + (y - a - b * x) ** 2, 0)
    const best = (b: number) => squares(14.5 / 4 - (b * 10) / 4, b)
    for (const step of [-1e-3, 1e-3]) expect(best(slope!)).toBeLessThan(best(slope! + step))
    expect(correlation).toBeGreaterThan(0.5)
    // 3 of 1 and 0.5 of 2 and 9 of 4 are too far away.
    expect(withinShare).toBe(1 / 4)
  })

  it('say nothing of what was never expected', () => {
    expect(figuresOf([])).toMatchObject({
      ...{ cycles: 0, ratio: null, slopeThroughOrigin: null, slope: null, correlation: null, withinShare: null },
    })
    expect(figuresOf([cycle(0, 1), cycle(0, 2)])).toMatchObject({ ratio: null, slope: null, withinShare: 0 })
    expect(calibrations([rowOf()])).toEqual([])
    expect(calibrationSections([rowOf()], 'ours')).toEqual([])
    const [section] = calibrationSections([rowOf([cycle(0, 0)])], 'ours')
    expect(JSON.stringify(section)).not.toMatch(/NaN|Infinity|undefined/)
  })
})
