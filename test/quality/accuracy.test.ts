/** How far the estimate may be from the truth on lists that look like lists. */
import { expect, it } from 'vitest'
import { loadAddon } from '../../src/core/binding.js'
import { type SeededRandom, seededRandom, withSeed } from '../support/seed.js'
import { exactShift } from './exact-quality.js'
import { naturalAnswerList } from './random-answer-list.js'

const core = loadAddon()
const PAGES = 200
const MOVES_PER_PAGE = 6

it('pages are valued by the curve nearly as by their lists', () => {
  withSeed('accuracy', (seed) => {
    const random = seededRandom('accuracy', seed)
    const lists = [30, 300, 3000].flatMap((n) =>
      Array.from({ length: 4 }, () => {
        const scores = naturalAnswerList(random, n)
        return { scores: [...scores], values: core.fitCurve(scores, 3) }
      }),
    )
    const pages = Array.from({ length: PAGES }, () => {
      const moves = Array.from({ length: MOVES_PER_PAGE }, () => randomMove(random, random.pick(lists)))
      return {
        exact: moves.reduce((total, move) => total + move.exact, 0),
        estimate: moves.reduce((total, move) => total + move.estimate, 0),
      }
    })
    const total = pages.reduce((sum, page) => sum + page.exact, 0)
    const wrong = pages.reduce((sum, page) => sum + Math.abs(page.estimate - page.exact), 0)
    expect(wrong / total).toBeLessThan(0.15)
    expect(rankCorrelation(pages)).toBeGreaterThan(0.95)
  })
})

interface Valued {
  readonly exact: number
  readonly estimate: number
}

/** A page somewhere in the list, or new, vanishes or gets the score of another place. */
function randomMove(random: SeededRandom, list: { scores: readonly number[]; values: Float32Array }): Valued {
  const { scores, values } = list
  const n = scores.length
  const somewhere = () => Math.floor(n ** random.next()) - 1
  const place = random.chance(0.15) ? -1 : somewhere()
  const s2 = random.chance(0.15) ? 0 : (scores[somewhere()] as number) * (0.95 + 0.1 * random.next())
  return {
    exact: exactShift(scores, place, s2).deltaQuality,
    estimate: core.deltaQuality(values, n, undefined, scores[place] ?? 0, s2).deltaQuality,
  }
}

/** Spearman's, without ties. */
function rankCorrelation(pages: readonly Valued[]): number {
  const ranks = (of: (page: Valued) => number) => {
    const order = [...pages.keys()].sort((a, b) => of(pages[a] as Valued) - of(pages[b] as Valued))
    return pages.map((_, page) => order.indexOf(page))
  }
  const [a, b] = [ranks((page) => page.exact), ranks((page) => page.estimate)]
  const squares = a.reduce((sum, rank, page) => sum + (rank - (b[page] as number)) ** 2, 0)
  return 1 - (6 * squares) / (pages.length * (pages.length ** 2 - 1))
}
