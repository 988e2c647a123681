/**
 * The counting of words and the scores from it, which the lab has too, from the compiled library. Nothing of it comes from an
 * index: the lab asks the core for tokens, the benchmarks read texts by themselves.
 */
import type * as CountedPagesModule from '../dist/lab/quality/counted-pages.js'
import type * as FrozenScoresModule from '../dist/lab/quality/frozen-scores.js'
import type * as QueryWordsModule from '../dist/lab/quality/query-words.js'
import type * as WordCountsModule from '../dist/lab/quality/word-counts.js'

export type CountedPage = CountedPagesModule.CountedPage
export type ExactQuery = QueryWordsModule.ExactQuery
export type FrozenScores = FrozenScoresModule.FrozenScores
export type WordCounter = WordCountsModule.WordCounter

async function load(name: string): Promise<unknown> {
  // Compiled benchmarks lie two folders below the root, their sources one.
  return import(new URL(`../../dist/lab/quality/${name}.js`, import.meta.url).href)
}

export const { countPage, FIELDS } = (await load('counted-pages')) as typeof CountedPagesModule
export const { FrozenScores } = (await load('frozen-scores')) as typeof FrozenScoresModule
export const { numberQueries, singleTermQueries } = (await load('query-words')) as typeof QueryWordsModule
export const { WordCounter } = (await load('word-counts')) as typeof WordCountsModule
