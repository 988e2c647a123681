/** Another text for one that finds little: a query that people ask, or one of words that documents have. */
import { plainText } from '../base/plain-text.js'
import { forgivenEdits } from './as-you-type.js'

/** Where other texts come from, and what they find. */
export interface CorrectionSources {
  /** Queries of the workload that are 1 to `edits` edits away from a plain text, the best first; at most so many. */
  queries(plain: string, edits: number, limit: number): readonly string[]
  /** The word of documents that is nearest to one, and how many of them have it; undefined where none is near. */
  nearestWord(word: string, edits: number): { readonly text: string; readonly weight: number } | undefined
  /** The documents that a text finds, counted up to a bound. */
  count(text: string, upTo: number): number
}

/** A search that finds so many documents needs no other text. */
export const ENOUGH_FOUND = 3

/** Longer texts are not corrected. */
const MOST_UNITS = 256
const MOST_QUERIES = 8
/** How many words of a text may be replaced. */
const MOST_WORDS = 8

const WORDS = /[\p{L}\p{M}\p{N}_]+(?:['’.][\p{L}\p{M}\p{N}_]+)*/gu

/** The text that finds more than `found` documents; undefined where there is none. */
export function correctedText(text: string, found: number, sources: CorrectionSources): string | undefined {
  if (found >= ENOUGH_FOUND || text.length > MOST_UNITS) return undefined
  return candidates(text, sources).find((candidate) => sources.count(candidate, found + 1) > found)
}

function candidates(text: string, sources: CorrectionSources): string[] {
  const plain = plainText(text).trimEnd()
  const edits = forgivenEdits(Array.from(plain).length)
  const queries = edits === 0 ? [] : sources.queries(plain, edits, MOST_QUERIES)
  return [...queries, ...withOtherWords(text, sources)]
}

interface Replacement {
  readonly begin: number
  readonly end: number
  readonly word: string
  /** The documents that have the word as it was typed, at most as many as have the other one. */
  readonly documents: number
}

/** The text with words that documents have in place of all that none has; or else with one word that more have. */
function withOtherWords(text: string, sources: CorrectionSources): string[] {
  const replacements: Replacement[] = []
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const end = index + word.length
    const edits = forgivenEdits(Array.from(word).length)
    // Of prefixes and fuzzy words, the names of fields and operators there is nothing to mend.
    if (edits === 0 || /[*~:^]/.test(text.charAt(end)) || replacements.length >= MOST_WORDS) continue
    const other = sources.nearestWord(word, edits)
    if (other === undefined) continue
    const documents = sources.count(word, other.weight)
    if (documents < other.weight) replacements.push({ begin: index, end, word: other.text, documents })
  }
  const unknown = replacements.filter(({ documents }) => documents === 0)
  const texts = replacements.map((replacement) => replaced(text, [replacement]))
  return unknown.length > 0 ? [replaced(text, unknown), ...texts] : texts
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  let at = 0
  let result = ''
  for (const { begin, end, word } of replacements) {
    result += text.slice(at, begin) + word
    at = end
  }
  return result + text.slice(at)
}
