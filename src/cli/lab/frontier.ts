import { type Command, Option } from 'commander'
import type { FrontierSpec } from '../../lab/experiments/frontier/input.js'
import { frontier } from '../../lab/experiments/frontier/run.js'
import { QUALITY_SCORINGS } from '../../lab/experiments/quality/spec.js'
import { integer } from '../options.js'
import { addDataOptions, addExperiment, budgetShares, rate, seedOption } from './experiment-command.js'

const DEFAULT_BUDGETS = '0.2%,0.5%,1%'
const MOST_NGRAM_WORDS = 10

export function addLabFrontierCommand(parent: Command): void {
  const command = parent
    .command('frontier')
    .description('which pages to fetch first, and how to share a budget with refreshes')
  addDataOptions(command)
    .addOption(new Option('--scoring <model>', 'how answers are scored').choices(QUALITY_SCORINGS).default('tfidf'))
    .option('--held-back <share>', 'of the first pages, taken for not fetched beside those that come later', rate, 0.1)
    .option('--rho <share>', 'of the n-grams of a query that URL and anchors of a page must have', rate, 1)
    .option('--ngram-words <n>', 'of the longest n-gram', integer(1, MOST_NGRAM_WORDS), 3)
    .option(
      '--budgets <shares>',
      'fetches per step, new and known pages together, as shares of the pages',
      budgetShares,
      budgetShares(DEFAULT_BUDGETS),
    )
    .addOption(seedOption())
  addExperiment(command, frontier, {
    spec: ({ data, scoring, queries, heldBack, rho, ngramWords, seed, budgets }: FrontierSpec) => ({
      ...{ data, scoring, queries, heldBack, rho, ngramWords, seed, budgets },
    }),
    examples: [
      'freshdex lab frontier --data site-snapshots --report frontier.html',
      'freshdex lab frontier --data site-snapshots --queries 10000 --ngram-words 1 --budgets 0.5% ' +
        '--resume run.jsonl --json',
    ],
  })
}
