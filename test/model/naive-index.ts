/**
 * The naive twin of the index: a Map of documents, and every answer computed from all of them by brute force. It is
 * written from docs/search-model.md and knows nothing of the engine.
 *
 * What it keeps between calls follows from the documents alone and is thrown away when they change: the tokens of each
 * document, and per field the number of documents that contain each token.
 *
 * Of the past it keeps one thing, as the engine does: which words were ever written for each token.
 *
 * It does not know the engine's internal document numbers, so its matches have scores but no order among equals.
 */
import { type AnalyzedField, type FieldView, NaiveMatcher, type NaiveQuery, type Spellings } from './naive-matcher.js'
import type { ScoringModel } from './naive-scoring.js'

export type NaiveKey = string | number
export type NaiveDocument = Record<string, unknown>

export interface NaiveConfig {
  readonly key: string
  readonly fields: readonly { readonly name: string; readonly boost: number }[]
  readonly scoring: ScoringModel
  readonly weight?: { readonly property: string; readonly alpha: number; readonly beta: number }
  /** Analyzers of the user run before the engine sees the text: it can tell documents apart by their tokens only. */
  readonly seesOnlyTokens?: boolean
  /** Tokens in order of position; null is a hole. */
  analyze(text: string): readonly (string | null)[]
  /** The same before stemming, one for each token. Without it, tokens are as they were written. */
  written?(text: string): readonly (string | null)[]
  normalize(word: string): string
}

export interface NaiveMatches {
  readonly scores: Map<NaiveKey, number>
  readonly truncated: boolean
}

interface Entry {
  readonly key: NaiveKey
  readonly document: NaiveDocument
  readonly fields: readonly AnalyzedField[]
  readonly weight: number
}

export class NaiveIndex {
  readonly #config: NaiveConfig
  readonly #entries: Map<NaiveKey, Entry>
  #views: readonly FieldView[] | undefined
  /** By field and token. */
  readonly #spellings: readonly Map<string, Set<string>>[]

  constructor(config: NaiveConfig, entries: Map<NaiveKey, Entry> = new Map(), spellings?: readonly Spellings[]) {
    this.#config = config
    this.#entries = entries
    this.#spellings = config.fields.map((_, field) => {
      return new Map(Array.from(spellings?.[field] ?? [], ([token, words]) => [token, new Set(words)]))
    })
  }

  /** The state as it is now; later changes to either do not reach the other. */
  copy(): NaiveIndex {
    const copy = new NaiveIndex(this.#config, new Map(this.#entries), this.#spellings)
    copy.#views = this.#views
    return copy
  }

  get size(): number {
    return this.#entries.size
  }

  keys(): NaiveKey[] {
    return [...this.#entries.keys()]
  }

  document(key: NaiveKey): NaiveDocument | undefined {
    return this.#entries.get(key)?.document
  }

  /** Tokens of one field, for queries about what is really there. */
  tokens(key: NaiveKey, field: number): readonly (string | null)[] {
    return this.#entries.get(key)?.fields[field]?.tokens ?? []
  }

  /** Pairs of term and document, and per field what its average is made of. */
  counts() {
    const views = this.#allViews()
    const fields = this.#config.fields.map(({ name }, field) => {
      const { documents, tokens } = views[field] as FieldView
      return [name, { documents, tokens }] as const
    })
    const frequencies = views.flatMap(({ df }) => [...df.values()])
    const postings = frequencies.reduce((sum, df) => sum + df, 0)
    return { documents: this.size, postings, fields: Object.fromEntries(fields) }
  }

  put(document: NaiveDocument): 'added' | 'replaced' | 'unchanged' {
    const key = document[this.#config.key] as NaiveKey
    const before = this.#entries.get(key)
    const fields = this.#config.fields.map(({ name }) => this.#analyzed(textOf(document[name])))
    const same =
      before !== undefined && fields.every((field, nth) => this.#isSame(field, before.fields[nth] as AnalyzedField))
    const weight = this.#config.weight ? ((document[this.#config.weight.property] as number | undefined) ?? 0) : 0
    this.#entries.set(key, { key, document, fields, weight })
    fields.forEach((field, nth) => {
      this.#noteSpellings(nth, field)
    })
    if (!same) this.#views = undefined
    return before === undefined ? 'added' : same ? 'unchanged' : 'replaced'
  }

  remove(key: NaiveKey): boolean {
    const removed = this.#entries.delete(key)
    if (removed) this.#views = undefined
    return removed
  }

  /** `fieldNames` are the fields searched where the query names none; without it, all. */
  search(query: NaiveQuery, fieldNames?: readonly string[]): NaiveMatches {
    const matcher = new NaiveMatcher(this.#config, this.#allViews(), this.#spellings)
    const scorer = matcher.scorerOf(query, fieldNames ?? this.#config.fields.map(({ name }) => name))
    const scores = new Map<NaiveKey, number>()
    if (scorer !== undefined) {
      for (const entry of this.#entries.values()) {
        const text = scorer(entry.fields)
        if (text !== undefined) scores.set(entry.key, this.#withWeight(text, entry.weight))
      }
    }
    return { scores, truncated: matcher.truncated }
  }

  #noteSpellings(field: number, { text, tokens }: AnalyzedField): void {
    const written = this.#config.written?.(text) ?? tokens
    const spellings = this.#spellings[field] as Map<string, Set<string>>
    tokens.forEach((token, position) => {
      if (token === null) return
      const known = spellings.get(token)
      if (known) known.add(written[position] as string)
      else spellings.set(token, new Set([written[position] as string]))
    })
  }

  #withWeight(text: number, weight: number): number {
    return this.#config.weight ? this.#config.weight.alpha * text + this.#config.weight.beta * weight : text
  }

  #isSame(field: AnalyzedField, other: AnalyzedField): boolean {
    if (this.#config.seesOnlyTokens) return field.tokens.join('\n') === other.tokens.join('\n')
    return field.text === other.text
  }

  #analyzed(text: string): AnalyzedField {
    const tokens = this.#config.analyze(text)
    const positions = new Map<string, number[]>()
    let length = 0
    tokens.forEach((token, position) => {
      if (token === null) return
      length++
      const places = positions.get(token)
      if (places) places.push(position)
      else positions.set(token, [position])
    })
    return { text, tokens, length, positions }
  }

  #allViews(): readonly FieldView[] {
    this.#views ??= this.#config.fields.map((_, field) => this.#count(field))
    return this.#views
  }

  #count(field: number): FieldView {
    const df = new Map<string, number>()
    let documents = 0
    let tokens = 0
    for (const entry of this.#entries.values()) {
      const { length, positions } = entry.fields[field] as AnalyzedField
      if (length > 0) documents++
      tokens += length
      for (const token of positions.keys()) df.set(token, (df.get(token) ?? 0) + 1)
    }
    return { documents, tokens, averageLength: tokens / documents, df }
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join('\n') : (value as string)
}
