import { DAY_MS } from '../../base/time.js'
import type { EffectExplanation, RefreshExplanation } from '../../index.js'
import { command } from '../command.js'
import { type DemoReport, type DemoRound, type RoundOutcome, runDemo } from '../demo-run.js'
import { flag, integer, seed, withDefault } from '../options.js'
import { EXIT_FAILURE, warn } from '../output/output.js'
import { count, thousands } from '../output/wording.js'

export const demo = command({
  name: 'demo',
  summary: 'keep a copy of an invented site fresh under a budget, and tell what happened',
  options: {
    json: flag('print one JSON document instead of the story'),
    pages: withDefault('<n>', 'pages at the beginning, 1 to 100000', 400, integer(1, 100_000)),
    rounds: withDefault('<n>', 'weeks to follow the site, 0 to 52', 4, integer(0, 52)),
    budget: withDefault('<n>', 'pages fetched anew per week, 1 to 100000', 20, integer(1, 100_000)),
    seed: withDefault('<n>', 'which site, 0 to 4294967295', 1, seed),
  },
  examples: ['freshdex demo', 'freshdex demo --pages 2000 --rounds 8 --budget 50 --seed 7'],
  async run(_, { json: _json, ...options }) {
    const report = await runDemo({ ...options, log: warn })
    return { json: report, text: tellStory(report), ...(report.check.ok ? {} : { status: EXIT_FAILURE }) }
  },
})

/** The report of the demonstration as something to read. */
export function tellStory(report: DemoReport): string {
  const parts = [
    opening(report),
    ...report.rounds.map((round) => chapter(round, report.budget)),
    advice(report),
    ending(report),
  ]
  return parts.map((lines) => lines.join('\n')).join('\n\n')
}

function opening({ seed, budget, site, workload, firstWrite }: DemoReport): string[] {
  const { static: still, churning, scrolling } = site.census
  const asked = workload.top.map(({ query, count: times }) => `${query} (${times})`).join(', ')
  return [
    `An invented site, seed ${seed}: ${count(site.pages, 'page')}, ${kilobytes(site.bytes)} of text.`,
    `${count(still, 'page')} never change, ${thousands(churning)} carry notices that are replaced, ` +
      `${thousands(scrolling)} a list of news that scrolls.`,
    `Indexed in ${milliseconds(firstWrite.ms)}: ${count(firstWrite.report.tokens.total, 'token')}.`,
    '',
    `People ask ${count(workload.queries, 'different query', 'different queries')}, most often: ${asked}.`,
    `From now on ${count(budget, 'page')} a week may be fetched anew. The index says which; a second one fetches ` +
      'the oldest first.',
  ]
}

function chapter({ week, events, changed, added, gone, ours, oldestFirst }: DemoRound, budget: number): string[] {
  return [
    `Week ${week}${events.length > 0 ? `, the week of the ${events.join(' and the ')}` : ''}`,
    `  the site changed ${count(changed, 'page')}, lost ${thousands(gone)} and announced ${count(added, 'new one')}`,
    `  the index's choice:  ${outcome(ours, budget)}`,
    `  the oldest first:    ${outcome(oldestFirst, budget)}`,
  ]
}

function outcome({ foundChanged, freshShare }: RoundOutcome, budget: number): string {
  const found = `${foundChanged} of ${budget} had changed`
  return `${found.padEnd(22)} ${percent(freshShare)} of what people see is up to date`
}

function advice({ next }: DemoReport): string[] {
  if (next.length === 0) return ['There is nothing to refresh.']
  return ['What to refresh next, and why', ...next.flatMap((page, at) => suggestion(page, at + 1))]
}

function suggestion(page: RefreshExplanation, rank: number): string[] {
  const { key, expected, expectedGain, ageMs, stake, refreshes, changes, queries } = page
  const age = count(Math.round(ageMs / DAY_MS), 'day')
  const history =
    refreshes === 0 ? 'never refreshed since' : `changed at ${changes} of ${count(refreshes, 'refresh', 'refreshes')}`
  const gain = `${expected.deltaQuality.toFixed(2)} (${(100 * expectedGain).toFixed(3)}% of all answers)`
  const lines = [
    `  ${String(rank).padStart(2)}. ${key}`,
    `      expected gain ${gain}, ${age} old, ${history}; at stake ${stake.toFixed(1)}`,
  ]
  const [most] = queries
  return most === undefined ? lines : [...lines, `      its last change moved ${effect(most)}`]
}

function effect({ query, rankBefore, rankAfter }: EffectExplanation): string {
  const from = rankBefore === undefined ? 'out of the answers' : `rank ${rankBefore}`
  const to = rankAfter === undefined ? 'out of them' : `rank ${rankAfter}`
  return `"${query ?? 'a query no longer asked'}" most: from ${from} to ${to}`
}

function ending({ rounds, overhead, check }: DemoReport): string[] {
  const { indexMs, measureMs, ratio, ratioWithFits, shifts } = overhead
  return [
    ...(rounds.length === 0 ? [] : [comparison(rounds)]),
    `Measuring ${count(shifts, 'score shift')} took ${milliseconds(measureMs)} beside ${milliseconds(indexMs)} of ` +
      `indexing: ${percent(ratio)}, or ${percent(ratioWithFits)} with the fitting of curves.`,
    check.ok
      ? `Checked afterwards: ${count(check.documents, 'document')}, ${count(check.terms, 'term')}, ` +
        `${count(check.postings, 'posting')}, no faults.`
      : `Checked afterwards: ${count(check.faults.length, 'fault')}, the first: ${check.faults[0]?.message}`,
  ]
}

function comparison(rounds: readonly DemoRound[]): string {
  const mean = (name: 'ours' | 'oldestFirst') =>
    rounds.reduce((sum, round) => sum + round[name].freshShare, 0) / rounds.length
  const [ours, oldestFirst] = [percent(mean('ours')), percent(mean('oldestFirst'))]
  return `All weeks together: ${ours} of what people saw was up to date, and ${oldestFirst} with the oldest first.`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`
}

function kilobytes(bytes: number): string {
  return `${thousands(Math.round(bytes / 1000))} kB`
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
}
