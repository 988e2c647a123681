/** All that matches in one state of an index, by number or key: for whoever shows nothing of it. */
import type { Key } from '../base/keys.js'
import { withoutClauses } from '../search/asked-words.js'
import type { FilterNode } from '../search/filter-tree.js'
import type { NativeSnapshot } from './addon-shape.js'
import { awaitNative, callNative } from './binding.js'
import { encodeColumns } from './columns-wire.js'
import { keysIn, numbersOf, scoresOf } from './hits.js'
import { ALL_DOCUMENTS } from './query-wire.js'
import { addonArguments, bestMatches, EVERYTHING, plainCall, type ReadState } from './read-state.js'

export class Matches {
  readonly #state: ReadState

  constructor(state: ReadState) {
    this.#state = state
  }

  /**
   * The numbers of all documents that match and pass, in order of their scores, found on another thread. REQUIRES: the
   * reader of a snapshot, which stays open until the promise settles.
   */
  async matching(query: unknown, filter?: FilterNode): Promise<Uint32Array> {
    const { native, gate, queries, settings } = this.#state
    const { promise } = gate.run(() => {
      const words = withoutClauses(query, { operator: 'and', filter }, settings)
      const wire = Uint8Array.from(queries.encode(words.query, { fields: undefined, operator: 'and' }))
      const call = plainCall(this.#state, EVERYTHING.limit, 0, words.filter)
      return callNative(() => (native as NativeSnapshot).searchAsync(wire, ...addonArguments(call, undefined)))
    })
    return numbersOf((await awaitNative(() => promise)) as ArrayBuffer)
  }

  /** The numbers of all documents that pass a filter, ascending. */
  documentsOf(filter: FilterNode): Uint32Array {
    return this.#state.gate.run(() => {
      const passing = encodeColumns({ filter }, this.#state.settings.columns)
      return new Uint32Array(callNative(() => this.#state.native.documentsOf(passing as Uint8Array)))
    })
  }

  /** The keys of all documents that pass a filter. */
  keysOf(filter: FilterNode): readonly Key[] {
    return this.#state.gate.run(() => keysIn(bestMatches(this.#state, ALL_DOCUMENTS, EVERYTHING.limit, 0, filter)))
  }

  /** The best documents that have all words of a text, by their numbers, and what they score. */
  best(words: string, limit: number): { readonly numbers: Uint32Array; readonly scores: Float64Array } {
    return this.#state.gate.run(() => {
      const wire = this.#state.queries.encode({ word: words }, { fields: undefined, operator: 'and' })
      const buffer = bestMatches(this.#state, wire, Math.min(limit, EVERYTHING.limit), 0)
      return { numbers: numbersOf(buffer), scores: scoresOf(buffer) }
    })
  }

  /** Whether any document has all words of a text. Ends with the first. */
  hasAnswer(words: string): boolean {
    return this.#state.gate.run(() => {
      const wire = this.#state.queries.encode({ word: words }, { fields: undefined, operator: 'and' })
      return numbersOf(bestMatches(this.#state, wire, 1, 1)).length > 0
    })
  }
}
