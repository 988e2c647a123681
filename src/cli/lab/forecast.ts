import { forecast } from '../../lab/experiments/forecast/run.js'
import { GAIN_ESTIMATORS } from '../../lab/experiments/quality/policies.js'
import { integer, oneOrMore, withDefault } from '../options.js'
import { DATA, experimentCommand, QUERIES, SCORING_OPTIONS } from './experiment-command.js'

const MOST_SAMPLES = 1_000_000

export const labForecast = experimentCommand(forecast, {
  summary: 'whether gains of the first half of a history foretell those of the second',
  options: {
    data: DATA,
    queries: QUERIES,
    ...SCORING_OPTIONS,
    estimators: withDefault(
      '<names>',
      `how gains are known: ${GAIN_ESTIMATORS.join(', ')}`,
      ['full-exact'],
      oneOrMore(GAIN_ESTIMATORS),
    ),
    samples: withDefault('<n>', 'of the bootstrap that gives the interval', 1000, integer(1, MOST_SAMPLES)),
  },
  examples: [
    'freshdex lab forecast --data site-snapshots',
    'freshdex lab forecast --data site-snapshots --scoring bm25 --estimators single,full-exact --report forecast.html',
  ],
  spec: ({ data, scoring, queries, pages, seed, estimators, samples }) => ({
    ...{ data, scoring, queries, pages, seed, estimators, samples },
  }),
})
