import type { Command } from 'commander'
import { describe } from '../../base/describe.js'
import type { Key, Plan, PlanOptions, PolicyName, StalenessReport } from '../../index.js'
import { addExamples, amount, asUsage, folder, integer, policyOption, UsageError, withReader } from '../command.js'
import { LineRefused, requiredLines } from '../input/lines.js'
import { isoTime, SPAN_RULE, span, TIME_RULE, time } from '../input/values.js'
import { print, printJson } from '../output/output.js'
import { count, oneLine, percent, significant, table, thousands, timeSpan } from '../output/wording.js'

interface PlanCommandOptions {
  readonly budget?: number
  readonly cost?: number
  readonly fetchPrice?: number
  readonly probePrice?: number
  readonly prices?: string
  readonly perHost?: number
  readonly minInterval?: number
  readonly maxStaleness?: number
  readonly cycle?: number
  readonly newPages: boolean
  readonly policy?: PolicyName
  readonly at?: number
  readonly json: boolean
}

const HEADER = ['rank', 'kind', 'cost', 'gain', 'changed', 'age', 'key']

export function addPlanCommand(program: Command): void {
  const command = program
    .command('plan')
    .description('what to do next within a budget, new pages included, and what that is expected to gain')
    .argument('<dir>', 'the folder of the index', folder)
    .option('--budget <n>', 'how many fetches', integer(0, Number.MAX_SAFE_INTEGER))
    .option('--cost <amount>', 'instead: what may be spent, in any unit', amount(0))
    .option('--fetch-price <amount>', 'with --cost: what fetching a page costs (default: 1)', amount(0, true))
    .option('--probe-price <amount>', 'with --cost: what asking costs whether a document has changed', amount(0, true))
    .option(
      '--prices <file>',
      'with --cost: lines of key, tab, price of fetching, for pages with another; - reads input',
    )
    .option('--per-host <n>', 'no more than this many actions on one host', integer(1, Number.MAX_SAFE_INTEGER))
    .option('--min-interval <span>', `no document that was refreshed less than this ago: ${SPAN_RULE}`, span)
    .option('--max-staleness <span>', 'no document is to become older than this; needs --cycle', span)
    .option('--cycle <span>', 'from this plan to the next', span)
    .option('--no-new-pages', 'documents only, no pages that were never fetched')
    .addOption(policyOption())
    .option('--at <time>', `the moment for which to decide: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
    .action(runPlanCommand)
  addExamples(
    command,
    'freshdex plan pages.idx --budget 50 --per-host 5',
    'freshdex plan pages.idx --cost 20 --probe-price 0.1',
    'freshdex plan pages.idx --cost 5000000 --prices bytes.tsv --probe-price 500 --json',
    'freshdex plan pages.idx --budget 200 --max-staleness 30d --cycle 1d',
  )
}

async function runPlanCommand(dir: string, options: PlanCommandOptions): Promise<void> {
  const request = await planOptions(options)
  const plan = await withReader(dir, (index) => asUsage(() => index.plan(request)))
  if (options.json) printJson(plan)
  else print(tell(plan))
}

async function planOptions(options: PlanCommandOptions): Promise<PlanOptions> {
  const { perHost, minInterval, maxStaleness, cycle, newPages, policy, at } = options
  const limits = {
    ...{ perHost, minIntervalMs: minInterval, maxStalenessMs: maxStaleness, cycleMs: cycle },
    ...{ policy, at: at ?? Date.now() },
  }
  const given = Object.entries(limits).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), budget: await budgetOf(options), newPages }
}

async function budgetOf(options: PlanCommandOptions): Promise<PlanOptions['budget']> {
  const { budget, cost, fetchPrice, probePrice, prices } = options
  if ((budget === undefined) === (cost === undefined)) throw new UsageError('either --budget or --cost must be given')
  if (budget !== undefined) {
    if (fetchPrice ?? probePrice ?? prices !== undefined) throw new UsageError('prices go with --cost')
    return budget
  }
  const known: DocumentPrices = prices === undefined ? new Map() : await readDocumentPrices(prices)
  const fetch = ({ key }: { readonly key: Key }) => known.get(String(key)) ?? fetchPrice ?? 1
  return {
    cost: cost as number,
    fetch: known.size === 0 ? (fetchPrice ?? 1) : fetch,
    ...(probePrice === undefined ? {} : { probe: probePrice }),
  }
}

function tell({ at, actions, cost, expected, staleness }: Plan): string {
  const rows = actions.map((action, nth) => [
    thousands(nth + 1),
    action.kind === 'new' || !action.isDue ? action.kind : `${action.kind}, due`,
    significant(action.cost),
    significant(action.deltaQuality),
    action.kind === 'new' ? '' : percent(action.changeChance),
    action.kind === 'new' ? '' : timeSpan(action.ageMs),
    oneLine(String(action.key)),
  ])
  const { deltaQuality, low, high, quality } = expected
  const summary = [
    `${count(actions.length, 'action')} at ${isoTime(at)}, expected to cost ${significant(cost)}`,
    `expected gain ${significant(deltaQuality)} (${significant(low)} to ${significant(high)}), ${percent(quality)} of all that is at stake`,
    ...(staleness === undefined ? [] : [tellStaleness(staleness)]),
  ]
  return [...(rows.length === 0 ? [] : [table([HEADER, ...rows])]), ...summary].join('\n')
}

function tellStaleness({ maxStalenessMs, late, isKept, needed }: StalenessReport): string {
  const limit = timeSpan(maxStalenessMs)
  const now = late === 0 ? '' : `${count(late, 'document')} older than ${limit} already; `
  if (isKept) return `${now}with this budget in every cycle no document becomes older than ${limit}`
  const hosts = needed.perHost === undefined ? '' : ` and ${thousands(needed.perHost)} actions on a host`
  return `${now}too little for a limit of ${limit}: that takes ${significant(needed.cost)}${hosts} in every cycle`
}

/** What pages cost, as text: `key<TAB>price`. Blank lines are passed over. */

/** By key, as text. */
export type DocumentPrices = ReadonlyMap<string, number>

/** LineRefused for the first line that says something else. */
async function readDocumentPrices(file: string): Promise<DocumentPrices> {
  const prices = new Map<string, number>()
  for await (const { source, number: line, text } of requiredLines(file)) {
    if (text.trim() === '') continue
    const [key = '', price, ...rest] = text.split('\t')
    const value = Number(price)
    if (
      price === undefined ||
      price.trim() === '' ||
      rest.length > 0 ||
      !(value > 0 && value < Number.POSITIVE_INFINITY)
    )
      throw new LineRefused({
        ...{ source, line },
        message: `it must be a key, a tab and a price above 0, received ${describe(text)}`,
      })
    prices.set(key, value)
  }
  return prices
}
