/** One query asked of the engine and of the twin, in one of the forms a query can have. */
import { isDeepStrictEqual } from 'node:util'
import type { Hit, SearchOptions as OptionsFor, Query, Snapshot } from 'freshdex'
import type { SeededRandom } from '../support/seed.js'
import { difference, nearlyEqual, type Page, pageDifference } from './comparison.js'
import type { Configuration } from './configurations.js'
import type { HitOrder } from './hit-order.js'
import type { NaiveDocument, NaiveIndex } from './naive-index.js'
import type { NaiveQuery } from './naive-matcher.js'
import { type Operator, partsOf, renderQuery } from './query-generator.js'

export type SearchOptions = OptionsFor<NaiveDocument>

/** Something that can be searched, and what the twin knows of it. */
export interface View {
  readonly reader: Pick<Snapshot<NaiveDocument>, 'search' | 'get' | 'has' | 'stats'>
  readonly twin: NaiveIndex
  readonly order: HitOrder
}

export interface Difference {
  readonly what: string
  readonly facts: object
}

const ALL: SearchOptions = { limit: 10_000 }

/** What must come back of a document that was put; undefined and absent are the same to a store. */
export function storedForm(configuration: Configuration, document: NaiveDocument): NaiveDocument {
  const stored = configuration.stored(document)
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined))
}

export class QueryCheck {
  readonly #random: SeededRandom
  readonly #configuration: Configuration

  constructor(random: SeededRandom, configuration: Configuration) {
    this.#random = random
    this.#configuration = configuration
  }

  /** The first difference, with the smallest part of the query that shows one. */
  compare(view: View, typed: NaiveQuery, options: SearchOptions): Difference | undefined {
    const form = this.#formOf(typed, options.operator ?? 'and')
    const found = this.#differenceOf(view, typed, form, options)
    if (found === undefined) return undefined
    const smallest = this.#shrink(view, typed, options)
    const expected = [...view.twin.search(smallest, options.fields).scores].sort((a, b) => b[1] - a[1])
    const answer = view.reader.search(smallest as Query, { ...options, ...ALL, offset: 0 })
    const asTyped = this.#differenceOf(view, typed, typed as Query, options) ?? 'no difference'
    return { what: found, facts: { query: form, typed, asTyped, options, smallest, answer, expected } }
  }

  #differenceOf(view: View, typed: NaiveQuery, form: Query, options: SearchOptions): string | undefined {
    const page: Page = { limit: options.limit ?? 10, offset: options.offset ?? 0 }
    const answer = view.reader.search(form, options)
    const found = difference(answer, view.twin.search(typed, options.fields), page, view.order)
    if (found !== undefined) return found
    for (const hit of answer.hits) {
      const fault = (options.docs && this.#documentFault(view, hit)) || (options.explain && explanationFault(hit))
      if (fault) return fault
    }
    if (answer.hits.length === answer.total || !this.#random.chance(0.3)) return undefined
    const { hits } = view.reader.search(form, { ...options, ...ALL, offset: 0 })
    return pageDifference(answer.hits, hits, page)
  }

  #documentFault(view: View, { key, doc }: Hit<NaiveDocument>): string | undefined {
    const expected = storedForm(this.#configuration, view.twin.document(key) as NaiveDocument)
    if (isDeepStrictEqual(doc, expected)) return undefined
    return `document of hit ${JSON.stringify(key)} is ${JSON.stringify(doc)}, expected ${JSON.stringify(expected)}`
  }

  /** Typed, as text, or typed with a part of it as text. */
  #formOf(typed: NaiveQuery, operator: Operator): Query {
    const random = this.#random
    const way = random.next()
    if (way < 0.4) return typed as Query
    if (way < 0.85) return renderQuery(random, typed, operator) ?? (typed as Query)
    const mixed = (children: readonly NaiveQuery[]) =>
      children.map((child) => renderQuery(random, child, operator) ?? (child as Query))
    if ('and' in typed) return { ...typed, and: mixed(typed.and) } as Query
    if ('or' in typed) return { ...typed, or: mixed(typed.or) } as Query
    return typed as Query
  }

  #shrink(view: View, query: NaiveQuery, options: SearchOptions): NaiveQuery {
    const smaller = partsOf(query).find((part) => this.#differenceOf(view, part, part as Query, options) !== undefined)
    return smaller === undefined ? query : this.#shrink(view, smaller, options)
  }
}

/** An explanation must add up to the score it explains. */
function explanationFault({ key, score, explain }: Hit<NaiveDocument>): string | undefined {
  if (explain === undefined) return `no explanation of ${JSON.stringify(key)}`
  const sum = explain.terms.reduce((total, term) => total + term.score, 0)
  if (nearlyEqual(explain.score, score) && nearlyEqual(explain.text, sum)) return undefined
  return `explanation of ${JSON.stringify(key)} with score ${score} does not add up: ${JSON.stringify(explain)}`
}
