/** The part of a query by which refreshes can be measured: words that must all occur, in any field. */
import { MAX_QUERY_DEPTH, type Query } from './query.js'
import { parseQueryText, type TextContext } from './query-text.js'

/** The most alternatives of one query that are looked at: groups of alternatives multiply. */
export const MAX_ALTERNATIVES = 16

/**
 * The texts of the conjunctions of words that a query asks for, at most MAX_ALTERNATIVES of them, none twice.
 *
 * Phrases count as their words. Fields and boosts are dropped, and so is what is negated, a prefix or fuzzy: what is
 * left are the words that a page must have. Alternatives are queries of their own: `(ferry OR boat) times` asks for
 * `ferry times` and for `boat times`. Empty for a query without any word that must occur.
 */
export function measurableTexts(query: Query, context: TextContext): readonly string[] {
  const texts = alternatives(query, context, 1).map((words) => words.join(' '))
  return [...new Set(texts)].filter((text) => text !== '')
}

/** One alternative without words: whatever the rest of the query says. */
const ANYTHING: readonly (readonly string[])[] = [[]]

function alternatives(query: Query, context: TextContext, depth: number): readonly (readonly string[])[] {
  if (depth > MAX_QUERY_DEPTH) return ANYTHING
  const node = typeof query === 'string' ? parseQueryText(query, context) : query
  if (node === undefined) return ANYTHING
  if ('word' in node) return [[node.word]]
  if ('phrase' in node) return [[node.phrase]]
  if ('and' in node) {
    let all = ANYTHING
    for (const child of node.and) {
      const more = alternatives(child, context, depth + 1)
      all = all.flatMap((words) => more.map((added) => [...words, ...added])).slice(0, MAX_ALTERNATIVES)
    }
    return all
  }
  if ('or' in node) {
    const all: (readonly string[])[] = []
    for (const child of node.or) {
      if (all.length >= MAX_ALTERNATIVES) break
      all.push(...alternatives(child, context, depth + 1))
    }
    return all.slice(0, MAX_ALTERNATIVES)
  }
  return ANYTHING
}
