import { type Command, InvalidArgumentError } from 'commander'
import { paperChecks, precisionTests } from '../../lab/experiments/clusters/paper-checks.js'
import {
  CLUSTERS_NOTES,
  type ClustersResult,
  checkTable,
  clustersReport,
  countTable,
  featureTable,
  policyTable,
  sharesOf,
  sizeTable,
  testTable,
} from '../../lab/experiments/clusters/report.js'
import { type ClustersRow, groupSizes, isPolicyRow, type WordsRow } from '../../lab/experiments/clusters/run.js'
import { type ClustersSpec, type ClustersTask, clustersTasks } from '../../lab/experiments/clusters/spec.js'
import { loadClustersOnThread, runClusters } from '../../lab/frame/lab-threads.js'
import { folderDigest, ResultFile } from '../../lab/frame/result-file.js'
import { shareText, tableText } from '../../lab/report/table.js'
import { addExamples, asUsage, folder, integer } from '../command.js'
import { count } from '../output/wording.js'
import {
  addOutputOptions,
  addRunOptions,
  budgetShares,
  DEFAULT_SEED,
  dataName,
  giveOut,
  type LabOutputOptions,
  type RunOptions,
  rate,
  seed,
  untilInterruptedKeeping,
  withLoadingProgress,
  withRunProgress,
} from './experiment-command.js'

interface LabClustersOptions extends RunOptions, LabOutputOptions {
  readonly data: string
  readonly cycleWeeks: number
  readonly resources: readonly number[]
  readonly queries: number
  readonly clusters: number
  readonly clusterDownloads: number
  readonly siteSegments?: number
  readonly fairShare: number
  readonly seed: number
}

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
    .requiredOption('--data <folder>', 'the folder of the world: pages, and a queries.tsv of what people ask', folder)
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
    .option('--seed <n>', 'of everything that is left to chance', seed, DEFAULT_SEED)
  addOutputOptions(addRunOptions(command)).action(runLabClusters)
  addExamples(
    command,
    'freshdex lab clusters --data site-snapshots --report clusters.html',
    'freshdex lab clusters --data site-snapshots --cycle-weeks 4 --resources 5%,20% --resume run.jsonl --json',
  )
}

function cycleWeeks(text: string): number {
  if (['1', '2', '4'].includes(text)) return Number(text)
  throw new InvalidArgumentError('It must be 1, 2 or 4.')
}

async function runLabClusters(options: LabClustersOptions): Promise<void> {
  const { data, cycleWeeks, queries, clusters, clusterDownloads, siteSegments, fairShare, seed } = options
  const spec = { data, cycleWeeks, queries, clusters, clusterDownloads, siteSegments, fairShare, seed }
  const results = options.resume === undefined ? undefined : await openResults(options.resume, spec)
  await untilInterruptedKeeping(results, async (signal) => {
    const result = await replayAll(spec, options, results, signal)
    giveOut({ json: jsonOf(result), report: clustersReport(result), text: textOf(result) }, options)
  })
}

async function openResults(file: string, spec: ClustersSpec): Promise<ResultFile<ClustersTask, ClustersRow>> {
  const data = await folderDigest(spec.data)
  return new ResultFile(file, { experiment: 'clusters', ...spec, data, siteSegments: spec.siteSegments ?? null })
}

async function replayAll(
  spec: ClustersSpec,
  { resources, workers }: LabClustersOptions,
  results: ResultFile<ClustersTask, ClustersRow> | undefined,
  signal: AbortSignal,
): Promise<ClustersResult> {
  const input = await withLoadingProgress((onProgress) =>
    asUsage(() => loadClustersOnThread(spec, { onProgress, signal })),
  )
  const found = await withRunProgress((onProgress) =>
    asUsage(() => runClusters(input, clustersTasks(resources), { workers, results, onProgress, signal })),
  )
  const rows = found.filter(isPolicyRow)
  const { timeline, scores, siteSegments } = input
  return {
    spec,
    data: dataName(spec.data),
    pages: timeline.urls.length,
    cycles: timeline.atMs.length - 1,
    queries: scores.weights.length,
    siteSegments,
    rows,
    counts: found.filter((row): row is WordsRow => !isPolicyRow(row)),
    sizes: groupSizes(rows),
    tests: precisionTests(rows),
    checks: paperChecks(rows),
  }
}

/** Values of single queries are in the file of --resume. */
function jsonOf({ spec, data, rows, ...result }: ClustersResult): object {
  const { cycleWeeks, clusters, clusterDownloads, fairShare, seed } = spec
  return {
    ...{ data, cycleWeeks, clusters, clusterDownloads, fairShare, seed },
    ...result,
    rows: rows.map(({ precisions: _, groupSizes: __, ...row }) => row),
  }
}

function textOf(result: ClustersResult): string {
  const { data, pages, cycles, queries, rows } = result
  const [scarce] = sharesOf(rows)
  return [
    `${data}: ${count(pages, 'page')}, ${count(cycles, 'cycle')}, ${count(queries, 'query', 'queries')}`,
    ...CLUSTERS_NOTES,
    `Criterion by number of clusters (Figure 1)\n${tableText(countTable(result.counts))}`,
    `Pages in what is sampled (Table 2)\n${tableText(sizeTable(result.sizes))}`,
    `ChangeRatio by features, by R (Figure 2)\n${tableText(featureTable(rows))}`,
    `ChangeRatio, by R (Figure 4a)\n${tableText(policyTable(rows, 'changeRatio', 4))}`,
    `Freshness@10, by R (Figure 4b)\n${tableText(policyTable(rows, 'topFreshness', 4))}`,
    `MAP@10, by R (Figure 4c)\n${tableText(policyTable(rows, 'precision', 5))}`,
    `t and p of MAP@10, R ${shareText(scarce)} (Table 3)\n${tableText(testTable(result.tests, scarce!))}`,
    `What the paper says\n${tableText(checkTable(result.checks))}`,
  ].join('\n\n')
}
