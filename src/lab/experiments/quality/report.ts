/** The quality experiment as tables and plots. */

import { count, thousands } from '../../../base/counts.js'
import { type Axis, drawPlot, type Point } from '../../report/plot.js'
import type { Report, Section } from '../../report/report.js'
import {
  decimals,
  distinctValues,
  NOTHING,
  shareText,
  type Table,
  worldSettings,
  worldSummary,
} from '../../report/table.js'
import { QUERIES_FILE } from '../../worlds/snapshot-format.js'
import { type BudgetNeeded, budgetsNeeded } from './budgets-needed.js'
import { calibrationSections, calibrations } from './calibration.js'
import { answeringNotes } from './index-answering.js'
import type { LossIntervals } from './intervals.js'
import { QUALITY_POLICIES, type QualityMode } from './policies.js'
import type { QualityRow } from './run.js'
import type { QualitySpec } from './spec.js'
import {
  agesTable,
  comparisonTable,
  curvesOf,
  embarrassmentTable,
  intervalTable,
  lossTable,
  meansTable,
  qualityTable,
} from './tables.js'
import { verdictSentence } from './verdict.js'

export interface QualityResult {
  readonly spec: QualitySpec
  /** The name of the data set. */
  readonly data: string
  readonly pages: number
  /** Pages of the world that were left out because they are not there at every step. */
  readonly leftOut: number
  readonly steps: number
  /** Queries of the workload that have a word; those of the same words are one. */
  readonly queries: number
  /** Mean quality when nothing is ever refreshed. */
  readonly untouchedQuality: number
  readonly rows: readonly QualityRow[]
  readonly intervals: LossIntervals
  /** The policy that an index goes by unless told. */
  readonly defaultPolicy: string
}

const MODE_TITLES: Readonly<Record<QualityMode, string>> = {
  offline: 'offline: parameters fitted on the whole period, as in the paper',
  online: 'online: learnt from own refreshes only',
  signals: 'with signals of changes',
}

/** A line for each policy and mode, a column for each part of the loss that is to be removed. */
function neededTable(rows: readonly QualityRow[]): Table {
  const needed = budgetsNeeded(rows)
  const shares = [...new Set(needed.map(({ share }) => share))]
  return {
    columns: [
      { name: 'policy' },
      { name: 'mode' },
      ...shares.map((share) => ({ name: `to remove ${shareText(share)}`, isNumber: true })),
    ],
    rows: curvesOf(needed).map((line) => [line[0]!.policy, line[0]!.mode, ...line.map(neededText)]),
  }
}

/** Refreshes per step, as a share of the pages. */
function neededText({ budgetShare, isAtMost }: BudgetNeeded): string {
  return budgetShare === null ? NOTHING : `${isAtMost ? '≤ ' : ''}${shareText(budgetShare)}`
}

/** What a reader must know of the rows, where they are not the usual ones. */
function qualityNotes(result: QualityResult): string[] {
  const { pages, leftOut } = result
  const before = sourceNotes(result)
  if (leftOut === 0) return [...before, ...emptyNotes(result)]
  const all = `${thousands(pages)} of ${count(pages + leftOut, 'page')}`
  const rest = `the other ${count(leftOut, 'page')} come or go meanwhile (--pages all has them, too)`
  const replayed = `Only ${all} are replayed, those that are there at every step: ${rest}.`
  return [...before, replayed, ...emptyNotes(result)]
}

/** By what answers are scored and what is asked, where an index says it. */
function sourceNotes({ spec }: QualityResult): string[] {
  const { answering, asked, relevance, queriesFile = QUERIES_FILE } = spec
  if (relevance !== undefined && asked !== undefined) {
    const least = `the TF-IDF scores of all pages sum to ${decimals(relevance.threshold, 3)} or more`
    return [
      `Of ${count(relevance.logged, 'query', 'queries')}, only those ${asked.length} are asked for which ${least}.`,
    ]
  }
  if (answering === undefined) return []
  const source = asked === undefined ? `those of ${queriesFile}` : `the workload of the index ${answering.index}`
  return [...answeringNotes(answering), `The queries are ${source}.`]
}

