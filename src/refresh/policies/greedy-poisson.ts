/**
 * The fewest answers from stale pages: the policy of cho-garcia-molina.ts with every page weighted by its value at
 * stake in today's answers. The greedy index
 *
 *   w U(λ, t)
 *
 * is that of Olston and Pandey (WWW 2008, Eq. 1 and 4), of Azar et al. (Tractable near-optimal policies for crawling,
 * 2018) in its discrete form, and of Busa-Fekete et al. (WWW 2025) without signals. λ is the published estimate, which
 * is 0 for a page that was only ever seen unchanged.
 *
 * State: 28 bytes a page.
 */
import { poissonUtility, utilityGrowth } from '../../change/divergence-curve.js'
import { publishedChangeRate } from '../model/page-rates.js'
import { ageMs, type Policy, policyCard } from './policy.js'

export const greedyPoissonCard = policyCard({
  name: 'greedy-poisson',
  purpose: 'fewest answers from stale pages: value at stake times what a refresh saves at the rate of changes',
  paper:
    'Cho and Garcia-Molina, Synchronizing a database to improve freshness (SIGMOD 2000); Olston and Pandey (WWW 2008)',
  formula: 'stake * U(rate, age), U as of cho-garcia-molina',
  columns: ['refreshedMs', 'rated', 'changes', 'sumIntervalMs', 'stake'],
})

export const greedyPoisson: Policy = {
  name: greedyPoissonCard.name,
  usesTotals: true,
  priority: (columns, doc, atMs, totals) =>
    columns.stake[doc]! * poissonUtility(publishedChangeRate(columns, doc, totals), ageMs(columns, doc, atMs)),
  growthPerMs: (columns, doc, atMs, totals) => {
    const ratePerMs = publishedChangeRate(columns, doc, totals)
    return columns.stake[doc]! * utilityGrowth({ ratePerMs, items: 1, share: 1 }, ageMs(columns, doc, atMs))
  },
  explain: (columns, doc, atMs, totals) => {
    const ratePerMs = publishedChangeRate(columns, doc, totals)
    const age = ageMs(columns, doc, atMs)
    return {
      formula: 'stake * utilityMs',
      terms: {
        stake: columns.stake[doc]!,
        utilityMs: poissonUtility(ratePerMs, age),
        changesPerMs: ratePerMs,
        ageMs: age,
      },
    }
  },
}
