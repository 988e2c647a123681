/**
 * Refreshes in proportion to how often a page changes ("proportional allocation" of Cho and Garcia-Molina, SIGMOD
 * 2000): λ t, the changes expected since the last refresh. This seems natural, but gives less freshness than treating
 * all pages alike: pages that change all the time take most of the budget and are stale all the same. λ is the
 * published estimate, which is 0 for a page that was only ever seen unchanged.
 *
 * State: 24 bytes a page.
 */
import { publishedChangeRate } from '../model/page-rates.js'
import { ageMs, type Policy, policyCard } from './policy.js'

export const proportionalCard = policyCard({
  name: 'proportional',
  purpose: 'in proportion to how often a page changes: a baseline, and most changes seen for the budget',
  paper: 'Cho and Garcia-Molina, Synchronizing a database to improve freshness (SIGMOD 2000)',
  formula: 'rate * age, rate as published',
  columns: ['refreshedMs', 'rated', 'changes', 'sumIntervalMs'],
})

export const proportional: Policy = {
  name: proportionalCard.name,
  usesTotals: true,
  priority: (columns, doc, atMs, totals) => publishedChangeRate(columns, doc, totals) * ageMs(columns, doc, atMs),
  growthPerMs: (columns, doc, _atMs, totals) => publishedChangeRate(columns, doc, totals),
  explain: (columns, doc, atMs, totals) => ({
    formula: 'changesPerMs * ageMs',
    terms: { changesPerMs: publishedChangeRate(columns, doc, totals), ageMs: ageMs(columns, doc, atMs) },
  }),
}
