/**
 * Random queries of every kind, aimed at what the index really holds, and their written form.
 *
 * A query is made in its typed form, which the twin understands; `renderQuery` writes the same query as text where the
 * syntax can say it, with the freedoms the syntax gives (implicit operator, precedence, two ways to negate) drawn at
 * random.
 */
import { inventWord, type TextShape, vary } from '../support/corpus.js'
import type { SeededRandom } from '../support/seed.js'
import type { NaiveIndex } from './naive-index.js'
import type { NaiveLeaf, NaiveQuery } from './naive-matcher.js'

export interface QuerySource {
  readonly random: SeededRandom
  readonly twin: NaiveIndex
  readonly shape: TextShape
  /** Fields of the index, in order. */
  readonly fields: readonly string[]
}

const BOOSTS = [0.5, 1.5, 2, 3.25]
const DEEPEST = 4

export function generateQuery(source: QuerySource, depth = 0): NaiveQuery {
  const { random } = source
  const way = random.next()
  if (depth >= DEEPEST || way < 0.5 + depth * 0.12) return generateLeaf(source)
  if (way > 0.92) return { not: generateQuery(source, depth + 1) }
  const kind = random.chance(0.5) ? 'and' : 'or'
  const children = Array.from({ length: random.between(1, 3) }, () => generateQuery(source, depth + 1))
  if (random.chance(0.2)) children.push({ not: generateLeaf(source) })
  const group = kind === 'and' ? { and: children } : { or: children }
  return random.chance(0.15) ? { ...group, boost: random.pick(BOOSTS) } : group
}

function generateLeaf(source: QuerySource): NaiveLeaf {
  const { random, fields } = source
  const leaf = generateBareLeaf(source)
  return {
    ...leaf,
    ...(random.chance(0.2) ? { field: random.pick(fields) } : {}),
    ...(random.chance(0.15) ? { boost: random.chance(0.9) ? random.pick(BOOSTS) : 0 } : {}),
  }
}

function generateBareLeaf(source: QuerySource): NaiveLeaf {
  const { random, shape } = source
  const way = random.next()
  if (way < 0.42) return { word: generateWord(source) }
  if (way < 0.62) return { phrase: generatePhrase(source) }
  const word = inventWord(random, shape)
  const beginning = [...word].slice(0, random.between(1, 5)).join('')
  if (way < 0.76) return { prefix: beginning }
  if (way < 0.8) return { prefix: misspell(random, beginning), edits: random.pick([0, 1, 2] as const) }
  const fuzzy = misspell(random, word)
  return random.chance(0.3) ? { fuzzy } : { fuzzy, edits: random.chance(0.5) ? 1 : 2 }
}

function generateWord({ random, shape }: QuerySource): string {
  const way = random.next()
  if (way < 0.9) return inventWord(random, shape)
  if (way < 0.94) return `${letters(random, shape)},${letters(random, shape)}`
  return way < 0.97 ? 'nowhere' : random.pick(['!!!', '!,'])
}

/** A word without digits: some tokenizers keep a comma between digits. */
function letters(random: SeededRandom, shape: TextShape): string {
  return inventWord(random, shape).replace(/\p{N}/gu, '') || 'ab'
}

/** Mostly words that follow each other somewhere; a hole is written as a word that makes one. */
function generatePhrase({ random, twin, shape, fields }: QuerySource): string {
  const length = random.between(1, 4)
  const tokens = twin.size === 0 ? [] : twin.tokens(random.pick(twin.keys()), random.between(0, fields.length - 1))
  if (tokens.length < length || random.chance(0.15)) {
    return Array.from({ length }, () => inventWord(random, shape)).join(' ')
  }
  const start = random.between(0, tokens.length - length)
  const words = tokens.slice(start, start + length).map((token) => {
    return token === null ? random.pick(shape.extra ?? ['nowhere']) : vary(random, token)
  })
  if (words.length > 1 && random.chance(0.1)) words.reverse()
  return words.join(random.chance(0.9) ? ' ' : ', ')
}

function misspell(random: SeededRandom, word: string): string {
  const points = [...word]
  for (let edits = random.between(0, 2); edits > 0; edits--) {
    const at = random.between(Math.min(1, points.length - 1), points.length - 1)
    const way = random.next()
    if (way < 0.4) points[at] = random.pick(['a', 'e', 'o', 'é', 't'])
    else if (way < 0.7) points.splice(at, 0, random.pick(['a', 'n', 'ü']))
    else if (points.length > 1) points.splice(at, 1)
  }
  return points.join('')
}

