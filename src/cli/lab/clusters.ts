import { type Command, InvalidArgumentError } from 'commander'
import { clusters } from '../../lab/experiments/clusters/run.js'
import type { ClustersSpec } from '../../lab/experiments/clusters/spec.js'
import { integer } from '../options.js'
import { addExperiment, budgetShares, dataOption, rate, seedOption } from './experiment-command.js'

/** 25,000, 50,000 and 100,000 of the 300,000 pages of the paper. */
const DEFAULT_RESOURCES = '8.33%,16.67%,33.33%'
const MOST_QUERIES = 1_000_000
const MOST_CLUSTERS = 10_000
const MOST_DOWNLOADS = 1_000_000
const MOST_SEGMENTS = 20

export function addLabClustersCommand(parent: Command): void {
  const command = parent
    .command('clusters')
    .description('whether samples of clusters of pages find more changes than other ways')
    .addOption(dataOption().makeOptionMandatory())
    .option('--cycle-weeks <n>', 'steps of the world in a download cycle: 1, 2 or 4', cycleWeeks, 2)
    .option(
      '--resources <shares>',
      'R: downloads per cycle, as shares of the pages',
      budgetShares,
      budgetShares(DEFAULT_RESOURCES),
    )
    .option('--queries <n>', 'so many queries, drawn at random', integer(1, MOST_QUERIES), 100)
    .option('--clusters <n>', 'at most', integer(1, MOST_CLUSTERS), 100)
    .option('--cluster-downloads <n>', 'of a cycle, for each cluster, at least', integer(1, MOST_DOWNLOADS), 15)
    .option(
      '--site-segments <n>',
      'segments of a path that make a site; 0: hosts (default: as few as make five sites)',
      integer(0, MOST_SEGMENTS),
    )
    .option('--fair-share <share>', 'of downloads by samples, for the pages visited longest ago', rate, 0)
    .addOption(seedOption())
  addExperiment(command, clusters, {
    spec: specOf,
    examples: [
      'freshdex lab clusters --data site-snapshots --report clusters.html',
      'freshdex lab clusters --data site-snapshots --cycle-weeks 4 --resources 5%,20% --resume run.jsonl --json',
    ],
  })
}

function specOf(options: ClustersSpec): ClustersSpec {
  const { data, cycleWeeks, queries, clusters, clusterDownloads, siteSegments, fairShare, seed, resources } = options
  return { data, cycleWeeks, queries, clusters, clusterDownloads, siteSegments, fairShare, seed, resources }
}

function cycleWeeks(text: string): number {
  if (['1', '2', '4'].includes(text)) return Number(text)
  throw new InvalidArgumentError('It must be 1, 2 or 4.')
}
