import { describe } from '../../base/describe.js'
import { DAY_MS } from '../../base/time.js'
import type { ClusterExplanation, ClusterFeature, ClusterSummary } from '../../index.js'
import { MAX_CLUSTER } from '../../refresh/clusters/cluster-rows.js'
import { type CommandGroup, command } from '../command.js'
import { withIndex, withReader } from '../index-access.js'
import { flag, INDEX_FOLDER, integer, KEY, keyOf, NUMBER_KEY, seed, timeOf, withDefault } from '../options.js'
import { count, oneLine, significant } from '../output/wording.js'

const build = command({
  name: 'build',
  summary: 'cluster all documents anew',
  args: [INDEX_FOLDER],
  options: {
    clusters: withDefault('<number>', 'at most so many, or auto', 'auto', clusterCount),
    seed: withDefault('<number>', 'the same one gives the same clusters', 1, seed),
    at: timeOf('the moment that is recorded'),
  },
  examples: ['freshdex clusters build pages.idx', 'freshdex clusters build pages.idx --clusters 100 --seed 7'],
  async run([dir], { json: _, ...options }) {
    const report = await withIndex(dir, {}, (index) => index.clusters.build(options))
    const { documents, clusters, meanCosine } = report
    const parts = `${count(documents, 'document')} in ${count(clusters, 'cluster')}`
    return { json: report, text: `${parts}, mean cosine ${meanCosine.toFixed(3)}` }
  },
})

const list = command({
  name: 'list',
  summary: 'the clusters of the last build, the largest first',
  args: [INDEX_FOLDER],
  examples: ['freshdex clusters list pages.idx', 'freshdex clusters list pages.idx --json'],
  async run([dir]) {
    const { last, clusters } = await withReader(dir, (index) => ({
      last: index.clusters.last() ?? null,
      clusters: index.clusters.list(),
    }))
    const text = clusters.map(clusterText).join('\n\n') || 'no clusters'
    return { json: { last, clusters }, text: last === null ? 'the documents were never clustered' : text }
  },
})

const explain = command({
  name: 'explain',
  summary: 'which cluster a document is in, and what that says of it',
  args: [INDEX_FOLDER, KEY],
  options: {
    numberKey: NUMBER_KEY,
    json: flag('print one JSON document; null when there is no such document'),
  },
  examples: ['freshdex clusters explain pages.idx /ferry', 'freshdex clusters explain pages.idx /ferry --json'],
  async run([dir, text], { numberKey }) {
    const key = keyOf(text, numberKey)
    const explained = await withReader(dir, (index) => index.clusters.explain(key))
    if (explained === undefined) return { json: null, failure: `no document has the key ${describe(key)}` }
    return { json: explained, text: documentText(explained) }
  },
})

export const clusters: CommandGroup = {
  name: 'clusters',
  summary: 'documents in families that change alike',
  commands: [build, list, explain],
}

function clusterCount(text: string): number | 'auto' {
  return text === 'auto' ? text : integer(1, MAX_CLUSTER)(text)
}

function documentText({ cluster, changeProbability, refreshes, changes, changesPerDay }: ClusterExplanation): string {
  const own = `${count(refreshes, 'refresh', 'refreshes')}, ${count(changes, 'change')}`
  return [
    `history       ${own}${changeProbability === undefined ? '' : `, probability ${changeProbability.toFixed(3)}`}`,
    ...(changesPerDay === undefined ? [] : [`changes       ${significant(changesPerDay)} a day, by both`]),
    cluster === undefined ? 'in no cluster: it is assigned at the next build' : clusterText(cluster),
  ].join('\n')
}

function clusterText(summary: ClusterSummary): string {
  const { cluster, size, known, changeProbability, changesPerDay, priorMs, features, nearest } = summary
  const watched = `${significant(priorMs / DAY_MS)} days of watching`
  return [
    `cluster ${cluster}     ${count(size, 'document')}, ${known} refreshed before`,
    `  probability ${changeProbability.toFixed(3)} of a change from one refresh to the next`,
    `  changes     ${significant(changesPerDay)} a day, as good as ${watched}`,
    `  apart by    ${features.map(featureText).join(', ') || '-'}`,
    `  nearest     ${nearest.map((key) => oneLine(String(key))).join(' ') || '-'}`,
  ].join('\n')
}

function featureText({ name, weight }: ClusterFeature): string {
  return `${name} ${weight < 0 ? '-' : '+'}${Math.abs(weight).toFixed(2)}`
}
