import type { Command } from 'commander'
import { type ForecastSpec, forecast } from '../../lab/experiments/forecast/run.js'
import { GAIN_ESTIMATORS } from '../../lab/experiments/quality/policies.js'
import { integer } from '../options.js'
import { addDataOptions, addExperiment, addScoringOptions, oneOrMore } from './experiment-command.js'

const MOST_SAMPLES = 1_000_000

export function addLabForecastCommand(parent: Command): void {
  const command = parent
    .command('forecast')
    .description('whether gains of the first half of a history foretell those of the second')
  addScoringOptions(addDataOptions(command))
    .option('--estimators <names>', `how gains are known: ${GAIN_ESTIMATORS.join(', ')}`, oneOrMore(GAIN_ESTIMATORS), [
      'full-exact',
    ])
    .option('--samples <n>', 'of the bootstrap that gives the interval', integer(1, MOST_SAMPLES), 1000)
  addExperiment(command, forecast, {
    spec: ({ data, scoring, queries, pages, seed, estimators, samples }: ForecastSpec) => ({
      ...{ data, scoring, queries, pages, seed, estimators, samples },
    }),
    examples: [
      'freshdex lab forecast --data site-snapshots',
      'freshdex lab forecast --data site-snapshots --scoring bm25 --estimators single,full-exact ' +
        '--report forecast.html',
    ],
  })
}
