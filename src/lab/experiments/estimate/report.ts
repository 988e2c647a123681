/** How near measured gains are to exact ones, as tables and a report. */

import { count } from '../../../base/counts.js'
import { drawPlot } from '../../report/plot.js'
import type { Report } from '../../report/report.js'
import { decimals, shareText, type Table } from '../../report/table.js'
import type { ScoringComparison } from './gain-comparison.js'
import type { EstimateRow, EstimateSpec } from './run.js'

export interface EstimateResult {
  readonly spec: EstimateSpec
  /** The name of the data set. */
  readonly data: string
  readonly found: EstimateRow
}

const SIDES = [
  ['single', 'single words'],
  ['full', 'whole queries'],
  ['singleAgainstMultiTerm', 'single words against whole queries'],
] as const

function gainTable({ scorings }: EstimateRow): Table {
  const numbers = ['pages', 'Spearman', 'best 10% in common', 'difference', 'with a gain', 'Spearman']
  return {
    columns: [{ name: 'scoring' }, { name: 'ΔQ by' }, ...numbers.map((name) => ({ name, isNumber: true }))],
    rows: comparisonsOf(scorings).flatMap(([scoring, comparison]) =>
      SIDES.map(([side, name]) => {
        const { pages, pageSpearman, top10pctOverlap, wMAPE, gainsOnly } = comparison[side]
        return [
          ...[scoring, name, String(pages), decimals(pageSpearman, 3), shareText(top10pctOverlap), shareText(wMAPE)],
          ...[String(gainsOnly.pages), decimals(gainsOnly.pageSpearman, 3)],
        ]
      }),
    ),
  }
}

function unaidedTable({ scorings }: EstimateRow): Table {
  const numbers = ['pages', 'Spearman, weekly fits', 'own fits', 'difference, weekly fits', 'own fits']
  return {
    columns: [{ name: 'scoring' }, { name: 'pages of' }, ...numbers.map((name) => ({ name, isNumber: true }))],
    rows: comparisonsOf(scorings).flatMap(([scoring, { unaided }]) => {
      const rows = { 'all weeks': unaided.all, 'words doubled': unaided.doubled, ...unaided.byWeeksSinceEpoch }
      return Object.entries(rows).map(([name, { pages, ...found }]) => [
        ...[scoring, name, String(pages), decimals(found.refittedSpearman, 3), decimals(found.unaidedSpearman, 3)],
        ...[shareText(found.refittedError), shareText(found.unaidedError)],
      ])
    }),
  }
}

export function estimateReport({ spec, data, found }: EstimateResult): Report {
  const { pages, weeks, queries } = found
  const comparisons = comparisonsOf(found.scorings)
  const counts = [count(pages, 'page'), count(weeks, 'week'), count(queries, 'query', 'queries')]
  const plot = drawPlot({
    title: `Rank correlation of measured and exact ΔQ, ${data}`,
    xLabel: SIDES.map(([, name], at) => `${at + 1}: ${name}`).join('   '),
    yLabel: 'Spearman',
    x: { ticks: SIDES.map((_, at) => at + 1), from: 0.5, to: SIDES.length + 0.5 },
    y: { from: 0, to: 1 },
    series: comparisons.map(([scoring, comparison]) => ({
      name: scoring,
      as: 'dots' as const,
      points: SIDES.map(([side], at) => ({ x: at + 1, y: comparison[side].pageSpearman })),
    })),
  })
  return {
    title: `How near measured gains are to exact ones: ${data}`,
    summary: `${data}: ${counts.join(', ')}`,
    settings: [
      ['paper', 'Pandey, Olston: User-centric web crawling (2005), section 5'],
      ['data', data],
      ...[['pages', String(pages)] as const, ['weeks', String(weeks)] as const],
      ...[['queries', String(queries)] as const, ['pieces of a curve', String(spec.pieces)] as const],
    ],
    sections: [
      {
        heading: 'Gains of refreshes',
        printed: 'Gains of pages that changed, measured against exact',
        notes: [
          'Every page that changed in a week: what the index says it gained, from score-rank curves, against the ' +
            'exact gain, from whole answer lists. The difference is the sum of all errors by the sum of all gains.',
        ],
        plots: [plot],
        table: gainTable(found),
      },
      {
        heading: 'Without any call of fit()',
        printed: 'Whole queries, measured by an index that fits when it sees fit',
        notes: [
          'The same gains by the curves of an index that is left to itself, beside those with weekly fits; by weeks ' +
            'since its last epoch began, and of pages that gain mostly by queries with a word that has become twice ' +
            'as frequent since.',
        ],
        table: unaidedTable(found),
      },
    ],
  }
}

function comparisonsOf(scorings: EstimateRow['scorings']): [string, ScoringComparison][] {
  return Object.entries(scorings)
}
