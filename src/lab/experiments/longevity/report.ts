/** The longevity experiment as tables and plots. */

import { count } from '../../../base/counts.js'
import { checkTable } from '../../report/checks.js'
import { drawPlot, type Point } from '../../report/plot.js'
import type { Report, Section } from '../../report/report.js'
import { decimals, shareText, type Table } from '../../report/table.js'
import type { LongevityCheck } from './checks.js'
import type { CurveFigure, Curves, LongevityFindings, RateComparison } from './findings.js'
import type { LifetimeSummary } from './lifetimes.js'
import type { LongevitySpec, WorldFacts } from './run.js'

export interface LongevityResult {
  /** The name of the world. */
  readonly name: string
  readonly spec: LongevitySpec
  readonly facts: WorldFacts
  readonly lifetimes: LifetimeSummary
  readonly findings: LongevityFindings
  readonly checks: readonly LongevityCheck[]
}

const DIGITS = 4
/** The most dots of a plot: more of them would show no more, and make the page larger. */
const MOST_DOTS = 2000

function factTable({ facts }: LongevityResult): Table {
  return {
    columns: [{ name: 'of this world' }, { name: '', isNumber: true }],
    rows: [
      ['pages that never change', shareText(facts.staticPageShare)],
      ['fragments that never go', shareText(facts.staticFragmentShare)],
      ['of those that came and went: replaced by the next update', shareText(facts.churnShare)],
      ['staleness, every page refreshed at every step', decimals(facts.leastStaleness, DIGITS)],
      ['staleness, nothing ever refreshed', decimals(facts.mostStaleness, DIGITS)],
    ],
  }
}

/** Beside each check: at which costs it does not hold. */
function costCheckTable(checks: readonly LongevityCheck[]): Table {
  const { columns, rows } = checkTable(checks, 'claim', 3)
  const exceptionsOf = ({ exceptions = [] }: LongevityCheck) =>
    exceptions.map((cost) => String(Number(cost.toPrecision(2)))).join(', ')
  return {
    columns: [...columns, { name: 'not at these costs' }],
    rows: rows.map((row, at) => [...row, exceptionsOf(checks[at]!)]),
  }
}

/** A line for each policy, a column for each cost. */
function curveTable({ costs, atEqualCost }: CurveFigure): Table {
  return {
    columns: [
      { name: 'policy' },
      ...costs.map((cost) => ({ name: String(Number(cost.toPrecision(2))), isNumber: true })),
    ],
    rows: Object.entries(atEqualCost).map(([policy, values]) => [
      policy,
      ...values.map((value) => decimals(value, DIGITS)),
    ]),
  }
}

function rateTable({ levels }: RateComparison): Table {
  const policies = Object.keys(levels[0]?.costs ?? {})
  return {
    columns: ['staleness', ...policies].map((name) => ({ name, isNumber: true })),
    rows: levels.map(({ staleness, costs }) => [
      decimals(staleness, DIGITS),
      ...policies.map((policy) => decimals(costs[policy], 3)),
    ]),
  }
}

export function longevityReport(result: LongevityResult): Report {
  const { name, spec, facts, findings, checks } = result
  const { offline, online, space, cgm } = findings
  const generated =
    'data' in spec ? [] : [['days between steps', String(spec.stepDays)] as const, ['seed', String(spec.seed)] as const]
  return {
    title: `Information longevity: ${name}`,
    summary: `${name}: ${count(facts.pages, 'page')}, ${count(facts.steps, 'step')}; ${summaryOf(checks)}`,
    settings: [
      ['paper', 'Olston, Pandey: Recrawl scheduling based on information longevity (2008)'],
      ...[['world', name] as const, ['pages', String(facts.pages)] as const, ['steps', String(facts.steps)] as const],
      ...generated,
    ],
    sections: [
      { heading: 'The world', printed: 'The world', table: factTable(result) },
      {
        heading: 'What the paper says, and what is so here',
        printed: 'What the paper says, and what is so here',
        notes: [
          'Of two policies the value is the staleness of the first by that of the second at equal cost, the ' +
            'geometric mean over the costs of the figure.',
        ],
        table: costCheckTable(checks),
      },
      longevitySection(result),
      modelSection(findings),
      lifetimeSection(result),
      curveSection('Policies that know the pages beforehand, staleness at equal cost (Figure 6)', offline),
      curveSection('Policies that learn, warm-up (Figure 8)', online.warmUp),
      curveSection('Policies that learn, steady state (Figure 9)', online.steady),
      curveSection('What little space costs (Figure 10)', space),
      ...cgm.map((rates, at) =>
        rateSection(rates, at === 0 ? 'Figure 11' : 'Figure 12', 'data' in spec ? name : rates.world),
      ),
    ],
  }
}

