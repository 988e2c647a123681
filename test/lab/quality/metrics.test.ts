import { describe, expect, it } from 'vitest'
import type { ShingleSet } from '../../../src/change/sketches.js'
import {
  averagePrecision,
  embarrassment,
  freshness,
  meanAgeMs,
  topFreshness,
  topPrecision,
} from '../../../src/lab/quality/freshness.js'
import { changeRatio, replay } from '../../../src/lab/quality/replay.js'
import { RepositoryQuality } from '../../../src/lab/quality/repository-quality.js'
import { type SeededRandom, seededRandom, withSeed } from '../../support/seed.js'
import { fragmentStaleness } from './fragment-staleness.js'
import { type RandomWorld, randomWorld, scoredWorld } from './scored-worlds.js'

/** Replayed page by page: which version is where, and since when a copy differs. */
interface PlainCopy {
  local: number
  live: number
  staleSince: number | undefined
}

interface PlainState {
  readonly state: RepositoryQuality
  readonly copies: PlainCopy[]
  readonly nowMs: number
}

/** A random replay up to its end; every entry of a step is a version, numbered in order. */
function replayed(random: SeededRandom, { pages, weights, steps }: RandomWorld): PlainState {
  const state = new RepositoryQuality(scoredWorld(pages, weights, steps))
  const copies = Array.from({ length: pages }, (): PlainCopy => ({ local: -1, live: -1, staleSince: undefined }))
  let version = 0
  for (const [at, step] of steps.entries()) {
    if (at > 0) state.advance()
    for (const [page, scores] of step) copies[page]!.live = scores === undefined ? -1 : version++
    for (const [page, copy] of copies.entries()) {
      if (at === 0) copy.local = copy.live
      else if (random.chance(0.2)) {
        state.refresh(page)
        copy.local = copy.live
      }
      const isStale = copy.local !== -1 && copy.local !== copy.live
      copy.staleSince = isStale ? (copy.staleSince ?? at * 1000) : undefined
    }
  }
  return { state, copies, nowMs: (steps.length - 1) * 1000 }
}

function meanOf(values: readonly number[], ofNone: number): number {
  return values.length === 0 ? ofNone : values.reduce((sum, value) => sum + value, 0) / values.length
}

