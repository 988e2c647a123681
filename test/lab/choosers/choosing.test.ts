/** What every chooser keeps to, whatever the world, and what the simple ones do. */
import { describe, expect, it } from 'vitest'
import { ChangeSignals } from '../../../src/lab/choosers/change-signals.js'
import { roundRobin, uniform } from '../../../src/lab/choosers/cyclic.js'
import { judgedChooser } from '../../../src/lab/choosers/judged-chooser.js'
import { oracle } from '../../../src/lab/choosers/oracle.js'
import { GAIN_ESTIMATORS } from '../../../src/lab/experiments/gain-estimators.js'
import { type ChoosingContext, QUALITY_POLICIES } from '../../../src/lab/experiments/quality-policies.js'
import { type Chooser, replay } from '../../../src/lab/quality/replay.js'
import type { RepositoryQuality, ScoredWorld } from '../../../src/lab/quality/repository-quality.js'
import { type SeededRandom, seededRandom, withSeed } from '../../support/seed.js'
import { randomWorld, scoredWorld } from '../quality/scored-worlds.js'

interface Case {
  readonly name: string
  readonly make: () => Chooser
}

/** All policies that choose without an index, in all their modes. */
function choosersFor(world: ScoredWorld, budget: number, seed: number, random: SeededRandom): Case[] {
  const column = () => Float64Array.from(world.timeline.changedPages, () => (random.chance(0.3) ? 0 : random.next()))
  const gains = Object.fromEntries(GAIN_ESTIMATORS.map((name) => [name, column()]))
  const differences = column()
  const rates = { missRate: 0.2, falseAlarmRate: 0.1 }
  return QUALITY_POLICIES.flatMap(({ name, modes, choose, thresholds = [0] }) =>
    modes.flatMap((mode) =>
      choose === undefined
        ? []
        : thresholds.map((threshold) => ({
            name: `${name} ${mode} ${threshold}`,
            make: () => {
              const signals = mode === 'signals' ? new ChangeSignals(world.timeline, rates, seed) : undefined
              const context: ChoosingContext = { ...world, mode, budget, seed, signals, differences, gains, threshold }
              return choose(context)
            },
          })),
    ),
  )
}

/** Every choice of a replay; the replay itself refuses what is beyond the budget or named twice. */
function choicesOf(world: ScoredWorld, chooser: Chooser, budget: number): number[][] {
  const choices: number[][] = []
  const next = (step: number, allowance: number) => {
    const chosen = [...chooser.next(step, allowance)]
    choices.push(chosen)
    return chosen
  }
  replay(
    world,
    { start: (state) => chooser.start?.(state), next, observe: (page, outcome) => chooser.observe(page, outcome) },
    { budget },
  )
  return choices
}

describe('every chooser', () => {
  it('keeps the budget, names no page twice, and does the same again', () => {
    withSeed('choosers', (seed) => {
      const random = seededRandom('choosers', seed)
      for (let round = 0; round < 25; round++) {
        const { pages, weights, steps } = randomWorld(random)
        const world = scoredWorld(pages, weights, steps)
        const budget = random.pick([1, Math.min(1, pages * 0.3), pages, (1 + pages) / 2])
        for (const { name, make } of choosersFor(world, budget, round, random)) {
          const choices = choicesOf(world, make(), budget)
          expect({ name, choices: choicesOf(world, make(), budget) }).toEqual({ name, choices })
        }
      }
    })
  })

  it('gets through a world where nothing changes, with one page or all', () => {
    const steps = [new Map([0, 1, 2].map((page) => [page, { 0: 1 + page }])), new Map(), new Map(), new Map()]
    const world = scoredWorld(3, [1], steps)
    for (const budget of [1, 3]) {
      for (const { name, make } of choosersFor(world, budget, 7, seededRandom('still'))) {
        const { meanQuality, lossShare } = replay(world, make(), { budget })
        expect({ name, meanQuality, lossShare }).toEqual({ name, meanQuality: 1, lossShare: undefined })
      }
    }
  })
})

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