function emptyNotes({ steps, untouchedQuality }: QualityResult): string[] {
  if (steps < 2) return ['The world has one step only: nothing changes, and nothing can be lost.']
  if (untouchedQuality === 1)
    return [
      'Nothing is ever lost: no change of this world moves an answer of the workload. There is nothing that a policy ' +
        'could win.',
    ]
  return []
}

export function qualityReport(given: QualityResult): Report {
  const result = sortedByLoss(given)
  const { spec, data, untouchedQuality, rows, intervals, defaultPolicy } = result
  const modes = [...new Set(rows.map(({ mode }) => mode))]
  const [verdict, ...others] = intervals.verdicts.map((one) => verdictSentence(one, defaultPolicy))
  const { missRate, falseAlarmRate } = spec.signals ?? { missRate: 0, falseAlarmRate: 0 }
  return {
    title: `Quality of answers under a budget: ${data}`,
    ...(verdict === undefined ? {} : { verdict }),
    summary: `${worldSummary(result)}; quality ${decimals(untouchedQuality, 5)} when nothing is refreshed`,
    settings: [
      ['paper', 'Pandey, Olston: User-centric web crawling (2005), section 6; quality is Eq. 5'],
      ...worldSettings(result),
      ['default policy', defaultPolicy],
      ...(modes.includes('signals')
        ? [['signals', `${shareText(missRate)} of changes missed, ${shareText(falseAlarmRate)} false alarms`] as const]
        : []),
      ['quality when nothing is refreshed', decimals(untouchedQuality, 6)],
    ],
    notes: [...others, ...qualityNotes(result)],
    sections: [
      ...modes.map((mode) => lossSection(mode, result)),
      meansSection(intervals, defaultPolicy),
      ...folded([
        ...modes.map((mode) => modeSection(mode, result)),
        ...modes.map((mode) => embarrassmentSection(mode, result)),
        ...intervalSections(rows, intervals, defaultPolicy),
        {
          heading: 'Budget needed',
          printed: 'Refreshes per step, of all pages, to remove a part of the loss',
          notes: [
            'Refreshes per step, in per cent of the pages, that remove so much of the loss of a repository that is ' +
              'never refreshed; between two budgets by the logarithm of the budget.',
          ],
          table: neededTable(rows),
        },
        ...calibrationSections(rows, defaultPolicy),
        {
          heading: 'Age of the copies at the end',
          notes: [
            'In days: the age that half of the pages, nine in ten and 99 in a hundred do not exceed, and the ' +
              'highest. A page that is never refreshed is as old as the replay is long.',
          ],
          table: agesTable(rows),
        },
        policySection(rows),
      ]),
    ],
  }
}

/** All but the verdict, its plots and the means wait behind a fold. */
function folded(sections: readonly Section[]): Section[] {
  return sections.map((section) => ({ ...section, isFolded: true }))
}

/** The same result, its rows in the order of the mean loss of their policies; modes stay in their order. */
function sortedByLoss(result: QualityResult): QualityResult {
  const { rows, intervals } = result
  const modes = [...new Set(rows.map(({ mode }) => mode))]
  const losses = new Map(intervals.means.map(({ mode, policy, lossShare }) => [`${mode} ${policy}`, lossShare]))
  const lossOf = ({ mode, policy }: Pick<QualityRow, 'mode' | 'policy'>) => losses.get(`${mode} ${policy}`) ?? 1
  const compare = (a: Pick<QualityRow, 'mode' | 'policy'>, b: Pick<QualityRow, 'mode' | 'policy'>) =>
    modes.indexOf(a.mode) - modes.indexOf(b.mode) || lossOf(a) - lossOf(b)
  const order = rows.map((_, at) => at).sort((a, b) => compare(rows[a]!, rows[b]!) || a - b)
  return {
    ...result,
    rows: order.map((at) => rows[at]!),
    intervals: {
      ...intervals,
      rows: order.map((at) => intervals.rows[at]!),
      comparisons: intervals.comparisons.toSorted(compare),
      means: intervals.means.toSorted(compare),
    },
  }
}

