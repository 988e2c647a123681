/** The frontier experiment as tables and plots. */

import { count } from '../../../base/counts.js'
import { improvabilityAt } from '../../../frontier/impact/neediness.js'
import { type Check, checkTable } from '../../report/checks.js'
import { drawPlot } from '../../report/plot.js'
import type { Report, Section } from '../../report/report.js'
import { type LowHigh, meanOfSeeds } from '../../report/statistics.js'
import { decimals, NOTHING, shareText, type Table, worldSummary } from '../../report/table.js'
import { areaVerdict, OUR_ORDER, orderAreas, setsOf } from './areas.js'
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

/** A line for each set and seed. */
function sceneTable({ orders }: FrontierRows): Table {
  const names = ['seed', 'fetched', 'frontier', 'of these new', 'matched', 'impact', 'Pearson', 'Spearman']
  const bySet = setsOf(orders).flatMap((set) => orders.filter((one) => one.set === set))
  return {
    columns: [{ name: 'set' }, ...names.map(numberColumn)],
    rows: bySet.map(({ set, seed, crawled, frontier, comeLater, matched, totalImpact, correlation }) => [
      String(set),
      ...[seed, crawled, frontier, comeLater, matched, totalImpact].map(String),
      decimals(correlation.pearson, 3),
      decimals(correlation.spearman, 3),
    ]),
  }
}

/** The largest area of the first set first. */
function areaTable({ orders }: FrontierRows): Table {
  const areas = orderAreas(orders)
  const sets = setsOf(orders)
  const areaOf = (order: string, set: number) => areas.find((one) => one.order === order && one.set === set)!
  const rank = (order: string) => (sets[0] === undefined ? 0 : areaOf(order, sets[0]).mean)
  const sorted = [...FETCH_ORDERS].sort((a, b) => rank(b) - rank(a))
  return {
    columns: [
      { name: 'order' },
      ...sets.flatMap((set) => [numberColumn(`set ${set}`), ...['95%', 'hybrid above by', '95%'].map(numberColumn)]),
    ],
    rows: sorted.map((order) => [
      order,
      ...sets.flatMap((set) => {
        const { mean, interval, hybridAbove } = areaOf(order, set)
        const above = order === OUR_ORDER ? NOTHING : decimals(hybridAbove.mean, 4)
        const sure = order === OUR_ORDER ? NOTHING : ends(hybridAbove.interval)
        return [decimals(mean, 4), ends(interval), above, sure]
      }),
    ]),
    strong: [sorted.indexOf(OUR_ORDER)],
  }
}

function ends(interval: LowHigh | null): string {
  return interval === null ? NOTHING : `${decimals(interval[0], 3)} to ${decimals(interval[1], 3)}`
}

