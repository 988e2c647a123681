/**
 * What a text means that is being typed, written down from docs/search-model.md, for texts of words without operators.
 */
import type { SeededRandom } from '../support/seed.js'
import type { NaiveIndex } from './naive-index.js'
import type { NaiveQuery } from './naive-matcher.js'

/** A word as it comes from a keyboard: whole or begun, now and then with a typo. */
export function typed(random: SeededRandom, word: string): string {
  const points = [...word.replace(/[!,]/g, '')]
  const kept = points.slice(0, random.chance(0.5) ? points.length : random.between(1, points.length))
  if (random.chance(0.4) && kept.length > 2) {
    const at = random.between(1, kept.length - 1)
    const way = random.next()
    if (way < 0.3) kept.splice(at, 1)
    else if (way < 0.6) kept.splice(at, 0, random.pick(['a', 'n', '3']))
    else kept[at] = random.pick(['o', 'u', 't'])
  }
  // Operators are for tests of their own.
  return kept.join('').replace(/^(AND|OR|NOT)$/, 'x') || 'x'
}

export function expectedHits(
  twin: NaiveIndex,
  words: readonly string[],
  isDone: boolean,
  operator: 'and' | 'or',
  fields?: readonly string[],
) {
  const inOrder = (query: NaiveQuery, tier: number) =>
    Array.from(twin.search(query, fields).scores, ([key, score]) => ({ key, score, tier })).sort(
      (a, b) => b.score - a.score,
    )
  const exact = inOrder(
    joined(
      operator,
      words.map((word, at) => exactly(word, at, words, isDone)),
    ),
    0,
  )
  if (words.every((word) => editsOf(word) === 0)) return exact
  const known = new Set(exact.map(({ key }) => key))
  const near = inOrder(
    joined(
      operator,
      words.map((word, at) => nearly(word, at, words, isDone)),
    ),
    1,
  )
  return [...exact, ...near.filter(({ key }) => !known.has(key))]
}

function joined(operator: 'and' | 'or', nodes: readonly NaiveQuery[]): NaiveQuery {
  return operator === 'and' ? { and: nodes } : { or: nodes }
}

export const editsOf = (word: string) => ([...word].length < 4 ? 0 : [...word].length < 8 ? 1 : 2)

function exactly(word: string, at: number, words: readonly string[], isDone: boolean): NaiveQuery {
  if (isDone || at < words.length - 1) return { word }
  return { or: [{ word }, words.length === 1 ? { prefix: word } : { prefix: word, edits: 0 }] }
}

function nearly(word: string, at: number, words: readonly string[], isDone: boolean): NaiveQuery {
  const edits = editsOf(word)
  if (!isDone && at === words.length - 1) {
    const isAlone = words.length === 1 && edits === 0
    return { or: [{ word }, isAlone ? { prefix: word } : { prefix: word, edits }] }
  }
  return edits === 0 ? { word } : { or: [{ word }, { fuzzy: word, edits }] }
}
