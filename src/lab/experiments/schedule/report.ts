/** The schedule experiment as tables and plots. */

import { count } from '../../../base/counts.js'
import { drawPlot } from '../../report/plot.js'
import type { Report, Section } from '../../report/report.js'
import { decimals, shareText, type Table } from '../../report/table.js'
import { SCHEDULE_FIGURES, type ScheduleFigure, type ScheduleRows, type ScheduleSpec } from './figures.js'
import type { Ordering } from './orderings.js'

export interface ScheduleResult {
  readonly spec: ScheduleSpec
  readonly rows: ScheduleRows
  readonly orderings: readonly Ordering[]
}

const X_LABELS: Readonly<Record<ScheduleFigure['xName'], string>> = {
  crawlsPerPage: 'crawls a page',
  theta: 'theta: 0 is the most skewed, 1 not at all',
  paretoShape: 'shape: below 2 the tail is heavy',
}

/** One table for each figure: a line for each value that is varied, a column for each scheme. */
function figureTable({ name, xName }: ScheduleFigure, { points }: ScheduleRows): Table {
  const own = points.filter(({ figure }) => figure === name)
  const schemes = [...new Set(own.map(({ scheme }) => scheme))]
  const xs = [...new Set(own.map(({ x }) => x))]
  const cell = (x: number, scheme: string) => own.find((point) => point.x === x && point.scheme === scheme)?.staleness
  return {
    columns: [xName, ...schemes].map((column) => ({ name: column, isNumber: true })),
    rows: xs.map((x) => [String(x), ...schemes.map((scheme) => decimals(cell(x, scheme), 5))]),
  }
}

function timetableTable({ timetables }: ScheduleRows): Table {
  const windows = timetables[0]?.within.map(({ slots }) => slots) ?? []
  const names = ['early', 'mean slots', 'most slots', ...windows.map((slots) => `≤ ${slots}`)]
  return {
    columns: [{ name: 'ideal times' }, ...names.map((name) => ({ name, isNumber: true }))],
    rows: timetables.map(({ phasing, early, meanSlots, maxSlots, within }) => [
      phasing,
      ...[String(early), decimals(meanSlots, 2), decimals(maxSlots, 1)],
      ...within.map(({ share }) => shareText(share)),
    ]),
  }
}

function orderingTable(orderings: readonly Ordering[]): Table {
  return {
    columns: [
      { name: 'claim' },
      { name: 'cases', isNumber: true },
      { name: 'exceptions', isNumber: true },
      { name: 'where' },
    ],
    rows: orderings.map(({ claim, cases, exceptions }) => [
      claim,
      String(cases),
      String(exceptions.length),
      exceptions.join('; '),
    ]),
  }
}

export function scheduleReport({ spec, rows, orderings }: ScheduleResult): Report {
  const { pages, seed, crawlers } = spec
  return {
    title: 'Optimal crawling: what the optimal schedule is worth',
    summary: `${count(pages, 'generated page')}, ${count(crawlers, 'crawler')}`,
    settings: [
      [
        'paper',
        'Wolf, Squillante, Yu, Sethuraman, Ozsen: Optimal crawling strategies for web search engines (2002), section 5',
      ],
      ...[['pages', String(pages)] as const, ['crawlers', String(crawlers)] as const, ['seed', String(seed)] as const],
    ],
    sections: [
      orderingSection(orderings),
      ...SCHEDULE_FIGURES.map((figure) => figureSection(figure, rows)),
      timetableSection(rows),
    ],
  }
}

function orderingSection(orderings: readonly Ordering[]): Section {
  const heading = 'What the paper says of its figures'
  return { heading, printed: heading, table: orderingTable(orderings) }
}

function figureSection(figure: ScheduleFigure, rows: ScheduleRows): Section {
  const { name, title, metric, xName, xs } = figure
  const own = rows.points.filter((point) => point.figure === name)
  const schemes = [...new Set(own.map(({ scheme }) => scheme))]
  const plot = drawPlot({
    title,
    xLabel: X_LABELS[xName],
    yLabel: metric === 'embarrassment' ? 'staleness, by embarrassment' : 'staleness',
    x: { ticks: xs },
    y: { from: 0 },
    series: schemes.map((scheme) => ({
      name: scheme,
      points: own.filter((point) => point.scheme === scheme).map(({ x, staleness }) => ({ x, y: staleness })),
    })),
  })
  return { heading: title, printed: title, plots: [plot], table: figureTable(figure, rows) }
}

function timetableSection(rows: ScheduleRows): Section {
  const title = 'Distance of crawls from their ideal times (Figure 10)'
  const plot = drawPlot({
    title,
    xLabel: 'slots',
    yLabel: 'share of crawls no further away',
    x: { scale: 'log' },
    y: { from: 0, to: 1 },
    series: rows.timetables.map(({ phasing, within }) => ({
      name: phasing,
      points: within.map(({ slots, share }) => ({ x: slots, y: share })),
    })),
  })
  const notes = [
    'How near crawls are to their ideal times follows from how these are spread: phased ones fall into every stretch ' +
      'of time about as often as there are slots; unphased ones are the multiples of T / (x + 1) of the formulas, ' +
      'the same moments for many pages.',
    'Times of possible updates are as they are: where more of them fall together than there are slots, crawls come ' +
      'late.',
  ]
  const printed = 'Distance of crawls from their ideal times, in slots (Figure 10)'
  return { heading: title, printed, notes, plots: [plot], table: timetableTable(rows) }
}
