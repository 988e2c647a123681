import { ageMs, type Policy } from '../policy.js'

/** What was refreshed longest ago comes first, whatever it is: every page as often as any other. The priority is the age. */
export const oldestFirst: Policy = {
  name: 'oldest-first',
  usesTotals: false,
  priority: ageMs,
  growthPerMs: () => 1,
  explain: (columns, doc, atMs) => ({ formula: 'ageMs', terms: { ageMs: ageMs(columns, doc, atMs) } }),
}
