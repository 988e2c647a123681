/**
 * Figures 7 to 10 of "Optimal crawling strategies", section 5, on its settings: pages that change 1.5 times in a
 * period, rates by a Zipf-like law, 60% Poisson, 30% Pareto and 10% quasi-deterministic updates. A task is a point of a
 * figure.
 */

import type { Phasing } from '../../../schedule/ideal-times.js'
import { compareSchemes, type Deviation, deviationOnCrawlers, type Metric, type Scheme } from './crawl-schemes.js'
import { generateMixture, type MixtureOptions } from './update-mixture.js'

export interface ScheduleSpec {
  readonly pages: number
  readonly seed: number
  /** The number of crawlers that share the timetable of Figure 10. */
  readonly crawlers: number
}

/** A figure or a part of one, by what it varies. */
export interface ScheduleFigure {
  readonly name: string
  readonly title: string
  readonly metric: Metric
  readonly xName: 'crawlsPerPage' | 'theta' | 'paretoShape'
  readonly xs: readonly number[]
  /** The settings in which the pages of the figure differ from those of the other figures. */
  readonly mixture: Partial<MixtureOptions>
}

const CRAWLS_PER_PAGE = [1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]
/** The crawls of figures that vary something else. */
const FIXED_CRAWLS_PER_PAGE = 2.5
const POISSON = { paretoShare: 0, quasiDeterministicShare: 0 }
const PARETO = { paretoShare: 1, quasiDeterministicShare: 0 }
const QUASI_DETERMINISTIC = { paretoShare: 0, quasiDeterministicShare: 1 }

export const SCHEDULE_FIGURES: readonly ScheduleFigure[] = [
  byCrawls('7-crawls', 'Embarrassment by crawls, mixed updates (Figure 7, left)', 'embarrassment', {}),
  {
    name: '7-skew',
    title: 'Embarrassment by skew, mixed updates, 2.5 crawls a page (Figure 7, right)',
    metric: 'embarrassment',
    xName: 'theta',
    xs: [0, 0.2, 0.4, 0.6, 0.8, 1],
    mixture: {},
  },
  byCrawls('8-mixed', 'Staleness by crawls, mixed updates (Figure 8)', 'staleness', {}),
  byCrawls('8-poisson', 'Staleness by crawls, Poisson updates (Figure 8)', 'staleness', POISSON),
  byCrawls('8-pareto', 'Staleness by crawls, Pareto updates (Figure 8)', 'staleness', PARETO),
  byCrawls(
    '8-quasi-deterministic',
    'Staleness by crawls, quasi-deterministic updates (Figure 8)',
    'staleness',
    QUASI_DETERMINISTIC,
  ),
  {
    name: '9',
    title: 'Staleness by the shape of Pareto updates, 2.5 crawls a page (Figure 9)',
    metric: 'staleness',
    xName: 'paretoShape',
    // A mean interval is finite for shapes above 1 only.
    xs: [1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4],
    mixture: PARETO,
  },
]

/** Distances in slots at which Figure 10 is read. */
const SLOT_WINDOWS: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 1000, 10_000, 100_000]

const PHASINGS: readonly Phasing[] = ['phased', 'unphased']

export type ScheduleTask =
  | { readonly figure: string; readonly x: number }
  | { readonly figure: '10'; readonly phasing: Phasing }

/** What one task found. */
export type ScheduleRow =
  | { readonly figure: string; readonly points: readonly SchedulePoint[] }
  | { readonly figure: '10'; readonly timetable: TimetableRow }

export interface SchedulePoint {
  readonly figure: string
  readonly metric: Metric
  readonly scheme: Scheme
  readonly xName: ScheduleFigure['xName']
  readonly x: number
  /** The share of time for which copies are stale: the mean over pages, by weight. */
  readonly staleness: number
}

export interface TimetableRow extends Deviation {
  readonly phasing: Phasing
}

export const SCHEDULE_TASKS: readonly ScheduleTask[] = [
  ...SCHEDULE_FIGURES.flatMap(({ name, xs }) => xs.map((x) => ({ figure: name, x }))),
  ...PHASINGS.map((phasing) => ({ figure: '10' as const, phasing })),
]

export function runScheduleTask({ pages, seed, crawlers }: ScheduleSpec, task: ScheduleTask): ScheduleRow {
  if ('phasing' in task) {
    const setting = { crawlsPerPage: FIXED_CRAWLS_PER_PAGE, crawlers, phasing: task.phasing, windows: SLOT_WINDOWS }
    return { figure: '10', timetable: deviationOnCrawlers({ pages, seed }, setting) }
  }
  const figure = SCHEDULE_FIGURES.find(({ name }) => name === task.figure)
  if (figure === undefined) throw new RangeError(`figure must be a name of SCHEDULE_FIGURES, received ${task.figure}`)
  const { metric, xName, mixture } = figure
  const varied = xName === 'crawlsPerPage' ? {} : { [xName]: task.x }
  const crawlsPerPage = xName === 'crawlsPerPage' ? task.x : FIXED_CRAWLS_PER_PAGE
  const rows = compareSchemes(generateMixture({ pages, seed, ...mixture, ...varied }), metric, crawlsPerPage)
  const points = rows.map(({ scheme, staleness }) => ({
    ...{ figure: task.figure, metric, scheme, xName, x: task.x, staleness },
  }))
  return { figure: task.figure, points }
}

export interface ScheduleRows {
  readonly points: readonly SchedulePoint[]
  readonly timetables: readonly TimetableRow[]
}

export function scheduleRows(results: readonly ScheduleRow[]): ScheduleRows {
  return {
    points: results.flatMap((result) => ('points' in result ? result.points : [])),
    timetables: results.flatMap((result) => ('timetable' in result ? [result.timetable] : [])),
  }
}

function byCrawls(name: string, title: string, metric: Metric, mixture: Partial<MixtureOptions>): ScheduleFigure {
  return { name, title, metric, xName: 'crawlsPerPage', xs: CRAWLS_PER_PAGE, mixture }
}
