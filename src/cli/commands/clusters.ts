import type { Command } from 'commander'
import { describe } from '../../base/describe.js'
import { DAY_MS } from '../../base/time.js'
import type { ClusterExplanation, ClusterFeature, ClusterSummary } from '../../index.js'
import { MAX_CLUSTER } from '../../refresh/clusters/cluster-rows.js'
import { addExamples, folder, integer, withIndex, withReader } from '../command.js'
import { keyOf, NUMBER_KEY, TIME_RULE, time } from '../input/values.js'
import { complain, EXIT_FAILURE, print, printJson } from '../output/output.js'
import { count, oneLine, significant } from '../output/wording.js'

interface BuildCommandOptions {
  readonly clusters: number | 'auto'
  readonly seed: number
  readonly at?: number
  readonly json: boolean
}

export function addClustersCommand(program: Command): void {
  const command = program.command('clusters').description('documents in families that change alike')
  addBuild(command)
  addList(command)
  addExplain(command)
}

function addBuild(clusters: Command): void {
  const command = clusters
    .command('build')
    .description('cluster all documents anew')
    .argument('<dir>', 'the folder of the index', folder)
    .option('--clusters <number>', 'at most so many, or auto', clusterCount, 'auto')
    .option('--seed <number>', 'the same one gives the same clusters', integer(0, 2 ** 32 - 1), 1)
    .option('--at <time>', `the moment that is recorded: ${TIME_RULE} (default: now)`, time)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, { clusters, seed, at, json }: BuildCommandOptions) => {
      const options = { clusters, seed, ...(at === undefined ? {} : { at }) }
      const report = await withIndex(dir, {}, (index) => index.clusters.build(options))
      if (json) printJson(report)
      else {
        const { documents, meanCosine } = report
        const parts = `${count(documents, 'document')} in ${count(report.clusters, 'cluster')}`
        print(`${parts}, mean cosine ${meanCosine.toFixed(3)}`)
      }
    })
  addExamples(command, 'freshdex clusters build pages.idx', 'freshdex clusters build pages.idx --clusters 100 --seed 7')
}

function addList(clusters: Command): void {
  const command = clusters
    .command('list')
    .description('the clusters of the last build, the largest first')
    .argument('<dir>', 'the folder of the index', folder)
    .option('--json', 'print one JSON document', false)
    .action(async (dir: string, { json }: { json: boolean }) => {
      const { last, list } = await withReader(dir, ({ clusters }) => ({
        last: clusters.last() ?? null,
        list: clusters.list(),
      }))
      if (json) printJson({ last, clusters: list })
      else print(last === null ? 'the documents were never clustered' : list.map(tell).join('\n\n') || 'no clusters')
    })
  addExamples(command, 'freshdex clusters list pages.idx', 'freshdex clusters list pages.idx --json')
}

function addExplain(clusters: Command): void {
  const command = clusters
    .command('explain')
    .description('which cluster a document is in, and what that says of it')
    .argument('<dir>', 'the folder of the index', folder)
    .argument('<key>', 'the key of the document')
    .option(...NUMBER_KEY, false)
    .option('--json', 'print one JSON document; null when there is no such document', false)
    .action(async (dir: string, text: string, { numberKey, json }: { numberKey: boolean; json: boolean }) => {
      const key = keyOf(text, numberKey)
      const explained = await withReader(dir, (index) => index.clusters.explain(key))
      if (explained === undefined) {
        if (json) printJson(null)
        complain(`no document has the key ${describe(key)}`)
        process.exitCode = EXIT_FAILURE
      } else if (json) printJson(explained)
      else print(tellDocument(explained))
    })
  addExamples(
    command,
    'freshdex clusters explain pages.idx /ferry',
    'freshdex clusters explain pages.idx /ferry --json',
  )
}

function clusterCount(text: string): number | 'auto' {
  return text === 'auto' ? text : integer(1, MAX_CLUSTER)(text)
}

function tellDocument({ cluster, changeProbability, refreshes, changes, changesPerDay }: ClusterExplanation): string {
  const own = `${count(refreshes, 'refresh', 'refreshes')}, ${count(changes, 'change')}`
  const lines = [
    `history       ${own}${changeProbability === undefined ? '' : `, probability ${changeProbability.toFixed(3)}`}`,
    changesPerDay === undefined ? undefined : `changes       ${significant(changesPerDay)} a day, by both`,
    cluster === undefined ? 'in no cluster: it is assigned at the next build' : tell(cluster),
  ]
  return lines.filter((line) => line !== undefined).join('\n')
}

function tell(summary: ClusterSummary): string {
  const { cluster, size, known, changeProbability, changesPerDay, priorMs, features, nearest } = summary
  const watched = `${significant(priorMs / DAY_MS)} days of watching`
  return [
    `cluster ${cluster}     ${count(size, 'document')}, ${known} refreshed before`,
    `  probability ${changeProbability.toFixed(3)} of a change from one refresh to the next`,
    `  changes     ${significant(changesPerDay)} a day, as good as ${watched}`,
    `  apart by    ${features.map(tellFeature).join(', ') || '-'}`,
    `  nearest     ${nearest.map((key) => oneLine(String(key))).join(' ') || '-'}`,
  ].join('\n')
}

function tellFeature({ name, weight }: ClusterFeature): string {
  return `${name} ${weight < 0 ? '-' : '+'}${Math.abs(weight).toFixed(2)}`
}
