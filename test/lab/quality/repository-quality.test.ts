import { describe, expect, it } from 'vitest'
import { RepositoryQuality } from '../../../src/lab/quality/repository-quality.js'
import { paperView, repositoryQuality, type ScoredQuery, type View } from '../../quality/exact-quality.js'
import vectors from '../../quality/vectors/repository-quality.json' with { type: 'json' }
import { type SeededRandom, seededRandom, withSeed } from '../../support/seed.js'
import { type QueryScores, randomWorld, type ScoreStep, scoredWorld } from './scored-worlds.js'

type Named = Readonly<Record<string, number | undefined>>

describe('the reference', () => {
  for (const { name, live, denominator, steps } of vectors.sequences) {
    it(`is met, refresh by refresh: ${name}`, () => {
      const names = ['p1', 'p2', 'p3', 'p4']
      const state = referenceState(names, [{ weight: 1, local: steps[0]!.local, live }])
      expect(state.sums().denominator).toBeCloseTo(denominator, 9)
      for (const step of steps) {
        const page = names.indexOf(step.name.replace('refresh ', ''))
        if (page >= 0) {
          expect(state.deltaQuality(page), step.name).toBeCloseTo(step.deltaQuality!, 9)
          state.refresh(page)
        }
        expect(state.sums().numerator, step.name).toBeCloseTo(step.numerator, 9)
        expect(state.quality, step.name).toBeCloseTo(step.quality, 9)
        expect(Array.from(state.localAnswers(0), (number) => names[number])).toEqual(step.answer)
      }
    })
  }

  it('is met for queries of different weights', () => {
    const { queries, numerator, denominator, quality } = vectors.twoQueries
    const state = referenceState(['p1', 'p2', 'p3', 'p4', 'a', 'b', 'c', 'd'], queries)
    expect(state.sums().numerator).toBeCloseTo(numerator, 9)
    expect(state.sums().denominator).toBeCloseTo(denominator, 9)
    expect(state.quality).toBeCloseTo(quality, 9)
  })
})

/** Copies of the local scores, one step behind a world of the live ones. */
function referenceState(
  names: readonly string[],
  queries: readonly { readonly weight: number; readonly local: Named; readonly live: Named }[],
): RepositoryQuality {
  const stepOf = (side: 'local' | 'live', before: ScoreStep): ScoreStep => {
    const step = new Map<number, QueryScores | undefined>()
    names.forEach((name, page) => {
      if (queries.some((query) => query[side][name] !== undefined))
        step.set(page, Object.fromEntries(queries.map((query, number) => [number, query[side][name] ?? 0])))
      else if (before.has(page)) step.set(page, undefined)
    })
    return step
  }
  const first = stepOf('local', new Map())
  const weights = queries.map(({ weight }) => weight)
  const state = new RepositoryQuality(scoredWorld(names.length, weights, [first, stepOf('live', first)]))
  state.advance()
  return state
}

/** The same state as maps, and everything computed from them by the definition. */
class Twin {
  readonly local = new Map<number, QueryScores>()
  readonly live = new Map<number, QueryScores>()
  readonly #weights: readonly number[]
  readonly #view: View

  constructor(weights: readonly number[], view: View) {
    this.#weights = weights
    this.#view = view
  }

  apply(step: ScoreStep): void {
    for (const [page, scores] of step) set(this.live, page, scores)
  }

  refresh(page: number): void {
    set(this.local, page, this.live.get(page))
  }

  quality(local = this.local, live = this.live) {
    const queries = this.#weights.map((weight, query): ScoredQuery => {
      return { weight, local: scoresOf(local, query), live: scoresOf(live, query) }
    })
    return repositoryQuality(queries, this.#view)
  }

  deltaQuality(page: number): number {
    return this.quality(this.#refreshed(page)).numerator - this.quality().numerator
  }

  /** All others taken to be as their copies. */
  measuredDeltaQuality(page: number): number {
    const renewed = this.#refreshed(page)
    return this.quality(renewed, renewed).numerator - this.quality(this.local, renewed).numerator
  }

  stake(page: number): number {
    const alone = new Map([...this.local].filter(([other]) => other === page))
    return this.quality(this.local, alone).numerator
  }

  #refreshed(page: number): Map<number, QueryScores> {
    const copy = new Map(this.local)
    set(copy, page, this.live.get(page))
    return copy
  }
}

