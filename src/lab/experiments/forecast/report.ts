/** Whether gains of the past say what gains will be, as a table and plots. */

import { drawPlot, type Point } from '../../report/plot.js'
import type { Report, Section } from '../../report/report.js'
import { decimals, NOTHING, type Table, worldSettings, worldSummary } from '../../report/table.js'
import type { Forecast, ForecastSpec } from './run.js'

export interface ForecastResult {
  readonly spec: ForecastSpec
  /** The name of the data set. */
  readonly data: string
  readonly pages: number
  readonly steps: number
  /** Queries of the workload that have a word; those of the same words are one. */
  readonly queries: number
  readonly forecasts: readonly Forecast[]
}

type Interval = Forecast['pages']['interval']

function forecastTable(forecasts: readonly Forecast[]): Table {
  const numbers = ['pages', 'Spearman', '95% interval', 'with a gain', 'Spearman', '95% interval']
  return {
    columns: [{ name: 'ΔQ by' }, ...numbers.map((name) => ({ name, isNumber: true }))],
    rows: forecasts.map(({ estimator, pages, gainingPages }) => [
      estimator,
      ...[pages, gainingPages].flatMap(({ count, spearman, interval }) => [
        String(count),
        decimals(spearman, 3),
        intervalText(interval),
      ]),
    ]),
  }
}

export function forecastReport(result: ForecastResult): Report {
  const { data, steps, forecasts } = result
  const last = forecasts[0]?.lastOfFirst ?? 0
  return {
    title: `Do past gains foretell later ones? ${data}`,
    summary: worldSummary(result),
    settings: [['paper', 'Pandey, Olston: User-centric web crawling (2005), Figure 3'], ...worldSettings(result)],
    sections: [
      {
        heading: 'Rank correlation of the two halves',
        printed: `ΔQ of steps 1 to ${last} against ${last + 1} to ${steps - 1}, by rank`,
        notes: [
          'ΔQ_A per day of each page in the first half of the steps against the second, every change being refreshed ' +
            'at once. Intervals by bootstrap over pages.',
        ],
        table: forecastTable(forecasts),
      },
      ...forecasts.map((forecast) => forecastSection(forecast, steps)),
    ],
  }
}

/** The points of the figure are left out: they are many, and in the report. */
export function forecastJson({ spec, data, pages, steps, queries, forecasts }: ForecastResult): object {
  const { scoring, seed, samples } = spec
  const rows = forecasts.map(({ points: _, ...row }) => row)
  return { data, scoring, pages, steps, queries, seed, samples, forecasts: rows }
}

function forecastSection({ estimator, lastOfFirst, points }: Forecast, steps: number): Section {
  const inBoth = points.filter(({ first, second }) => first > 0 && second > 0)
  const quantiles = byDistance(points, (point) => distance(point))
  const firstOnly = points.filter(({ second }) => second <= 0)
  const secondOnly = points.filter(({ first }) => first <= 0)
  const gains = points.flatMap(({ first, second }) => [first, second]).filter((gain) => gain > 0)
  // A logarithmic axis has no place for a gain of 0: such pages lie below all others.
  const nothing = gains.reduce((least, gain) => Math.min(least, gain), Number.POSITIVE_INFINITY) / 3
  const dots = (name: string, from: Forecast['points']) => ({
    name,
    as: 'dots' as const,
    points: from.map(({ first, second }): Point => ({ x: Math.max(first, nothing), y: Math.max(second, nothing) })),
  })
  const plot = drawPlot({
    title: `ΔQ in steps 1 to ${lastOfFirst} against ${lastOfFirst + 1} to ${steps - 1}, by ${estimator}`,
    xLabel: `ΔQ per day, steps 1 to ${lastOfFirst}`,
    yLabel: `ΔQ per day, steps ${lastOfFirst + 1} to ${steps - 1}`,
    x: { scale: 'log' },
    y: { scale: 'log' },
    series: [
      ...quantiles.map(({ name, points: nearest }) => dots(name, nearest)),
      { name: 'equal in both', points: diagonal(gains) },
    ],
  })
  return {
    heading: `ΔQ of the first half against the second, by ${estimator} (Figure 3)`,
    notes: [
      `Each dot is a page: ${inBoth.length} with a gain in both halves, ${firstOnly.length} in the first only, ` +
        `${secondOnly.length} in the second only. Pages without a gain in a half lie at its edge. ` +
        'Colours are quantiles of the distance from the diagonal, as in the paper: a page without a gain in a half ' +
        'is as far away as any.',
    ],
    plots: [plot],
  }
}

/** How far a page is from the diagonal, in logarithms; infinite where it gained nothing in a half. */
function distance({ first, second }: Forecast['points'][number]): number {
  return first > 0 && second > 0 ? Math.abs(Math.log(first / second)) : Number.POSITIVE_INFINITY
}

/** The quantiles of the paper's figure. */
const QUANTILES = [
  { name: 'nearest 50%', to: 0.5 },
  { name: 'to 80%', to: 0.8 },
  { name: 'to 90%', to: 0.9 },
  { name: 'the others', to: 1 },
]

/** Points in groups by their distance, the nearest first. */
export function byDistance<T>(
  points: readonly T[],
  distanceOf: (point: T) => number,
): readonly { readonly name: string; readonly points: readonly T[] }[] {
  const distances = points.map((point, at) => ({ point, at, distance: distanceOf(point) }))
  const sorted = distances.sort((a, b) => (a.distance === b.distance ? a.at - b.at : a.distance < b.distance ? -1 : 1))
  let begin = 0
  return QUANTILES.map(({ name, to }) => {
    const end = Math.round(to * sorted.length)
    const group = sorted.slice(begin, end).map(({ point }) => point)
    begin = end
    return { name, points: group }
  })
}

function diagonal(values: readonly number[]): Point[] {
  if (values.length === 0) return []
  const low = values.reduce((least, value) => Math.min(least, value))
  const high = values.reduce((most, value) => Math.max(most, value))
  return [low, high].map((value) => ({ x: value, y: value }))
}

function intervalText(interval: Interval): string {
  return interval === null ? NOTHING : `${decimals(interval.low, 3)} … ${decimals(interval.high, 3)}`
}
