import type { Command } from 'commander'
import { describe } from '../describe.js'
import type { FrontierExplanation } from '../discovery/frontier.js'
import { addExamples } from './examples.js'
import { withReader } from './open-index.js'
import { folder } from './option-values.js'
import { complain, EXIT_FAILURE, print, printJson } from './output.js'
import { isoTime, TIME_RULE, time } from './time-text.js'
import { asUsage } from './usage-error.js'
import { count, oneLine, percent, significant, table, thousands } from './wording.js'

interface ExplainCommandOptions {
  readonly at?: number
  readonly json: boolean
}

const HEADER = ['gain', 'weight', 'score', 'rank', 'query']

export function addFrontierExplainCommand(frontier: Command): void {
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
  if (explanation !== undefined) return json ? printJson(explanation) : print(tell(explanation))
  if (json) printJson(null)
  complain(`the frontier has no page ${describe(url)}`)
  process.exitCode = EXIT_FAILURE
}

function tell(explanation: FrontierExplanation): string {
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
  return `${facts}\n\n${table([HEADER, ...rows])}`
}
