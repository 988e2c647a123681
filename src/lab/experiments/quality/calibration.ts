/** Whether an index keeps its promises: what the refreshes of each cycle were expected to gain, and what they did. */

import type { CycleGain } from '../../choosers/measured-index.js'
import { drawPlot } from '../../report/plot.js'
import type { Section } from '../../report/report.js'
import { pearson } from '../../report/statistics.js'
import { decimals, shareText, type Table } from '../../report/table.js'
import type { QualityMode } from './policies.js'

export interface Calibration extends CalibrationFigures {
  readonly policy: string
  readonly mode: QualityMode
  readonly budgetShare: number
  /** Without what was expected before there was anything to learn from. */
  readonly secondHalf: CalibrationFigures
}

export interface CalibrationFigures {
  /** Those with a refresh. */
  readonly cycles: number
  /** ΔQ_A over all cycles. */
  readonly expected: number
  readonly measured: number
  /** Measured by expected; null where nothing was expected. */
  readonly ratio: number | null
  /** The slope of the line through 0 that comes nearest to measured gains by expected ones; null as above. */
  readonly slopeThroughOrigin: number | null
  /** The slope of the nearest line; null where all cycles were expected to gain the same. */
  readonly slope: number | null
  /** Pearson's; null where one side has one value only. */
  readonly correlation: number | null
  /**
   * The share of cycles whose measured gain is within the interval that should hold nine in ten; null without cycles.
   */
  readonly withinShare: number | null
}

/** What of a row it takes. */
export interface CalibratedRow {
  readonly policy: string
  readonly mode: QualityMode
  readonly budgetShare: number
  /** Only rows of the product's policies have them. */
  readonly cycleGains?: readonly CycleGain[]
}

/** A calibration of every row whose refreshes an index chose. */
export function calibrations(rows: readonly CalibratedRow[]): Calibration[] {
  return rows.flatMap(({ policy, mode, budgetShare, cycleGains }) =>
    cycleGains === undefined
      ? []
      : [
          {
            ...{ policy, mode, budgetShare },
            ...figuresOf(cycleGains),
            secondHalf: figuresOf(cycleGains.slice(Math.floor(cycleGains.length / 2))),
          },
        ],
  )
}

function figuresOf(cycles: readonly CycleGain[]): CalibrationFigures {
  const expected = Float64Array.from(cycles, (cycle) => cycle.expected)
  const measured = Float64Array.from(cycles, (cycle) => cycle.measured)
  const [meanExpected, meanMeasured] = [sum(expected) / cycles.length, sum(measured) / cycles.length]
  const deviations = expected.map((value) => value - meanExpected)
  const within = cycles.filter(({ low, high, measured: gain }) => gain >= low && gain <= high).length
  return {
    cycles: cycles.length,
    expected: sum(expected),
    measured: sum(measured),
    ratio: ratio(sum(measured), sum(expected)),
    slopeThroughOrigin: ratio(products(expected, measured), products(expected, expected)),
    slope: ratio(
      products(
        deviations,
        measured.map((value) => value - meanMeasured),
      ),
      products(deviations, deviations),
    ),
    correlation: finite(pearson(expected, measured)),
    withinShare: ratio(within, cycles.length),
  }
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}

function products(a: Float64Array, b: Float64Array): number {
  return a.reduce((total, value, at) => total + value * b[at]!, 0)
}

function ratio(part: number, whole: number): number | null {
  return finite(part / whole)
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

/** What refreshes were expected to gain beside what they did, as a table and a plot. */
function calibrationTable(rows: readonly CalibratedRow[]): Table {
  const figures = ['cycles', 'measured by expected', 'slope through 0', 'slope', 'correlation', 'within 90%']
  const numbers = [...figures, ...figures.slice(1).map((name) => `${name}, second half`)]
  return {
    columns: [
      { name: 'policy' },
      { name: 'mode' },
      { name: 'budget', isNumber: true },
      ...numbers.map((name) => ({ name, isNumber: true })),
    ],
    rows: calibrations(rows).map((one) => [
      one.policy,
      one.mode,
      shareText(one.budgetShare),
      String(one.cycles),
      ...figureTexts(one),
      ...figureTexts(one.secondHalf),
    ]),
  }
}

function figureTexts(figures: CalibrationFigures): string[] {
  const { ratio, slopeThroughOrigin, slope, correlation, withinShare } = figures
  return [...[ratio, slopeThroughOrigin, slope, correlation].map((value) => decimals(value, 2)), shareText(withinShare)]
}

/** None where no index has chosen. The plots show the default policy. */
export function calibrationSections(rows: readonly CalibratedRow[], defaultPolicy: string): Section[] {
  const own = rows.filter(({ policy, cycleGains }) => policy === defaultPolicy && cycleGains !== undefined)
  const modes = [...new Set(own.map(({ mode }) => mode))]
  if (calibrations(rows).length === 0) return []
  return [
    {
      heading: 'Expected and measured gains',
      notes: [
        'ΔQ_A of the refreshes of each cycle, as the index expected it when it named them, and as it measured it; by ' +
          'index.refresh.review(). 1 is a promise that was kept; nine in ten cycles should be within their interval. ' +
          'Cycles without a gain are not in the plots.',
      ],
      plots: modes.map((mode) =>
        drawPlot({
          title: `Gains of cycles, ${defaultPolicy}, ${mode}`,
          xLabel: 'expected ΔQ',
          yLabel: 'measured ΔQ',
          x: { scale: 'log' },
          y: { scale: 'log' },
          series: [
            ...own
              .filter((row) => row.mode === mode)
              .map(({ budgetShare, cycleGains }) => ({
                name: shareText(budgetShare),
                points: cycleGains!.map(({ expected, measured }) => ({ x: expected, y: measured })),
                as: 'dots' as const,
              })),
            { name: 'as expected', points: diagonalOf(own.filter((row) => row.mode === mode)) },
          ],
        }),
      ),
      table: calibrationTable(rows),
    },
  ]
}

/** From the least to the largest expectation above 0. */
function diagonalOf(rows: readonly CalibratedRow[]) {
  const expected = rows
    .flatMap(({ cycleGains }) => cycleGains!.map((cycle) => cycle.expected))
    .filter((gain) => gain > 0)
  return expected.length === 0
    ? []
    : [Math.min(...expected), Math.max(...expected)].map((gain) => ({ x: gain, y: gain }))
}
