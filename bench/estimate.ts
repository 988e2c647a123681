/**
 * How good are the estimates of ΔQ_A on real revisions? Every week curves are fitted anew and the week's changes written as one batch;
 * what the index says each page gained is compared with the exact value: numerator of Eq. 6 of User-centric crawling, from whole answer
 * lists under the same statistics, the scores of other pages as they are. The exact side counts words and computes scores by itself.
 *
 * Pages compared are replaced ones: all that the data set calls changed. Some of them gain nothing by either count; `gainsOnly` leaves these
 * out.
 *
 * Claim: page-level Spearman of at least 0.95 for single terms and 0.90 for whole queries, under both scorings.
 */
import type { ScoringModel } from 'freshdex'
import type { Bench } from './bench.js'
import type { Terms } from './exact-workload.js'
import { compareGains, type GainComparison } from './gain-comparison.js'
import { readCountedQueries, readHistory } from './snapshot-data.js'
import { compareStakes, type StakeComparison } from './stake-comparison.js'

/** The default first: its results stand at the top. */
const SCORINGS: readonly ScoringModel[] = ['bm25', 'tfidf']
const GOALS: Readonly<Record<Terms, number>> = { single: 0.95, full: 0.9 }

export const estimate: Bench = {
  name: 'estimate',
  question: 'How near are the measured gains of real revisions to the exact ones?',
  options: {
    queries: { kind: 'count', default: 3000, help: 'the most frequent ones, as the workload' },
    pieces: { kind: 'count', default: 3, help: 'of a score-rank curve, at most 8' },
    weeks: { kind: 'count', default: 1000, help: 'most weeks to replay' },
  },

  async run(request) {
    const history = await readHistory(request.folder)
    const counted = (await readCountedQueries(request.folder)).slice(0, request.count('queries'))
    const scorings: Partial<Record<ScoringModel, GainComparison & { readonly stake: StakeComparison }>> = {}
    for (const scoring of SCORINGS) {
      const gains = await compareGains(request, history, counted, scoring)
      const stake = await compareStakes(request, history, counted, scoring)
      scorings[scoring] = { ...gains, stake }
    }
    const isNear = (comparison: GainComparison) =>
      comparison.single.pageSpearman >= GOALS.single && comparison.full.pageSpearman >= GOALS.full
    const result = {
      pages: history.weeks[0]!.added.length,
      weeks: Math.min(history.weeks.length - 1, request.count('weeks')),
      queries: counted.length,
      ...scorings[SCORINGS[0]!],
      goals: GOALS,
      scorings,
    }
    return { result, isClaimKept: Object.values(scorings).every(isNear) }
  },
}
