import { describe } from '../../base/describe.js'
import { command } from '../command.js'
import { withLearnt } from '../index-access.js'
import { flag, INDEX_FOLDER, KEY, keyOf, NUMBER_KEY, POLICY, timeOf } from '../options.js'
import { explanationText } from '../output/explanation-text.js'

export const explain = command({
  name: 'explain',
  summary: 'why a document has its refresh priority',
  args: [INDEX_FOLDER, KEY],
  options: {
    numberKey: NUMBER_KEY,
    policy: POLICY,
    at: timeOf('the moment for which to judge'),
    json: flag('print one JSON document; null when there is no such document'),
  },
  examples: [
    'freshdex explain pages.idx /ferry',
    'freshdex explain pages.idx /ferry --policy user-centric --at 2026-11-16T09:00Z --json',
    'freshdex explain products.idx 4711 --number-key',
  ],
  async run([dir, text], { numberKey, policy, at = Date.now() }) {
    const key = keyOf(text, numberKey)
    const explanation = await withLearnt(dir, (index) => index.refresh.explain(key, { at, policy }))
    if (explanation === undefined) return { json: null, failure: `no document has the key ${describe(key)}` }
    return { json: explanation, text: explanationText(explanation) }
  },
})
