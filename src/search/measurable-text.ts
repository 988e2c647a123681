/** The part of a query by which refreshes can be measured. */
import { type LeafQuery, MAX_QUERY_DEPTH, type Query, type QueryNode } from './query.js'
import { parseQueryText } from './query-text.js'

/**
 * The text of a query that only asks for words that must all occur, in any field. Phrases count as their
 * words. Undefined for every other query: with `or`, `not`, prefixes, fuzzy words, fields or boosts.
 */
export function measurableText(query: Query, fields: ReadonlySet<string>): string | undefined {
  const texts: string[] = []
  const isConjunction = collect(query, fields, texts, 1)
  return isConjunction && texts.length > 0 ? texts.join(' ') : undefined
}

function collect(query: Query, fields: ReadonlySet<string>, texts: string[], depth: number): boolean {
  if (depth > MAX_QUERY_DEPTH) return false
  const node = typeof query === 'string' ? parseQueryText(query, { fields, operator: 'and' }) : query
  if (node === undefined) return true
  if ('boost' in node && node.boost !== undefined && node.boost !== 1) return false
  if ('and' in node) return node.and.every((child) => collect(child, fields, texts, depth + 1))
  const text = leafText(node)
  if (text === undefined) return false
  texts.push(text)
  return true
}

function leafText(node: Exclude<QueryNode, { and: unknown }>): string | undefined {
  if ((node as LeafQuery).field !== undefined) return undefined
  if ('word' in node) return node.word
  return 'phrase' in node ? node.phrase : undefined
}
