import { describe } from '../../base/describe.js'
import type { Key, Plan, PlanOptions, StalenessReport } from '../../index.js'
import { command } from '../command.js'
import { withLearnt } from '../index-access.js'
import { filledLines, readAll } from '../input/lines.js'
import { BUDGET_RULE, isoTime, pagesOf, SPAN_RULE } from '../input/values.js'
import {
  amount,
  budget,
  INDEX_FOLDER,
  integer,
  KEYS,
  type OptionValues,
  onUnlessNegated,
  optional,
  POLICY,
  span,
  timeOf,
  UsageError,
} from '../options.js'
import { keyLines } from '../output/output.js'
import { count, oneLine, percent, significant, table, thousands, timeSpan } from '../output/wording.js'

const OPTIONS = {
  budget: optional('<n>', `how many fetches: ${BUDGET_RULE}`, budget),
  cost: optional('<amount>', 'instead: what may be spent, in any unit', amount(0)),
  fetchPrice: optional('<amount>', 'with --cost: what fetching a page costs (default: 1)', amount(0, true)),
  probePrice: optional('<amount>', 'with --cost: what asking costs whether a document has changed', amount(0, true)),
  prices: optional(
    '<file>',
    'with --cost: lines of key, tab, price of fetching, for pages with another; - reads input',
  ),
  perHost: optional('<n>', 'no more than this many actions on one host', integer(1)),
  minInterval: optional('<span>', `no document that was refreshed less than this ago: ${SPAN_RULE}`, span),
  maxStaleness: optional('<span>', 'no document is to become older than this; needs --cycle', span),
  cycle: optional('<span>', 'from this plan to the next', span),
  newPages: onUnlessNegated('documents only, no pages that were never fetched'),
  policy: POLICY,
  at: timeOf('the moment for which to decide'),
  keys: KEYS,
}

type Options = OptionValues<typeof OPTIONS>

export const plan = command({
  name: 'plan',
  summary: 'what to do next within a budget, new pages included, and what that is expected to gain',
  args: [INDEX_FOLDER],
  options: OPTIONS,
  examples: [
    'freshdex plan pages.idx --budget 50 --per-host 5',
    'freshdex plan pages.idx --cost 20 --probe-price 0.1',
    'freshdex plan pages.idx --cost 5000000 --prices bytes.tsv --probe-price 500 --json',
    'freshdex plan pages.idx --budget 200 --max-staleness 30d --cycle 1d',
  ],
  async run([dir], options) {
    checkSpans(options)
    const prices = await pricesOf(options)
    const plan = await withLearnt(dir, (index) => {
      return index.plan({ ...limitsOf(options), budget: prices ?? pagesOf(options.budget!, index.stats().documents) })
    })
    if (options.keys) return { text: keyLines(plan.actions.map(({ key }) => key)) }
    return { json: plan, text: planText(plan) }
  },
})

function checkSpans({ minInterval = 0, maxStaleness, cycle }: Options): void {
  if (maxStaleness === undefined) return
  if (cycle === undefined) throw new UsageError('--max-staleness needs --cycle, the time from this plan to the next')
  if (cycle > maxStaleness) throw new UsageError('--cycle must be at most --max-staleness')
  if (minInterval > maxStaleness) throw new UsageError('--min-interval must be at most --max-staleness')
}

function limitsOf(options: Options): Omit<PlanOptions, 'budget'> {
  const { perHost, minInterval, maxStaleness, cycle, newPages, policy, at = Date.now() } = options
  const limits = { perHost, minIntervalMs: minInterval, maxStalenessMs: maxStaleness, cycleMs: cycle }
  const given = Object.entries(limits).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), policy, at, newPages }
}

/** The budget in prices; undefined if it is one of pages. */
async function pricesOf(options: Options): Promise<PlanOptions['budget'] | undefined> {
  const { budget, cost, fetchPrice, probePrice, prices } = options
  if ((budget === undefined) === (cost === undefined)) throw new UsageError('either --budget or --cost must be given')
  if (budget !== undefined) {
    if (fetchPrice ?? probePrice ?? prices !== undefined) throw new UsageError('prices go with --cost')
    return undefined
  }
  const known = prices === undefined ? new Map<string, number>() : await readPrices(prices)
  const fetch = ({ key }: { readonly key: Key }) => known.get(String(key)) ?? fetchPrice ?? 1
  return {
    cost: cost as number,
    fetch: known.size === 0 ? (fetchPrice ?? 1) : fetch,
    ...(probePrice === undefined ? {} : { probe: probePrice }),
  }
}

/** What fetching pages costs, by key, from lines of `key<TAB>price`; LineRefused for the first that is no such line. */
async function readPrices(file: string): Promise<ReadonlyMap<string, number>> {
  const lines = await readAll(filledLines(file), ({ text }) => {
    const [key = '', price = '', ...rest] = text.split('\t')
    const value = price.trim() === '' || rest.length > 0 ? Number.NaN : Number(price)
    if (value > 0 && value < Number.POSITIVE_INFINITY) return [key, value] as const
    throw new Error(`it must be a key, a tab and a price above 0, received ${describe(text)}`)
  })
  return new Map(lines.map(({ value }) => value))
}

const HEADER = ['rank', 'kind', 'cost', 'gain', 'changed', 'age', 'key']

function planText({ at, actions, cost, expected, staleness }: Plan): string {
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
  const gain = `${significant(deltaQuality)} (${significant(low)} to ${significant(high)})`
  return [
    ...(rows.length === 0 ? [] : [table([HEADER, ...rows])]),
    `${count(actions.length, 'action')} at ${isoTime(at)}, expected to cost ${significant(cost)}`,
    `expected gain ${gain}, ${percent(quality)} of all that is at stake`,
    ...(staleness === undefined ? [] : [stalenessText(staleness)]),
  ].join('\n')
}

function stalenessText({ maxStalenessMs, late, isKept, needed }: StalenessReport): string {
  const limit = timeSpan(maxStalenessMs)
  const now = late === 0 ? '' : `${count(late, 'document')} older than ${limit} already; `
  if (isKept) return `${now}with this budget in every cycle no document becomes older than ${limit}`
  const hosts = needed.perHost === undefined ? '' : ` and ${thousands(needed.perHost)} actions on a host`
  return `${now}too little for a limit of ${limit}: that takes ${significant(needed.cost)}${hosts} in every cycle`
}
