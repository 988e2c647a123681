/** Suggestions: what a text that is being typed may become, from queries, titles and words. */
import { plainText } from '../base/plain-text.js'
import { forgivenEdits } from './as-you-type.js'
import type { Suggestion, SuggestionKind, SuggestSettings } from './suggest-options.js'

export interface WeightedText {
  readonly text: string
  readonly weight: number
}

/** Where suggestions come from. */
export interface SuggestionSources {
  /** Queries that begin with a plain text, or with `edits` above 0 those that nearly do; at most so many. */
  queries(plain: string, edits: number, limit: number): readonly WeightedText[]
  /** The titles of the best documents for a text, with typos or without; of at most so many documents. */
  titles(text: string, hasTypos: boolean, documents: number): Iterable<WeightedText>
  /** Words that begin like one, with at most so many edits. */
  words(word: string, edits: number, limit: number): readonly (WeightedText & { readonly edits: number })[]
  /** Whether any document has what a text asks for. */
  hasMatch(text: string): boolean
  /** Whether the time is over: then it is what was found by then. */
  isOver(): boolean
}

/** Longer texts have no suggestions. */
const MOST_UNITS = 256
/** How many candidates are looked at for a suggestion. */
const CANDIDATES = 4

/** The word that a text ends with. */
const LAST_WORD = /[\p{L}\p{M}\p{N}_]+(?:['’.][\p{L}\p{M}\p{N}_]+)*$/u

export function makeSuggestions(text: string, settings: SuggestSettings, sources: SuggestionSources): Suggestion[] {
  const plain = plainText(text)
  if (plain === '' || text.length > MOST_UNITS) return []
  const { limit, kinds, typos } = settings
  const found = new Map<string, Suggestion>()
  const candidates = limit * CANDIDATES
  const add = (kind: SuggestionKind, texts: () => Iterable<WeightedText>): void => {
    if (found.size >= limit || !kinds.has(kind) || sources.isOver()) return
    for (const { text, weight } of texts()) {
      const name = plainText(text).trimEnd()
      if (name !== '' && !found.has(name)) found.set(name, { text, kind, weight })
      if (found.size >= limit || sources.isOver()) return
    }
  }
  for (const hasTypos of typos ? [false, true] : [false]) {
    const edits = hasTypos ? forgivenEdits(Array.from(plain).length) : 0
    if (!hasTypos || edits > 0) add('query', () => sources.queries(plain, edits, candidates))
    if (settings.field !== undefined) add('title', () => sources.titles(text, hasTypos, candidates))
    add('word', () => completedTexts(text, hasTypos, candidates, sources))
  }
  return [...found.values()]
}

/** The text with other last words. Where it has more than one word, some document has what the whole asks for. */
function* completedTexts(
  text: string,
  hasTypos: boolean,
  candidates: number,
  sources: SuggestionSources,
): Generator<WeightedText> {
  const last = LAST_WORD.exec(text)?.[0]
  if (last === undefined) return
  const edits = hasTypos ? forgivenEdits(Array.from(last).length) : 0
  if (hasTypos && edits === 0) return
  const head = text.slice(0, -last.length)
  for (const word of sources.words(last, edits, candidates)) {
    if (word.edits > 0 !== hasTypos) continue
    const whole = head + word.text
    if (head.trim() === '' || sources.hasMatch(whole)) yield { text: whole, weight: word.weight }
  }
}
