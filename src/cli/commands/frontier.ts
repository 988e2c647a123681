import type { Command } from 'commander'
import { describe } from '../../base/describe.js'
import { readFoundPage } from '../../frontier/frontier-page.js'
import type { AddReport, FoundPage, FrontierExplanation, FrontierSuggestion } from '../../index.js'
import { addExamples, asUsage, folder, integer, withIndex, withReader } from '../command.js'
import { recordLines } from '../input/records.js'
import { isoTime, TIME_RULE, time } from '../input/values.js'
import { complain, EXIT_FAILURE, failureCode, print, printJson } from '../output/output.js'
import { count, oneLine, percent, significant, table, thousands } from '../output/wording.js'

export function addFrontierCommand(program: Command): void {
  const command = program.command('frontier').description('the pages that are known and were not fetched')
  addFrontierAddCommand(command)
  addFrontierNextCommand(command)
  addFrontierExplainCommand(command)
}

interface AddCommandOptions {
  readonly file: string
  readonly at?: number
  readonly json: boolean
}

function addFrontierAddCommand(frontier: Command): void {
  const command = frontier
    .command('add')
    .description('say that pages exist')
    .argument('<dir>', 'the folder of the index', folder)
    .requiredOption('--file <file>', 'JSON lines with url, and optionally anchors and inlinks; -: standard input')
    .option('--at <time>', `when they were found: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, { file, at = Date.now(), json }: AddCommandOptions) => {
      // Before the index is opened: a bad line leaves it as it was, and whoever writes slowly keeps no other writer
      // out.
      const pages = await readFoundPages(file)
      const report = await withIndex(dir, {}, async (index) => {
        const added = await index.frontier.add(pages, { at })
        // Commands that only look learn nothing: what pages fetched since have taught is kept here.
        await index.frontier.next({ budget: 0, at })
        return added
      })
      if (json) printJson(report)
      else print(tellAdded(report))
    })
  addExamples(
    command,
    'freshdex frontier add pages.idx --file links.jsonl',
    `echo '{"url":"/island/inn","anchors":["the inn"],"inlinks":3}' | freshdex frontier add pages.idx --file - --json`,
  )
}

function tellAdded({ added, updated, known }: AddReport): string {
  return `${count(added, 'page')} added, ${thousands(updated)} known to the frontier, ${thousands(known)} known as documents`
}

interface ExplainCommandOptions {
  readonly at?: number
  readonly json: boolean
}

const QUERY_HEADER = ['gain', 'weight', 'score', 'rank', 'query']

function addFrontierExplainCommand(frontier: Command): void {
  const command = frontier
    .command('explain')
    .description('what a page would be worth, and to which queries')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('<url>', 'the URL of the page')
    .option('--at <time>', `the moment by which queries are weighed: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document; null when there is no such page', false)
    .action(runExplainCommand)
  addExamples(
    command,
    'freshdex frontier explain pages.idx /island/inn',
    'freshdex frontier explain pages.idx https://example.com/timetable --json',
  )
}

async function runExplainCommand(dir: string, url: string, options: ExplainCommandOptions): Promise<void> {
  const { at = Date.now(), json } = options
  const explanation = await withReader(dir, (index) => asUsage(() => index.frontier.explain(url, { at })))
  if (explanation !== undefined) return json ? printJson(explanation) : print(tellExplanation(explanation))
  if (json) printJson(null)
  complain(`the frontier has no page ${describe(url)}`)
  process.exitCode = EXIT_FAILURE
}

function tellExplanation(explanation: FrontierExplanation): string {
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
    expectedRank === undefined ? 'behind 10' : thousands(expectedRank),
    oneLine(query),
  ])
  return `${facts}\n\n${table([QUERY_HEADER, ...rows])}`
}

interface NextCommandOptions {
  readonly budget: number
  readonly at?: number
  readonly json: boolean
}

const PAGE_HEADER = ['rank', 'impact', 'gain', 'inlinks', 'url']

function addFrontierNextCommand(frontier: Command): void {
  const command = frontier
    .command('next')
    .description('the pages to fetch next, those of the highest impact first')
    .argument('<dir>', 'the folder of the index', folder)
    .requiredOption('--budget <n>', 'how many pages to name', integer(0, Number.MAX_SAFE_INTEGER))
    .option('--at <time>', `the moment by which queries are weighed: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, { budget, at = Date.now(), json }: NextCommandOptions) => {
      const pages = await withReader(dir, (index) => index.frontier.next({ budget, at }))
      if (json) printJson({ at, pages })
      else print(tellNext(pages))
    })
  addExamples(
    command,
    'freshdex frontier next pages.idx --budget 20',
    'freshdex frontier next pages.idx --budget 100 --at 2026-11-16T09:00Z --json',
  )
}

function tellNext(pages: readonly FrontierSuggestion[]): string {
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

/**
 * Pages that were found, as records, one a line: {"url": …}, and optionally "anchors", a list of texts, and "inlinks".
 */

/** All lines of a file; LineRefused for the first that says something else. */
async function readFoundPages(file: string): Promise<FoundPage[]> {
  const pages: FoundPage[] = []
  for await (const { record, refuse } of recordLines(file, 'jsonl')) {
    try {
      const { url, anchors, inlinks } = readFoundPage(record)
      pages.push({ url, anchors, ...(inlinks === undefined ? {} : { inlinks }) })
    } catch (error) {
      throw refuse((error as Error).message, failureCode(error))
    }
  }
  return pages
}
