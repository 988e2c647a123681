/**
 * How good are the estimates of ΔQ_A on real revisions? The experiment of the lab, under both scorings: measured by
 * curves that are fitted anew every week, and by those of an index that nobody tells to fit.
 *
 * Claims, under both scorings: with weekly fits, page-level Spearman of at least 0.95 for single terms and 0.90 for
 * whole queries. Without any call of fit(), Spearman within 0.005 of that with weekly fits, and the sum of errors by
 * the sum of gains within a tenth of it: of all pages, and of those that gain by queries whose words have become twice
 * as frequent.
 */
import type { ScoringModel } from 'freshdex'
import type { Bench } from './bench.js'
import {
  isAsGoodAsRefitted,
  runEstimate,
  type ScoringComparison,
  UNAIDED_LIMITS,
  type UnaidedAgreement,
} from './experiment-parts.js'
import { asMisuse, readCountedQueries, readHistory } from './snapshot-data.js'
import { compareStakes, type StakeComparison } from './stake-comparison.js'

/** The default first: its results stand at the top. */
const SCORINGS: readonly ScoringModel[] = ['bm25', 'tfidf']
const GOALS = { single: 0.95, full: 0.9, unaided: UNAIDED_LIMITS } as const

interface JudgedAgreement extends UnaidedAgreement {
  /** Too few pages say nothing, and are as good. */
  readonly isAsGood: boolean
}

export const estimate: Bench = {
  name: 'estimate',
  question: 'How near are the measured gains of real revisions to the exact ones, with and without calls of fit()?',
  options: {
    queries: { kind: 'count', default: 3000, help: 'the most frequent ones, as the workload' },
    pieces: { kind: 'count', default: 3, help: 'of a score-rank curve, at most 8' },
    weeks: { kind: 'count', default: 1000, help: 'most weeks to replay' },
    scoring: {
      kind: 'choice',
      choices: ['both', ...SCORINGS],
      default: 'both',
      help: 'one of them takes half as long',
    },
  },

  async run(request) {
    const counts = { queries: request.count('queries'), pieces: request.count('pieces'), weeks: request.count('weeks') }
    const asked = request.word<ScoringModel | 'both'>('scoring')
    const scorings = asked === 'both' ? SCORINGS : [asked]
    const found = await asMisuse(() =>
      runEstimate({ data: request.folder, scorings, ...counts }, ({ scoring, done, total }) => {
        if (done % 12 === 0) request.progress(`${scoring}, week ${done + 1} of ${total}`)
      }),
    )
    const { pages, weeks, queries } = found
    const history = await readHistory(request.folder)
    const counted = (await readCountedQueries(request.folder)).slice(0, counts.queries)
    const compared: Record<string, ScoringComparison & { readonly stake: StakeComparison }> = {}
    for (const scoring of scorings) {
      request.progress(`${scoring}, stakes`)
      compared[scoring] = {
        ...found.scorings[scoring]!,
        stake: await compareStakes(history, counted, scoring, counts.pieces),
      }
    }
    const unaided = Object.fromEntries(scorings.flatMap((scoring) => unaidedRows(scoring, compared[scoring]!)))
    const { unaided: _, ...first } = compared[scorings[0]!]!
    const result = { pages, weeks, queries, ...first, goals: GOALS, unaided, scorings: compared }
    return { result, isClaimKept: Object.values(compared).every(isClaimKept) }
  },
}

function isClaimKept({ single, full, unaided }: ScoringComparison): boolean {
  const isNear = single.pageSpearman >= GOALS.single && full.pageSpearman >= GOALS.full
  return isNear && isAsGoodAsRefitted(unaided.all) && isAsGoodAsRefitted(unaided.doubled)
}

/** One below the other, for people. */
function unaidedRows(scoring: ScoringModel, { unaided }: ScoringComparison): [string, JudgedAgreement][] {
  const rows = { all: unaided.all, 'words doubled': unaided.doubled, ...unaided.byWeeksSinceEpoch }
  return Object.entries(rows).map(([name, agreement]) => [
    `${scoring}, ${name}`,
    { ...agreement, isAsGood: isAsGoodAsRefitted(agreement) },
  ])
}
