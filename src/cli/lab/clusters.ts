import { InvalidArgumentError } from 'commander'
import { DOWNLOAD_ORDERS } from '../../lab/experiments/clusters/cluster-sampling.js'
import { clusters } from '../../lab/experiments/clusters/run.js'
import { CONTROL_WORLD_TITLES, CONTROL_WORLDS } from '../../lab/worlds/control-worlds.js'
import { choice, folder, integer, optional, share, UsageError, withDefault } from '../options.js'
import { table } from '../output/wording.js'
import { budgetShares, DATA_TEXT, experimentCommand, SEED } from './experiment-command.js'

/** 25,000, 50,000 and 100,000 of the 300,000 pages of the paper. */
const DEFAULT_RESOURCES = '8.33%,16.67%,33.33%'
const MOST_QUERIES = 1_000_000
const MOST_CLUSTERS = 10_000
const MOST_DOWNLOADS = 1_000_000
const MOST_SEGMENTS = 20
const MOST_PAGES = 100_000
const MOST_STEPS = 10_000

export const labClusters = experimentCommand(clusters, {
  summary: 'whether samples of clusters of pages find more changes than other ways',
  options: {
    data: optional('<folder>', DATA_TEXT, folder),
    world: {
      ...choice('<name>', 'instead of a folder a world that is known: see below', CONTROL_WORLDS),
      conflicts: ['data'],
    },
    worldPages: withDefault('<n>', 'of such a world', 3000, integer(1, MOST_PAGES)),
    worldSteps: withDefault('<n>', 'of such a world, weeks', 48, integer(2, MOST_STEPS)),
    cycleWeeks: withDefault('<n>', 'steps of the world in a download cycle: 1, 2, 4 or 8', 2, cycleWeeks),
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
    within: choice(
      '<order>',
      'which pages of a cluster are downloaded first: those visited longest ago, or nearest to its centroid',
      DOWNLOAD_ORDERS,
      'oldest',
    ),
    fairShare: withDefault('<share>', 'of downloads by samples, for the pages visited longest ago', 0, share),
    seed: SEED,
  },
  examples: [
    'freshdex lab clusters --data site-snapshots --report clusters.html',
    'freshdex lab clusters --world fast',
    'freshdex lab clusters --data site-snapshots --cycle-weeks 4 --resources 5%,20% --resume run.jsonl --json',
  ],
  sections: { Worlds: table(CONTROL_WORLDS.map((name) => [name, CONTROL_WORLD_TITLES[name]])) },
  spec: ({ data, world, worldPages, worldSteps, ...options }) => {
    const { cycleWeeks, queries, clusters, clusterDownloads, siteSegments, within, fairShare, seed, resources } =
      options
    if (data === undefined && world === undefined)
      throw new UsageError('a world is needed: --data <folder>, or --world <name>')
    return {
      data: data ?? { world: world!, pages: worldPages, steps: worldSteps },
      ...{ cycleWeeks, queries, clusters, clusterDownloads, siteSegments, within, fairShare, seed, resources },
    }
  },
})

function cycleWeeks(text: string): number {
  if (['1', '2', '4', '8'].includes(text)) return Number(text)
  throw new InvalidArgumentError('It must be 1, 2, 4 or 8.')
}
