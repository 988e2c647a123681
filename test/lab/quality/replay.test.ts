import { describe, expect, it } from 'vitest'
import {
  type Chooser,
  lossShare,
  type RefreshOutcome,
  replay,
  replayWaiting,
  untouchedLosses,
} from '../../../src/lab/quality/replay.js'
import { RepositoryQuality, type ScoredWorld } from '../../../src/lab/quality/repository-quality.js'
import { seededRandom, withSeed } from '../../support/seed.js'
import { randomWorld, scoredWorld } from './scored-worlds.js'

const NOBODY: Chooser = { next: () => [], observe: () => {} }

/** Every page in turn. */
function inTurn(pages: number): Chooser {
  let next = 0
  return {
    next: (_, budget) => Array.from({ length: budget }, () => next++ % pages),
    observe: () => {},
  }
}

/** Two pages that change places at step 1 and back at step 3. */
const SWAPPED = scoredWorld(
  2,
  [1],
  [
    new Map([
      [0, { 0: 1 }],
      [1, { 0: 0.5 }],
    ]),
    new Map([
      [0, { 0: 0.5 }],
      [1, { 0: 1 }],
    ]),
    new Map(),
    new Map([
      [0, { 0: 1 }],
      [1, { 0: 0.5 }],
    ]),
  ],
)
const FULL = 1 + 0.5 * 2 ** -1.5
const WRONG = (0.5 + 2 ** -1.5) / FULL

