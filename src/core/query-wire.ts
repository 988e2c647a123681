/**
 * A query as the addon reads it. Little endian, no padding; one node, its children after it:
 *
 *   1 WORD, 2 PHRASE   u8 kind | u32 fields | f64 boost | u8 form | u32 bytes | payload
 *                      form 0: text that the core analyses; form 1: { u16 length, u16 holes before, bytes } …
 *   3 PREFIX           u8 kind | u32 fields | f64 boost | u32 bytes | payload
 *   4 FUZZY            u8 kind | u32 fields | f64 boost | u8 edits | u32 bytes | payload
 *   5 AND, 6 OR        u8 kind | f64 boost | u16 children | children
 *   7 NOT              u8 kind | child
 *   8 NOTHING          u8 kind
 *   9 ALL              u8 kind | f64 boost
 *   16 NEAR PREFIX     u8 kind | u32 fields | f64 boost | u8 edits | u32 bytes | payload
 *   18 FIELDS          u8 kind | u16 children | children: one word, phrase, prefix or fuzzy word, in fields of several
 *                      analyzers
 *   17 TIERS           u8 kind | u16 children | children: what matches an earlier one comes first; only as the root
 *
 * `fields` has bit i set for field i of the schema. Example: the word a in field 0 is
 *   01 | 01000000 | 000000000000f03f | 00 | 01000000 | 61
 *
 * Typed queries come from anywhere, so they may be cyclic, endless or a million levels deep: the walk keeps its own
 * stack, and counts levels and clauses before it goes on.
 */
import { type Analyzer, analyzeText, normalizeWord, ownAnalyzer } from '../analysis/analyzer.js'
import { ByteWriter } from '../base/bytes.js'
import type { OpenSettings } from '../options/index-settings.js'
import {
  MAX_QUERY_BYTES,
  MAX_QUERY_CLAUSES,
  MAX_QUERY_DEPTH,
  textBytes,
  tooDeep,
  tooManyClauses,
  tooManyTokenBytes,
  tooMuchText,
} from '../search/query.js'
import { type CheckedGroup, type CheckedLeaf, checkQuery } from '../search/query-checks.js'
import { parseQueryText, type TextContext } from '../search/query-text.js'

const KIND = { word: 1, phrase: 2, prefix: 3, fuzzy: 4, and: 5, or: 6, not: 7, all: 9 } as const
const NOTHING = 8
const NEAR_PREFIX = 16
const TIERS = 17
const FIELDS = 18

/** The query that every document matches. */
export const ALL_DOCUMENTS: Uint8Array = Uint8Array.of(KIND.all, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f)

const FORM_TEXT = 0
const FORM_TOKENS = 1

const INITIAL_BYTES = 1024
/** The most bytes of tokens. An analyzer that yields n-grams multiplies the text; more than this is a fault. */
const MAX_WIRE_BYTES = 4 * 1024 * 1024

/** How many wire forms are kept, and of queries of how many UTF-16 units at most. */
const MAX_KEPT_QUERIES = 1024
const MAX_KEPT_LENGTH = 256

/** The fields that clauses without a field search, and the operator of words that stand side by side. */
export interface QueryDefaults {
  readonly fields: readonly string[] | undefined
  readonly operator: 'and' | 'or'
}

/** A term of the index. */
export interface FieldTerm {
  /** The number of its field. */
  readonly field: number
  /** UTF-8. */
  readonly term: Uint8Array
}

/** Fields with one analyzer; undefined: one of the core. */
export interface AnalyzedFields {
  readonly mask: number
  readonly analyzer: Analyzer | undefined
}

function fieldGroups(analyzers: OpenSettings['fieldAnalyzers']): AnalyzedFields[] {
  return Array.from(new Set(analyzers), (analyzer) => {
    const mask = analyzers.reduce((bits, other, at) => (other === analyzer ? (bits | (1 << at)) >>> 0 : bits), 0)
    return { mask, analyzer: ownAnalyzer(analyzer) }
  })
}

