/**
 * Refreshes in proportion to how often a page changes ("proportional allocation" of Cho and Garcia-Molina, SIGMOD
 * 2000): λ t, the changes to expect since the last refresh. What seems natural, and is worse than treating all pages
 * alike where freshness counts: pages that change all the time take most of the budget and are stale all the same. λ as
 * published: one unchanged visit and nothing else gives 0.
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
