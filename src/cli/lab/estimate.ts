import { estimate } from '../../lab/experiments/estimate/run.js'
import { integer, oneOrMore, withDefault } from '../options.js'
import { DATA, experimentCommand, QUERIES } from './experiment-command.js'

const SCORINGS = ['bm25', 'tfidf'] as const
const MOST_WEEKS = 1_000_000

export const labEstimate = experimentCommand(estimate, {
  summary: 'how near the gains that an index measures are to the exact ones',
  options: {
    data: DATA,
    queries: QUERIES,
    scorings: withDefault('<models>', 'bm25, tfidf or both', SCORINGS, oneOrMore(SCORINGS)),
    pieces: withDefault('<n>', 'of a score-rank curve', 3, integer(1, 8)),
    weeks: withDefault('<n>', 'to replay, at most', 1000, integer(1, MOST_WEEKS)),
  },
  examples: [
    'freshdex lab estimate --data site-snapshots',
    'freshdex lab estimate --data site-snapshots --scorings bm25 --weeks 12 --report estimate.html --json',
  ],
  spec: ({ data, scorings, queries, pieces, weeks }) => ({ data, scorings, queries, pieces, weeks }),
})
