import pc from 'picocolors'
import type { Explanation, Hit, Key, SearchResult, Snippet } from '../../index.js'
import { MAX_LIMIT, MAX_OFFSET } from '../../search/search-options.js'
import { command } from '../command.js'
import { type Document, withReader } from '../index-access.js'
import { addFacet, groupBy, sortBy } from '../input/column-options.js'
import {
  argument,
  choice,
  flag,
  INDEX_FOLDER,
  integer,
  KEYS,
  nameList,
  onUnlessNegated,
  optional,
  withDefault,
} from '../options.js'
import { stateText } from '../output/explanation-text.js'
import { facetLines } from '../output/facet-text.js'
import { keyLines, toJson } from '../output/output.js'
import { count, oneLine, shortened, table, thousands } from '../output/wording.js'

export const search = command({
  name: 'search',
  summary: 'the best hits for a query',
  args: [
    INDEX_FOLDER,
    argument<readonly string[]>('<query...>', 'words, "phrases", prefix*, fuzzy~, field:word, -not, a OR b'),
  ],
  options: {
    limit: withDefault('<n>', `most hits, 0 to ${MAX_LIMIT}`, 10, integer(0, MAX_LIMIT)),
    offset: withDefault('<n>', `hits to pass over first, 0 to ${MAX_OFFSET}`, 0, integer(0, MAX_OFFSET)),
    operator: choice('<what>', 'what words side by side mean', ['and', 'or'], 'and'),
    fields: optional('<names>', 'the fields to search, with commas between them (default: all)', nameList),
    countUpTo: withDefault('<n>', 'most matches to count', 1000, integer(0, Number.MAX_SAFE_INTEGER)),
    asYouType: flag('take the last word for the beginning of one, and forgive typos'),
    didYouMean: flag('where few are found, say which text finds more'),
    docs: flag('show the stored documents'),
    explain: flag('show how each score came about'),
    snippet: flag('show pieces of the text with the words that were found'),
    learn: onUnlessNegated('do not count the query as one that people ask'),
    refresh: flag('show refresh priority, age and expected gain of each hit'),
    filter: optional('<clauses>', 'only documents whose columns pass, such as "section:docs words:>100"'),
    facet: optional(
      '<column[:how]>',
      'count the matches by a column; how: year to hour, or ranges such as ..100,100..; once for each',
      addFacet,
    ),
    sort: optional('<orders>', 'what comes first: score, priority, column:asc, column:desc, with commas', sortBy),
    group: optional('<column[:n]>', 'the n best hits of each value of a column (default: 1)', groupBy),
    keys: KEYS,
  },
  examples: [
    'freshdex search pages.idx ferry timetable',
    `freshdex search pages.idx 'title:harbour -"market day"' --limit 3 --explain`,
    'freshdex search pages.idx "ferry OR boat" --docs --json',
    'freshdex search pages.idx ferry --snippet',
    'freshdex search pages.idx ferr tim --as-you-type',
    'freshdex search pages.idx ferry --refresh --sort priority',
    'freshdex search pages.idx "*" --filter "section:docs" --facet section --facet published:month',
    'freshdex search pages.idx ferry --sort published:desc --group section:3',
    'freshdex search pages.idx -- "-draft ferry"',
  ],
  async run([dir, words], { json, docs, keys, facet: facets, ...options }) {
    const query = words.join(' ')
    // The text has a headline out of each document.
    const request = { ...options, ...(facets === undefined ? {} : { facets }), docs: docs || !json }
    const result = await withReader(dir, (index) => withDocuments(index.search(query, request)))
    if (keys) return { text: keyLines(result.hits.map(({ key }) => key)) }
    return {
      json: { query, ...result },
      get text() {
        return resultText(result, options.offset, docs)
      },
    }
  },
})

/** Documents are decoded now: the index is about to close. */
function withDocuments(found: SearchResult<Document>): SearchResult<Document> {
  // A cursor would be of a state that ends with the command.
  const { cursor: _, didYouMean, ...result } = found
  const hits = result.hits.map((hit) => ({ ...hit }))
  return { ...result, hits, ...(didYouMean === undefined ? {} : { didYouMean }) }
}

type Colors = ReturnType<typeof pc.createColors>

function resultText(result: SearchResult<Document>, offset: number, hasDocs: boolean): string {
  const { hits, total, isTotalExact, truncated, facets = {} } = result
  const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported)
  const rows = hits.map((hit, at) => [
    thousands(offset + at + 1),
    hit.score.toFixed(3),
    oneLine(String(hit.key)),
    headline(hit.doc ?? {}, hit.key),
  ])
  const lines = table(rows).split('\n')
  const blocks = hits.flatMap((hit, at) => [
    paint(lines[at] ?? '', rows[at] ?? [], colors),
    ...details(hit, hasDocs, colors),
  ])
  const remark = truncated ? '; a prefix or fuzzy word had more expansions than were searched' : ''
  const all = `${isTotalExact ? '' : 'more than '}${count(total, 'hit')}`
  const other = result.didYouMean === undefined ? [] : [`Did you mean: ${oneLine(result.didYouMean)}`]
  const summary = colors.dim(`${thousands(hits.length)} of ${all}${remark}`)
  return [...blocks, ...facetLines(facets), summary, ...other].join('\n')
}

/** Colours the line after it was laid out: escapes have a length and no width. */
function paint(line: string, [rank = '', score = '', key = '']: readonly string[], colors: Colors): string {
  const keyAt = line.indexOf(key, line.indexOf(score, rank.length) + score.length)
  const keyEnd = keyAt + key.length
  return colors.dim(line.slice(0, keyAt)) + colors.cyan(line.slice(keyAt, keyEnd)) + line.slice(keyEnd)
}

const HEADLINE_LENGTH = 80

/** A title if there is one, else the first text that is not the key. */
function headline(document: Document, key: Key): string {
  const texts = [document.title, ...Object.values(document)].filter((value) => typeof value === 'string')
  return shortened(oneLine(texts.find((text) => text !== key && text.trim() !== '') ?? ''), HEADLINE_LENGTH)
}

function details({ doc, snippet, explain, refresh }: Hit<Document>, hasDocs: boolean, colors: Colors): string[] {
  return [
    ...(snippet === undefined ? [] : [`    ${snippetText(snippet, colors)}`]),
    ...(hasDocs && doc !== undefined ? [`    ${toJson(doc)}`] : []),
    ...(refresh === undefined ? [] : [`    ${stateText(refresh)}`]),
    ...(explain === undefined ? [] : scoreLines(explain)),
  ]
}

/** One line, with the words that were found in bold where there are colours. */
function snippetText({ text, marks }: Snippet, colors: Colors): string {
  let line = ''
  let at = 0
  for (const [start, end] of marks) {
    line += oneLine(text.slice(at, start)) + colors.bold(oneLine(text.slice(start, end)))
    at = end
  }
  return line + oneLine(text.slice(at))
}

function scoreLines({ text, weight, terms }: Explanation): string[] {
  return [
    ...terms.map(({ field, term, tf, df, idf, length, averageLength, score }) => {
      const among = `${count(tf, 'time')} among ${count(length, 'token')} (average ${averageLength.toFixed(1)})`
      const rarity = `in ${count(df, 'document')}, rarity ${idf.toFixed(3)}`
      return `    ${score.toFixed(3)}  ${field}:${oneLine(term)}, ${among}, ${rarity}`
    }),
    ...(weight === 0 ? [] : [`    text ${text.toFixed(3)}, weight ${weight.toFixed(3)}`]),
  ]
}
