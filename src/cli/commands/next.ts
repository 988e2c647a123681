import type { Command } from 'commander'
import type { PolicyName, RefreshSuggestion } from '../../index.js'
import { addExamples, asUsage, folder, integer, policyOption, withReader } from '../command.js'
import { isoTime, TIME_RULE, time } from '../input/values.js'
import { print, printJson } from '../output/output.js'
import { count, oneLine, percent, significant, table, thousands, timeSpan } from '../output/wording.js'

interface NextCommandOptions {
  readonly budget: number
  readonly where?: string
  readonly perHost?: number
  readonly policy: PolicyName
  readonly at?: number
  readonly json: boolean
}

const HEADER = ['rank', 'priority', 'gain', 'age', 'refreshes', 'key']

export function addNextCommand(program: Command): void {
  const command = program
    .command('next')
    .description('the documents to refresh next, best first')
    .argument('<dir>', 'the folder of the index', folder)
    .requiredOption('--budget <n>', 'how many documents to name', integer(0, Number.MAX_SAFE_INTEGER))
    .option('--where <query>', 'only documents that match this query')
    .option('--per-host <n>', 'no more than this many documents of one host', integer(1, Number.MAX_SAFE_INTEGER))
    .addOption(policyOption())
    .option('--at <time>', `the moment for which to decide: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
    .action(runNextCommand)
  addExamples(
    command,
    'freshdex next pages.idx --budget 20',
    'freshdex next pages.idx --budget 100 --where "ferry OR boat" --per-host 2 --json',
    'freshdex next pages.idx --budget 5 --policy oldest-first --at 2026-11-16T09:00Z',
  )
}

async function runNextCommand(dir: string, options: NextCommandOptions): Promise<void> {
  const { json, at = Date.now(), policy, ...rest } = options
  const documents = await withReader(dir, (index) => asUsage(() => index.refresh.next({ ...rest, at, policy })))
  if (json) printJson({ at, policy, documents })
  else print(tell(documents, at, policy))
}

function tell(documents: readonly RefreshSuggestion[], at: number, policy: PolicyName): string {
  const rows = documents.map(({ key, priority, expectedGain, ageMs, refreshes }, nth) => [
    thousands(nth + 1),
    significant(priority),
    percent(expectedGain),
    timeSpan(ageMs),
    thousands(refreshes),
    oneLine(String(key)),
  ])
  const summary = `${count(documents.length, 'document')} to refresh at ${isoTime(at)} by ${policy}`
  return rows.length === 0 ? summary : `${table([HEADER, ...rows])}\n${summary}`
}
