import { command } from '../command.js'
import { withLearnt } from '../index-access.js'
import { policyText } from '../input/policy-choice.js'
import { BUDGET_RULE, pagesOf, SPAN_RULE } from '../input/values.js'
import { budget, flag, INDEX_FOLDER, integer, KEYS, optional, POLICY, required, span, timeOf } from '../options.js'
import { adviceText } from '../output/advice-text.js'
import { keyLines } from '../output/output.js'

export const next = command({
  name: 'next',
  summary: 'the documents to refresh next, best first',
  args: [INDEX_FOLDER],
  options: {
    budget: required('<n>', `how many documents to name: ${BUDGET_RULE}`, budget),
    where: optional('<query>', 'only documents that match this query'),
    filter: optional('<clauses>', 'only documents whose columns pass, such as "section:docs words:>100"'),
    perHost: optional('<n>', 'no more than this many documents of one host', integer(1)),
    minInterval: optional('<span>', 'no document that was refreshed less than this ago (default: 1h)', span),
    wait: optional('<span>', `how long to wait until new queries count: ${SPAN_RULE} (default: 0.5s)`, span),
    policy: POLICY,
    at: timeOf('the moment for which to decide'),
    why: flag('say why for each document; up to five have it unless told'),
    keys: KEYS,
  },
  examples: [
    'freshdex next pages.idx --budget 20',
    'freshdex next pages.idx --budget 100 --where "ferry OR boat" --per-host 2 --json',
    'freshdex next pages.idx --budget 2% --keys | xargs -n 1 curl -sO',
    'freshdex next pages.idx --budget 5 --policy oldest-first --at 2026-11-16T09:00Z',
    'freshdex next pages.idx --budget 5 --policy longevity-curve:risk=30,weight=stake',
  ],
  async run([dir], { json: _, budget, keys, why, minInterval, wait, at = Date.now(), policy, ...limits }) {
    const advice = await withLearnt(dir, (index) => {
      return index.refresh.next({
        ...limits,
        ...(minInterval === undefined ? {} : { minIntervalMs: minInterval }),
        ...(wait === undefined ? {} : { waitMs: wait }),
        budget: pagesOf(budget, index.stats().documents),
        at,
        policy,
      })
    })
    if (keys) return { text: keyLines(advice.pages.map(({ key }) => key)) }
    return {
      json: { at, policy, ...advice },
      text: adviceText(advice, { dir, hasReasons: why, at, policy: policyText(policy) }),
    }
  },
})
