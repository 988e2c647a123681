/**
 * The page that was refreshed longest ago comes first, so that all pages are refreshed equally often. The priority is
 * the age; signals do not count.
 *
 * State: 8 bytes a page.
 */
import { ageMs, type Policy, policyCard } from './policy.js'

export const oldestFirstCard = policyCard({
  name: 'oldest-first',
  purpose: 'every page equally often, whatever it is: what to compare others with',
  paper: '-',
  formula: 'age',
  columns: ['refreshedMs'],
})

export const oldestFirst: Policy = {
  name: oldestFirstCard.name,
  usesTotals: false,
  readsSignals: true,
  priority: ageMs,
  growthPerMs: () => 1,
  explain: (columns, doc, atMs) => ({ formula: 'ageMs', terms: { ageMs: ageMs(columns, doc, atMs) } }),
}
