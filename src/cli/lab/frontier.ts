import { InvalidArgumentError } from 'commander'
import { FRONTIER_PARTS, type FrontierPart, MOST_SEEDS } from '../../lab/experiments/frontier/input.js'
import { frontier } from '../../lab/experiments/frontier/run.js'
import { QUALITY_SCORINGS } from '../../lab/experiments/quality/spec.js'
import { choice, integer, share, withDefault } from '../options.js'
import { budgetShares, DATA, experimentCommand, QUERIES, SEED } from './experiment-command.js'

const DEFAULT_BUDGETS = '0.2%,0.5%,1%'
const MOST_NGRAM_WORDS = 10

/** `orders,split` as names of parts. */
function frontierParts(text: string): FrontierPart[] {
  const names = text.split(',').map((name) => name.trim())
  const parts = FRONTIER_PARTS.filter((part) => names.includes(part))
  if (parts.length === new Set(names).size) return parts
  throw new InvalidArgumentError(`It must be one or several of ${FRONTIER_PARTS.join(', ')}, with commas between them.`)
}

export const labFrontier = experimentCommand(frontier, {
  summary: 'which pages to fetch first, and how to share a budget with refreshes',
  options: {
    data: DATA,
    queries: QUERIES,
    scoring: choice('<model>', 'how answers are scored', QUALITY_SCORINGS, 'tfidf'),
    heldBack: withDefault(
      '<share>',
      'of the first pages, taken for not fetched beside those that come later',
      0.1,
      share,
    ),
    rho: withDefault('<share>', 'of the n-grams of a query that URL and anchors of a page must have', 1, share),
    ngramWords: withDefault('<n>', 'of the longest n-gram', 3, integer(1, MOST_NGRAM_WORDS)),
    budgets: withDefault(
      '<shares>',
      'fetches per step, new and known pages together, as shares of the pages',
      budgetShares(DEFAULT_BUDGETS),
      budgetShares,
    ),
    seeds: withDefault(
      '<n>',
      'how often orders of fetching are compared, by so many seeds from --seed on',
      5,
      integer(1, MOST_SEEDS),
    ),
    parts: withDefault('<names>', 'what to find out', [...FRONTIER_PARTS], frontierParts),
    seed: SEED,
  },
  examples: [
    'freshdex lab frontier --data site-snapshots --report frontier.html',
    'freshdex lab frontier --data site-snapshots --queries 10000 --ngram-words 1 --budgets 0.5% ' +
      '--resume run.jsonl --json',
  ],
  spec: ({ data, scoring, queries, heldBack, rho, ngramWords, seed, seeds, parts, budgets }) => ({
    ...{ data, scoring, queries, heldBack, rho, ngramWords, seed, seeds, parts, budgets },
  }),
})
