import type { Command } from 'commander'
import { type EstimateSpec, estimate } from '../../lab/experiments/estimate/run.js'
import { integer } from '../options.js'
import { addDataOptions, addExperiment, oneOrMore } from './experiment-command.js'

const SCORINGS = ['bm25', 'tfidf'] as const

export function addLabEstimateCommand(parent: Command): void {
  const command = parent
    .command('estimate')
    .description('how near the gains that an index measures are to the exact ones')
  addDataOptions(command)
    .option('--scorings <models>', 'bm25, tfidf or both', oneOrMore(SCORINGS), SCORINGS)
    .option('--pieces <n>', 'of a score-rank curve', integer(1, 8), 3)
    .option('--weeks <n>', 'to replay, at most', integer(1, 1_000_000), 1000)
  addExperiment(command, estimate, {
    spec: ({ data, scorings, queries, pieces, weeks }: EstimateSpec) => ({ data, scorings, queries, pieces, weeks }),
    examples: [
      'freshdex lab estimate --data site-snapshots',
      'freshdex lab estimate --data site-snapshots --scorings bm25 --weeks 12 --report estimate.html --json',
    ],
  })
}