/** A group whose children are being written. */
interface Frame {
  readonly kind: 'and' | 'or' | 'not'
  readonly children: readonly unknown[]
  /** Where the group begins, so that it can be removed when nothing of it remains. */
  readonly start: number
  /** Where the number of children is written; undefined for `not`, which has no such number. */
  readonly countAt: number | undefined
  /** Product of the boosts from the root to here. */
  readonly boost: number
  next: number
  written: number
}

/** Encodes queries, one after another, into memory that it keeps. */
export class QueryEncoder {
  /** The fields of each analyzer. */
  readonly #groups: readonly AnalyzedFields[]
  readonly #hasOwnAnalyzer: boolean
  readonly #bitOf: ReadonlyMap<string, number>
  readonly #fieldNames: ReadonlySet<string>
  readonly #allFields: number
  readonly #writer = new ByteWriter(INITIAL_BYTES, MAX_WIRE_BYTES, tooManyTokenBytes)
  readonly #stack: Frame[] = []
  /** The wire forms of simple queries that were asked for, by operator: people ask the same again. */
  readonly #kept = { and: new Map<string, Uint8Array>(), or: new Map<string, Uint8Array>() }
  #context: TextContext
  #defaultFields = 0
  #clauses = 0
  #parsedBytes = 0
  #leafBytes = 0

  constructor({ fieldAnalyzers, fieldNames }: Pick<OpenSettings, 'fieldAnalyzers' | 'fieldNames'>) {
    this.#groups = fieldGroups(fieldAnalyzers)
    this.#hasOwnAnalyzer = this.#groups.some(({ analyzer }) => analyzer !== undefined)
    // >>> 0 because bit 31 would make the mask negative.
    this.#bitOf = new Map(fieldNames.map((name, id) => [name, (1 << id) >>> 0]))
    this.#fieldNames = new Set(fieldNames)
    this.#allFields = this.#mask(fieldNames)
    this.#context = { fields: this.#fieldNames, operator: 'and' }
  }

  /**
   * The wire form, valid until the next call. May run code of the caller: the analyzer, and getters of a typed query.
   * TypeError or RangeError for what is not a query, QUERY_TOO_COMPLEX beyond the limits.
   */
  encode(query: unknown, defaults: QueryDefaults): Uint8Array {
    // What a query means depends on nothing else then, unless the analyzer is the caller's.
    const mayKeep = defaults.fields === undefined && !this.#hasOwnAnalyzer
    const simple = mayKeep ? simpleQuery(query) : undefined
    if (simple === undefined) return this.#encode(query, defaults)
    const kept = this.#kept[defaults.operator]
    const known = kept.get(simple.name)
    if (known !== undefined) return known
    const wire = Uint8Array.from(this.#encode(simple.query, defaults))
    if (kept.size >= MAX_KEPT_QUERIES) kept.clear()
    kept.set(simple.name, wire)
    return wire
  }

  /** What query text is read with. */
  contextOf(operator: 'and' | 'or'): TextContext {
    return { fields: this.#fieldNames, operator }
  }

  /** The wire form of a query for any of some terms, valid until the next call. */
  encodeTerms(terms: readonly FieldTerm[]): Uint8Array {
    const writer = this.#writer
    writer.reset()
    if (terms.length === 0) writer.u8(NOTHING)
    else {
      writer.u8(KIND.or)
      writer.f64(1)
      writer.u16(terms.length)
    }
    for (const { field, term } of terms) {
      writer.u8(KIND.word)
      writer.u32((1 << field) >>> 0)
      writer.f64(1)
      writer.u8(FORM_TOKENS)
      writer.u32(4 + term.length)
      writer.u16(term.length)
      writer.u16(0)
      writer.bytes(term)
    }
    return writer.view()
  }

  /** The wire form of several queries: what matches an earlier one comes first. Valid until the next call. */
  encodeTiers(queries: readonly unknown[], defaults: QueryDefaults): Uint8Array {
    this.#begin(defaults)
    this.#writer.u8(TIERS)
    this.#writer.u16(queries.length)
    for (const query of queries) this.#tree(query)
    return this.#writer.view()
  }

  #encode(query: unknown, defaults: QueryDefaults): Uint8Array {
    this.#begin(defaults)
    this.#tree(query)
    return this.#writer.view()
  }

  #tree(query: unknown): void {
    let written = this.#visit(query, 1)
    for (let frame = this.#stack.at(-1); frame !== undefined; frame = this.#stack.at(-1)) {
      if (frame.next < frame.children.length) {
        const child = frame.children[frame.next++]
        if (this.#visit(child, frame.boost)) frame.written++
        continue
      }
      this.#stack.pop()
      const remains = this.#finish(frame)
      const parent = this.#stack.at(-1)
      if (parent === undefined) written = remains
      else if (remains) parent.written++
    }
    if (!written) this.#writer.u8(NOTHING)
  }

  #begin({ fields, operator }: QueryDefaults): void {
    this.#writer.reset()
    this.#stack.length = 0
    this.#context = { fields: this.#fieldNames, operator }
    this.#defaultFields = fields === undefined ? this.#allFields : this.#mask(fields)
    this.#clauses = 0
    this.#parsedBytes = 0
    this.#leafBytes = 0
  }

