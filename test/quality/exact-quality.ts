/**
 * The quality of a repository by its definition (User-centric crawling, Eq. 5 and 6): every page of every answer list
 * is looked at. An absent page has score 0.
 */

/** The likelihood that a result at a 1-based rank is viewed; 0 for Infinity. */
export type View = (rank: number) => number

export const paperView: View = (rank) => rank ** -1.5

/** Of the pages for one query, by page. */
export type Scores = Readonly<Record<string, number>>

export interface ScoredQuery {
  readonly weight: number
  /** Of the copies in the repository. */
  readonly local: Scores
  /** Of the pages as they are now. */
  readonly live: Scores
}

export interface RepositoryQuality {
  readonly numerator: number
  readonly denominator: number
  /** From 0 to 1; 1 when no live page matches any query. */
  readonly quality: number
}

/** The pages that match, best first, equal scores in the order of their names. */
export function answerList(scores: Scores): string[] {
  return Object.entries(scores)
    .filter(([, score]) => score > 0)
    .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || (a < b ? -1 : 1))
    .map(([page]) => page)
}

/** Eq. 5. */
export function repositoryQuality(queries: readonly ScoredQuery[], view: View = paperView): RepositoryQuality {
  const numerator = totalQuality(queries, (query) => query.local, view)
  const denominator = totalQuality(queries, (query) => query.live, view)
  return { numerator, denominator, quality: denominator === 0 ? 1 : numerator / denominator }
}

/** Lists ordered by some scores, valued by the live ones. */
function totalQuality(queries: readonly ScoredQuery[], order: (query: ScoredQuery) => Scores, view: View): number {
  return sum(queries.map((query) => query.weight * listQuality(answerList(order(query)), query.live, view)))
}

function listQuality(list: readonly string[], live: Scores, view: View): number {
  return sum(list.map((page, place) => view(place + 1) * (live[page] ?? 0)))
}

export interface ExactShift {
  /** 1-based; Infinity when not in the list. */
  readonly before: number
  readonly after: number
  readonly deltaQuality: number
}

/**
 * Numerator of Eq. 6 for one query of weight 1 when the page at `place` of a descending list, or a new one (-1), gets
 * the score `after`. All others stay as they are, and come before it where their scores are equal.
 */
export function exactShift(list: readonly number[], place: number, after: number, view: View = paperView): ExactShift {
  const others = list.filter((_, at) => at !== place)
  const reached = others.filter((score) => score >= after).length
  const renewed = after > 0 ? others.toSpliced(reached, 0, after) : others
  const oldLive = list.map((score, at) => (at === place ? after : score))
  const value = (live: readonly number[]) => sum(live.map((score, at) => view(at + 1) * score))
  return {
    before: place < 0 ? Number.POSITIVE_INFINITY : place + 1,
    after: after > 0 ? reached + 1 : Number.POSITIVE_INFINITY,
    deltaQuality: value(renewed) - value(oldLive),
  }
}

/** Smallest first would be more exact; the tests need nine digits. */
function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
