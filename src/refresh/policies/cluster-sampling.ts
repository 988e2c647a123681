/**
 * Pages of clusters that change (Tan and Mitra, Clustering-based incremental web crawling, section 4). What was seen of
 * some pages of a cluster counts for all of them, including pages that were never refreshed. The paper downloads
 * clusters by descending φ, in cycles. As a priority that is
 *
 *   (fairness + (1 - fairness) φ) · age,
 *
 * so that of pages of one age those of the cluster with the highest φ come first. Pages of a cluster that never changes
 * have their turn, too, which the paper leaves open: with fairness 0.05, about once for every 13 turns of a page that
 * always changes. Pages of one cluster come oldest first; the ledger does not know which is nearest to the centroid.
 *
 * Pages without a cluster form a group of their own. Before pages are clustered, all are in this group, and the policy
 * is oldest-first. Sites are those that have sent signals; the pages of all other sites are one group. The φ of groups
 * are those of the time when the policy was prepared. Until then all pages count as the mean page.
 *
 * With `order: 'groups'` it is the paper's way: clusters one after the other, by descending φ, within a cluster the
 * oldest copies first. A cluster of which fewer than five pages have a history comes before all others, because φ is to
 * be known: these are its samples. The priority is
 *
 *   place + age / (age + 1 day),
 *
 * place the number of clusters with a lower φ. A calm cluster then has its turn only when the budget goes that far.
 *
 * State: 19 bytes a page.
 */
import { DAY_MS } from '../../base/time.js'
import { type ChangeWeighting, changeProbability } from '../../clusters/change-weights.js'
import type { LedgerTotals } from '../../ledger/totals.js'
import { GroupProbabilities } from '../model/group-probabilities.js'
import { ageMs, type LedgerView, type Policy, policyCard } from './policy.js'

export const clusterSamplingCard = policyCard({
  name: 'cluster-sampling',
  purpose: 'pages of families that change: what was seen of a cluster counts for all of its pages',
  paper: 'Tan and Mitra, Clustering-based incremental web crawling (TOIS 2010)',
  formula:
    '(fairness + (1 - fairness) * probability) * age, probability the mean of 1 - e^(-frequency) over the cluster',
  columns: ['present', 'refreshedMs', 'refreshes', 'changeBits', 'cluster'],
})

const DEFAULT_FAIRNESS = 0.05

export interface ClusterSamplingOptions {
  /** The weights of refreshes in the change frequency. Default 'gad': each twice as much as the one before. */
  readonly weighting?: ChangeWeighting | undefined
  /** The groups of pages that are taken to change alike. Default 'cluster'. */
  readonly by?: 'cluster' | 'site' | undefined
  /** The weight of age alone, 0 to 1. Default 0.05. Excludes the order 'groups'. */
  readonly fairness?: number | undefined
  /** 'age' (the default): φ times the age. 'groups': as published, whole groups by descending φ. */
  readonly order?: 'age' | 'groups' | undefined
}

/** Pages with a history that a group needs at least, for its φ to be known: the least sample of the paper. */
const LEAST_KNOWN = 5

export function clusterSampling(options: ClusterSamplingOptions = {}): Policy {
  return judgingBy(options, undefined)
}

function judgingBy(options: ClusterSamplingOptions, groups: GroupProbabilities | undefined): Policy {
  const { by = 'cluster', fairness = DEFAULT_FAIRNESS, weighting = 'gad' } = options
  const probability = (group: number, totals: LedgerTotals) => {
    const mean = meanProbability(totals)
    return groups?.probabilityOf(group, mean) ?? mean
  }
  const slope = (group: number, totals: LedgerTotals) => fairness + (1 - fairness) * probability(group, totals)
  if (options.order === 'groups') return byGroups(options, groups)
  return {
    name: clusterSamplingCard.name,
    usesTotals: fairness < 1,
    prepare: (view) => judgingBy(options, groupsOf(view, by, weighting)),
    priority: (columns, doc, atMs, totals) => slope(columns[by][doc]!, totals) * ageMs(columns, doc, atMs),
    growthPerMs: (columns, doc, _atMs, totals) => slope(columns[by][doc]!, totals),
    explain: (columns, doc, atMs, totals) => {
      const group = columns[by][doc]!
      return {
        formula: '(fairness + (1 - fairness) * changeProbability) * ageMs',
        terms: {
          changeProbability: probability(group, totals),
          fairness,
          ageMs: ageMs(columns, doc, atMs),
          [by]: group,
          knownPages: groups?.knownOf(group) ?? 0,
        },
      }
    },
  }
}

function byGroups(options: ClusterSamplingOptions, groups: GroupProbabilities | undefined): Policy {
  const { by = 'cluster', weighting = 'gad' } = options
  const placeOf = groups?.places(LEAST_KNOWN) ?? (() => 0)
  return {
    name: clusterSamplingCard.name,
    usesTotals: false,
    prepare: (view) => byGroups(options, groupsOf(view, by, weighting)),
    priority: (columns, doc, atMs) => {
      const age = ageMs(columns, doc, atMs)
      return placeOf(columns[by][doc]!) + age / (age + DAY_MS)
    },
    growthPerMs: () => 1 / DAY_MS,
    explain: (columns, doc, atMs) => {
      const group = columns[by][doc]!
      const terms = { place: placeOf(group), ageMs: ageMs(columns, doc, atMs), dayMs: DAY_MS }
      return { formula: 'place + ageMs / (ageMs + dayMs)', terms: { ...terms, [by]: group } }
    },
  }
}

function groupsOf({ columns, rows }: LedgerView, by: 'cluster' | 'site', weighting: ChangeWeighting) {
  const groups = new GroupProbabilities(weighting)
  for (let doc = 0; doc < rows; doc++) if (columns.present[doc] === 1) groups.add(columns[by][doc]!, columns, doc)
  return groups
}

/** φ by all refreshes of all pages, each with the same weight. */
function meanProbability({ rated, changes }: LedgerTotals): number {
  return changeProbability(rated === 0 ? 0.5 : Math.min(1, changes / rated))
}