function set(pages: Map<number, QueryScores>, page: number, scores: QueryScores | undefined): void {
  if (scores === undefined) pages.delete(page)
  else pages.set(page, scores)
}

/** Names in the order of numbers. */
function scoresOf(pages: ReadonlyMap<number, QueryScores>, query: number): Record<string, number> {
  return Object.fromEntries(Array.from(pages, ([page, scores]) => [String(page).padStart(4, '0'), scores[query] ?? 0]))
}

function randomView(random: SeededRandom): View {
  if (random.chance(0.5)) return paperView
  const values = Array.from({ length: 20 }, () => random.next()).sort((a, b) => b - a)
  const cut = random.between(1, 20)
  return (rank) => (rank > cut || !Number.isFinite(rank) ? 0 : values[rank - 1]!)
}

describe('the kept quality', () => {
  it('is that of the definition after every step and every refresh', () => {
    withSeed('kept quality', (seed) => {
      const random = seededRandom('kept quality', seed)
      for (let round = 0; round < 300; round++) {
        const { pages, weights, steps } = randomWorld(random)
        const view = randomView(random)
        const state = new RepositoryQuality(scoredWorld(pages, weights, steps), view)
        const twin = new Twin(weights, view)
        twin.apply(steps[0]!)
        for (let page = 0; page < pages; page++) twin.refresh(page)
        expectSame(state, twin, random)
        for (const step of steps.slice(1)) {
          expect(state.advance()).toBe(true)
          twin.apply(step)
          if (random.chance(0.8)) expectSame(state, twin, random)
          for (let left = random.int(4); left > 0; left--) {
            const page = random.int(pages)
            state.refresh(page)
            twin.refresh(page)
            // Now and then several changes are taken up together.
            if (random.chance(0.6)) expectSame(state, twin, random)
          }
        }
        expectSame(state, twin, random)
        expect(state.advance()).toBe(false)
      }
    })
  })

  function expectSame(state: RepositoryQuality, twin: Twin, random: SeededRandom): void {
    const wanted = twin.quality()
    const { numerator, denominator } = state.sums()
    expect(Math.abs(numerator - wanted.numerator)).toBeLessThan(1e-9)
    expect(Math.abs(denominator - wanted.denominator)).toBeLessThan(1e-9)
    expect(Math.abs(state.quality - wanted.quality)).toBeLessThan(1e-9)
    expect(state.quality).toBeLessThanOrEqual(1 + 1e-12)
    const page = random.int(state.copies.local.length)
    expect(Math.abs(state.deltaQuality(page) - twin.deltaQuality(page))).toBeLessThan(1e-9)
    const measured = state.measuredDeltaQuality(page)
    expect(Math.abs(measured - twin.measuredDeltaQuality(page))).toBeLessThan(1e-9)
    expect(measured).toBeGreaterThan(-1e-9)
    expect(Math.abs(state.stakes()[page]! - twin.stake(page))).toBeLessThan(1e-9)
  }

  it('is 1 where nothing can be found', () => {
    const state = new RepositoryQuality(scoredWorld(2, [1], [new Map([[0, {}]])]))
    expect(state.sums()).toEqual({ numerator: 0, denominator: 0 })
    expect(state.quality).toBe(1)
    expect(state.advance()).toBe(false)
  })

  it('refuses what is no page', () => {
    const state = new RepositoryQuality(scoredWorld(2, [1], [new Map([[0, { 0: 1 }]])]))
    for (const page of [-1, 2, 0.5, Number.NaN]) {
      expect(() => state.refresh(page)).toThrow(
        new RangeError(`a page must be an integer from 0 to 1, received ${page}`),
      )
      expect(() => state.deltaQuality(page)).toThrow(RangeError)
    }
  })

  it('refuses a view that rises, is not a number or begins with nothing', () => {
    const world = scoredWorld(3, [1], [new Map([[0, { 0: 1 }]])])
    expect(() => new RepositoryQuality(world, (rank1) => rank1)).toThrow(/view\(2\) must be from 0/)
    expect(() => new RepositoryQuality(world, () => Number.NaN)).toThrow(/view\(1\)/)
    expect(() => new RepositoryQuality(world, () => 0)).toThrow(/view\(1\) must be above 0/)
  })
})
