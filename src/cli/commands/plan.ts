import { describe } from '../../base/describe.js'
import type { ActionCosts, Key, PlanOptions } from '../../index.js'
import { command } from '../command.js'
import { withLearnt } from '../index-access.js'
import { filledLines, readAll } from '../input/lines.js'
import { BUDGET_RULE, pagesOf, SPAN_RULE } from '../input/values.js'
import {
  amount,
  budget,
  flag,
  INDEX_FOLDER,
  integer,
  KEYS,
  type OptionValues,
  onUnlessNegated,
  optional,
  POLICY,
  share,
  span,
  timeOf,
  UsageError,
} from '../options.js'
import { keyLines } from '../output/output.js'
import { planText } from '../output/plan-text.js'
import { isUnicodeTerminal } from '../output/plot.js'

const OPTIONS = {
  budget: optional('<n>', `how many fetches: ${BUDGET_RULE}`, budget),
  cost: optional('<amount>', 'instead: what may be spent, in any unit', amount(0)),
  target: optional('<share>', 'instead: the expected quality to reach, such as 95%, with the least budget', share),
  fetchPrice: optional('<amount>', 'with --cost or --target: what fetching a page costs (default: 1)', amount(0, true)),
  probePrice: optional(
    '<amount>',
    'with --cost or --target: what asking costs whether a document has changed',
    amount(0, true),
  ),
  prices: optional(
    '<file>',
    'with --cost or --target: lines of key, tab, price of fetching, for pages with another; - reads input',
  ),
  filter: optional('<clauses>', 'only documents whose columns pass, such as "section:docs"; no new pages'),
  perHost: optional('<n>', 'no more than this many actions on one host', integer(1)),
  minInterval: optional(
    '<span>',
    `no document that was refreshed less than this ago (default: 1h): ${SPAN_RULE}`,
    span,
  ),
  maxStaleness: optional('<span>', 'no document is to become older than this; needs --cycle', span),
  cycle: optional('<span>', 'from this plan to the next', span),
  newPages: onUnlessNegated('documents only, no pages that were never fetched'),
  policy: POLICY,
  at: timeOf('the moment for which to decide'),
  why: flag('say why for each action; up to five have it unless told'),
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
    'freshdex plan pages.idx --target 95%',
    'freshdex plan pages.idx --cost 20 --probe-price 0.1',
    'freshdex plan pages.idx --cost 5000000 --prices bytes.tsv --probe-price 500 --json',
    'freshdex plan pages.idx --budget 200 --max-staleness 30d --cycle 1d',
  ],
  async run([dir], options) {
    checkSpans(options)
    const asked = await questionOf(options)
    const plan = await withLearnt(dir, (index) => {
      return index.plan({ ...limitsOf(options), ...asked(index.stats().documents) })
    })
    if (options.keys) return { text: keyLines(plan.actions.map(({ key }) => key)) }
    const hasPrices = [options.fetchPrice, options.probePrice, options.prices].some((price) => price !== undefined)
    const shown = { dir, hasReasons: options.why, hasPrices, isUnicode: isUnicodeTerminal(process.env) }
    return { json: plan, text: planText(plan, shown) }
  },
})

function checkSpans({ minInterval = 0, maxStaleness, cycle }: Options): void {
  if (maxStaleness === undefined) return
  if (cycle === undefined) throw new UsageError('--max-staleness needs --cycle, the time from this plan to the next')
  if (cycle > maxStaleness) throw new UsageError('--cycle must be at most --max-staleness')
  if (minInterval > maxStaleness) throw new UsageError('--min-interval must be at most --max-staleness')
}

function limitsOf(options: Options): Omit<PlanOptions, 'budget'> {
  const { filter, perHost, minInterval, maxStaleness, cycle, target, newPages, policy, at = Date.now() } = options
  const limits = { filter, perHost, minIntervalMs: minInterval, maxStalenessMs: maxStaleness, cycleMs: cycle }
  const given = Object.entries(limits).filter(([, value]) => value !== undefined)
  // A target is about the documents that there are, and only refuses to be told so.
  return {
    ...Object.fromEntries(given),
    policy,
    at,
    ...(target === undefined && filter === undefined ? { newPages } : {}),
  }
}

/** What is asked for, in an index of so many documents: a budget of pages or of costs, or a target. */
async function questionOf(options: Options): Promise<(documents: number) => Partial<PlanOptions>> {
  const { budget, cost, target, fetchPrice, probePrice, prices } = options
  if ([budget, cost, target].filter((given) => given !== undefined).length !== 1) {
    throw new UsageError('either --budget, --cost or --target must be given')
  }
  if (budget !== undefined) {
    if (fetchPrice ?? probePrice ?? prices !== undefined) throw new UsageError('prices go with --cost or --target')
    return (documents) => ({ budget: pagesOf(budget, documents) })
  }
  const costs = await costsOf(options)
  if (cost !== undefined) return () => ({ budget: { cost, ...costs } })
  // Without prices the plan counts fetches, and says so.
  const isPriced = (fetchPrice ?? probePrice ?? prices) !== undefined
  return () => ({ target: target as number, ...(isPriced ? { prices: costs } : {}) })
}

async function costsOf({ fetchPrice = 1, probePrice, prices }: Options): Promise<ActionCosts> {
  const known = prices === undefined ? new Map<string, number>() : await readPrices(prices)
  const fetch = ({ key }: { readonly key: Key }) => known.get(String(key)) ?? fetchPrice
  return {
    fetch: known.size === 0 ? fetchPrice : fetch,
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
