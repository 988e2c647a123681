/**
 * What a query means for one state of the twin: it is turned into a function that scores a single document, from the
 * statistics of all of them.
 */
import type { NaiveConfig } from './naive-index.js'
import { editDistance, type FieldStatistics, inverseDocumentFrequency, LARGEST_TF, scoreOf } from './naive-scoring.js'

/** A query in its typed form only: what the text form means is tested by rendering one of these as text. */
export type NaiveQuery =
  | NaiveLeaf
  | { readonly and: readonly NaiveQuery[]; readonly boost?: number }
  | { readonly or: readonly NaiveQuery[]; readonly boost?: number }
  | { readonly not: NaiveQuery }

export type NaiveLeaf = (
  | { readonly word: string }
  | { readonly phrase: string }
  | { readonly prefix: string; readonly edits?: 0 | 1 | 2 }
  | { readonly fuzzy: string; readonly edits?: 1 | 2 }
) & { readonly field?: string; readonly boost?: number }

export interface AnalyzedField {
  readonly text: string
  readonly tokens: readonly (string | null)[]
  readonly length: number
  readonly positions: Map<string, readonly number[]>
}

export interface FieldView extends FieldStatistics {
  readonly tokens: number
  /** Documents that contain each token. */
  readonly df: Map<string, number>
}

/** The words that were ever written for each token of a field. */
export type Spellings = ReadonlyMap<string, ReadonlySet<string>>

/** Text score of a document by its fields, or undefined when it does not match. */
export type Scorer = (fields: readonly AnalyzedField[]) => number | undefined

interface Expansion {
  readonly token: string
  readonly df: number
  readonly weight: number
}

const MOST_EXPANSIONS = 1_024

export class NaiveMatcher {
  readonly #config: NaiveConfig
  readonly #views: readonly FieldView[]
  readonly #spellings: readonly Spellings[]
  /** Some prefix or fuzzy word had more expansions than count. */
  truncated = false

  constructor(config: NaiveConfig, views: readonly FieldView[], spellings: readonly Spellings[]) {
    this.#config = config
    this.#views = views
    this.#spellings = spellings
  }

  /** `fieldNames` are the fields searched where the query names none. undefined: the query vanishes. */
  scorerOf(query: NaiveQuery, fieldNames: readonly string[]): Scorer | undefined {
    const fields = [...this.#config.fields.keys()].filter((field) => {
      return fieldNames.includes(this.#config.fields[field]?.name as string)
    })
    return this.#compile(query, 1, fields)
  }

  /** undefined: the node vanishes. */
  #compile(node: NaiveQuery, boost: number, fields: readonly number[]): Scorer | undefined {
    if ('not' in node) {
      const child = this.#compile(node.not, boost, fields)
      return child && ((document) => (child(document) === undefined ? 0 : undefined))
    }
    const ownBoost = boost * (node.boost ?? 1)
    if ('and' in node) return this.#compileGroup(node.and, ownBoost, fields, true)
    if ('or' in node) return this.#compileGroup(node.or, ownBoost, fields, false)
    const named = node.field === undefined ? fields : [this.#fieldCalled(node.field)]
    if ('word' in node) return this.#compileWord(this.#config.analyze(node.word), ownBoost, named)
    if ('phrase' in node) return this.#compilePhrase(this.#config.analyze(node.phrase), ownBoost, named)
    const given = 'prefix' in node ? node.prefix : node.fuzzy
    if (!('prefix' in node) || node.edits !== undefined) {
      // A stop word is a hole and nothing else.
      const analyzed = this.#config.analyze(given)
      if (analyzed.length > 0 && analyzed.every((token) => token === null)) return undefined
    }
    if ('prefix' in node) {
      if (node.edits) return this.#compileExpansions(this.#nearPrefixWeight(given, node.edits), ownBoost, named, false)
      const prefix = this.#config.normalize(node.prefix)
      return this.#compileExpansions((word) => (word.startsWith(prefix) ? 1 : 0), ownBoost, named, false)
    }
    return this.#compileExpansions(this.#fuzzyWeight(node.fuzzy, node.edits ?? 1), ownBoost, named, true)
  }

  #compileGroup(nodes: readonly NaiveQuery[], boost: number, fields: readonly number[], all: boolean) {
    const children = nodes.map((child) => this.#compile(child, boost, fields)).filter((child) => child !== undefined)
    if (children.length === 0) return undefined
    return (document: readonly AnalyzedField[]) => {
      const scores = children.map((child) => child(document))
      const matching = scores.filter((score) => score !== undefined)
      if (matching.length === 0 || (all && matching.length < scores.length)) return undefined
      return matching.reduce((sum, score) => sum + score, 0)
    }
  }

