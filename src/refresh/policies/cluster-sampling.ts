/**
 * Pages of families that change (Tan and Mitra, Clustering-based incremental web crawling, section 4): what was seen of
 * the pages of a cluster speaks for all of them, those that were never refreshed included. The paper downloads clusters
 * by descending φ, in cycles; as a priority that is
 *
 *   (fairness + (1 - fairness) φ) · age,
 *
 * so that of pages of one age the cluster of the highest φ comes first. A page of a cluster that never changes has its
 * turn, too, which the paper leaves open: with fairness 0.05 about once for every 13 turns of a page that always
 * changes. Pages of one cluster come oldest first; which is nearest to the centroid is not in the ledger.
 *
 * Pages that are in no cluster are a group like others. Before pages are clustered all are in it, and this is
 * oldest-first. Sites are those that have sent signals; pages of all others are one group. φ of the groups is kept from
 * when the policy was prepared; until then all pages count as the mean one.
 *
 * State: 19 bytes a page.
 */

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
  /** How refreshes count in the change frequency. Default 'gad': each twice as much as the one before. */
  readonly weighting?: ChangeWeighting | undefined
  /** Which pages speak for each other. Default 'cluster'. */
  readonly by?: 'cluster' | 'site' | undefined
  /** From 0 to 1: how much age alone counts. Default 0.05. */
  readonly fairness?: number | undefined
}

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

function groupsOf({ columns, rows }: LedgerView, by: 'cluster' | 'site', weighting: ChangeWeighting) {
  const groups = new GroupProbabilities(weighting)
  for (let doc = 0; doc < rows; doc++) if (columns.present[doc] === 1) groups.add(columns[by][doc]!, columns, doc)
  return groups
}

/** All refreshes of all pages alike. */
function meanProbability({ rated, changes }: LedgerTotals): number {
  return changeProbability(rated === 0 ? 0.5 : Math.min(1, changes / rated))
}
