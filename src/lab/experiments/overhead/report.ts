/** What measuring costs, as tables and a report. */

import { count } from '../../../base/counts.js'
import { drawPlot } from '../../report/plot.js'
import type { Report } from '../../report/report.js'
import { shareText, type Table } from '../../report/table.js'
import { OVERHEAD_KINDS } from './costs.js'
import type { OverheadRow, OverheadSpec } from './run.js'

export interface OverheadResult {
  readonly spec: OverheadSpec
  /** The name of the data set. */
  readonly data: string
  readonly found: OverheadRow
}

/** Shares of the time of the same writes without measuring, medians. */
function overheadTable({ refresh, bulk, single }: OverheadRow): Table {
  const numbers = ['median', 'quarter below', 'quarter above', 'in the core', 'batches']
  const rows = [
    ['page revisions', 'whole queries', refresh],
    ['page revisions', 'single words', single.refresh],
    ['new pages', 'whole queries', bulk],
    ['new pages', 'single words', single.bulk],
  ] as const
  return {
    columns: [{ name: 'written' }, { name: 'measured by' }, ...numbers.map((name) => ({ name, isNumber: true }))],
    rows: rows.map(([written, by, { medianRatio, spread, coreMedianRatio, samples }]) => [
      ...[written, by, shareText(medianRatio), shareText(spread.p25), shareText(spread.p75)],
      ...[shareText(coreMedianRatio), String(samples)],
    ]),
  }
}

/** What sketching takes of the same writes without it, medians, and in microseconds per page. */
function sketchingTable({ sketching: { refresh, bulk } }: OverheadRow): Table {
  const numbers = ['median', 'quarter below', 'quarter above', 'µs without', 'µs with', 'CPU µs']
  const rows = [
    ['page revisions', refresh],
    ['new pages', bulk],
  ] as const
  return {
    columns: [{ name: 'written' }, ...numbers.map((name) => ({ name, isNumber: true }))],
    rows: rows.map(([written, { medianRatio, spread, withoutUs, withUs, coreUs }]) => [
      ...[written, shareText(medianRatio), shareText(spread.p25), shareText(spread.p75)],
      ...[withoutUs, withUs, coreUs].map((us) => us.toFixed(1)),
    ]),
  }
}

function sizeTable({ bySize }: OverheadRow): Table {
  const names = ['revisions', 'revisions, single words', 'new pages', 'new pages, single words']
  return {
    columns: [{ name: 'batch' }, ...names.map((name) => ({ name, isNumber: true }))],
    rows: Object.entries(bySize).map(([size, { refresh, refreshSingle, bulk, bulkSingle }]) => [
      size,
      ...[refresh, refreshSingle, bulk, bulkSingle].map(shareText),
    ]),
  }
}

export function overheadReport({ spec, data, found }: OverheadResult): Report {
  const { queries, runs, sizesMB } = spec
  const { full } = found.curveRefitShare
  return {
    title: `What measuring costs: ${data}`,
    summary: `${data}: ${count(queries, 'query', 'queries')} at most, ${count(runs, 'run')}`,
    settings: [
      ['paper', 'Pandey, Olston: User-centric web crawling (2005), Figure 2'],
      ...[['data', data] as const, ['queries', `the first ${queries} of the workload`] as const],
      ['runs', String(runs)],
    ],
    sections: [
      {
        heading: 'Time that measuring adds to writes',
        printed: 'Time that measuring adds to writes',
        notes: [
          '(with − without) / without, of the awaited writes on the wall; times are those of this machine at that ' +
            'moment.',
        ],
        plots: [overheadPlot(data, sizesMB, found)],
        table: overheadTable(found),
      },
      {
        heading: 'By size of batches',
        printed: 'By size of batches, medians',
        table: sizeTable(found),
      },
      {
        heading: 'Time that sketching adds to writes',
        printed: 'Time that sketching adds to writes, per page',
        notes: [
          'For change profiles: the same writes, nothing measured, with the option changeProfiles and without it.',
        ],
        table: sketchingTable(found),
      },
      {
        heading: 'Over the whole history',
        notes: [
          `Measuring and fitting together took ${shareText(full.withFits)} of the time of indexing, fitting alone ` +
            `${shareText(full.fitsAlone)}, by the account of the index.`,
        ],
      },
    ],
  }
}

const PAPER = { from: 0.07, to: 0.08, label: 'User-centric crawling, in Lucene' }

/** Figure 2 of User-centric crawling, as shares. */
export function overheadPlot(data: string, sizesMB: readonly number[], { bySize }: OverheadRow): string {
  return drawPlot({
    title: `Time that measuring adds to a batch, ${data}`,
    xLabel: 'batch, MB of text',
    yLabel: '(with - without) / without',
    x: { scale: 'log', ticks: sizesMB },
    y: { from: 0, label: shareText },
    series: OVERHEAD_KINDS.map((kind) => ({
      name: kind === 'refresh' ? 'page revisions' : 'new pages',
      points: sizesMB.map((sizeMB) => ({ x: sizeMB, y: bySize[`${sizeMB} MB`]![kind] })),
    })),
    band: PAPER,
  })
}
