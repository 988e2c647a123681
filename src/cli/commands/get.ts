import { describe } from '../../base/describe.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { flag, INDEX_FOLDER, KEY, keyOf, NUMBER_KEY } from '../options.js'
import { toJson } from '../output/output.js'

export const get = command({
  name: 'get',
  summary: 'the stored document with a key, as JSON',
  args: [INDEX_FOLDER, KEY],
  options: { numberKey: NUMBER_KEY, json: flag('print null when there is no such document') },
  examples: ['freshdex get pages.idx /ferry', 'freshdex get products.idx 4711 --number-key'],
  async run([dir, text], { numberKey }) {
    const key = keyOf(text, numberKey)
    const document = await withReader(dir, (index) => index.get(key))
    if (document === undefined) return { json: null, failure: `no document has the key ${describe(key)}` }
    return { json: document, text: toJson(document, 2) }
  },
})
