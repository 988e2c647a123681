import type { PolicyName, RefreshSuggestion } from '../../index.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { isoTime } from '../input/values.js'
import { INDEX_FOLDER, integer, optional, POLICY, required, timeOf } from '../options.js'
import { count, oneLine, percent, significant, table, thousands, timeSpan } from '../output/wording.js'

export const next = command({
  name: 'next',
  summary: 'the documents to refresh next, best first',
  args: [INDEX_FOLDER],
  options: {
    budget: required('<n>', 'how many documents to name', integer(0)),
    where: optional('<query>', 'only documents that match this query'),
    perHost: optional('<n>', 'no more than this many documents of one host', integer(1)),
    policy: POLICY,
    at: timeOf('the moment for which to decide'),
  },
  examples: [
    'freshdex next pages.idx --budget 20',
    'freshdex next pages.idx --budget 100 --where "ferry OR boat" --per-host 2 --json',
    'freshdex next pages.idx --budget 5 --policy oldest-first --at 2026-11-16T09:00Z',
  ],
  async run([dir], { json: _, at = Date.now(), policy, ...limits }) {
    const documents = await withReader(dir, (index) => index.refresh.next({ ...limits, at, policy }))
    return { json: { at, policy, documents }, text: suggestionsText(documents, at, policy) }
  },
})

const HEADER = ['rank', 'priority', 'gain', 'age', 'refreshes', 'key']

function suggestionsText(documents: readonly RefreshSuggestion[], at: number, policy: PolicyName): string {
  const rows = documents.map(({ key, priority, expectedGain, ageMs, refreshes }, nth) => [
    thousands(nth + 1),
    significant(priority),
    percent(expectedGain),
    timeSpan(ageMs),
    thousands(refreshes),
    oneLine(String(key)),
  ])
  const summary = `${count(documents.length, 'document')} to refresh at ${isoTime(at)} by ${policy}`
  return rows.length === 0 ? summary : `${table([HEADER, ...rows])}\n${summary}`
}
