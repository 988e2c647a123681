import type { PolicyName, RefreshSuggestion } from '../../index.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { BUDGET_RULE, isoTime, pagesOf } from '../input/values.js'
import { budget, INDEX_FOLDER, integer, KEYS, optional, POLICY, required, timeOf } from '../options.js'
import { keyLines } from '../output/output.js'
import { count, oneLine, percent, significant, table, thousands, timeSpan } from '../output/wording.js'

export const next = command({
  name: 'next',
  summary: 'the documents to refresh next, best first',
  args: [INDEX_FOLDER],
  options: {
    budget: required('<n>', `how many documents to name: ${BUDGET_RULE}`, budget),
    where: optional('<query>', 'only documents that match this query'),
    perHost: optional('<n>', 'no more than this many documents of one host', integer(1)),
    policy: POLICY,
    at: timeOf('the moment for which to decide'),
    keys: KEYS,
  },
  examples: [
    'freshdex next pages.idx --budget 20',
    'freshdex next pages.idx --budget 100 --where "ferry OR boat" --per-host 2 --json',
    'freshdex next pages.idx --budget 2% --keys | xargs -n 1 curl -sO',
    'freshdex next pages.idx --budget 5 --policy oldest-first --at 2026-11-16T09:00Z',
  ],
  async run([dir], { json: _, budget, keys, at = Date.now(), policy, ...limits }) {
    const documents = await withReader(dir, (index) => {
      return index.refresh.next({ ...limits, budget: pagesOf(budget, index.stats().documents), at, policy })
    })
    if (keys) return { text: keyLines(documents.map(({ key }) => key)) }
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
