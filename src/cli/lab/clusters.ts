import { InvalidArgumentError } from 'commander'
import { clusters } from '../../lab/experiments/clusters/run.js'
import { integer, optional, share, withDefault } from '../options.js'
import { budgetShares, DATA, experimentCommand, SEED } from './experiment-command.js'

/** 25,000, 50,000 and 100,000 of the 300,000 pages of the paper. */
const DEFAULT_RESOURCES = '8.33%,16.67%,33.33%'
const MOST_QUERIES = 1_000_000
const MOST_CLUSTERS = 10_000
const MOST_DOWNLOADS = 1_000_000
const MOST_SEGMENTS = 20

export const labClusters = experimentCommand(clusters, {
  summary: 'whether samples of clusters of pages find more changes than other ways',
  options: {
    data: DATA,
    cycleWeeks: withDefault('<n>', 'steps of the world in a download cycle: 1, 2 or 4', 2, cycleWeeks),
    resources: withDefault(
      '<shares>',
      'R: downloads per cycle, as shares of the pages',
      budgetShares(DEFAULT_RESOURCES),
      budgetShares,
    ),
    queries: withDefault('<n>', 'so many queries, drawn at random', 100, integer(1, MOST_QUERIES)),
    clusters: withDefault('<n>', 'at most', 100, integer(1, MOST_CLUSTERS)),
    clusterDownloads: withDefault('<n>', 'of a cycle, for each cluster, at least', 15, integer(1, MOST_DOWNLOADS)),
    siteSegments: optional(
      '<n>',
      'segments of a path that make a site; 0: hosts (default: as few as make five sites)',
      integer(0, MOST_SEGMENTS),
    ),
    fairShare: withDefault('<share>', 'of downloads by samples, for the pages visited longest ago', 0, share),
    seed: SEED,
  },
  examples: [
    'freshdex lab clusters --data site-snapshots --report clusters.html',
    'freshdex lab clusters --data site-snapshots --cycle-weeks 4 --resources 5%,20% --resume run.jsonl --json',
  ],
  spec: ({ data, cycleWeeks, queries, clusters, clusterDownloads, siteSegments, fairShare, seed, resources }) => ({
    ...{ data, cycleWeeks, queries, clusters, clusterDownloads, siteSegments, fairShare, seed, resources },
  }),
})

function cycleWeeks(text: string): number {
  if (['1', '2', '4'].includes(text)) return Number(text)
  throw new InvalidArgumentError('It must be 1, 2 or 4.')
}
