/**
 * How good are the estimates of ΔQ_A on real revisions? The experiment of the lab, under both scorings.
 *
 * Claim: page-level Spearman of at least 0.95 for single terms and 0.90 for whole queries, under both scorings.
 */
import type { ScoringModel } from 'freshdex'
import type { Bench } from './bench.js'
import { runEstimate, type ScoringComparison } from './experiment-parts.js'
import { asMisuse, readCountedQueries, readHistory } from './snapshot-data.js'
import { compareStakes, type StakeComparison } from './stake-comparison.js'

/** The default first: its results stand at the top. */
const SCORINGS: readonly ScoringModel[] = ['bm25', 'tfidf']
const GOALS = { single: 0.95, full: 0.9 } as const

export const estimate: Bench = {
  name: 'estimate',
  question: 'How near are the measured gains of real revisions to the exact ones?',
  options: {
    queries: { kind: 'count', default: 3000, help: 'the most frequent ones, as the workload' },
    pieces: { kind: 'count', default: 3, help: 'of a score-rank curve, at most 8' },
    weeks: { kind: 'count', default: 1000, help: 'most weeks to replay' },
  },

  async run(request) {
    const counts = { queries: request.count('queries'), pieces: request.count('pieces'), weeks: request.count('weeks') }
    const spec = { data: request.folder, scorings: SCORINGS, ...counts }
    const { pages, weeks, queries, scorings } = await asMisuse(() =>
      runEstimate(spec, ({ scoring, done, total }) => {
        if (done % 12 === 0) request.progress(`${scoring}, week ${done + 1} of ${total}`)
      }),
    )
    const history = await readHistory(request.folder)
    const counted = (await readCountedQueries(request.folder)).slice(0, counts.queries)
    const compared: Record<string, ScoringComparison & { readonly stake: StakeComparison }> = {}
    for (const scoring of SCORINGS) {
      request.progress(`${scoring}, stakes`)
      compared[scoring] = {
        ...scorings[scoring]!,
        stake: await compareStakes(history, counted, scoring, counts.pieces),
      }
    }
    const result = { pages, weeks, queries, ...compared[SCORINGS[0]!], goals: GOALS, scorings: compared }
    const isClaimKept = Object.values(compared).every(
      ({ single, full }) => single.pageSpearman >= GOALS.single && full.pageSpearman >= GOALS.full,
    )
    return { result, isClaimKept }
  },
}
