export interface WordsQuery {
  readonly words: readonly string[]
  readonly weight: number
}

export interface WeightedWord {
  readonly word: string
  readonly weight: number
}

/**
 * The workload of single words Q' (User-centric crawling, section 5.1): a word weighs as much as all the queries that contain
 * it. A word that a query repeats counts once. Words come in order of first sight.
 */
export function singleTerms(queries: Iterable<WordsQuery>): WeightedWord[] {
  const weights = new Map<string, number>()
  for (const { words, weight } of queries) {
    for (const word of new Set(words)) weights.set(word, (weights.get(word) ?? 0) + weight)
  }
  return Array.from(weights, ([word, weight]) => ({ word, weight }))
}
