import { describe, expect, it } from 'vitest'
import { seededRandom, withSeed } from '../support/seed.js'
import { answerList, exactShift, repositoryQuality, type ScoredQuery, type Scores } from './exact-quality.js'
import vectors from './vectors/repository-quality.json' with { type: 'json' }

describe('the quality of a repository', () => {
  for (const { name, live, denominator, steps } of vectors.sequences) {
    it(`is that of the reference, refresh by refresh: ${name}`, () => {
      let numerator = 0
      for (const step of steps) {
        const result = repositoryQuality([{ weight: 1, local: known(step.local), live: known(live) }])
        expect(answerList(known(step.local)), step.name).toEqual(step.answer)
        expect(result.numerator, step.name).toBeCloseTo(step.numerator, 9)
        expect(result.denominator, step.name).toBeCloseTo(denominator, 9)
        expect(result.quality, step.name).toBeCloseTo(step.quality, 9)
        if (step.deltaQuality !== null) {
          expect(result.numerator - numerator, step.name).toBeCloseTo(step.deltaQuality, 9)
        }
        numerator = result.numerator
      }
    })
  }

  it('weighs queries as the reference does', () => {
    const { queries, numerator, denominator, quality } = vectors.twoQueries
    const scored = queries.map(
      ({ weight, local, live }): ScoredQuery => ({ weight, local: known(local), live: known(live) }),
    )
    const result = repositoryQuality(scored)
    expect(result.numerator).toBeCloseTo(numerator, 9)
    expect(result.denominator).toBeCloseTo(denominator, 9)
    expect(result.quality).toBeCloseTo(quality, 9)
  })

  it('is 1 where nothing can be found', () => {
    expect(repositoryQuality([])).toEqual({ numerator: 0, denominator: 0, quality: 1 })
  })
})

it('the exact effect of one move is the change of the numerator', () => {
  withSeed('exact shift', (seed) => {
    const random = seededRandom('exact shift', seed)
    for (let round = 0; round < 500; round++) {
      const list = Array.from({ length: random.int(8) }, () => random.between(1, 5)).sort((a, b) => b - a)
      const place = random.between(-1, list.length - 1)
      const after = random.int(7)
      // Names in the order of the list, but for the page that moves: it comes behind its equals.
      const nameOf = (at: number) => (at === place ? 'z' : `p${at}`)
      const local: Record<string, number> = Object.fromEntries(list.map((score, at) => [nameOf(at), score]))
      const live = { ...local, [nameOf(place)]: after }
      const oldOrder = list.map((_, at) => nameOf(at))
      const before = oldOrder.reduce((total, page, at) => total + (at + 1) ** -1.5 * (live[page] as number), 0)
      const { numerator } = repositoryQuality([{ weight: 1, local: live, live }])
      const shift = exactShift(list, place, after)
      expect(shift.deltaQuality).toBeCloseTo(numerator - before, 9)
      expect(shift.after).toBe(after === 0 ? Number.POSITIVE_INFINITY : answerList(live).indexOf(nameOf(place)) + 1)
    }
  })
})

/** The types of the JSON file say that a page may be missing, by undefined. */
function known(scores: Readonly<Record<string, number | undefined>>): Scores {
  return Object.fromEntries(Object.entries(scores).map(([page, score]) => [page, score ?? 0]))
}
