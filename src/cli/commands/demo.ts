import { command } from '../command.js'
import type { DemoAdvice } from '../demo/copy.js'
import { type DemoReport, runDemo } from '../demo/run.js'
import { flag, integer, seed, withDefault } from '../options.js'
import { isUnicodeTerminal, plot } from '../output/plot.js'
import { withProgress } from '../output/progress.js'
import { count, shortened, table, thousands, timeSpan, wrapped } from '../output/wording.js'

export const demo = command({
  name: 'demo',
  summary: 'keep three copies of an invented site fresh under a budget, and show which stays up to date',
  options: {
    json: flag('print one JSON document instead of the page'),
    seed: withDefault('<n>', 'which site, 0 to 4294967295', 1, seed),
    weeks: withDefault('<n>', 'how long to follow it, 2 to 104', 26, integer(2, 104)),
    budget: withDefault('<n>', 'pages fetched anew per week, 1 to 10000', 20, integer(1, 10_000)),
    pages: withDefault('<n>', 'pages at the beginning, 10 to 10000', 600, integer(10, 10_000)),
  },
  examples: ['freshdex demo', 'freshdex demo --seed 7 --budget 40', 'freshdex demo --pages 2000 --weeks 52 --json'],
  async run(_, { json: _json, ...options }) {
    const report = await withProgress(undefined, 'weeks of copies', (update) =>
      runDemo({ ...options, onWeek: (weeks) => update({ part: weeks, things: weeks }) }),
    )
    return { json: report, text: demoText(report, { isUnicode: isUnicodeTerminal(process.env) }) }
  },
})

/** The page fits on one screen: lines have at most 100 columns, and there are at most 40 of them. */
const COLUMNS = 96
const PLOT_ROWS = 10

export function demoText(report: DemoReport, { isUnicode }: { readonly isUnicode: boolean }): string {
  return [
    ...opening(report),
    '',
    ...qualityPlot(report, isUnicode),
    '',
    ...conclusion(report),
    '',
    ...adviceLines(report.next),
    '',
    `Try next: freshdex demo --seed ${nextSeed(report)} for another site, or freshdex index --help for your own.`,
  ].join('\n')
}

function nextSeed({ seed }: Pick<DemoReport, 'seed'>): number {
  return (seed + 1) % 2 ** 32
}

function opening({ seed, site, budget, definition }: DemoReport): string[] {
  const { pages, changedShare, searchesPerWeek } = site
  return [
    `An invented site, seed ${seed}: ${count(pages, 'page')}, of which ${percent(changedShare)} change in a week. ` +
      `${thousands(searchesPerWeek)} searches a week.`,
    `Three copies of it may fetch ${count(budget, 'page')} a week. How much of what people saw was up to date?`,
    ...wrapped(definition, COLUMNS),
  ]
}

function qualityPlot({ strategies }: DemoReport, isUnicode: boolean): string[] {
  const names = { freshdex: 'freshdex', oldestFirst: 'oldest first', random: 'at random' } as const
  const series = Object.entries(names).map(([strategy, name]) => ({
    name,
    points: strategies[strategy as keyof typeof names].byWeek.map((y, at) => ({ x: at + 1, y })),
  }))
  const lowest = Math.min(...series.flatMap(({ points }) => points.map(({ y }) => y)))
  // Full tens of percent, so that plots of several seeds can be compared at a glance.
  const yRange = [Math.min(0.9, Math.floor(10 * lowest) / 10), 1] as const
  const xText = (week: number) => (Number.isInteger(week) ? String(week) : '')
  return plot(series, {
    ...{ width: COLUMNS, height: PLOT_ROWS, yRange, isUnicode },
    ...{ yText: percent, xText, xName: 'week' },
  })
}

function conclusion({ budget, site, strategies, oldestFirstNeeds }: DemoReport): string[] {
  const { freshdex, oldestFirst, random } = strategies
  const sum =
    `With ${count(budget, 'fetch', 'fetches')} a week, ${percent(freshdex.mean)} of what people saw was up to date. ` +
    `Oldest first: ${percent(oldestFirst.mean)}; at random: ${percent(random.mean)}.`
  return [sum, need()]

  function need(): string {
    if (budget >= site.pages) return 'That budget fetches every page each week, so that nothing is left to choose.'
    if (oldestFirstNeeds === null) return 'On this site oldest first does as well.'
    const { budget: needed, tried } = oldestFirstNeeds
    const most = tried.at(-1)!
    if (needed === null) {
      const everything = `all ${thousands(most.budget)} pages fetched every week come to ${percent(most.share)}`
      return `Oldest first never gets there: ${everything}.`
    }
    const times = (needed / budget).toFixed(1).replace(/\.0$/, '')
    return `Oldest first needs ${thousands(needed)} fetches a week for that: ${times} times as many.`
  }
}

const HEADER = ['', 'page', 'stake', 'age', 'found changed', 'current', 'gain', 'sum']
const LEGEND = "Stake: share of today's answers. Current: chance that the copy still is. Gain: share of all gains."

function adviceLines({ pages, sentence }: DemoAdvice): string[] {
  const rows = pages.map((page, at) => [
    String(at + 1).padStart(3),
    shortened(String(page.key), 42),
    percent(page.stake),
    timeSpan(page.ageMs),
    page.refreshes === 0 ? 'not known yet' : `${page.changes} of ${count(page.refreshes, 'time')}`,
    percent(page.currentProbability),
    percent(page.expectedGain),
    percent(page.cumulativeGain),
  ])
  const [best] = pages
  return [
    `The next pages to fetch. ${sentence}`,
    ...table([HEADER, ...rows]).split('\n'),
    LEGEND,
    ...(best === undefined ? [] : wrapped(`Why the first? ${best.why}`, COLUMNS)),
  ]
}

/** With one digit behind the point below 10%, and none above. Only the whole is 100%. */
function percent(share: number): string {
  const hundredths = 100 * share
  if (share < 1 && hundredths >= 99.5) return 'over 99%'
  return `${hundredths < 9.95 ? hundredths.toFixed(1).replace(/\.0$/, '') : Math.round(hundredths)}%`
}
