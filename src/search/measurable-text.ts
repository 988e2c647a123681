/** The part of a query by which refreshes can be measured: words that must all occur, in any field. */
import { describe } from '../base/describe.js'
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
  if (typeof node !== 'object' || node === null)
    throw new TypeError(`a query must be a string or an object, received ${describe(node)}`)
  if ('word' in node) return [[text('word', node.word)]]
  if ('phrase' in node) return [[text('phrase', node.phrase)]]
  if ('and' in node) {
    let all = ANYTHING
    for (const child of list('and', node.and)) {
      const more = alternatives(child, context, depth + 1)
      all = all.flatMap((words) => more.map((added) => [...words, ...added])).slice(0, MAX_ALTERNATIVES)
    }
    return all
  }
  if ('or' in node) {
    const all: (readonly string[])[] = []
    for (const child of list('or', node.or)) {
      if (all.length >= MAX_ALTERNATIVES) break
      all.push(...alternatives(child, context, depth + 1))
    }
    return all.slice(0, MAX_ALTERNATIVES)
  }
  return ANYTHING
}

/** Queries that are recorded were not checked by a search. */
function text(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError(`query.${name} must be a string, received ${describe(value)}`)
}

function list(name: string, value: readonly Query[]): readonly Query[] {
  if (Array.isArray(value)) return value
  throw new TypeError(`query.${name} must be a list of queries, received ${describe(value)}`)
}
