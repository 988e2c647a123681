/** What clusters of pages are worth for finding changes, as tables and plots. */

import { count } from '../../../base/counts.js'
import { FEATURE_GROUPS } from '../../../clusters/page-features.js'
import { type Check, checkTable } from '../../report/checks.js'
import { drawPlot } from '../../report/plot.js'
import type { Report, Section } from '../../report/report.js'
import { decimals, distinctValues, NOTHING, shareText, type Table } from '../../report/table.js'
import type { DomainRow } from './domains.js'
import type { PrecisionTest } from './paper-checks.js'
import type { GroupSizes, PolicyRow, WordsRow } from './run.js'
import { CLUSTER_POLICIES, type ClusterPolicy, type ClustersSpec, OTHER_POLICIES, SAMPLED_POLICIES } from './spec.js'
import { clustersVerdict, OUR_CLUSTERS } from './verdict.js'

export interface ClustersResult {
  readonly spec: ClustersSpec
  /** The name of the data set. */
  readonly data: string
  readonly pages: number
  readonly cycles: number
  /** Queries that were drawn and have a word; those of the same words are one. */
  readonly queries: number
  readonly siteSegments: number
  readonly domains: readonly DomainRow[]
  readonly rows: readonly PolicyRow[]
  readonly counts: readonly WordsRow[]
  readonly sizes: readonly GroupSizes[]
  readonly tests: readonly PrecisionTest[]
  readonly checks: readonly Check[]
}

type Metric = 'changeRatio' | 'weightedChangeRatio' | 'freshness' | 'topFreshness' | 'precision'

type MetricTitle = readonly [metric: Metric, name: string, digits: number]

const METRICS: readonly MetricTitle[] = [
  ['changeRatio', 'ChangeRatio', 4],
  ['topFreshness', 'freshness@10', 4],
  ['precision', 'MAP@10', 5],
]

/** What must be known to read the numbers. */
const CLUSTERS_NOTES: readonly string[] = [
  'Relevant for MAP@10 are the ten best answers of the live pages, not what people judged: a repository that is ' +
    'always fresh has MAP@10 and freshness@10 of 1.',
  'oracle downloads pages that have changed, which no policy can know: the most that ChangeRatio can be.',
]

/** A plot shows all policies but the oracle, which would press the others together: eight lines. */
const DRAWN_POLICIES = CLUSTER_POLICIES.filter((policy) => policy !== 'oracle')

/** Figure 4: a line for each policy, a column for each R; the best of the scarcest R first. */
function policyTable(rows: readonly PolicyRow[], metric: Metric, digits: number): Table {
  return byResources(rows, 'policy', CLUSTER_POLICIES, ({ features }) => features === 'combined', metric, digits)
}

/** Figure 2. */
function featureTable(rows: readonly PolicyRow[]): Table {
  return byResources(rows, 'features', FEATURE_GROUPS, ({ policy }) => policy === 'cls-nad', 'changeRatio', 4)
}

function byResources<Name extends 'policy' | 'features'>(
  rows: readonly PolicyRow[],
  name: Name,
  values: readonly PolicyRow[Name][],
  isMeant: (row: PolicyRow) => boolean,
  metric: Metric,
  digits: number,
): Table {
  const shares = sharesOf(rows)
  const known = (value: string, share: number) =>
    rows.find((row) => isMeant(row) && row[name] === value && row.resourceShare === share)?.[metric]
  const rank = (value: string) => known(value, shares[0]!) ?? 0
  const sorted: readonly string[] = [...values].sort((a, b) => rank(b) - rank(a))
  return {
    columns: [{ name }, ...shares.map((share) => ({ name: shareText(share), isNumber: true }))],
    rows: sorted.map((value) => [value, ...shares.map((share) => decimals(known(value, share), digits))]),
    strong: sorted.flatMap((value, at) => (value === OUR_CLUSTERS ? [at] : [])),
  }
}

/** Table 1. */
function domainTable(domains: readonly DomainRow[]): Table {
  const numbers = ['hosts', 'sites', 'pages', 'share']
  return {
    columns: [{ name: 'domain' }, ...numbers.map((name) => ({ name, isNumber: true }))],
    rows: domains.map(({ domain, hosts, sites, pages, share }) => [
      ...[domain === '' ? 'none' : `.${domain}`, String(hosts), String(sites), String(pages), shareText(share)],
    ]),
  }
}

/** Figure 1. */
function countTable(counts: readonly WordsRow[]): Table {
  const tried = counts[0]?.trials.map(({ clusters }) => clusters) ?? []
  return {
    columns: [
      { name: 'words' },
      { name: 'levels off at', isNumber: true },
      ...tried.map((clusters) => ({ name: `k ${clusters}`, isNumber: true })),
    ],
    rows: counts.map(({ words, clusters, trials }) => [
      words,
      String(clusters),
      ...trials.map(({ meanCosine }) => decimals(meanCosine, 3)),
    ]),
  }
}

