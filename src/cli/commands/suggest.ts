import type { SuggestionKind } from '../../index.js'
import { command } from '../command.js'
import { withReader } from '../index-access.js'
import { argument, INDEX_FOLDER, integer, nameList, onUnlessNegated, optional, withDefault } from '../options.js'
import { oneLine, table } from '../output/wording.js'

const MOST = 100

export const suggest = command({
  name: 'suggest',
  summary: 'what a text that is being typed may become',
  args: [INDEX_FOLDER, argument<readonly string[]>('<text...>', 'what was typed so far')],
  options: {
    limit: withDefault('<n>', `most suggestions, 1 to ${MOST}`, 8, integer(1, MOST)),
    kinds: optional('<names>', 'query, title, word, with commas between them (default: all)', nameList),
    field: optional('<name>', 'the field that has the titles (default: the first boosted one, or title)'),
    typos: onUnlessNegated('only what begins exactly so'),
  },
  examples: ['freshdex suggest pages.idx fer', 'freshdex suggest pages.idx "ferry t" --kinds query,title'],
  async run([dir, words], { limit, kinds, field, typos }) {
    const text = words.join(' ')
    const options = {
      limit,
      typos,
      ...(kinds === undefined ? {} : { kinds: kinds as SuggestionKind[] }),
      ...(field === undefined ? {} : { field }),
    }
    const suggestions = await withReader(dir, (index) => index.suggest(text, options))
    const rows = suggestions.map(({ kind, text, weight }) => [kind, weightText(weight), oneLine(text)])
    return { json: { text, suggestions }, text: rows.length === 0 ? 'no suggestions' : table(rows) }
  },
})

function weightText(weight: number): string {
  return Number.isInteger(weight) ? String(weight) : weight.toFixed(3)
}
