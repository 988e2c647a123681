/** What a text that is being typed may become, from the documents of one state of an index. */
import { normalizeWord } from '../analysis/analyzer.js'
import { describe } from '../base/describe.js'
import { readText } from '../base/documents.js'
import { decodeStored } from '../options/stored-form.js'
import { typedForms } from '../search/as-you-type.js'
import { Deadline, NO_DEADLINE } from '../search/deadline.js'
import { makeSuggestions, type SuggestionSources, type WeightedText } from '../search/suggest.js'
import { resolveSuggestOptions, type Suggestion, type SuggestSettings } from '../search/suggest-options.js'
import { callNative } from './binding.js'
import { decodeCompletions, mergedCompletions, type WordCompletion } from './completions.js'
import type { Documents } from './documents.js'
import { decodeHits, numbersOf } from './hits.js'
import { addonArguments, bestMatches, foundNow, plainCall, type ReadState } from './read-state.js'

/** The longest token. */
const MAX_WORD_BYTES = 255

export class Suggestions {
  readonly #state: ReadState
  readonly #documents: Pick<Documents<object>, 'storedForm'>

  constructor(state: ReadState, documents: Pick<Documents<object>, 'storedForm'>) {
    this.#state = state
    this.#documents = documents
  }

  /** What a text that is being typed may become. `queries`: those of the workload. */
  suggest(text: unknown, options: unknown, queries: SuggestionSources['queries']): Suggestion[] {
    return this.#state.gate.run(() => {
      if (typeof text !== 'string') throw new TypeError(`suggest needs a text, received ${describe(text)}`)
      const { fieldNames, fieldBoosts } = this.#state.settings
      const settings = resolveSuggestOptions(options, {
        fieldNames,
        fieldBoosts,
        stored: this.#state.schema.storedFields,
      })
      const deadline = new Deadline(settings.deadlineMs)
      return makeSuggestions(text, settings, {
        queries,
        titles: (typed, hasTypos, documents) => this.#titles(typed, hasTypos, documents, settings, deadline),
        words: (word, edits, limit) => wordCompletions(this.#state, word, edits, limit, { deadline }),
        hasMatch: (whole) => this.#hasMatch(whole, deadline),
        isOver: () => deadline.isOver,
      })
    })
  }

  /** Documents are read one by one: most suggestions need few of them. */
  *#titles(
    text: string,
    hasTypos: boolean,
    documents: number,
    { field }: SuggestSettings,
    deadline: Deadline,
  ): Generator<WeightedText> {
    const context = this.#state.queries.contextOf('and')
    const { exact, tolerant } = typedForms(text, context)
    if (hasTypos && tolerant === undefined) return
    const name = field as string
    const wire = this.#state.queries.encodeTiers(hasTypos ? [exact, tolerant] : [exact], {
      fields: [name],
      operator: 'and',
    })
    const call = { ...plainCall(this.#state, documents, 0, foundNow(this.#state)), deadlineMs: deadline.leftMs() }
    const buffer = callNative(() => this.#state.native.search(wire, ...addonArguments(call, undefined))) as ArrayBuffer
    for (const { key, score } of decodeHits<object>(buffer, this.#state.settings).hits) {
      const stored = this.#documents.storedForm(key)
      if (stored === undefined) continue
      const document = decodeStored<object>(stored, this.#state.settings.key, key)
      yield { text: readText(document, name, key), weight: score }
    }
  }

  #hasMatch(text: string, deadline: Deadline): boolean {
    const wire = this.#state.queries.encode(text, { fields: undefined, operator: 'and' })
    return numbersOf(bestMatches(this.#state, wire, 1, 1, foundNow(this.#state), deadline)).length > 0
  }
}

interface CompletionOptions {
  readonly fields?: readonly string[] | undefined
  readonly isWhole?: boolean
  readonly deadline?: Deadline
}

/** Words that begin like one, or nearly so. `isWhole`: of its length. */
export function wordCompletions(
  state: ReadState,
  word: string,
  edits: number,
  limit: number,
  { fields, isWhole = false, deadline = NO_DEADLINE }: CompletionOptions = {},
): WordCompletion[] {
  const groups = state.queries.groupsOf(state.queries.maskOf(fields ?? state.settings.fieldNames))
  const found = groups.map(({ mask, analyzer }) => {
    const bytes = Buffer.from(analyzer === undefined ? word : normalizeWord(analyzer, word), 'utf8')
    if (bytes.length > MAX_WORD_BYTES) return []
    const left = deadline.leftMs()
    return decodeCompletions(callNative(() => state.native.complete(bytes, mask, edits, limit, isWhole, left)))
  })
  return found.length === 1 ? (found[0] as WordCompletion[]) : mergedCompletions(found, limit)
}
