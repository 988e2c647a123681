/** Whether an index keeps its promises: what the refreshes of each cycle were expected to gain, and what they did. */
import type { CycleGain } from '../choosers/measured-index.js'
import type { QualityMode } from './quality-policies.js'
import { pearson } from './rank-correlation.js'

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
  /** Of the line through 0 that comes nearest to the measured gains of cycles by the expected ones; null as above. */
  readonly slopeThroughOrigin: number | null
  /** Of the nearest line; null where all cycles were expected to gain the same. */
  readonly slope: number | null
  /** Pearson's; null where one side has one value only. */
  readonly correlation: number | null
  /** The share of cycles whose measured gain is within the interval that should hold nine in ten; null without cycles. */
  readonly withinShare: number | null
}

/** What of a row it takes. */
export interface CalibratedRow {
  readonly policy: string
  readonly mode: QualityMode
  readonly budgetShare: number
  /** Of policies of the product. */
  readonly cycleGains?: readonly CycleGain[]
}

/** Of every row that an index has chosen for. */
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