/** More lines than these nobody can tell apart. */
const MOST_LINES = 8
/** What others are compared with. */
const ALWAYS_DRAWN: readonly string[] = ['uniform', 'oracle']

/** The policies of a mode that a plot shows: the default, what all compare with, and the best of the others. */
function shownPolicies(rows: readonly QualityRow[], defaultPolicy: string): ReadonlySet<string> {
  const names = [...new Set(rows.map(({ policy }) => policy))]
  const first = [defaultPolicy, ...ALWAYS_DRAWN].filter((name) => names.includes(name))
  return new Set([...first, ...names.filter((name) => !first.includes(name))].slice(0, MOST_LINES))
}

/**
 * Qualities of single steps, losses of single queries and gains of single cycles of other policies than the default are
 * left out: a result file has them.
 */
export function qualityJson(result: QualityResult): object {
  const { spec, data, pages, steps, queries, untouchedQuality, rows, intervals, defaultPolicy } = result
  const { scoring, seed, signals, queriesFile, answering, asked } = spec
  return {
    ...{ data, ...(queriesFile === undefined ? {} : { queriesFile }), scoring, pages, steps, queries, seed, signals },
    ...(answering === undefined ? {} : { answering, queriesFrom: asked === undefined ? 'folder' : 'index' }),
    ...{ defaultPolicy, untouchedQuality },
    rows: rows.map((row, at) => ({ ...rowJson(row), interval: intervals.rows[at] })),
    comparisons: intervals.comparisons,
    means: intervals.means,
    verdicts: intervals.verdicts,
    needed: budgetsNeeded(rows),
    calibration: calibrationJson(rows, defaultPolicy),
  }
}

export function rowJson({ qualities: _, queryLosses: __, cycleGains: ___, ...row }: QualityRow): object {
  return row
}

function calibrationJson(rows: readonly QualityRow[], defaultPolicy: string): object[] {
  return calibrations(rows).map((one) => {
    if (one.policy !== defaultPolicy) return one
    const row = rows.find(
      ({ policy, mode, budgetShare }) => policy === one.policy && mode === one.mode && budgetShare === one.budgetShare,
    )
    return { ...one, points: row?.cycleGains }
  })
}

function plotsOf(mode: QualityMode, { rows: all, defaultPolicy }: QualityResult) {
  const rows = all.filter((row) => row.mode === mode)
  const shown = shownPolicies(rows, defaultPolicy)
  const drawn = rows.filter(({ policy }) => shown.has(policy))
  const budget = {
    scale: 'log',
    ticks: distinctValues(rows.map(({ budgetShare }) => budgetShare)),
    label: shareText,
  } as const
  const plotOf = (yLabel: string, y: (row: QualityRow) => number | null, axis?: Axis) =>
    drawPlot({
      title: `${yLabel}, ${mode}`,
      xLabel: 'refreshes per step, by pages',
      yLabel,
      x: budget,
      ...(axis === undefined ? {} : { y: axis }),
      series: series(drawn, defaultPolicy, (row) => ({ x: row.budgetShare, y: y(row) ?? Number.NaN })),
    })
  const swapped = drawPlot({
    title: `Budget for a level of quality, ${mode} (Figure 4)`,
    xLabel: 'mean quality',
    yLabel: 'refreshes per step, by pages',
    y: budget,
    series: series(drawn, defaultPolicy, (row) => ({ x: row.meanQuality, y: row.budgetShare })),
  })
  return { rows, left: new Set(rows.map(({ policy }) => policy)).size - shown.size, plotOf, swapped }
}

/** Says how many policies a plot leaves out. */
function restText(left: number): string {
  return left === 0 ? '' : ` The tables have ${count(left, 'more policy', 'more policies')}.`
}

