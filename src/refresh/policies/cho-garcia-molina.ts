/**
 * The fewest stale pages, all pages alike (Cho and Garcia-Molina, Synchronizing a database to improve freshness, SIGMOD
 * 2000). A page that changes at the rate λ, as a whole, is refreshed when U(λ, age) is above a threshold. Their optimum
 * is
 *
 *   U(λ, t) = 1/λ - (t + 1/λ) e^(-λt)        (Recrawl scheduling based on information longevity, appendix A).
 *
 * λ is their published estimate (Estimating frequency of change, 2003). It is 0 for a page that was only ever seen
 * unchanged, and such a page is never refreshed again.
 *
 * State: 24 bytes a page.
 */
import { poissonUtility, utilityGrowth } from '../../change/divergence-curve.js'
import { publishedChangeRate } from '../model/page-rates.js'
import { ageMs, type Policy, policyCard } from './policy.js'

export const choGarciaMolinaCard = policyCard({
  name: 'cho-garcia-molina',
  purpose: 'fewest stale pages, all pages alike: neither the hopeless nor the still',
  paper: 'Cho and Garcia-Molina, Synchronizing a database to improve freshness (SIGMOD 2000)',
  formula: 'U(rate, age) = 1/rate - (age + 1/rate) exp(-rate age), rate as published',
  columns: ['refreshedMs', 'rated', 'changes', 'sumIntervalMs'],
})

export const choGarciaMolina: Policy = {
  name: choGarciaMolinaCard.name,
  usesTotals: true,
  priority: (columns, doc, atMs, totals) =>
    poissonUtility(publishedChangeRate(columns, doc, totals), ageMs(columns, doc, atMs)),
  growthPerMs: (columns, doc, atMs, totals) => {
    const ratePerMs = publishedChangeRate(columns, doc, totals)
    return utilityGrowth({ ratePerMs, items: 1, share: 1 }, ageMs(columns, doc, atMs))
  },
  explain: (columns, doc, atMs, totals) => {
    const ratePerMs = publishedChangeRate(columns, doc, totals)
    const age = ageMs(columns, doc, atMs)
    return {
      formula: 'utilityMs',
      terms: { utilityMs: poissonUtility(ratePerMs, age), changesPerMs: ratePerMs, ageMs: age },
    }
  },
}