/** Table 2. */
function sizeTable(sizes: readonly GroupSizes[]): Table {
  const numbers = ['how many', 'least pages', 'median', 'mean', 'most']
  return {
    columns: [{ name: 'sampled' }, { name: 'R' }, ...numbers.map((name) => ({ name, isNumber: true }))],
    rows: sizes.map(({ kind, resourceShare, groups, least, median, mean, most }) => [
      ...[`${kind}s`, shareText(resourceShare), String(groups), String(least)],
      ...[String(median), decimals(mean, 1), String(most)],
    ]),
  }
}

/** Table 3: t and, in brackets, p by the normal distribution. */
function testTable(tests: readonly PrecisionTest[], share: number): Table {
  const cell = (policy: ClusterPolicy, other: ClusterPolicy) => {
    const test = tests.find((one) => one.policy === policy && one.other === other && one.resourceShare === share)
    return test === undefined ? NOTHING : `${decimals(test.t, 2)} (${decimals(test.normalPValue, 3)})`
  }
  return {
    columns: [{ name: 't (p)' }, ...OTHER_POLICIES.map((name) => ({ name, isNumber: true }))],
    rows: SAMPLED_POLICIES.map((policy) => [policy, ...OTHER_POLICIES.map((other) => cell(policy, other))]),
  }
}

function sharesOf(rows: readonly PolicyRow[]): number[] {
  return distinctValues(rows.map(({ resourceShare }) => resourceShare))
}

export function clustersReport(result: ClustersResult): Report {
  const { spec, data, pages, cycles, queries, siteSegments } = result
  const verdict = clustersVerdict(result.rows)
  const counts = [count(pages, 'page'), count(cycles, 'cycle'), count(queries, 'query', 'queries')]
  return {
    title: `Do clusters of pages tell what has changed? ${data}`,
    summary: `${data}: ${counts.join(', ')}`,
    settings: [
      ['paper', 'Tan, Mitra: Clustering-based incremental web crawling, Figures 1 to 4, Tables 1 to 3'],
      ['data', data],
      ['pages', `${pages} (there at every step)`],
      ['cycles', `${cycles} of ${spec.cycleWeeks === 1 ? 'one step' : `${spec.cycleWeeks} steps`}`],
      ['queries', `${queries}, drawn at random`],
      ['clusters', `at most ${spec.clusters}, and at most one for ${spec.clusterDownloads} downloads of a cycle`],
      ['sites', siteSegments === 0 ? 'hosts' : `hosts with the first segments of the path: ${siteSegments}`],
      ['downloads within a cluster', spec.within === 'nearest' ? 'nearest to the centroid first' : 'oldest first'],
      ['share of downloads for the pages visited longest ago', shareText(spec.fairShare)],
      ['seed', String(spec.seed)],
    ],
    ...(verdict === undefined ? {} : { verdict }),
    notes: CLUSTERS_NOTES,
    sections: [
      policySection(result, METRICS[0]!, 'a'),
      ...folded([
        {
          heading: 'What the paper says, and whether it holds here',
          printed: 'What the paper says',
          table: checkTable(result.checks, 'what the paper says'),
        },
        {
          heading: 'Where the pages are from',
          printed: 'Pages by top-level domain (Table 1)',
          notes: ['Table 1 of the paper: .com and .edu have more than 70% of its pages, of 210 sites.'],
          table: domainTable(result.domains),
        },
        countSection(result),
        {
          heading: 'Pages in what is sampled, last cycle',
          printed: 'Pages in what is sampled (Table 2)',
          notes: ['Table 2 of the paper.'],
          table: sizeTable(result.sizes),
        },
        featureSection(result),
        weightingSection(result),
        ...METRICS.slice(1).map((metric, at) => policySection(result, metric, 'bc'[at]!)),
        ...weightedSections(result),
        ...sharesOf(result.rows).map((share, at) => testSection(result, share, at === 0)),
      ]),
    ],
  }
}

/** All but how many changes each policy finds waits behind a fold. */
function folded(sections: readonly Section[]): Section[] {
  return sections.map((section) => ({ ...section, isFolded: true }))
}

/** Values of single queries are left out: a result file has them. */
export function clustersJson({ spec, data, rows, ...result }: ClustersResult): object {
  const { cycleWeeks, clusters, clusterDownloads, fairShare, within = 'oldest', seed } = spec
  return {
    ...{ data, cycleWeeks, clusters, clusterDownloads, fairShare, within, seed },
    ...result,
    rows: rows.map(({ precisions: _, groupSizes: __, ...row }) => row),
  }
}

