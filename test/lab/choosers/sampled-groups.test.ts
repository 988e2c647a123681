/** Choosers by samples and by frequency, against plain ones that keep whole histories. */
import { describe, expect, it } from 'vitest'
import { groupPages } from '../../../src/clusters/centroids.js'
import { CHANGE_WEIGHTINGS, changeFrequency, changeProbability } from '../../../src/clusters/change-weights.js'
import { changedPages } from '../../../src/lab/choosers/change-signals.js'
import { judgedChooser } from '../../../src/lab/choosers/judged.js'
import { SampledGroups } from '../../../src/lab/choosers/sampled-groups.js'
import { mostFrequent } from '../../../src/lab/choosers/simple.js'
import { isFresh } from '../../../src/lab/quality/freshness.js'
import { type Chooser, type RefreshOutcome, replay } from '../../../src/lab/quality/replay.js'
import type { RepositoryQuality, ScoredWorld } from '../../../src/lab/quality/repository-quality.js'
import { type SeededRandom, seededRandom, withSeed } from '../../support/seed.js'
import { planSamplingCycle } from '../experiments/clusters/whole-cycle.js'
import { scoredWorld } from '../quality/scored-worlds.js'

/** All pages are there at every step; some change often. */
function steadyWorld(random: SeededRandom): ScoredWorld {
  const pages = random.between(1, 30)
  const all = Array.from({ length: pages }, (_, page) => page)
  const steps = Array.from({ length: random.between(2, 12) }, (_, step) => {
    const changed = all.filter((page) => step === 0 || random.chance(page % 3 === 0 ? 0.6 : 0.1))
    return new Map(changed.map((page) => [page, { 0: random.next() }]))
  })
  return scoredWorld(pages, [1], steps)
}

/** The same replay; `expected` says what a plain twin would choose. */
function replayBeside(world: ScoredWorld, chooser: Chooser, budget: number, twin: Twin): void {
  let state: RepositoryQuality
  const beside: Chooser = {
    start: (given) => {
      state = given
      chooser.start?.(given)
    },
    next: (step, allowance) => {
      const chosen = [...chooser.next(step, allowance)]
      expect(chosen).toEqual(twin.choose(step, allowance, state))
      return chosen
    },
    observe: (page, outcome) => {
      twin.take(page, outcome)
      chooser.observe(page, outcome)
    },
  }
  replay(world, beside, { budget })
}

class Twin {
  readonly histories: boolean[][]
  readonly lastVisits: number[]
  readonly choose: (this: Twin, step: number, budget: number, state: RepositoryQuality) => number[]

  constructor(pages: number, choose: Twin['choose']) {
    this.histories = Array.from({ length: pages }, () => [])
    this.lastVisits = new Array(pages).fill(0)
    this.choose = choose
  }

  take(page: number, { kind, step }: RefreshOutcome): void {
    this.histories[page]!.push(kind === 'changed')
    this.lastVisits[page] = step
  }
}

describe('groups by samples', () => {
  it('are downloaded as histories and samples say', () => {
    withSeed('sampled groups', (seed) => {
      const random = seededRandom('sampled groups', seed)
      for (let run = 0; run < 100; run++) {
        const world = steadyWorld(random)
        const pages = world.timeline.urls.length
        const count = random.between(1, 5)
        const assignment = Uint32Array.from({ length: pages }, () => random.int(count))
        const groups = groupPages(assignment, count, (a, b) => b - a)
        const weighting = random.pick(CHANGE_WEIGHTINGS)
        const fairShare = random.pick([0, 0.2])
        const twin = new Twin(pages, function (step, budget, state) {
          const probability = (page: number) => {
            const history = [...this.histories[page]!, !isFresh(state.copies, page)]
            return changeProbability(changeFrequency(history, weighting))
          }
          const options = { budget, lastVisits: this.lastVisits, cycle: step - 1, fairShare }
          return [...planSamplingCycle(groups, probability, options).downloads]
        })
        const chooser = new SampledGroups(pages, { weighting, fairShare, groupsOf: () => groups })
        replayBeside(world, chooser, random.between(1, pages), twin)
      }
    })
  })

  it('see the copies, the ones before and the histories of the visits that were made', () => {
    const world = scoredWorld(
      2,
      [1],
      [
        new Map([
          [0, { 0: 1 }],
          [1, { 0: 2 }],
        ]),
        new Map([[0, { 0: 3 }]]),
        new Map([[1, { 0: 4 }]]),
      ],
    )
    const seen: unknown[] = []
    const groups = groupPages(Uint32Array.of(0, 0), 1, (a, b) => a - b)
    const chooser = new SampledGroups(2, {
      weighting: 'nad',
      fairShare: 0,
      groupsOf: ({ local, before, histories }) => {
        seen.push({ local: [...local], before: [...before], histories: [histories.of(0), histories.of(1)] })
        return groups
      },
    })
    replay(world, chooser, { budget: 1 })
    expect(chooser.groups).toBe(groups)
    const unseen = { bits: 0, cycles: 0 }
    expect(seen).toEqual([
      { local: [0, 1], before: [0, 0], histories: [unseen, unseen] },
      { local: [2, 1], before: [0, 0], histories: [{ bits: 1, cycles: 1 }, unseen] },
    ])
  })
})

describe('choosers by changes', () => {
  it('take the pages that changed in most of their visits, of equals the oldest copies', () => {
    withSeed('most frequent', (seed) => {
      const random = seededRandom('most frequent', seed)
      for (let run = 0; run < 50; run++) {
        const world = steadyWorld(random)
        const pages = world.timeline.urls.length
        const twin = new Twin(pages, function (_, budget) {
          const share = (page: number) => changeFrequency(this.histories[page]!)
          return [...this.histories.keys()]
            .sort((a, b) => share(b) - share(a) || this.lastVisits[a]! - this.lastVisits[b]! || a - b)
            .slice(0, budget)
        })
        replayBeside(world, judgedChooser(mostFrequent(pages)), random.between(1, pages), twin)
      }
    })
  })

  it('take, seeing all, as many changed pages as there are', () => {
    withSeed('changed pages', (seed) => {
      const random = seededRandom('changed pages', seed)
      for (let run = 0; run < 50; run++) {
        const world = steadyWorld(random)
        const pages = world.timeline.urls.length
        const budget = random.between(1, pages)
        let stale = 0
        const { cycles } = replay(world, judgedChooser(changedPages()), {
          budget,
          onStep: ({ copies }) => {
            stale = copies.live.filter((_, page) => !isFresh(copies, page)).length
          },
        })
        // Nobody stays stale while there is budget for him.
        if (cycles.at(-1)!.changed < budget) expect(stale).toBe(0)
      }
    })
  })
})
