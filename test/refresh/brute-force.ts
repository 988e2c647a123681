/**
 * What a write is worth, by brute force: every page scored for every query, under the statistics of the pages as they
 * were, before and after the write; the answer lists made into curves by the twin of test/quality, or taken as they
 * are.
 */
import type { ScoringModel } from '../model/naive-scoring.js'
import { decodeLength, encodeLength, inverseDocumentFrequency, scoreOf } from '../model/naive-scoring.js'
import { exactShift, paperView, type View } from '../quality/exact-quality.js'
import { deltaQuality, fitCurve } from '../quality/twin.js'
import type { Page } from './orchard.js'

export interface BruteQuery {
  readonly words: readonly string[]
  readonly weight: number
}

const FIELDS = [
  { name: 'title', boost: 2 },
  { name: 'body', boost: 1 },
] as const

interface FrozenField {
  readonly documents: number
  readonly averageLength: number
  df(word: string): number
}

/** Of texts of single words with blanks between. */
function tokensOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}

export class FrozenScores {
  readonly #scoring: ScoringModel
  readonly #beta: number
  readonly #fields: readonly FrozenField[]

  constructor(pages: readonly Page[], scoring: ScoringModel, beta = 0) {
    this.#scoring = scoring
    this.#beta = beta
    this.#fields = FIELDS.map(({ name }) => {
      const texts = pages.map((page) => tokensOf(page[name])).filter((tokens) => tokens.length > 0)
      const tokens = texts.reduce((sum, text) => sum + text.length, 0)
      const df = (word: string) => texts.filter((text) => text.includes(word)).length
      return { documents: texts.length, averageLength: tokens / texts.length, df }
    })
  }

  /** As the float32 that shifts and curves keep; 0 unless all words occur. */
  score(page: Page | undefined, words: readonly string[]): number {
    if (page === undefined) return 0
    let sum = 0
    for (const word of words) {
      const parts = FIELDS.map((field, at) => this.#wordScore(tokensOf(page[field.name]), at, word))
      if (parts.every((part) => part === undefined)) return 0
      sum += parts.reduce<number>((total, part) => total + (part ?? 0), 0)
    }
    return Math.fround(sum + this.#beta * (page.links ?? 0))
  }

  #wordScore(tokens: readonly string[], at: number, word: string): number | undefined {
    const tf = tokens.filter((token) => token === word).length
    if (tf === 0) return undefined
    const { boost } = FIELDS[at] as (typeof FIELDS)[number]
    const field = this.#fields[at] as FrozenField
    const idf = inverseDocumentFrequency(this.#scoring, field.documents, field.df(word))
    // A field that no page had has no average: every length counts as one.
    const averageLength = field.documents === 0 ? decodeLength(encodeLength(tokens.length)) : field.averageLength
    return scoreOf(this.#scoring, boost, idf, tf, tokens.length, { ...field, averageLength })
  }
}

/** ΔQ_A of one page's change, by curves of `pages`. `after` is undefined for a page that is removed. */
export function gainByCurves(
  pages: readonly Page[],
  scores: FrozenScores,
  queries: readonly BruteQuery[],
  before: Page | undefined,
  after: Page | undefined,
  view: View = paperView,
): number {
  return gainBy(queries, (words) => {
    const list = answers(pages, scores, words)
    return deltaQuality(fitCurve(list, 3), view, scores.score(before, words), scores.score(after, words)).deltaQuality
  })
}

/** The same by the answer lists themselves: what the estimate is an estimate of. */
export function gainExactly(
  pages: readonly Page[],
  scores: FrozenScores,
  queries: readonly BruteQuery[],
  before: Page | undefined,
  after: Page | undefined,
): number {
  return gainBy(queries, (words) => {
    const list = answers(pages, scores, words)
    const place = before === undefined ? -1 : list.lastIndexOf(scores.score(before, words))
    return exactShift(list, place, scores.score(after, words)).deltaQuality
  })
}

function gainBy(queries: readonly BruteQuery[], gainOf: (words: readonly string[]) => number): number {
  return queries.reduce((sum, { words, weight }) => sum + weight * gainOf(words), 0)
}

/** Scores of the pages that match, best first. */
function answers(pages: readonly Page[], scores: FrozenScores, words: readonly string[]): number[] {
  return pages
    .map((page) => scores.score(page, words))
    .filter((score) => score > 0)
    .sort((a, b) => b - a)
}