  #compileWord(analyzed: readonly (string | null)[], boost: number, fields: readonly number[]): Scorer | undefined {
    const tokens = analyzed.filter((token) => token !== null)
    if (tokens.length === 0) return undefined
    const idfs = tokens.map((token) => fields.map((field) => this.#idf(field, this.#view(field).df.get(token) ?? 0)))
    return (document) => {
      let sum = 0
      for (const [which, token] of tokens.entries()) {
        let found = false
        for (const [nth, field] of fields.entries()) {
          const tf = document[field]?.positions.get(token)?.length
          if (tf === undefined) continue
          found = true
          sum += this.#score(document, field, boost, idfs[which]?.[nth] as number, Math.min(tf, LARGEST_TF))
        }
        if (!found) return undefined
      }
      return sum
    }
  }

  #compilePhrase(analyzed: readonly (string | null)[], boost: number, fields: readonly number[]): Scorer | undefined {
    const wanted = analyzed.flatMap((token, position) => (token === null ? [] : [{ token, position }]))
    const first = wanted[0]
    if (wanted.length < 2 || first === undefined) return this.#compileWord(analyzed, boost, fields)
    const idfs = fields.map((field) => {
      return wanted.reduce((sum, { token }) => sum + this.#idf(field, this.#view(field).df.get(token) ?? 0), 0)
    })
    return (document) => {
      let sum: number | undefined
      for (const [nth, field] of fields.entries()) {
        const { tokens, positions } = document[field] as AnalyzedField
        const starts = (positions.get(first.token) ?? []).filter((start) => {
          return wanted.every(({ token, position }) => tokens[start + position - first.position] === token)
        })
        if (starts.length === 0) continue
        sum = (sum ?? 0) + this.#score(document, field, boost, idfs[nth] as number, starts.length)
      }
      return sum
    }
  }

  /** `vanishes`: without any expansion, there is no condition. */
  #compileExpansions(
    weightOf: (word: string) => number,
    boost: number,
    fields: readonly number[],
    vanishes: boolean,
  ): Scorer | undefined {
    const perField = fields.map((field) => {
      const expansions = this.#expand(weightOf, field)
      const idf = this.#idf(field, Math.max(0, ...expansions.map(({ df }) => df)))
      return { field, expansions, idf }
    })
    if (vanishes && perField.every(({ expansions }) => expansions.length === 0)) return undefined
    return (document) => {
      let sum: number | undefined
      for (const { field, expansions, idf } of perField) {
        const { positions } = document[field] as AnalyzedField
        let tf = 0
        for (const { token, weight } of expansions) {
          tf += weight * Math.min(positions.get(token)?.length ?? 0, LARGEST_TF)
        }
        if (tf > 0) sum = (sum ?? 0) + this.#score(document, field, boost, idf, tf)
      }
      return sum
    }
  }

  #expand(weightOf: (word: string) => number, field: number): Expansion[] {
    const all: Expansion[] = []
    const spellings = this.#spellings[field] as Spellings
    for (const [token, df] of this.#view(field).df) {
      const weight = Math.max(...Array.from(spellings.get(token) ?? [], weightOf))
      if (weight > 0) all.push({ token, df, weight })
    }
    if (all.length <= MOST_EXPANSIONS) return all
    this.truncated = true
    all.sort((a, b) => b.df - a.df || Buffer.compare(Buffer.from(a.token), Buffer.from(b.token)))
    return all.slice(0, MOST_EXPANSIONS)
  }

  #fuzzyWeight(given: string, edits: number): (written: string) => number {
    const word = [...this.#config.normalize(given)]
    const [first, second] = word
    return (written) => {
      const points = [...written]
      const isSwapped = second !== undefined && points[0] === second && points[1] === first
      if (points[0] !== first && !isSwapped) return 0
      if (Math.abs(points.length - word.length) > edits) return 0
      const distance = editDistance(word, points)
      return distance > edits ? 0 : 1 - distance / word.length
    }
  }

  #nearPrefixWeight(given: string, edits: number): (written: string) => number {
    const word = [...this.#config.normalize(given)]
    const [first, second] = word
    return (written) => {
      const points = [...written]
      const isSwapped = second !== undefined && points[0] === second && points[1] === first
      if (points[0] !== first && !isSwapped) return 0
      const longest = Math.min(points.length, word.length + edits)
      const beginnings = Array.from({ length: longest + 1 }, (_, length) => points.slice(0, length))
      const distance = Math.min(...beginnings.map((beginning) => editDistance(word, beginning)))
      return distance > edits ? 0 : 1 - distance / word.length
    }
  }

  #score(document: readonly AnalyzedField[], field: number, boost: number, idf: number, tf: number): number {
    const { scoring, fields } = this.#config
    const own = boost * (fields[field]?.boost as number)
    return scoreOf(scoring, own, idf, tf, document[field]?.length as number, this.#view(field))
  }

  #idf(field: number, df: number): number {
    return inverseDocumentFrequency(this.#config.scoring, this.#view(field).documents, df)
  }

  #fieldCalled(name: string): number {
    return this.#config.fields.findIndex((field) => field.name === name)
  }

  #view(field: number): FieldView {
    return this.#views[field] as FieldView
  }
}