  /** Writes a leaf and says whether anything remained of it; of a group it writes the head and leaves a frame. */
  #visit(query: unknown, boost: number): boolean {
    if (this.#stack.length >= MAX_QUERY_DEPTH) throw tooDeep()
    const node = typeof query === 'string' ? this.#parse(query) : query
    if (node === undefined && typeof query === 'string') {
      this.#countClause()
      return false
    }
    const checked = checkQuery(node, this.#fieldNames, () => this.#path())
    const product = boost * checked.boost
    if (!Number.isFinite(product)) throw new RangeError(`${this.#path()}: the boosts multiply to ${product}`)
    if ('text' in checked) {
      this.#countClause()
      return this.#leaf(checked)
    }
    if (checked.kind === 'all') {
      this.#countClause()
      this.#writer.u8(KIND.all)
      this.#writer.f64(checked.boost)
      return true
    }
    if (checked.children.length === 0) this.#countClause()
    this.#open(checked, product)
    return false
  }

  #parse(text: string): unknown {
    this.#parsedBytes += textBytes(text)
    if (this.#parsedBytes > MAX_QUERY_BYTES) throw tooMuchText()
    return parseQueryText(text, this.#context)
  }

  #countClause(): void {
    if (++this.#clauses > MAX_QUERY_CLAUSES) throw tooManyClauses()
  }

  #open(group: CheckedGroup, boost: number): void {
    const start = this.#writer.length
    this.#writer.u8(KIND[group.kind])
    let countAt: number | undefined
    if (group.kind !== 'not') {
      this.#writer.f64(group.boost)
      countAt = this.#writer.length
      this.#writer.u16(0)
    }
    this.#stack.push({ kind: group.kind, children: group.children, start, countAt, boost, next: 0, written: 0 })
  }

  /** A group of which nothing remained vanishes, as docs/search-model.md says. */
  #finish(frame: Frame): boolean {
    if (frame.written === 0) this.#writer.truncate(frame.start)
    else if (frame.countAt !== undefined) this.#writer.patchU16(frame.countAt, frame.written)
    return frame.written > 0
  }

  /** The fields of a mask by their analyzers. */
  groupsOf(mask: number): AnalyzedFields[] {
    return this.#groups
      .map(({ mask: fields, analyzer }) => ({ mask: (fields & mask) >>> 0, analyzer }))
      .filter(({ mask: fields }) => fields !== 0)
  }

