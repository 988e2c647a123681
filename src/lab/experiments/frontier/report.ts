/** The frontier experiment as tables and plots. */

import { count } from '../../../base/counts.js'
import { improvabilityAt } from '../../../frontier/impact/neediness.js'
import { type Check, checkTable } from '../../report/checks.js'
import { drawPlot } from '../../report/plot.js'
import type { Report, Section } from '../../report/report.js'
import { decimals, NOTHING, shareText, type Table, worldSummary } from '../../report/table.js'
import { FETCH_ORDERS, type OrdersResult } from './fetch-orders.js'
import type { FrontierSpec } from './input.js'
import type { FrontierRows } from './run.js'
import type { SketchesResult } from './sketch-shares.js'
import type { SplitResult } from './split-replay.js'

export interface FrontierResult {
  readonly spec: FrontierSpec
  readonly data: string
  readonly pages: number
  readonly steps: number
  readonly queries: number
  readonly heldBackPages: number
  readonly rows: FrontierRows
  readonly checks: readonly Check[]
}

function sceneTable({ orders }: FrontierRows): Table {
  const names = ['fetched', 'frontier', 'of these new', 'matched', 'impact', 'Pearson', 'Spearman']
  return {
    columns: [{ name: 'set' }, ...names.map(numberColumn)],
    rows: orders.map(({ set, crawled, frontier, comeLater, matched, totalImpact, correlation }) => [
      String(set),
      ...[crawled, frontier, comeLater, matched, totalImpact].map(String),
      decimals(correlation.pearson, 3),
      decimals(correlation.spearman, 3),
    ]),
  }
}

function areaTable({ orders }: FrontierRows): Table {
  return {
    columns: [{ name: 'order' }, ...orders.map(({ set }) => numberColumn(`set ${set}`))],
    rows: FETCH_ORDERS.map((order) => [
      order,
      ...orders.map(({ curves }) => decimals(curves.find((curve) => curve.order === order)?.area, 4)),
    ]),
  }
}

/** A line for each share of sketches, a column for each budget. */
function sketchTable({ rows }: SketchesResult): Table {
  const fetches = [...new Set(rows.map(({ fetchShare }) => fetchShare))]
  const shares = [...new Set(rows.map(({ sketchShare }) => sketchShare))]
  return {
    columns: [
      ...['sketches', 'number'].map(numberColumn),
      ...fetches.map((share) => numberColumn(`${shareText(share)} fetched`)),
    ],
    rows: shares.map((share) => {
      const own = rows.filter(({ sketchShare }) => sketchShare === share)
      return [shareText(share), String(own[0]!.sketches), ...own.map(({ kept }) => shareText(kept))]
    }),
  }
}

function splitTable({ splits }: FrontierRows): Table {
  const budgets = [...new Set(splits.map(({ budgetShare }) => budgetShare))]
  const plans = [...new Set(splits.map(planName))]
  return {
    columns: [
      { name: 'plan' },
      ...budgets.flatMap((share) => [numberColumn(shareText(share)), numberColumn('new'), numberColumn('refreshed')]),
    ],
    rows: plans.map((plan) => [
      plan,
      ...budgets.flatMap((share) => {
        const row = splits.find((one) => planName(one) === plan && one.budgetShare === share)
        if (row === undefined) return [NOTHING, NOTHING, NOTHING]
        return [decimals(row.meanQuality, 5), String(row.newPages), String(row.refreshes)]
      }),
    ]),
  }
}

export function frontierReport(result: FrontierResult): Report {
  const { spec, data, pages, steps, queries, heldBackPages, rows, checks } = result
  const settings: (readonly [string, string])[] = [
    ['paper', 'Pandey, Olston: Crawl ordering by search impact (2008), sections 1.1 and 6'],
    ['data', data],
    ['scoring', spec.scoring],
    ['pages', `${pages}, of which ${heldBackPages} are held back`],
    ['steps', String(steps)],
    ['queries', String(queries)],
    ['n-grams', `up to ${spec.ngramWords} words, rho ${spec.rho}`],
    ['seed', String(spec.seed)],
  ]
  return {
    title: 'Pages never fetched: which first, and what is left for refreshes',
    summary: `${worldSummary(result)}; ${count(heldBackPages, 'page')} held back`,
    settings,
    sections: [
      { heading: 'What should hold', printed: 'What should hold', table: checkTable(checks, 'check') },
      importanceSection(rows),
      orderSection(rows),
      ...rows.sketches.flatMap(sketchSections),
      splitSection(rows),
    ],
  }
}

export function frontierJson({ spec, rows, checks, ...world }: FrontierResult): object {
  const { scoring, heldBack, rho, ngramWords, seed } = spec
  return { ...world, scoring, heldBack, rho, ngramWords, seed, ...rows, checks }
}

