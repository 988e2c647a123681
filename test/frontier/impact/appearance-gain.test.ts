/** Gains of pages that appear against the quality of the answers before and after. */
import { describe, expect, it } from 'vitest'
import { AppearanceGains } from '../../../src/frontier/impact/appearance-gain.js'
import { DEFAULT_VIEW, powerView, type ViewLikelihood } from '../../../src/workload/view-likelihood.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

/** The numerator of the quality of one list, when all copies are as the pages are (User-centric crawling, Eq. 5). */
function qualityOf(scores: readonly number[], view: (rank1: number) => number): number {
  return [...scores].sort((a, b) => b - a).reduce((sum, score, at) => sum + view(at + 1) * score, 0)
}

describe('the gain of a page that appears', () => {
  it('is what the quality grows by, in 1,000 random cases', () => {
    withSeed('appearance gains', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 1000; round++) {
        const view = random.pick([DEFAULT_VIEW, powerView(0.5), (rank1: number) => (rank1 <= 5 ? 1 : 0)])
        // Few different scores, so that there are ties.
        const score = () => (random.chance(0.5) ? random.next() * 3 : random.between(1, 4))
        const list = Array.from({ length: random.int(30) }, score).sort((a, b) => b - a)
        const gains = new AppearanceGains(list, view)
        const before = qualityOf(list, view)
        const scores = Array.from({ length: 5 }, () => (random.chance(0.2) ? 0 : score()))
        const grown = scores.map((each) => (each === 0 ? 0 : qualityOf([...list, each], view) - before))
        for (const [nth, each] of scores.entries()) {
          expect(gains.gain(each)).toBeCloseTo(grown[nth]!, 9)
          expect(appearanceGain(list, each, view)).toBe(gains.gain(each))
        }
        expect(gains.expectedGain(scores)).toBeCloseTo(grown.reduce((sum, gain) => sum + gain, 0) / 5, 9)
        expect(gains.expectedGain([scores[0]!, scores[1]!], [0.25, 0.75])).toBeCloseTo(
          0.25 * grown[0]! + 0.75 * grown[1]!,
          9,
        )
        expect(Math.min(...scores.map((each) => gains.gain(each)))).toBeGreaterThanOrEqual(0)
      }
    })
  })

  it('from the head of a list is too high by at most the last score times the view behind it', () => {
    withSeed('heads of lists', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 200; round++) {
        const list = Array.from({ length: 40 }, () => random.next()).sort((a, b) => b - a)
        const head = list.slice(0, 10)
        const score = random.next()
        const excess = appearanceGain(head, score, DEFAULT_VIEW) - appearanceGain(list, score, DEFAULT_VIEW)
        expect(excess).toBeGreaterThanOrEqual(-1e-12)
        expect(excess).toBeLessThanOrEqual(head.at(-1)! * DEFAULT_VIEW(11) + 1e-12)
      }
    })
  })

  it('is the whole score in an empty list, and nothing without a score', () => {
    expect(appearanceGain([], 2.5, DEFAULT_VIEW)).toBe(2.5)
    expect(appearanceGain([1], 0, DEFAULT_VIEW)).toBe(0)
    expect(() => appearanceGain([1, 2], 1, DEFAULT_VIEW)).toThrow(/must not rise, received 2 at rank 2/)
  })
})

/** ΔQ_A of one score in one list, for a query of weight 1. */
function appearanceGain(scoresDescending: ArrayLike<number>, score: number, view: ViewLikelihood): number {
  return new AppearanceGains(scoresDescending, view).gain(score)
}
