import type { Command } from 'commander'
import type { FrontierSuggestion } from '../discovery/frontier.js'
import { addExamples } from './examples.js'
import { withReader } from './open-index.js'
import { folder, integer } from './option-values.js'
import { print, printJson } from './output.js'
import { TIME_RULE, time } from './time-text.js'
import { count, oneLine, significant, table, thousands } from './wording.js'

interface NextCommandOptions {
  readonly budget: number
  readonly at?: number
  readonly json: boolean
}

const HEADER = ['rank', 'impact', 'gain', 'inlinks', 'url']

export function addFrontierNextCommand(frontier: Command): void {
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
      else print(tell(pages))
    })
  addExamples(
    command,
    'freshdex frontier next pages.idx --budget 20',
    'freshdex frontier next pages.idx --budget 100 --at 2026-11-16T09:00Z --json',
  )
}

function tell(pages: readonly FrontierSuggestion[]): string {
  const rows = pages.map(({ url, impact, deltaQuality, inlinks }, nth) => [
    thousands(nth + 1),
    significant(impact),
    significant(deltaQuality),
    thousands(inlinks),
    oneLine(url),
  ])
  const summary = `${count(pages.length, 'page')} to fetch`
  return rows.length === 0 ? summary : `${table([HEADER, ...rows])}\n${summary}`
}