function modeSection(mode: QualityMode, result: QualityResult): Section {
  const { rows, left, plotOf, swapped } = plotsOf(mode, result)
  return {
    heading: `Quality against budget, ${MODE_TITLES[mode]}`,
    printed: `Mean quality, by refreshes per step, ${mode}`,
    plots: [
      plotOf('mean quality', ({ meanQuality }) => meanQuality),
      { svg: swapped, caption: `User-centric crawling, Figure 4: the axes are as there.${restText(left)}` },
    ],
    table: qualityTable(rows),
  }
}

function lossSection(mode: QualityMode, result: QualityResult): Section {
  const { rows, left, plotOf } = plotsOf(mode, result)
  const svg = plotOf('share of the loss that is left', ({ lossShare }) => lossShare, { from: 0, to: 1 })
  const what = '(1 − Q) / (1 − Q when nothing is ever refreshed), of mean qualities: 0 is as good as the live pages.'
  return {
    heading: `Loss against budget, ${mode}`,
    printed: `Share of the loss that is left, ${mode}`,
    plots: [{ svg, caption: `${what}${restText(left)}` }],
    table: withStrong(lossTable(rows), result.defaultPolicy),
  }
}

function embarrassmentSection(mode: QualityMode, result: QualityResult): Section {
  const { rows, left, plotOf } = plotsOf(mode, result)
  const svg = plotOf('clicks on stale copies, by query', ({ embarrassment }) => embarrassment ?? null)
  return {
    heading: `Embarrassment against budget, ${mode}`,
    printed: `Clicks on stale copies, of 1,000 queries, ${mode}`,
    notes: [
      'Wolf et al., section 2.2: how often an answer that is shown, among the first 50, is clicked and its copy is ' +
        'stale. Clicks are as likely as views, and every stale copy counts as wrong (d = 1).',
    ],
    plots: [{ svg, caption: `Clicks on stale copies of a query.${restText(left)}` }],
    table: embarrassmentTable(rows),
  }
}

/** A policy is named by the first cell of its row. */
function withStrong(table: Table, policy: string): Table {
  return { ...table, strong: table.rows.flatMap(([name], at) => (name === policy ? [at] : [])) }
}

function intervalSections(rows: readonly QualityRow[], intervals: LossIntervals, defaultPolicy: string): Section[] {
  const { comparisons } = intervals
  return [
    {
      heading: 'How sure the losses are',
      printed: 'The same, 95% interval over the queries',
      notes: [
        'Intervals of 95% over the queries, drawn anew with replacement; the history is one and is not. One event ' +
          'may carry a tenth of all loss.',
      ],
      table: intervalTable(rows, intervals),
    },
    ...(comparisons.length === 0
      ? []
      : [
          {
            heading: `${defaultPolicy}, the default, beside the others`,
            printed: `Loss of ${defaultPolicy}, the default, by that of the others`,
            notes: [
              'Its loss by that of the other policy, in the same mode and for the same drawn queries. Below 1, the ' +
                'default is better.',
            ],
            table: comparisonTable(comparisons),
          },
        ]),
  ]
}

function meansSection({ means }: LossIntervals, defaultPolicy: string): Section {
  return {
    heading: 'All budgets together',
    printed: 'Geometric mean over the budgets',
    notes: ['Geometric means over the budgets of the share of the loss that is left, the least first.'],
    table: withStrong(meansTable(means), defaultPolicy),
  }
}

function policySection(rows: readonly QualityRow[]): Section {
  const used = QUALITY_POLICIES.filter(({ name }) => rows.some(({ policy }) => policy === name))
  return {
    heading: 'Policies',
    table: {
      columns: [{ name: 'policy' }, { name: 'what it does' }, { name: 'where it comes from' }],
      rows: used.map(({ name, description, paper }) => [name, description, paper]),
    },
  }
}

function series(rows: readonly QualityRow[], defaultPolicy: string, pointOf: (row: QualityRow) => Point) {
  return curvesOf(rows).map((curve) => ({
    name: curve[0]!.policy,
    isStrong: curve[0]!.policy === defaultPolicy,
    points: curve.toSorted((a, b) => a.budgetShare - b.budgetShare).map(pointOf),
  }))
}