function importanceSection(rows: FrontierRows): Section {
  const heading = 'Importance and impact (Figure 2)'
  const plot = drawPlot({
    title: heading,
    xLabel: 'importance: ln(1 + pages that link to it), mean of a tenth of the frontier',
    yLabel: 'mean impact',
    y: { from: 0 },
    series: rows.orders.map(({ set, buckets }) => ({
      name: `set ${set}`,
      points: buckets.map(({ importance, impact }) => ({ x: importance, y: impact })),
    })),
  })
  const notes = [
    'Set 2 is set 1 without the fifth of the frontier that most pages link to, which is taken for fetched.',
  ]
  const printed = 'The frontier, and what importance says of impact (Figure 2)'
  return { heading, printed, notes, plots: [plot], table: sceneTable(rows) }
}

function orderSection(rows: FrontierRows): Section {
  const heading = 'Impact by pages fetched (Figure 5)'
  const printed = 'Area under the curve of impact by pages fetched (Figure 5)'
  return { heading, printed, plots: rows.orders.map(orderPlot), table: areaTable(rows) }
}

function orderPlot({ set, curves }: OrdersResult): string {
  return drawPlot({
    title: `Impact by pages fetched, set ${set}`,
    xLabel: 'share of the frontier fetched',
    yLabel: 'share of the impact',
    x: { from: 0, to: 1 },
    y: { from: 0, to: 1 },
    series: curves.map(({ order, points }) => ({
      name: order,
      points: points.map(({ fetchedShare, impactShare }) => ({ x: fetchedShare, y: impactShare })),
    })),
  })
}

function sketchSections(result: SketchesResult): Section[] {
  const { set, points, improvability, rows } = result
  const learned = drawPlot({
    title: `Improvability, set ${set} (Figure 7)`,
    xLabel: 'mean score of the ten best answers',
    yLabel: 'new pages among the ten best',
    y: { from: 0 },
    series: [
      {
        name: 'found, other half',
        as: 'dots',
        points: points.map(({ meanScore, improvement }) => ({ x: meanScore, y: improvement })),
      },
      {
        name: 'learned',
        points: points.map(({ meanScore }) => ({ x: meanScore, y: improvabilityAt(improvability, meanScore) })),
      },
    ],
  })
  const kept = drawPlot({
    title: `Impact with few sketches, set ${set} (Figures 8 and 9)`,
    xLabel: 'pages fetched',
    yLabel: 'share of the impact',
    y: { from: 0 },
    series: [...new Set(rows.map(({ sketchShare }) => sketchShare))].map((share) => ({
      name: `${shareText(share)} of the sketches`,
      points: rows
        .filter(({ sketchShare }) => sketchShare === share)
        .map(({ fetches, impactShare }) => ({ x: fetches, y: impactShare })),
    })),
  })
  return [
    { heading: `Which queries can be bettered, set ${set}`, plots: [learned] },
    {
      heading: `Impact kept with few sketches, set ${set}`,
      printed: `Impact kept with few sketches, set ${set} (Figures 8 and 9)`,
      plots: [kept],
      table: sketchTable(result),
    },
  ]
}

function splitSection(rows: FrontierRows): Section {
  const heading = 'One budget for new and known pages'
  const budgets = [...new Set(rows.splits.map(({ budgetShare }) => budgetShare))]
  const plots = budgets.map((share) => {
    const own = rows.splits.filter(({ budgetShare }) => budgetShare === share)
    const level = (plan: SplitResult['plan']) => {
      const quality = own.find((row) => row.plan === plan)?.meanQuality ?? Number.NaN
      return [0, 1].map((x) => ({ x, y: quality }))
    }
    return drawPlot({
      title: `Mean quality with a budget of ${shareText(share)} of the pages a step`,
      xLabel: 'share for new pages',
      yLabel: 'mean quality',
      x: { from: 0, to: 1 },
      series: [
        {
          name: 'fixed',
          points: own
            .filter(({ plan }) => plan === 'fixed')
            .map(({ newShare, meanQuality }) => ({ x: newShare!, y: meanQuality })),
        },
        { name: 'joint', points: level('joint') },
        { name: 'oracle', points: level('oracle') },
      ],
    })
  })
  const notes = [
    'What one side of a fixed split cannot use, the other gets. A page that is there and was never fetched counts as ' +
      'lost.',
  ]
  const printed = 'Mean quality by how a budget is shared between new and known pages'
  return { heading, printed, notes, plots, table: splitTable(rows) }
}

function planName({ plan, newShare }: SplitResult): string {
  return plan === 'fixed' ? `${shareText(newShare)} for new pages` : plan
}

function numberColumn(name: string) {
  return { name, isNumber: true }
}
