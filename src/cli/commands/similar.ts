import { MAX_LIMIT } from '../../search/search-options.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { INDEX_FOLDER, integer, KEY, KEYS, keyOf, NUMBER_KEY, nameList, optional, withDefault } from '../options.js'
import { keyLines } from '../output/output.js'
import { count, oneLine, table, thousands } from '../output/wording.js'

export const similar = command({
  name: 'similar',
  summary: 'the documents that have most in common with one',
  args: [INDEX_FOLDER, KEY],
  options: {
    limit: withDefault('<n>', `most hits, 0 to ${MAX_LIMIT}`, 10, integer(0, MAX_LIMIT)),
    fields: optional(
      '<names>',
      'the fields whose words are compared, with commas between them (default: all)',
      nameList,
    ),
    filter: optional('<clauses>', 'only documents whose columns pass, such as "section:docs words:>100"'),
    terms: withDefault('<n>', 'most words of the document to look for, 1 to 1000', 25, integer(1, 1000)),
    numberKey: NUMBER_KEY,
    keys: KEYS,
  },
  examples: ['freshdex similar pages.idx /ferry', 'freshdex similar pages.idx /ferry --fields title --keys'],
  async run([dir, text], { numberKey, keys, json: _, ...options }) {
    const key = keyOf(text, numberKey)
    const result = await withReader(dir, (index) => {
      if (!index.has(key)) return undefined
      const { hits, ...others } = index.similar(key, options)
      return { ...others, hits: hits.map((hit) => ({ ...hit })) }
    })
    if (result === undefined) return { json: null, failure: `no document has the key ${key}` }
    if (keys) return { text: keyLines(result.hits.map((hit) => hit.key)) }
    const rows = result.hits.map((hit, at) => [thousands(at + 1), hit.score.toFixed(3), oneLine(String(hit.key))])
    const all = `${result.isTotalExact ? '' : 'more than '}${count(result.total, 'hit')}`
    const lines = result.hits.length === 0 ? [] : [table(rows)]
    return { json: { key, ...result }, text: [...lines, `${thousands(result.hits.length)} of ${all}`].join('\n') }
  },
})