describe('the metrics of a repository', () => {
  it('are those of their definitions', () => {
    withSeed('metrics', (seed) => {
      const random = seededRandom('metrics', seed)
      for (let round = 0; round < 200; round++) {
        const world = randomWorld(random)
        const { state, copies, nowMs } = replayed(random, world)
        const held = copies.filter(({ local }) => local !== -1)
        const isStale = ({ local, live }: PlainCopy) => local !== live
        expect(freshness(state.copies)).toBeCloseTo(
          meanOf(
            held.map((copy) => (isStale(copy) ? 0 : 1)),
            1,
          ),
          12,
        )
        const ages = held.map((copy) => (isStale(copy) ? nowMs - copy.staleSince! : 0))
        expect(meanAgeMs(state.copies, nowMs)).toBeCloseTo(meanOf(ages, 0), 9)
        expectFragments(random, { state, copies, nowMs })
        expectAnswers({ state, copies, nowMs }, world.weights, random.between(1, 4))
      }
    })
  })

  function expectFragments(random: SeededRandom, { state, copies }: PlainState): void {
    const sets = Array.from({ length: 200 }, () => new Set(Array.from({ length: random.int(4) }, () => random.int(5))))
    const shingles = sets.map((set): ShingleSet => BigUint64Array.from(set, BigInt).sort())
    const weights = Float64Array.from(copies, () => random.next())
    const values = copies.flatMap(({ local, live }, page) => {
      if (local === -1) return []
      const [a, b] = [sets[local]!, live === -1 ? new Set<number>() : sets[live]!]
      const all = new Set([...a, ...b])
      const shared = [...a].filter((value) => b.has(value)).length
      return [weights[page]! * (local === live || all.size === 0 ? 0 : 1 - shared / all.size)]
    })
    expect(fragmentStaleness(state.copies, shingles, weights)).toBeCloseTo(meanOf(values, 0), 12)
  }

  function expectAnswers({ state, copies }: PlainState, weights: readonly number[], k: number): void {
    const isStale = (page: number) => copies[page]!.local !== copies[page]!.live
    const total = (values: readonly (number | undefined)[]) => {
      const known = values.flatMap((value, query) => (value === undefined ? [] : [[weights[query]!, value] as const]))
      const weight = known.reduce((sum, [each]) => sum + each, 0)
      return weight === 0 ? 1 : known.reduce((sum, [each, value]) => sum + each * value, 0) / weight
    }
    const answers = weights.map((_, query) => [...state.localAnswers(query)])
    const harm = Float64Array.from(copies, (_, page) => 1 / (page + 1))
    const seen = answers.map((pages) =>
      pages.reduce((sum, page, at) => sum + (isStale(page) ? (at + 1) ** -1.5 / (page + 1) : 0), 0),
    )
    expect(embarrassment(state, harm)).toBeCloseTo(total(seen), 12)
    const shown = answers.map((pages) =>
      pages.slice(0, 2).reduce((sum, page, at) => sum + (isStale(page) ? (at + 1) ** -1.5 : 0), 0),
    )
    expect(embarrassment(state, undefined, 2)).toBeCloseTo(total(shown), 12)
    const fresh = answers.map((pages) => {
      const top = pages.slice(0, k)
      return top.length === 0
        ? undefined
        : meanOf(
            top.map((page) => (isStale(page) ? 0 : 1)),
            0,
          )
    })
    expect(topFreshness(state, k)).toBeCloseTo(total(fresh), 12)
    const precision = answers.map((pages, query) => {
      const best = [...state.liveAnswers(query)].slice(0, k)
      if (best.length === 0) return undefined
      const ranks = pages.slice(0, k).flatMap((page, at) => (best.includes(page) ? [at + 1] : []))
      return ranks.reduce((sum, rank1, nth) => sum + (nth + 1) / rank1, 0) / best.length
    })
    expect(topPrecision(state, k)).toBeCloseTo(total(precision), 12)
  }

  it('are those of a repository in step with its world', () => {
    const state = new RepositoryQuality(scoredWorld(2, [1], [new Map([[0, { 0: 1 }]])]))
    expect(freshness(state.copies)).toBe(1)
    expect(meanAgeMs(state.copies, 5000)).toBe(0)
    expect(fragmentStaleness(state.copies, [])).toBe(0)
    expect(embarrassment(state)).toBe(0)
    expect(topFreshness(state)).toBe(1)
    expect(topPrecision(state)).toBe(1)
  })

  it('a change that is taken back makes its copy fresh again', () => {
    const world = scoredWorld(1, [1], [new Map([[0, { 0: 1 }]]), new Map([[0, { 0: 2 }]]), new Map([[0, { 0: 3 }]])])
    world.timeline.changedVersions[2] = 0
    const state = new RepositoryQuality(world)
    state.advance()
    expect([freshness(state.copies), meanAgeMs(state.copies, 1500)]).toEqual([0, 500])
    state.advance()
    expect([freshness(state.copies), meanAgeMs(state.copies, 2500)]).toEqual([1, 0])
    expect(state.quality).toBe(1)
  })
})

describe('the reference values of clustering-based crawling', () => {
  it('for ChangeRatio', () => {
    const cycles = [
      { downloaded: 10, changed: 3 },
      { downloaded: 10, changed: 5 },
    ]
    expect(changeRatio(cycles)).toBeCloseTo(0.4, 12)
    expect(changeRatio([...cycles, { downloaded: 0, changed: 0 }])).toBeCloseTo(0.4, 12)
    expect(changeRatio([])).toBe(0)
  })

  it('for the weighted ChangeRatio', () => {
    // Page 0 changes, and weighs three times as much as an ordinary page.
    const first = new Map([0, 1].map((page) => [page, { 0: 1 + page }]))
    const world = scoredWorld(2, [1], [first, new Map([[0, { 0: 5 }]])])
    const chooser = { next: () => [0, 1], observe: () => {} }
    const { cycles } = replay(world, chooser, { budget: 2, pageWeights: Float64Array.of(3, 0.5) })
    expect(cycles).toEqual([{ downloaded: 2, changed: 1, changedWeight: 3 }])
  })

  it('for average precision', () => {
    expect(averagePrecision([true, false, true, true], 3)).toBeCloseTo(0.8055555555555555, 12)
    // One of ten relevant answers at the first place is a tenth, not all.
    expect(averagePrecision([true], 10)).toBeCloseTo(0.1, 12)
    expect(averagePrecision([], 2)).toBe(0)
    expect(averagePrecision([false, false], 1)).toBe(0)
  })

  it('for top-k freshness', () => {
    const first = new Map([0, 1, 2, 3].map((page) => [page, { 0: 4 - page }]))
    const state = new RepositoryQuality(scoredWorld(4, [1], [first, new Map([[2, { 0: 2 }]])]))
    state.advance()
    expect(topFreshness(state, 4)).toBe(0.75)
  })
})
