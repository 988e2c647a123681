/** Compares what the engine answered with what the twin computed; says the first difference in words. */
import type { HitOrder } from './hit-order.js'
import type { NaiveKey, NaiveMatches } from './naive-index.js'

export interface AnsweredHit {
  readonly key: NaiveKey
  readonly score: number
}

export interface Answer {
  readonly hits: readonly AnsweredHit[]
  readonly total: number
  readonly isTotalExact: boolean
  readonly truncated: boolean
  readonly partial: boolean
}

export interface Page {
  readonly limit: number
  readonly offset: number
}

const TOLERANCE = 1e-9

export function nearlyEqual(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b))
}

/**
 * Equal scores may come in any order as far as the twin knows, so each hit is compared by its key, and the sequence of
 * scores with the twin's sorted scores: together they leave no room for a wrong member of the page.
 */
export function difference(answer: Answer, expected: NaiveMatches, page: Page, order: HitOrder): string | undefined {
  if (answer.partial) return 'the answer is partial though no budget was given'
  const wrongTotal = totalDifference(answer, expected.scores.size)
  if (wrongTotal !== undefined) return wrongTotal
  if (answer.truncated !== expected.truncated) return `truncated is ${answer.truncated}, expected ${expected.truncated}`
  const sorted = [...expected.scores.values()].sort((a, b) => b - a).slice(page.offset, page.offset + page.limit)
  if (answer.hits.length !== sorted.length) return `${answer.hits.length} hits, expected ${sorted.length}`
  const seen = new Set<NaiveKey>()
  for (const [at, { key, score }] of answer.hits.entries()) {
    const own = expected.scores.get(key)
    if (own === undefined) return `hit ${at}, key ${JSON.stringify(key)}, does not match`
    if (seen.has(key)) return `hit ${at}, key ${JSON.stringify(key)}, came before`
    seen.add(key)
    if (!nearlyEqual(score, own)) return `hit ${at}, key ${JSON.stringify(key)}, scores ${score}, expected ${own}`
    if (!nearlyEqual(score, sorted[at] as number))
      return `hit ${at} scores ${score}, the twin's hit there ${sorted[at]}`
    const before = answer.hits[at - 1]
    if (before !== undefined && before.score < score) return `hit ${at} scores higher than the hit before it`
  }
  return orderDifference(answer.hits, order)
}

/** A total that is not exact is what was counted up to, by default, and there are more. */
function totalDifference({ total, isTotalExact, hits }: Answer, matches: number): string | undefined {
  if (isTotalExact) return total === matches ? undefined : `total is ${total}, expected ${matches}`
  if (total < 1000 || total < hits.length) return `only ${total} matches were counted`
  return total < matches ? undefined : `total is ${total} and not exact, but there are ${matches}`
}

function orderDifference(hits: readonly AnsweredHit[], order: HitOrder): string | undefined {
  for (let start = 0; start < hits.length; ) {
    let end = start + 1
    while (end < hits.length && hits[end]?.score === hits[start]?.score) end++
    if (end - start > 1) {
      const found = order.contradiction(hits.slice(start, end).map(({ key }) => key))
      if (found !== undefined) return found
    }
    start = end
  }
  return undefined
}

/** A page must be cut out of the whole result as it stands: same keys, same scores, same order. */
export function pageDifference(
  cut: readonly AnsweredHit[],
  whole: readonly AnsweredHit[],
  page: Page,
): string | undefined {
  const expected = whole.slice(page.offset, page.offset + page.limit)
  for (const [at, hit] of cut.entries()) {
    const other = expected[at]
    if (other?.key !== hit.key || other.score !== hit.score) {
      return `hit ${at} of the page is ${JSON.stringify(hit)}, in the whole result ${JSON.stringify(other)}`
    }
  }
  return undefined
}
