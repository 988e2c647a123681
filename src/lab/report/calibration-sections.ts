/** What refreshes were expected to gain beside what they did, as a table and a plot. */
import { type CalibratedRow, type CalibrationFigures, calibrations } from '../experiments/calibration.js'
import type { Section } from './html-report.js'
import { drawPlot } from './svg-plot.js'
import { decimals, shareText, type Table } from './table.js'

export function calibrationTable(rows: readonly CalibratedRow[]): Table {
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
        'ΔQ_A of the refreshes of each cycle, as the index expected it when it named them, and as it measured it; by index.refresh.review(). 1 is a promise that was kept; nine in ten cycles should be within their interval. Cycles without a gain are not in the plots.',
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
