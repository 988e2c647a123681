import { describe } from '../../base/describe.js'
import { readFoundPage } from '../../frontier/frontier-page.js'
import type { AddReport, FoundPage, FrontierExplanation, FrontierSuggestion } from '../../index.js'
import { type CommandGroup, command } from '../command.js'
import { withIndex, withReader } from '../index-access.js'
import { readAll } from '../input/lines.js'
import { type RecordLine, recordLines } from '../input/records.js'
import { BUDGET_RULE, isoTime, pagesOf } from '../input/values.js'
import {
  argument,
  budget,
  choice,
  flag,
  INDEX_FOLDER,
  integer,
  KEYS,
  required,
  share,
  timeOf,
  withDefault,
} from '../options.js'
import { keyLines } from '../output/output.js'
import { count, oneLine, percent, significant, table, thousands } from '../output/wording.js'

const add = command({
  name: 'add',
  summary: 'say that pages exist',
  args: [INDEX_FOLDER],
  options: {
    file: required('<file>', 'JSON lines with url, and optionally anchors and inlinks; -: standard input'),
    at: timeOf('when they were found'),
  },
  examples: [
    'freshdex frontier add pages.idx --file links.jsonl',
    `echo '{"url":"/island/inn","anchors":["the inn"],"inlinks":3}' | freshdex frontier add pages.idx --file - --json`,
  ],
  async run([dir], { file, at = Date.now() }) {
    // All lines are read before the index is opened: a bad line leaves the index as it was, and an input that comes
    // slowly keeps no other writer out.
    const lines = await readAll(recordLines(file, 'jsonl'), foundPage)
    const pages = lines.map(({ value }) => value)
    const report = await withIndex(dir, {}, async (index) => {
      const added = await index.frontier.add(pages, { at })
      // Keeps what pages fetched since have taught, which commands that only look cannot do.
      await index.frontier.next({ budget: 0, at })
      return added
    })
    return { json: report, text: addedText(report) }
  },
})

/** Answers that an index keeps of a query. */
const MOST_RANKS = 20

/** How impact is estimated. */
const IMPACT = {
  rho: withDefault('<share>', 'of the n-grams of a query that URL and anchors of a page must have', 1, share),
  ranks: withDefault('<n>', 'ranks at which a page is seen', 10, integer(1, MOST_RANKS)),
  visibility: choice('<kind>', 'step: all ranks count alike; view: as often as people look', ['step', 'view'], 'step'),
  queryWeight: withDefault('<share>', 'of the impact that comes from queries; the rest comes from inlinks', 0.9, share),
}

const next = command({
  name: 'next',
  summary: 'the pages to fetch next, those of the highest impact first',
  args: [INDEX_FOLDER],
  options: {
    budget: required('<n>', `how many pages to name: ${BUDGET_RULE}`, budget),
    ...IMPACT,
    at: timeOf('the moment by which queries are weighed'),
    keys: KEYS,
  },
  examples: [
    'freshdex frontier next pages.idx --budget 20',
    'freshdex frontier next pages.idx --budget 100 --at 2026-11-16T09:00Z --json',
    'freshdex frontier next pages.idx --budget 100 --rho 50% --visibility view',
  ],
  async run([dir], { budget, keys, at = Date.now(), ranks: visibleRanks, rho, visibility, queryWeight }) {
    const pages = await withReader(dir, (index) => {
      const pages = pagesOf(budget, index.stats().documents)
      return index.frontier.next({ budget: pages, at, rho, visibleRanks, visibility, queryWeight })
    })
    if (keys) return { text: keyLines(pages.map(({ url }) => url)) }
    return { json: { at, pages }, text: suggestionsText(pages) }
  },
})

const explain = command({
  name: 'explain',
  summary: 'what a page would be worth, and to which queries',
  args: [INDEX_FOLDER, argument('<url>', 'the URL of the page')],
  options: {
    ...IMPACT,
    at: timeOf('the moment by which queries are weighed'),
    json: flag('print one JSON document; null when there is no such page'),
  },
  examples: [
    'freshdex frontier explain pages.idx /island/inn',
    'freshdex frontier explain pages.idx https://example.com/timetable --json',
  ],
  async run([dir, url], { at = Date.now(), ranks: visibleRanks, rho, visibility, queryWeight }) {
    const explanation = await withReader(dir, (index) =>
      index.frontier.explain(url, { at, rho, visibleRanks, visibility, queryWeight }),
    )
    if (explanation === undefined) return { json: null, failure: `the frontier has no page ${describe(url)}` }
    return { json: explanation, text: explanationText(explanation, visibleRanks) }
  },
})

export const frontier: CommandGroup = {
  name: 'frontier',
  summary: 'the pages that are known and were not fetched',
  commands: [add, next, explain],
}

/** A page that was found: `{"url": …}`, and optionally `"anchors"`, a list of texts, and `"inlinks"`. */
function foundPage({ record }: RecordLine): FoundPage {
  const { url, anchors, inlinks } = readFoundPage(record)
  return { url, anchors, ...(inlinks === undefined ? {} : { inlinks }) }
}

function addedText({ added, updated, known }: AddReport): string {
  const before = `${thousands(updated)} known to the frontier, ${thousands(known)} known as documents`
  return `${count(added, 'page')} added, ${before}`
}

const PAGE_HEADER = ['rank', 'impact', 'gain', 'inlinks', 'url']

function suggestionsText(pages: readonly FrontierSuggestion[]): string {
  const rows = pages.map(({ url, impact, deltaQuality, inlinks }, nth) => [
    thousands(nth + 1),
    significant(impact),
    significant(deltaQuality),
    thousands(inlinks),
    oneLine(url),
  ])
  const summary = `${count(pages.length, 'page')} to fetch`
  return rows.length === 0 ? summary : `${table([PAGE_HEADER, ...rows])}\n${summary}`
}

const QUERY_HEADER = ['gain', 'weight', 'score', 'rank', 'query']

function explanationText(explanation: FrontierExplanation, ranks: number): string {
  const { url, impact, queryImpact, inlinkImpact, deltaQuality, inlinks, addedAt, anchors, queries } = explanation
  const { gainFactor, gainPages } = explanation
  const facts = table([
    ['url', oneLine(url)],
    ['impact', significant(impact)],
    ['by queries', significant(queryImpact)],
    ['by inlinks', inlinkImpact === undefined ? 'nothing learnt yet' : significant(inlinkImpact)],
    ['gain', significant(deltaQuality)],
    ['of promised', `${percent(gainFactor)}, by ${count(gainPages, 'page')} fetched`],
    ['inlinks', thousands(inlinks)],
    ['added', isoTime(addedAt)],
    ['anchors', anchors.length === 0 ? 'none' : oneLine(anchors.slice(0, 5).join(' | '))],
  ])
  if (queries.length === 0) return facts
  const rows = queries.map(({ query, weight, expectedScore, expectedRank, deltaQuality: gain }) => [
    significant(gain),
    significant(weight),
    significant(expectedScore),
    expectedRank === undefined ? `behind ${ranks}` : thousands(expectedRank),
    oneLine(query),
  ])
  return `${facts}\n\n${table([QUERY_HEADER, ...rows])}`
}