function countSection({ counts, data }: ClustersResult): Section {
  const svg = drawPlot({
    title: `Criterion by number of clusters, ${data}`,
    xLabel: 'clusters',
    yLabel: 'mean cosine',
    series: counts.map(({ words, trials }) => ({
      name: `words of the ${words}`,
      points: trials.map(({ clusters, meanCosine }) => ({ x: clusters, y: meanCosine })),
    })),
  })
  return {
    heading: 'Number of clusters',
    printed: 'Criterion by number of clusters (Figure 1)',
    notes: ['Mean cosine between pages that did not make the clusters and the nearest centroid: ten folds.'],
    plots: [{ svg, caption: 'Figure 1 of the paper.' }],
    table: countTable(counts),
  }
}

function featureSection({ rows, data }: ClustersResult): Section {
  const svg = resourcePlot(
    `ChangeRatio by features, ${data}`,
    'ChangeRatio',
    FEATURE_GROUPS.map((features) => ({
      name: features,
      isStrong: features === 'combined',
      rows: rows.filter((row) => row.policy === 'cls-nad' && row.features === features),
    })),
    'changeRatio',
  )
  return {
    heading: 'Features that make clusters',
    printed: 'ChangeRatio by features, by R (Figure 2)',
    notes: ['All cycles weighed alike (nad).'],
    plots: [{ svg, caption: 'Figure 2 of the paper.' }],
    table: featureTable(rows),
  }
}

function weightingSection({ rows, data }: ClustersResult): Section {
  const share = sharesOf(rows)[0]!
  const meant = rows.filter(
    ({ policy, features, resourceShare }) =>
      SAMPLED_POLICIES.includes(policy) && features === 'combined' && resourceShare === share,
  )
  const svg = drawPlot({
    title: `ChangeRatio by cycle, ${data}`,
    xLabel: 'cycle',
    yLabel: 'ChangeRatio',
    series: meant.map(({ policy, changeRatios }) => ({
      name: policy,
      isStrong: policy === OUR_CLUSTERS,
      points: changeRatios.map((y, at) => ({ x: at + 1, y })),
    })),
  })
  return {
    heading: `Weights of the past, cycle by cycle, R ${shareText(share)}`,
    plots: [{ svg, caption: 'Figure 3 of the paper.' }],
  }
}

/** Only where the pages have links. */
function weightedSections({ rows }: ClustersResult): Section[] {
  if (rows.every(({ weightedChangeRatio }) => weightedChangeRatio === null)) return []
  return [
    {
      heading: 'Weighted ChangeRatio',
      printed: 'Weighted ChangeRatio, by R',
      notes: ['A changed page counts as much as its PageRank, in multiples of the mean one: it may be above 1.'],
      table: policyTable(rows, 'weightedChangeRatio', 4),
    },
  ]
}

function policySection({ rows, data }: ClustersResult, [metric, name, digits]: MetricTitle, letter: string): Section {
  const series = DRAWN_POLICIES.map((policy) => ({
    name: policy,
    isStrong: policy === OUR_CLUSTERS,
    rows: rows.filter((row) => row.policy === policy && row.features === 'combined'),
  }))
  const svg = resourcePlot(`${name} by R, ${data}`, name, series, metric)
  return {
    heading: `${name} of policies`,
    printed: `${name}, by R (Figure 4${letter})`,
    plots: [{ svg, caption: `Figure 4${letter} of the paper. The oracle is in the table only.` }],
    table: policyTable(rows, metric, digits),
  }
}

/** Only the table of the scarcest R is printed. */
function testSection({ tests }: ClustersResult, share: number, isPrinted: boolean): Section {
  return {
    ...(isPrinted ? { printed: `t and p of MAP@10, R ${shareText(share)} (Table 3)` } : {}),
    heading: `MAP@10 of policies by clusters against others, R ${shareText(share)}`,
    notes: [
      'Table 3 of the paper. Two samples of a value for each query and cycle; beyond 1.96 it is significant at 0.05.',
    ],
    table: testTable(tests, share),
  }
}

function resourcePlot(
  title: string,
  yLabel: string,
  series: readonly { readonly name: string; readonly isStrong: boolean; readonly rows: readonly PolicyRow[] }[],
  metric: Metric,
): string {
  const shares = sharesOf(series.flatMap(({ rows }) => rows))
  return drawPlot({
    title,
    xLabel: 'R, of all pages',
    yLabel,
    x: { scale: 'log', ticks: shares, label: shareText },
    series: series.map(({ name, isStrong, rows }) => ({
      ...{ name, isStrong },
      points: rows.map((row) => ({ x: row.resourceShare, y: row[metric] ?? Number.NaN })),
    })),
  })
}
