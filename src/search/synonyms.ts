/**
 * Synonyms at query time: the words of a query also stand for other words. The index knows nothing of them, so they can
 * change at any time; what is learnt are the words as they were typed.
 */
import { describe } from '../base/describe.js'
import { MAX_QUERY_DEPTH, type Query, type QueryNode } from './query.js'
import { parseQueryText, type TextContext } from './query-text.js'

/**
 * A list: each of its words stands for all of them. An object: `from` also stands for `to`, and not the other way
 * round. A word may be several, such as 'united states'.
 */
export type SynonymRule =
  | readonly string[]
  | { readonly from: string | readonly string[]; readonly to: string | readonly string[] }

export type Synonyms = readonly SynonymRule[]

/** What words stand for, by the words in lower case with one blank between them. */
export interface SynonymTable {
  readonly alternatives: ReadonlyMap<string, readonly string[]>
  /** The most words that stand for something together. */
  readonly mostWords: number
}

const MAX_RULES = 100_000
const MAX_WORDS = 16

/** The table of rules as the user gives them; undefined where there are none. */
export function synonymsOption(name: string, value: unknown): SynonymTable | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw new TypeError(`${name} must be a list of rules, received ${describe(value)}`)
  if (value.length > MAX_RULES) throw new RangeError(`${name} may have ${MAX_RULES} rules, received ${value.length}`)
  const found = new Map<string, Set<string>>()
  for (const [at, rule] of value.entries()) {
    const { from, to } = readRule(`${name}[${at}]`, rule)
    for (const word of from) {
      const others = found.get(word) ?? new Set()
      for (const other of to) if (other !== word) others.add(other)
      if (others.size > 0) found.set(word, others)
    }
  }
  if (found.size === 0) return undefined
  const alternatives = new Map(Array.from(found, ([word, others]) => [word, [...others]]))
  const mostWords = [...found.keys()].reduce((most, word) => Math.max(most, word.split(' ').length), 0)
  return { alternatives, mostWords }
}

function readRule(name: string, rule: unknown): { readonly from: readonly string[]; readonly to: readonly string[] } {
  if (Array.isArray(rule)) {
    const words = readWords(name, rule)
    return { from: words, to: words }
  }
  if (typeof rule !== 'object' || rule === null)
    throw new TypeError(`${name} must be a list of words or { from, to }, received ${describe(rule)}`)
  const { from, to, ...others } = rule as Record<string, unknown>
  const stranger = Object.keys(others)[0]
  if (stranger !== undefined) throw new TypeError(`${name} has an unknown property "${stranger}"; known: from, to`)
  return { from: readWords(`${name}.from`, from), to: readWords(`${name}.to`, to) }
}

function readWords(name: string, value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length === 0) throw new RangeError(`${name} must name at least one word, received none`)
  return list.map((item) => {
    const word = typeof item === 'string' ? sameForm(item) : ''
    if (word === '' || word.split(' ').length > MAX_WORDS)
      throw new TypeError(`${name} must have words, at most ${MAX_WORDS} in one, received ${describe(item)}`)
    return word
  })
}

/** The form in which words are compared. */
function sameForm(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ')
}

/** The query with the alternatives of its words. What is no query is left for the encoder to refuse. */
export function withSynonyms(query: Query, table: SynonymTable, context: TextContext): Query {
  return new Rewriting(table, context).rewritten(query, 1)
}

class Rewriting {
  readonly #table: SynonymTable
  readonly #context: TextContext

  constructor(table: SynonymTable, context: TextContext) {
    this.#table = table
    this.#context = context
  }

  rewritten(query: Query, depth: number): Query {
    if (depth > MAX_QUERY_DEPTH) return query
    if (typeof query === 'string') {
      const node = parseQueryText(query, this.#context)
      return node === undefined ? query : this.rewritten(node, depth)
    }
    if (typeof query !== 'object' || query === null) return query
    if ('and' in query) return this.#group(query, 'and', query.and, depth)
    if ('or' in query) return this.#group(query, 'or', query.or, depth)
    const text = 'word' in query ? query.word : 'phrase' in query ? query.phrase : undefined
    return typeof text === 'string' ? this.#eitherOf(query, text, query as Place) : query
  }

  /** Words side by side that stand for something together, the longest first, and every child by itself. */
  #group(group: QueryNode, kind: 'and' | 'or', children: readonly Query[], depth: number): Query {
    if (!Array.isArray(children)) return group
    const written: Query[] = []
    for (let at = 0; at < children.length; ) {
      const { nodes, length } = this.#sideBySide(children, at, kind)
      if (length > 0) written.push(...nodes)
      else written.push(this.rewritten(children[at] as Query, depth + 1))
      at += Math.max(1, length)
    }
    return { ...group, [kind]: written } as QueryNode
  }

  /** What the longest run of words from `at` on becomes; length 0 where no run of several stands for anything. */
  #sideBySide(
    children: readonly Query[],
    at: number,
    kind: 'and' | 'or',
  ): { readonly nodes: readonly Query[]; readonly length: number } {
    const first = plainWord(children[at])
    if (first === undefined) return { nodes: [], length: 0 }
    const words = [first.word]
    let best: { nodes: readonly Query[]; length: number } = { nodes: [], length: 0 }
    for (let length = 2; length <= this.#table.mostWords && at + length <= children.length; length++) {
      const next = plainWord(children[at + length - 1])
      if (next === undefined || next.field !== first.field || next.boost !== first.boost) break
      words.push(next.word)
      const others = this.#alternatives(words.join(' '), first)
      if (others.length === 0) continue
      const run = children.slice(at, at + length)
      best = { nodes: kind === 'or' ? [...run, ...others] : [{ or: [{ and: run }, ...others] }], length }
    }
    return best
  }

  #eitherOf(node: QueryNode, text: string, place: Place): Query {
    const others = this.#alternatives(text, place)
    return others.length === 0 ? node : { or: [node, ...others] }
  }

  #alternatives(text: string, { field, boost }: Place): QueryNode[] {
    const where = { ...(field === undefined ? {} : { field }), ...(boost === undefined ? {} : { boost }) }
    return (this.#table.alternatives.get(sameForm(text)) ?? []).map((other) =>
      other.includes(' ') ? { phrase: other, ...where } : { word: other, ...where },
    )
  }
}

interface Place {
  readonly field?: string
  readonly boost?: number
}

function plainWord(query: Query | undefined): (Place & { readonly word: string }) | undefined {
  const isWord = typeof query === 'object' && query !== null && 'word' in query && typeof query.word === 'string'
  return isWord ? query : undefined
}
