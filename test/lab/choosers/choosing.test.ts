/** What the simple choosers do. What all keep to: test/contract/. */
import { describe, expect, it } from 'vitest'
import { judgedChooser } from '../../../src/lab/choosers/judged.js'
import { oracle, roundRobin, uniform } from '../../../src/lab/choosers/simple.js'
import { type Chooser, replay } from '../../../src/lab/quality/replay.js'
import type { RepositoryQuality } from '../../../src/lab/quality/repository-quality.js'
import { choicesOf } from '../../contract/choosers.js'
import { seededRandom, withSeed } from '../../support/seed.js'
import { randomWorld, scoredWorld } from '../quality/scored-worlds.js'

describe('the oracle', () => {
  it('takes the pages whose gains are the largest of all choices', () => {
    withSeed('largest gains', (seed) => {
      const random = seededRandom('largest gains', seed)
      for (let round = 0; round < 40; round++) {
        const { pages, weights, steps } = randomWorld(random)
        const world = scoredWorld(pages, weights, steps)
        const budget = random.between(1, Math.min(4, pages))
        const judge = oracle()
        const chooser = judgedChooser(judge, { newPagesFirst: false, spendsAll: false })
        let state: RepositoryQuality | undefined
        const checked: Chooser = {
          start: (given) => {
            state = given
            chooser.start?.(given)
          },
          next: (step, allowance) => {
            const chosen = [...chooser.next(step, allowance)]
            const gainOf = (some: readonly number[]) => some.reduce((sum, page) => sum + state!.deltaQuality(page), 0)
            const best = Math.max(...choices(pages, allowance).map(gainOf))
            expect(gainOf(chosen)).toBeCloseTo(best, 9)
            return chosen
          },
          observe: (page, outcome) => chooser.observe(page, outcome),
        }
        replay(world, checked, { budget })
      }
    })
  })

  /** All choices of at most so many pages. */
  function choices(pages: number, most: number): number[][] {
    const all: number[][] = [[]]
    for (let page = 0; page < pages; page++) {
      for (const choice of [...all]) if (choice.length < most) all.push([...choice, page])
    }
    return all
  }
})

describe('cycles', () => {
  it('visit every page once before any twice', () => {
    const world = scoredWorld(
      7,
      [1],
      [
        new Map(Array.from({ length: 7 }, (_, page) => [page, { 0: 1 }])),
        ...Array.from({ length: 21 }, () => new Map()),
      ],
    )
    for (const chooser of [uniform(7, 3), roundRobin(7)]) {
      const visits = choicesOf(world, chooser, 2).flat()
      for (let begin = 0; begin < 42; begin += 7)
        expect(visits.slice(begin, begin + 7).sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
    }
    expect(choicesOf(world, uniform(7, 3), 7)[0]).not.toEqual(choicesOf(world, uniform(7, 4), 7)[0])
    expect(choicesOf(world, roundRobin(7), 7)[0]).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('pass over pages that are not there yet or no more', () => {
    const world = scoredWorld(
      4,
      [1],
      [
        new Map([0, 1, 2].map((page) => [page, { 0: 1 }])),
        new Map([[1, undefined]]),
        new Map(),
        new Map([[3, { 0: 1 }]]),
      ],
    )
    // Page 1 is gone, but until it was visited there is a copy of it.
    expect(choicesOf(world, roundRobin(4), 3)).toEqual([
      [0, 1, 2],
      [0, 2],
      [3, 0, 2],
    ])
  })
})

describe('judged pages', () => {
  const world = scoredWorld(
    5,
    [1],
    [new Map([0, 1, 2, 3].map((page) => [page, { 0: 1 }])), new Map(), new Map([[4, { 0: 1 }]]), new Map()],
  )

  it('come by priority, then by age, then by number, those without a copy first', () => {
    const priorities = [1, 2, 2, -1, 0]
    const chooser = judgedChooser({ priority: (page) => priorities[page]! })
    expect(choicesOf(world, chooser, 2)).toEqual([
      [1, 2],
      [4, 1],
      [2, 1],
    ])
    const all = judgedChooser({ priority: (page) => priorities[page]! })
    expect(choicesOf(world, all, 5)).toEqual([
      [1, 2, 0],
      [4, 1, 2, 0],
      [1, 2, 0, 4],
    ])
  })

  it('of priority 0 are left out where it is said', () => {
    const chooser = judgedChooser({ priority: (page) => page % 2 }, { spendsAll: false, newPagesFirst: false })
    expect(choicesOf(world, chooser, 5)).toEqual([
      [1, 3],
      [1, 3],
      [1, 3],
    ])
  })

  it('are told their age at every look and every refresh', () => {
    const told: number[] = []
    const chooser = judgedChooser({
      priority: (page, ageMs) => (page === 0 ? ageMs : -1),
      observe: (_page, _outcome, ageMs) => told.push(ageMs),
    })
    choicesOf(world, chooser, 0.5)
    expect(told).toEqual([2000])
  })
})