/** A line for each share of sketches, a column for each budget: the mean over the seeds. */
function sketchTable(own: readonly SketchesResult[]): Table {
  const rows = own.flatMap((one) => one.rows)
  const fetches = [...new Set(rows.map(({ fetchShare }) => fetchShare))]
  const shares = [...new Set(rows.map(({ sketchShare }) => sketchShare))]
  return {
    columns: [
      ...['sketches', 'number'].map(numberColumn),
      ...fetches.map((share) => numberColumn(`${shareText(share)} fetched`)),
    ],
    rows: shares.map((share) => {
      const ofShare = rows.filter(({ sketchShare }) => sketchShare === share)
      const keptAt = (fetch: number) =>
        ofShare.flatMap(({ fetchShare, kept }) => (fetchShare === fetch && kept !== null ? [kept] : []))
      const means = fetches.map(keptAt).map((kept) => (kept.length === 0 ? NOTHING : shareText(meanOfSeeds(kept).mean)))
      return [shareText(share), String(ofShare[0]!.sketches), ...means]
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
  const { seeds = 1 } = spec
  const settings: (readonly [string, string])[] = [
    ['paper', 'Pandey, Olston: Crawl ordering by search impact (2008), sections 1.1 and 6'],
    ['data', data],
    ['scoring', spec.scoring],
    ['pages', `${pages}, of which ${heldBackPages} are held back`],
    ['steps', String(steps)],
    ['queries', String(queries)],
    ['n-grams', `up to ${spec.ngramWords} words, rho ${spec.rho}`],
    ['seeds', seeds === 1 ? String(spec.seed) : `${spec.seed} to ${spec.seed + seeds - 1}`],
  ]
  const verdict = areaVerdict(orderAreas(rows.orders), seeds)
  return {
    title: 'Pages never fetched: which first, and what is left for refreshes',
    ...(verdict === undefined ? {} : { verdict }),
    summary: `${worldSummary(result)}; ${count(heldBackPages, 'page')} held back`,
    settings,
    sections: [
      ...(rows.orders.length === 0 ? [] : [orderSection(rows)]),
      ...(rows.splits.length === 0 ? [] : [splitSection(rows)]),
      ...folded([
        { heading: 'What should hold', printed: 'What should hold', table: checkTable(checks, 'check') },
        ...(rows.orders.length === 0
          ? []
          : [importanceSection(rows), ...ofFirstSeed(rows.orders).map(promotedSection)]),
        ...setsOf(rows.sketches).flatMap((set) => sketchSections(rows.sketches.filter((one) => one.set === set))),
      ]),
    ],
  }
}

export function frontierJson({ spec, rows, checks, ...world }: FrontierResult): object {
  const { scoring, heldBack, rho, ngramWords, seed, seeds = 1 } = spec
  const areas = orderAreas(rows.orders)
  return { ...world, scoring, heldBack, rho, ngramWords, seed, seeds, areas, ...rows, checks }
}

/** What is drawn of parts that were repeated: the first seed. The tables have all. */
function ofFirstSeed<Row extends { readonly seed: number }>(rows: readonly Row[]): Row[] {
  return rows.filter(({ seed }) => seed === rows[0]!.seed)
}

function importanceSection(rows: FrontierRows): Section {
  const svg = drawPlot({
    title: 'Importance and impact',
    xLabel: 'importance: ln(1 + pages that link to it), mean of a tenth of the frontier',
    yLabel: 'mean impact',
    y: { from: 0 },
    series: ofFirstSeed(rows.orders).map(({ set, buckets }) => ({
      name: `set ${set}`,
      points: buckets.map(({ importance, impact }) => ({ x: importance, y: impact })),
    })),
  })
  const caption = 'Figure 2 of the paper, first seed.'
  const notes = [
    'Set 2 is set 1 without the fifth of the frontier that most pages link to, which is taken for fetched.',
  ]
  const printed = 'The frontier, and what importance says of impact (Figure 2)'
  return { heading: 'Importance and impact', printed, notes, plots: [{ svg, caption }], table: sceneTable(rows) }
}

function orderSection(rows: FrontierRows): Section {
  return {
    heading: 'Which order of fetching brings impact first',
    printed: 'Area under the curve of impact by pages fetched (Figure 5)',
    notes: ['The area under the curve, from 0 to 1: 0.5 is a straight line. Ideal knows the impacts beforehand.'],
    plots: ofFirstSeed(rows.orders).map((one) => ({
      svg: orderPlot(one),
      caption: `Figure 5 of the paper, set ${one.set}, first seed.`,
    })),
    table: areaTable(rows),
  }
}

function orderPlot({ set, curves }: OrdersResult): string {
  return drawPlot({
    title: `Impact by pages fetched, set ${set}`,
    xLabel: 'share of the frontier fetched',
    yLabel: 'share of the impact',
    x: { from: 0, to: 1 },
    y: { from: 0, to: 1 },
    series: [...curves]
      .sort((a, b) => Number(b.order === OUR_ORDER) - Number(a.order === OUR_ORDER))
      .map(({ order, points }) => ({
        name: order,
        isStrong: order === OUR_ORDER,
        points: points.map(({ fetchedShare, impactShare }) => ({ x: fetchedShare, y: impactShare })),
      })),
  })
}

function promotedSection({ set, promoted }: OrdersResult): Section {
  return {
    heading: `Pages that come earlier by what people ask, set ${set}`,
    printed: `Pages that hybrid fetches earlier than importance, set ${set} (Figure 6)`,
    notes: ['Figure 6 of the paper, first seed: those whose impact comes earliest, with the heaviest query of each.'],
    table: {
      columns: [
        { name: 'page' },
        { name: 'query' },
        ...['links', 'impact', 'hybrid', 'by importance'].map(numberColumn),
      ],
      rows: promoted.map(({ url, query, inlinks, impact, hybridPlace, importancePlace }) => [
        ...[url, query, String(inlinks), String(Number(impact.toPrecision(4)))],
        ...[`${hybridPlace}.`, `${importancePlace}.`],
      ]),
    },
  }
}

/** `own`: of one set, by seed. */
function sketchSections(own: readonly SketchesResult[]): Section[] {
  const { set, points, improvability, rows } = own[0]!
  const learned = drawPlot({
    title: `Improvability, set ${set}`,
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
    title: `Impact with few sketches, set ${set}`,
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
    {
      heading: `Which queries can be bettered, set ${set}`,
      plots: [{ svg: learned, caption: 'Figure 7 of the paper, first seed.' }],
      printed: `What improvability says of the other half of the queries, set ${set} (Figure 7)`,
      table: improvabilityTable(own),
    },
    {
      heading: `Impact kept with few sketches, set ${set}`,
      printed: `Impact kept with few sketches, set ${set} (Figures 8 and 9)`,
      plots: [{ svg: kept, caption: 'Figures 8 and 9 of the paper, first seed.' }],
      table: sketchTable(own),
    },
  ]
}

function improvabilityTable(own: readonly SketchesResult[]): Table {
  return {
    columns: ['seed', 'a', 'b', 'Pearson', 'Spearman'].map(numberColumn),
    rows: own.map(({ seed, improvability: { a, b }, correlation }) => [
      String(seed),
      decimals(a, 3),
      decimals(b, 3),
      decimals(correlation.pearson, 3),
      decimals(correlation.spearman, 3),
    ]),
  }
}

/** All but what orders bring and what plans do waits behind a fold. */
function folded(sections: readonly Section[]): Section[] {
  return sections.map((section) => ({ ...section, isFolded: true }))
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
        { name: 'joint', isStrong: true, points: level('joint') },
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