  #leaf(leaf: CheckedLeaf): boolean {
    this.#leafBytes += textBytes(leaf.text)
    if (this.#leafBytes > MAX_QUERY_BYTES) throw tooMuchText()
    const mask = leaf.field === undefined ? this.#defaultFields : (this.#bitOf.get(leaf.field) ?? 0)
    if (this.#groups.length === 1) return this.#leafIn(leaf, { mask, analyzer: this.#groups[0]?.analyzer })
    const groups = this.groupsOf(mask)
    if (groups.length === 1) return this.#leafIn(leaf, groups[0] as AnalyzedFields)
    const start = this.#writer.length
    this.#writer.u8(FIELDS)
    this.#writer.u16(groups.length)
    // What has no tokens in some of its fields has none at all.
    if (groups.every((group) => this.#leafIn(leaf, group))) return true
    this.#writer.truncate(start)
    return false
  }

  #leafIn(leaf: CheckedLeaf, { mask, analyzer }: AnalyzedFields): boolean {
    const start = this.#writer.length
    const isNearPrefix = leaf.kind === 'prefix' && leaf.edits !== undefined
    this.#writer.u8(isNearPrefix ? NEAR_PREFIX : KIND[leaf.kind])
    this.#writer.u32(mask)
    this.#writer.f64(leaf.boost)
    if (leaf.kind === 'word' || leaf.kind === 'phrase') return this.#analysed(leaf.text, analyzer, start)
    if (leaf.edits !== undefined) this.#writer.u8(leaf.edits)
    // The presets lower-case in the core, by the same tables as the text of documents.
    this.#writer.sizedUtf8(analyzer === undefined ? leaf.text : normalizeWord(analyzer, leaf.text))
    return true
  }

  #analysed(text: string, analyzer: Analyzer | undefined, start: number): boolean {
    const writer = this.#writer
    if (analyzer === undefined) {
      writer.u8(FORM_TEXT)
      writer.sizedUtf8(text)
      return true
    }
    const { tokens } = analyzeText(analyzer, text)
    if (tokens.length === 0) {
      writer.truncate(start)
      return false
    }
    writer.u8(FORM_TOKENS)
    const sizeAt = writer.length
    writer.u32(0)
    for (const token of tokens) {
      const lengthAt = writer.length
      writer.u16(0)
      writer.u16(0)
      writer.patchU16(lengthAt, writer.utf8(token))
    }
    writer.patchU32(sizeAt, writer.length - sizeAt - 4)
    return true
  }

  maskOf(names: readonly string[]): number {
    return this.#mask(names)
  }

  #mask(names: readonly string[]): number {
    return names.reduce((mask, name) => (mask | (this.#bitOf.get(name) ?? 0)) >>> 0, 0)
  }

  /** Where the walk is, for messages: query.and[2].not */
  #path(): string {
    return this.#stack.reduce(
      (path, frame) => `${path}.${frame.kind}${frame.kind === 'not' ? '' : `[${frame.next - 1}]`}`,
      'query',
    )
  }
}

interface SimpleQuery {
  /** The same for equal queries, and only for these. */
  readonly name: string
  /** A copy, so that a getter cannot have given another value for the name. */
  readonly query: unknown
}

const SEPARATOR = '\0'

/** A text, a word, a phrase, or a list of texts, not too long; undefined for anything else, whether a query or not. */
function simpleQuery(query: unknown): SimpleQuery | undefined {
  if (typeof query === 'string')
    return query.length <= MAX_KEPT_LENGTH && !query.startsWith(SEPARATOR) ? { name: query, query } : undefined
  if (typeof query !== 'object' || query === null || Array.isArray(query)) return undefined
  const copy: Readonly<Record<string, unknown>> = { ...query }
  const [kind, other] = Object.keys(copy)
  if (kind === undefined || other !== undefined) return undefined
  const content = copy[kind]
  if (kind === 'word' || kind === 'phrase')
    return typeof content === 'string' ? named(kind, [content], copy) : undefined
  if ((kind !== 'and' && kind !== 'or') || !Array.isArray(content) || content.length > MAX_KEPT_LENGTH) return undefined
  const texts: readonly unknown[] = [...content]
  return texts.every((text) => typeof text === 'string') ? named(kind, texts, { [kind]: texts }) : undefined
}

function named(kind: string, texts: readonly string[], query: unknown): SimpleQuery | undefined {
  let name = `${SEPARATOR}${kind}`
  for (const text of texts) {
    if (text.length > MAX_KEPT_LENGTH || text.includes(SEPARATOR)) return undefined
    name += SEPARATOR + text
  }
  return name.length <= MAX_KEPT_LENGTH ? { name, query } : undefined
}