describe('a replay', () => {
  it('takes the quality after the refreshes of each step but the first', () => {
    const nothing = replay(SWAPPED, NOBODY, { budget: 1 })
    expect([...nothing.qualities].map((quality) => quality.toFixed(9))).toEqual(
      [WRONG, WRONG, 1].map((q) => q.toFixed(9)),
    )
    expect(nothing.meanQuality).toBeCloseTo((2 * WRONG + 1) / 3, 12)
    expect(nothing.minQuality).toBeCloseTo(WRONG, 12)
    expect(nothing.lossShare).toBe(1)
    expect(nothing.refreshes).toBe(0)
    expect(nothing.changeRatio).toBe(0)
    expect(untouchedLosses(SWAPPED).meanQuality).toBe(nothing.meanQuality)

    const all = replay(SWAPPED, inTurn(2), { budget: 2 })
    expect([...all.qualities]).toEqual([1, 1, 1])
    expect(all.lossShare).toBe(0)
    expect(all.refreshes).toBe(6)
    expect(all.changeRatio).toBeCloseTo(2 / 3, 12)
  })

  it('is the same as its parts by hand, told step by step', () => {
    withSeed('replay', (seed) => {
      const random = seededRandom('replay', seed)
      for (let round = 0; round < 100; round++) {
        const { pages, weights, steps } = randomWorld(random)
        const world = scoredWorld(pages, weights, steps)
        const budget = random.between(1, pages)
        const plan = steps.map(() => random.shuffle(Array.from({ length: pages }, (_, page) => page)).slice(0, budget))
        const seen: RefreshOutcome[] = []
        const chooser: Chooser = { next: (step) => plan[step]!, observe: (_, outcome) => seen.push(outcome) }
        const result = replay(world, chooser, { budget })
        const expected = byHand(world, plan, seen)
        expect([...result.qualities]).toEqual(expected)
        if (expected.length === 0) continue
        expect(result.meanQuality).toBeCloseTo(expected.reduce((sum, q) => sum + q, 0) / expected.length, 12)
        expect(result.minQuality).toBe(Math.min(...expected))
        expect(result.lossShare).toBe(lossShare(result.meanQuality, untouchedLosses(world).meanQuality))
        expect(replay(world, { ...chooser, observe: () => {} }, { budget })).toEqual(result)
      }
    })
  })

  function byHand(world: ScoredWorld, plan: readonly (readonly number[])[], seen: readonly RefreshOutcome[]): number[] {
    const state = new RepositoryQuality(world)
    const qualities: number[] = []
    let at = 0
    while (state.advance()) {
      const { local, live } = state.copies
      const wanted = plan[state.step]!.map((page): RefreshOutcome => {
        const kind =
          live[page] === -1 ? 'gone' : local[page] === -1 ? 'added' : local[page] === live[page] ? 'same' : 'changed'
        return { step: state.step, kind, deltaQuality: state.measuredDeltaQuality(page) }
      })
      expect(seen.slice(at, at + wanted.length)).toEqual(wanted)
      at += wanted.length
      for (const page of plan[state.step]!) state.refresh(page)
      qualities.push(state.quality)
    }
    expect(at).toBe(seen.length)
    return qualities
  }

  it('lets an oracle see the state, which no other beats with one refresh', () => {
    withSeed('oracle', (seed) => {
      const random = seededRandom('oracle', seed)
      for (let round = 0; round < 50; round++) {
        const { pages, weights, steps } = randomWorld(random)
        const world = scoredWorld(pages, weights, steps.slice(0, 2))
        const best = replay(world, oracle(pages), { budget: 1 })
        for (let page = 0; page < pages; page++) {
          const other = replay(world, { next: () => [page], observe: () => {} }, { budget: 1 })
          expect(best.meanQuality).toBeGreaterThanOrEqual(other.meanQuality - 1e-12)
        }
      }
    })
  })

  function oracle(pages: number): Chooser {
    let state: RepositoryQuality | undefined
    return {
      start: (given) => {
        state = given
      },
      next: () => {
        const gains = Array.from({ length: pages }, (_, page) => state!.deltaQuality(page))
        return [gains.indexOf(Math.max(...gains))]
      },
      observe: () => {},
    }
  }

  it('gives what a fraction leaves over to later steps', () => {
    const world = scoredWorld(4, [1], [new Map([[0, { 0: 1 }]]), ...Array.from({ length: 49 }, () => new Map())])
    const allowances = (budget: number) => {
      const seen: number[] = []
      const next = (_: number, allowance: number) => {
        seen.push(allowance)
        return []
      }
      replay(world, { ...NOBODY, next }, { budget })
      return seen
    }
    expect(allowances(0.25).slice(0, 10)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0])
    expect(allowances(1.5).slice(0, 10)).toEqual([1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
    expect(allowances(4)).toEqual(Array(49).fill(4))
    // 49 · (1/49) is less than 1 in doubles.
    expect(allowances(1 / 49)).toEqual([...Array(48).fill(0), 1])
  })

  it('has nothing to lose in a world that stands still or has one step', () => {
    for (const more of [0, 3]) {
      const world = scoredWorld(1, [1], [new Map([[0, { 0: 1 }]]), ...Array.from({ length: more }, () => new Map())])
      const { meanQuality, minQuality, lossShare: share } = replay(world, NOBODY, { budget: 1 })
      expect({ meanQuality, minQuality, share }).toEqual({ meanQuality: 1, minQuality: 1, share: undefined })
    }
  })

  it('takes another view, and a known quality of the untouched repository', () => {
    const onlyFirst = (rank1: number) => (rank1 === 1 ? 1 : 0)
    const { qualities, lossShare: share } = replay(SWAPPED, NOBODY, { budget: 1, view: onlyFirst, untouched: 0.5 })
    expect([...qualities]).toEqual([0.5, 0.5, 1])
    expect(share).toBeCloseTo((1 - 2 / 3) / 0.5, 12)
  })

  it('says which queries lost what is missing, and how old the copies are', () => {
    withSeed('losses', (seed) => {
      const random = seededRandom('losses', seed)
      for (let round = 0; round < 50; round++) {
        const { pages, weights, steps } = randomWorld(random)
        const budget = random.between(1, pages)
        const plan = steps.map(() => random.shuffle(Array.from({ length: pages }, (_, page) => page)).slice(0, budget))
        const chooser: Chooser = { next: (step) => plan[step]!, observe: () => {} }
        const world = scoredWorld(pages, weights, steps)
        const alone = weights.map((_, query) => weights.map((weight, other) => (other === query ? weight : 0)))
        const all = sumsOf(world, plan)
        const { queryLosses, meanQuality, agesMs } = replay(world, chooser, { budget })
        for (const [query, weight] of alone.entries()) {
          const parts = sumsOf(scoredWorld(pages, weight, steps), plan).map(({ numerator, denominator }, step) =>
            all[step]!.denominator === 0 ? 0 : (denominator - numerator) / all[step]!.denominator,
          )
          expect(queryLosses[query]).toBeCloseTo(parts.reduce((sum, part) => sum + part, 0) / parts.length, 12)
        }
        expect(queryLosses.reduce((sum, loss) => sum + loss, 0)).toBeCloseTo(1 - meanQuality, 12)
        expect(agesMs).toEqual(agesByHand(world, plan))
        const untouched = untouchedLosses(world)
        expect(untouched).toEqual({
          meanQuality: replay(world, NOBODY, { budget }).meanQuality,
          queryLosses: replay(world, NOBODY, { budget }).queryLosses,
        })
      }
    })
  })

  function sumsOf(world: ScoredWorld, plan: readonly (readonly number[])[]) {
    const state = new RepositoryQuality(world)
    const sums: ReturnType<RepositoryQuality['sums']>[] = []
    while (state.advance()) {
      for (const page of plan[state.step]!) state.refresh(page)
      sums.push(state.sums())
    }
    return sums
  }

  /**
   * Of those of which there is a copy at the end; a copy is as old as the last step that named its page, or the first.
   */
  function agesByHand(world: ScoredWorld, plan: readonly (readonly number[])[]) {
    const { atMs, urls } = world.timeline
    const state = new RepositoryQuality(world)
    while (state.advance()) for (const page of plan[state.step]!) state.refresh(page)
    const ages = urls.flatMap((_, page) => {
      const last = plan.findLastIndex((pages, step) => step > 0 && pages.includes(page))
      return state.copies.local[page] === -1 ? [] : [atMs.at(-1)! - atMs[Math.max(0, last)]!]
    })
    const least = (percent: number) =>
      ages
        .toSorted((a, b) => a - b)
        .find((age) => ages.filter((other) => other <= age).length >= (percent / 100) * ages.length) ?? 0
    return { p50: least(50), p90: least(90), p99: least(99), max: Math.max(0, ...ages) }
  }

  it('goes on the same where nobody is told of gains', () => {
    const told: RefreshOutcome[] = []
    const chooser = { ...inTurn(2), observe: (_: number, outcome: RefreshOutcome) => told.push(outcome) }
    const result = replay(SWAPPED, chooser, { budget: 1, tellsGains: false })
    expect(result).toEqual(replay(SWAPPED, inTurn(2), { budget: 1 }))
    expect(told.map(({ kind, deltaQuality }) => [kind, deltaQuality])).toEqual([
      ['changed', Number.NaN],
      ['changed', Number.NaN],
      ['changed', Number.NaN],
    ])
  })

  it('judges every step by what is asked at it', () => {
    const { timeline, scores } = SWAPPED
    const twice = { timeline, scores: { ...scores, shift: { fromStep: 2, weights: Float64Array.of(0) } } }
    const { qualities, queryLosses } = replay(twice, NOBODY, { budget: 1 })
    // Nobody asks anything from the second step on: nothing can be wrong.
    expect([...qualities].map((quality) => quality.toFixed(9))).toEqual([WRONG, 1, 1].map((q) => q.toFixed(9)))
    expect(queryLosses[0]).toBeCloseTo((1 - WRONG) / 3, 12)
  })

  it('waits for a chooser before and after every step, and is the same otherwise', async () => {
    const events: string[] = []
    const chooser = inTurn(2)
    const result = await replayWaiting(
      SWAPPED,
      {
        ...chooser,
        next: (step, budget) => {
          events.push(`next ${step}`)
          return chooser.next(step, budget)
        },
        begun: async (step) => {
          await Promise.resolve()
          events.push(`begun ${step}`)
        },
        settled: async () => {
          await Promise.resolve()
          events.push('settled')
        },
      },
      { budget: 1 },
    )
    expect(events).toEqual([1, 2, 3].flatMap((step) => [`begun ${step}`, `next ${step}`, 'settled']))
    expect(result).toEqual(replay(SWAPPED, inTurn(2), { budget: 1 }))
  })

  it('shows its state after every step', () => {
    const seen: [number, number][] = []
    replay(SWAPPED, inTurn(2), { budget: 1, onStep: ({ step, quality }) => seen.push([step, quality]) })
    expect(seen.map(([step]) => step)).toEqual([1, 2, 3])
  })
})

describe('a replay refuses', () => {
  const choosing = (pages: unknown): Chooser => ({ next: () => pages as number[], observe: () => {} })

  it('a budget that is none', () => {
    for (const [budget, message] of [
      [0, 'budget must be a finite number above 0, received 0'],
      [-1, 'received -1'],
      [Number.NaN, 'received NaN'],
      [3, 'budget must be at most the number of pages, 2, received 3'],
    ] as const)
      expect(() => replay(SWAPPED, NOBODY, { budget })).toThrow(message)
    expect(() => replay(SWAPPED, NOBODY, { budget: '1' as never })).toThrow(TypeError)
    expect(() => replay(SWAPPED, NOBODY, {} as never)).toThrow('replay needs a budget')
  })

  it('more pages than the budget allows, one twice, and what is no page', () => {
    expect(() => replay(SWAPPED, choosing([0, 1]), { budget: 1 })).toThrow(
      new RangeError('step 1: the chooser named 2 pages within a budget of 1'),
    )
    expect(() => replay(SWAPPED, choosing([1, 1]), { budget: 2 })).toThrow('step 1: the chooser named page 1 twice')
    for (const page of [2, -1, 0.5, '0', undefined])
      expect(() => replay(SWAPPED, choosing([page]), { budget: 2 })).toThrow(
        'step 1: the chooser must name integers from 0 to 1',
      )
  })
})
