import type { Advice, PolicyName } from '../../index.js'
import { command } from '../command.js'
import { withLearnt } from '../index-access.js'
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
    const advice = await withLearnt(dir, (index) => {
      return index.refresh.next({ ...limits, budget: pagesOf(budget, index.stats().documents), at, policy })
    })
    if (keys) return { text: keyLines(advice.pages.map(({ key }) => key)) }
    return { json: { at, policy, ...advice }, text: adviceText(advice, at, policy) }
  },
})

const HEADER = ['rank', 'priority', 'stake', 'gain', 'together', 'age', 'key']

function adviceText({ pages, sentence }: Advice, at: number, policy: PolicyName): string {
  const rows = pages.map(({ key, priority, stake, expectedGain, cumulativeGain, ageMs }, nth) => [
    thousands(nth + 1),
    significant(priority),
    percent(stake),
    percent(expectedGain),
    percent(cumulativeGain),
    timeSpan(ageMs),
    oneLine(String(key)),
  ])
  const summary = `${count(pages.length, 'document')} to refresh at ${isoTime(at)} by ${policy}\n${sentence}`
  return rows.length === 0 ? summary : `${table([HEADER, ...rows])}\n${summary}`
}