/** The points of Figure 3 are left out: they are many, and in the report. */
export function longevityJson({ name, spec, facts, lifetimes, findings, checks }: LongevityResult): object {
  const { offline, online, space, cgm, longevity, lifetimeModel } = findings
  const generated = 'data' in spec ? {} : { stepDays: spec.stepDays, seed: spec.seed }
  return {
    world: { name, ...generated, ...facts },
    ...{ checks, offline, online, space, cgm, longevity },
    lifetimes: { model: lifetimeModel, groups: lifetimes.groups },
  }
}

function summaryOf(checks: readonly LongevityCheck[]): string {
  const told = checks.filter(({ holds }) => holds !== null)
  return `${told.filter(({ holds }) => holds === true).length} of ${count(told.length, 'claim')} hold`
}

function curveSection(heading: string, figure: CurveFigure): Section {
  return { heading, printed: heading, plots: [curvePlot(heading, figure.curves)], table: curveTable(figure) }
}

function curvePlot(title: string, curves: Curves): string {
  return drawPlot({
    title,
    xLabel: 'refresh cost: 1 is every page at every step',
    yLabel: 'fragment staleness',
    x: { from: 0 },
    series: Object.entries(curves).map(([name, points]) => ({
      name,
      points: points.map(({ cost, staleness }) => ({ x: cost, y: staleness })),
    })),
  })
}

function rateSection(rates: RateComparison, figure: string, world: string): Section {
  const heading = `Curve fitting beside rates of change, ${world} (${figure})`
  return {
    heading,
    printed: `What a staleness costs, ${world} (${figure})`,
    notes: ['After a warm-up that is the same for all; the table has the costs of some levels of staleness.'],
    plots: [curvePlot(heading, rates.curves)],
    table: rateTable(rates),
  }
}

function longevitySection({ lifetimes, findings }: LongevityResult): Section {
  const { pages, pearson, spearman } = findings.longevity
  const every = Math.max(1, Math.ceil(lifetimes.points.length / MOST_DOTS))
  const title = 'Change frequency against longevity (Figure 3)'
  const plot = drawPlot({
    title,
    xLabel: 'change frequency: share of steps',
    yLabel: 'mean lifetime of fragments, steps',
    x: { from: 0, to: 1 },
    y: { from: 0 },
    series: [
      {
        name: 'page',
        as: 'dots',
        points: lifetimes.points
          .filter((_, at) => at % every === 0)
          .map(({ changeFrequency, longevity }) => ({ x: changeFrequency, y: longevity })),
      },
    ],
  })
  const notes = [
    `${pages} pages with fragments that came and went; correlation ${decimals(pearson, 2)} (Pearson), ` +
      `${decimals(spearman, 2)} (Spearman).`,
    ...(every > 1 ? [`One page in ${every} is shown.`] : []),
  ]
  return { heading: title, notes, plots: [plot] }
}

function modelSection({ lifetimeModel }: LongevityFindings): Section {
  const { updatesPerStep, curves } = lifetimeModel
  const title = `Lifetimes by the model, ${updatesPerStep} updates per step (Figure 4)`
  const plot = drawPlot({
    title,
    xLabel: 'steps',
    yLabel: 'share of fragments that live no longer',
    y: { from: 0, to: 1 },
    series: curves.map(({ items, shares }) => ({
      name: items === 1 ? 'churn' : `scroll, K = ${items}`,
      points: shares.map((y, x) => ({ x, y })),
    })),
  })
  return { heading: title, plots: [plot] }
}

function lifetimeSection({ lifetimes }: LongevityResult): Section {
  const title = 'Lifetimes, actual and modelled (Figure 5)'
  const fromOne = (shares: readonly number[]): Point[] => shares.map((y, at) => ({ x: at + 1, y }))
  const plot = drawPlot({
    title,
    xLabel: 'steps',
    yLabel: 'share of fragments that live no longer',
    y: { from: 0, to: 1 },
    series: lifetimes.groups.flatMap(({ group, actual, modelled }) => [
      { name: `${group}, actual`, points: fromOne(actual) },
      { name: `${group}, modelled`, points: fromOne(modelled) },
    ]),
  })
  const table: Table = {
    columns: [
      { name: 'pages with dominant' },
      ...['pages', 'lives', 'largest gap'].map((name) => ({ name, isNumber: true })),
    ],
    rows: lifetimes.groups.map(({ group, pages, lives, largestGap }) => [
      group,
      String(pages),
      String(lives),
      decimals(largestGap, 3),
    ]),
  }
  return { heading: title, plots: [plot], table }
}
