import type { Command } from 'commander'
import type { PlannedFetch } from '../discovery/fetch-plan.js'
import type { RefreshSuggestion } from '../refresh/refresh.js'
import { DEFAULT_POLICY, type PolicyName } from '../refresh/registry.js'
import { addExamples } from './examples.js'
import { withReader } from './open-index.js'
import { folder, integer } from './option-values.js'
import { print, printJson } from './output.js'
import { policyOption } from './policy-option.js'
import { isoTime, TIME_RULE, time } from './time-text.js'
import { asUsage, UsageError } from './usage-error.js'
import { count, oneLine, percent, significant, table, thousands, timeSpan } from './wording.js'

interface NextCommandOptions {
  readonly budget: number
  readonly where?: string
  readonly perHost?: number
  readonly policy: PolicyName
  readonly frontier: boolean
  readonly at?: number
  readonly json: boolean
}

const PLAN_HEADER = ['rank', 'gain', 'kind', 'key']
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
    .option('--frontier', 'pages that were never fetched, too: one plan by the gain to be expected', false)
    .option('--at <time>', `the moment for which to decide: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
    .action(runNextCommand)
  addExamples(
    command,
    'freshdex next pages.idx --budget 20',
    'freshdex next pages.idx --budget 100 --where "ferry OR boat" --per-host 2 --json',
    'freshdex next pages.idx --budget 50 --frontier',
    'freshdex next pages.idx --budget 5 --policy oldest-first --at 2026-11-16T09:00Z',
  )
}

async function runNextCommand(dir: string, options: NextCommandOptions): Promise<void> {
  const { json, at = Date.now(), policy, frontier, ...rest } = options
  if (frontier) return runPlan(dir, options, at)
  const documents = await withReader(dir, (index) => asUsage(() => index.refresh.next({ ...rest, at, policy })))
  if (json) printJson({ at, policy, documents })
  else print(tell(documents, at, policy))
}

async function runPlan(dir: string, options: NextCommandOptions, at: number): Promise<void> {
  const { budget, perHost, where, policy, json } = options
  if (where !== undefined) throw new UsageError('--frontier and --where do not go together')
  if (policy !== DEFAULT_POLICY) throw new UsageError(`--frontier goes by ${DEFAULT_POLICY}`)
  const limits = perHost === undefined ? {} : { perHost }
  const fetches = await withReader(dir, (index) => index.plan({ budget, at, ...limits }))
  if (json) printJson({ at, fetches })
  else print(tellPlan(fetches, at))
}

function tellPlan(fetches: readonly PlannedFetch[], at: number): string {
  const rows = fetches.map(({ key, kind, deltaQuality }, nth) => [
    thousands(nth + 1),
    significant(deltaQuality),
    kind,
    oneLine(String(key)),
  ])
  const fresh = fetches.filter(({ kind }) => kind === 'new').length
  const documents = count(fetches.length - fresh, 'document')
  const summary = `${documents} to refresh and ${count(fresh, 'page')} to fetch at ${isoTime(at)}`
  return rows.length === 0 ? summary : `${table([PLAN_HEADER, ...rows])}\n${summary}`
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