export type Operator = 'and' | 'or'

/** The query as text, or undefined when the syntax can not say it. `operator` joins what stands side by side. */
export function renderQuery(random: SeededRandom, query: NaiveQuery, operator: Operator): string | undefined {
  if (!expressible(query)) return undefined
  if (isGroup(query) && query.boost === undefined) return renderMembers(random, query, operator)
  return renderNode(random, query, operator)
}

/** A boost of zero can be written, but scores nothing worth the risk of a reader that takes it for a mistake. */
function expressible(query: NaiveQuery): boolean {
  if ('not' in query) return expressible(query.not)
  if (query.boost === 0) return false
  if (isGroup(query)) return members(query).every(expressible)
  if ('prefix' in query && query.edits !== undefined) return false
  return !('word' in query) || (!/\s/.test(query.word) && !/^(AND|OR|NOT)$/.test(query.word))
}

function renderNode(random: SeededRandom, query: NaiveQuery, operator: Operator): string {
  if ('not' in query) {
    const inner =
      'not' in query.not ? `(${renderNode(random, query.not, operator)})` : renderNode(random, query.not, operator)
    return random.chance(0.5) ? `-${inner}` : `NOT ${inner}`
  }
  const boost = query.boost === undefined ? '' : `^${query.boost}`
  if (!isGroup(query)) return renderLeaf(random, query) + boost
  const shared = sharedField(query)
  if (shared !== undefined && random.chance(0.5)) {
    return `${shared}:(${renderMembers(random, withoutField(query) as Group, operator)})${boost}`
  }
  return `(${renderMembers(random, query, operator)})${boost}`
}

function renderMembers(random: SeededRandom, group: Group, operator: Operator): string {
  const kind = 'and' in group ? 'and' : 'or'
  const implicit = kind === operator && random.chance(0.5)
  const parts = members(group).map((child) => {
    const bindsTighter =
      kind === 'or' && !implicit && 'and' in child && child.boost === undefined && child.and.length > 1
    if (!bindsTighter || random.chance(0.5)) return renderNode(random, child, operator)
    return child.and.map((inner) => renderNode(random, inner, operator)).join(' AND ')
  })
  return parts.join(implicit ? ' ' : kind === 'and' ? ' AND ' : ' OR ')
}

function renderLeaf(random: SeededRandom, leaf: NaiveLeaf): string {
  const field = leaf.field === undefined ? '' : `${leaf.field}:`
  if ('word' in leaf) return field + leaf.word
  if ('phrase' in leaf) return `${field}"${leaf.phrase}"`
  if ('prefix' in leaf) return `${field}${leaf.prefix}*`
  const edits = leaf.edits ?? 1
  return `${field}${leaf.fuzzy}~${edits === 1 && random.chance(0.5) ? '' : edits}`
}

type Group = Extract<NaiveQuery, { and: unknown } | { or: unknown }>

function isGroup(query: NaiveQuery): query is Group {
  return 'and' in query || 'or' in query
}

function members(group: Group): readonly NaiveQuery[] {
  return 'and' in group ? group.and : group.or
}

/** The field that every leaf below names, if it is one and the same. */
function sharedField(query: NaiveQuery): string | undefined {
  if ('not' in query) return sharedField(query.not)
  if (!isGroup(query)) return query.field
  const fields = new Set(members(query).map(sharedField))
  return fields.size === 1 ? [...fields][0] : undefined
}

function withoutField(query: NaiveQuery): NaiveQuery {
  if ('not' in query) return { not: withoutField(query.not) }
  if ('and' in query) return { ...query, and: query.and.map(withoutField) }
  if ('or' in query) return { ...query, or: query.or.map(withoutField) }
  const { field: _, ...rest } = query
  return rest as NaiveLeaf
}

/** Direct parts of a query: when the whole differs, the smallest part that differs too is what to look at. */
export function partsOf(query: NaiveQuery): readonly NaiveQuery[] {
  if ('not' in query) return [query.not]
  if (!isGroup(query)) return []
  const parts = members(query)
  if (parts.length < 2) return parts
  const fewer = parts.map((_, left) => {
    const rest = parts.filter((_part, at) => at !== left)
    return 'and' in query ? { ...query, and: rest } : { ...query, or: rest }
  })
  return [...parts, ...fewer]
}
