import type { Advice, PolicyName } from '../../index.js'
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
    const advice = await withReader(dir, (index) => index.refresh.next({ ...limits, at, policy }))
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
