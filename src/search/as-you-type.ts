/**
 * Query text that is still being typed: its last word may be the beginning of one, and words may be misspelt. The text
 * becomes two queries: documents that match the first come before those that match only the second.
 */
import type { Query, QueryNode, WordQuery } from './query.js'
import { parseQueryText, type TextContext } from './query-text.js'
import { isSpace } from './query-words.js'

/** A query as it is typed. */
export interface TypedForms {
  /** All words as they are written, the last one also as the beginning of a word. */
  readonly exact: Query
  /** The same with typos; undefined where no word is long enough for one. */
  readonly tolerant: Query | undefined
}

/** How many typos a word of this many code points may have. */
export function forgivenEdits(codePoints: number): 0 | 1 | 2 {
  return codePoints < 4 ? 0 : codePoints < 8 ? 1 : 2
}

/** The parts of a word that analysis may tell apart, such as those of wi-fi. */
const PIECE = /[\p{L}\p{M}\p{N}_]+(?:['’.][\p{L}\p{M}\p{N}_]+)*/gu

/** `rewritten` is applied to the query as it was parsed, and must keep its words as the objects that they are. */
export function typedForms(text: string, context: TextContext, rewritten = (query: Query): Query => query): TypedForms {
  const parsed = parseQueryText(text, context)
  if (parsed === undefined) return { exact: text, tolerant: undefined }
  const words = wordsOf(parsed)
  const leaves = leafCount(parsed)
  const last = lastWord(text, words, context)
  const query = rewritten(parsed)
  const all = new Set(words)
  const exact = mapWords(query, (word) => (word === last ? beginning(word, 'exact', leaves === 1) : word), all)
  const isTolerant = words.some(({ word }) => piecesOf(word).some((piece) => editsOf(piece) > 0))
  if (!isTolerant) return { exact, tolerant: undefined }
  const tolerant = mapWords(
    query,
    (word) => (word === last ? beginning(word, 'tolerant', leaves === 1) : near(word)),
    all,
  )
  return { exact, tolerant }
}

function piecesOf(word: string): readonly string[] {
  return word.match(PIECE) ?? []
}

function editsOf(word: string): 0 | 1 | 2 {
  return forgivenEdits(Array.from(word).length)
}

/** The words that documents must have, in their order. */
function wordsOf(query: Query): WordQuery[] {
  if (typeof query === 'string' || 'not' in query) return []
  if ('and' in query) return query.and.flatMap(wordsOf)
  if ('or' in query) return query.or.flatMap(wordsOf)
  return 'word' in query ? [query] : []
}

function leafCount(query: Query): number {
  if (typeof query === 'string' || 'not' in query) return 0
  if ('and' in query) return query.and.reduce((sum, child) => sum + leafCount(child), 0)
  if ('or' in query) return query.or.reduce((sum, child) => sum + leafCount(child), 0)
  return 1
}

/** The word that the text ends with; undefined where it ends with something else, such as a blank or a phrase. */
function lastWord(text: string, words: readonly WordQuery[], context: TextContext): WordQuery | undefined {
  let begin = text.length
  while (begin > 0 && !isSpace(text.charAt(begin - 1)) && !/[()"]/.test(text.charAt(begin - 1))) begin--
  if (begin === text.length) return undefined
  const alone = parseQueryText(text.slice(begin), context)
  const last = words.at(-1)
  return alone !== undefined && 'word' in alone && last?.word === alone.word ? last : undefined
}

/** The query with other nodes in place of some words. */
function mapWords(query: Query, change: (word: WordQuery) => QueryNode, words: ReadonlySet<unknown>): Query {
  if (typeof query === 'string' || 'not' in query) return query
  if ('and' in query) return { ...query, and: query.and.map((child) => mapWords(child, change, words)) }
  if ('or' in query) return { ...query, or: query.or.map((child) => mapWords(child, change, words)) }
  return 'word' in query && words.has(query) ? change(query) : query
}

type Place = Pick<WordQuery, 'field'>

/** A word with typos. */
function near(word: WordQuery): QueryNode {
  const place = placeOf(word)
  const pieces = piecesOf(word.word)
  if (pieces.every((piece) => editsOf(piece) === 0)) return word
  return either(word, [{ word: word.word, ...place }, all(pieces.map((piece) => nearPiece(piece, place)))])
}

function nearPiece(piece: string, place: Place): QueryNode {
  const edits = editsOf(piece)
  return edits === 0 ? { word: piece, ...place } : { fuzzy: piece, edits, ...place }
}

/** A word, or what it may be the beginning of. `isAlone`: there is nothing else to find. */
function beginning(word: WordQuery, form: 'exact' | 'tolerant', isAlone: boolean): QueryNode {
  const place = placeOf(word)
  const pieces = piecesOf(word.word)
  const last = pieces.at(-1)
  if (last === undefined) return word
  const isTolerant = form === 'tolerant'
  const before = pieces.slice(0, -1).map((piece) => (isTolerant ? nearPiece(piece, place) : { word: piece, ...place }))
  const edits = isTolerant ? editsOf(last) : 0
  // With a number of edits a stop word vanishes: one that stands alone is taken for a beginning.
  const open: QueryNode = isAlone && edits === 0 ? { prefix: last, ...place } : { prefix: last, edits, ...place }
  return either(word, [{ word: word.word, ...place }, all([...before, open])])
}

function placeOf({ field }: WordQuery): Place {
  return field === undefined ? {} : { field }
}

function all(nodes: readonly QueryNode[]): QueryNode {
  return nodes.length === 1 ? (nodes[0] as QueryNode) : { and: nodes }
}

function either({ boost }: WordQuery, nodes: readonly QueryNode[]): QueryNode {
  return { or: nodes, ...(boost === undefined ? {} : { boost }) }
}
