/**
 * The fewest answers that embarrass whoever gives them: Wolf et al., Optimal crawling strategies for web search engines
 * (WWW 2002), section 2.2, as a policy that decides from day to day. What a stale page costs is
 *
 *   w = d Σ c b        (Eq. 8)
 *
 * with b how often queries show the page at a rank and c how often that rank is clicked: their sum is the page's stake,
 * in which answers also count by their scores. c is the view likelihood, which follows the clicks where they are
 * logged. d is how likely a stale copy answers wrongly: the share of the page's last changes that moved an answer, one
 * that did and one that did not added. The greedy index of such a weight is w U(λ, t), as in greedy-poisson.ts.
 *
 * State: 56 bytes a page.
 */
import { poissonUtility, utilityGrowth } from '../../change/divergence-curve.js'
import { type LedgerColumns, recentAt, recentCount } from '../../ledger/column-arrays.js'
import { publishedChangeRate } from '../model/page-rates.js'
import { ageMs, type Policy, policyCard } from './policy.js'

export const embarrassmentCard = policyCard({
  name: 'embarrassment',
  purpose: 'fewest clicks on stale pages that answer wrongly: value at stake, by how often changes of the page matter',
  paper: 'Wolf et al., Optimal crawling strategies for web search engines (WWW 2002), 2.2',
  formula: 'd * stake * U(rate, age), d the share of changes that moved an answer, U as of cho-garcia-molina',
  columns: [
    ...(['refreshedMs', 'rated', 'changes', 'sumIntervalMs', 'stake', 'changeBits'] as const),
    'recentDeltaQuality',
  ],
})

export const embarrassment: Policy = {
  name: embarrassmentCard.name,
  usesTotals: true,
  priority: (columns, doc, atMs, totals) =>
    wrongProbability(columns, doc) *
    columns.stake[doc]! *
    poissonUtility(publishedChangeRate(columns, doc, totals), ageMs(columns, doc, atMs)),
  growthPerMs: (columns, doc, atMs, totals) => {
    const ratePerMs = publishedChangeRate(columns, doc, totals)
    const growth = utilityGrowth({ ratePerMs, items: 1, share: 1 }, ageMs(columns, doc, atMs))
    return wrongProbability(columns, doc) * columns.stake[doc]! * growth
  },
  explain: (columns, doc, atMs, totals) => {
    const ratePerMs = publishedChangeRate(columns, doc, totals)
    const age = ageMs(columns, doc, atMs)
    return {
      formula: 'wrongProbability * stake * utilityMs',
      terms: {
        wrongProbability: wrongProbability(columns, doc),
        stake: columns.stake[doc]!,
        utilityMs: poissonUtility(ratePerMs, age),
        changesPerMs: ratePerMs,
        ageMs: age,
      },
    }
  },
}

/** d. A change that could not be measured says nothing. */
function wrongProbability(columns: LedgerColumns, doc: number): number {
  let changes = 0
  let wrong = 0
  const count = recentCount(columns, doc)
  for (let back = 0; back < count; back++) {
    const gain = columns.recentDeltaQuality[recentAt(columns, doc, back)]!
    if (((columns.changeBits[doc]! >>> back) & 1) === 0 || Number.isNaN(gain)) continue
    changes++
    if (gain > 0) wrong++
  }
  return (wrong + 1) / (changes + 2)
}
