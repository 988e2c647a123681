import { describe, expect, it } from 'vitest'
import {
  chancesAround,
  changeChance,
  GRID_RATES_PER_MS,
  GRID_SIZE,
  learntPrior,
  type RateChances,
  visitLikelihoods,
} from '../../src/change/rate-grid.js'
import { type RatedPage, sectionPriors } from '../../src/change/sections.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const WHOLE = chancesAround(1 / (90 * DAY_MS))
const sumOf = (values: Readonly<Float64Array>) => values.reduce((sum, value) => sum + value, 0)

/** Weekly visits: how many found a change, and how many none. */
function page(section: number, changed: number, same: number): RatedPage {
  const seen = {
    sameMs: same * WEEK_MS,
    changedMs: Array<number>(changed).fill(WEEK_MS),
    furtherChanged: { count: 0, intervalMs: 1 },
  }
  return { section, likelihoods: visitLikelihoods(seen) }
}

function pages(count: number, ...of: Parameters<typeof page>): RatedPage[] {
  return Array.from({ length: count }, () => page(...of))
}

/** The part of the chances that is elsewhere. */
function distance(one: RateChances, other: RateChances): number {
  return one.reduce((sum, chance, at) => sum + Math.abs(chance - other[at]!), 0) / 2
}

describe('the rates of a section', () => {
  it('are those of its parent where nothing was visited', () => {
    const parents = [0, 0, 1, 2, 0]
    const priors = sectionPriors({ parents }, pages(30, 1, 5, 0), WHOLE)
    expect(priors).toHaveLength(5)
    expect(priors[0]).toEqual(WHOLE)
    expect(distance(priors[1]!, WHOLE)).toBeGreaterThan(0.5)
    for (const [section, parent] of [
      [2, 1],
      [3, 1],
      [4, 0],
    ] as const)
      expect(distance(priors[section]!, priors[parent]!)).toBeLessThan(1e-12)
    for (const unvisited of sectionPriors({ parents }, [], WHOLE))
      expect(distance(unvisited, WHOLE)).toBeLessThan(1e-12)
  })

  it('are those of the whole where there is but one', () => {
    expect(sectionPriors({ parents: [0] }, pages(30, 0, 5, 0), WHOLE)).toEqual([WHOLE])
  })

  it('tell sections apart, so that a new page of each has a fitting prior', () => {
    withSeed('two sections', (seed) => {
      const random = new SeededRandom(seed)
      const rates = [0, 1 / (3 * DAY_MS), 1 / (300 * DAY_MS)]
      const seen = Array.from({ length: 400 }, (_, nth) => {
        const section = 1 + (nth % 2)
        let changed = 0
        for (let visit = 0; visit < 4; visit++) if (random.chance(-Math.expm1(-rates[section]! * WEEK_MS))) changed++
        return page(section, changed, 4 - changed)
      })
      const whole = learntPrior(
        seen.map(({ likelihoods }) => likelihoods),
        WHOLE,
        5,
        4,
      )
      const priors = sectionPriors({ parents: [0, 0, 0] }, seen, whole)
      for (const section of [1, 2]) {
        const said = changeChance(priors[section]!, WEEK_MS)
        const truth = -Math.expm1(-rates[section]! * WEEK_MS)
        expect(Math.abs(said - truth)).toBeLessThan(0.08)
        expect(Math.abs(said - truth)).toBeLessThan(0.25 * Math.abs(changeChance(whole, WEEK_MS) - truth))
      }
      const near = GRID_RATES_PER_MS.findIndex((rate) => rate < rates[1]! * Math.SQRT2)
      expect(sumOf(priors[1]!.filter((_, at) => Math.abs(at - near) <= 2))).toBeGreaterThan(0.8)
    })
  })

  it('are hardly other than those of the parent where pages are few', () => {
    const parents = [0, 0, 1, 1]
    const calm = pages(300, 1, 0, 6)
    const priors = sectionPriors({ parents }, [...calm, ...pages(2, 2, 6, 0), ...pages(60, 3, 6, 0)], WHOLE)
    // Two pages against the eight that the parent counts for.
    expect(distance(priors[2]!, priors[1]!)).toBeLessThanOrEqual(0.2)
    expect(distance(priors[2]!, priors[1]!)).toBeGreaterThan(0.02)
    expect(distance(priors[3]!, priors[1]!)).toBeGreaterThan(0.6)
  })

  it('draw the parent to them', () => {
    const parents = [0, 0, 1]
    const [alone, together] = [pages(20, 1, 0, 6), [...pages(20, 1, 0, 6), ...pages(40, 2, 6, 0)]].map((seen) =>
      changeChance(sectionPriors({ parents }, seen, WHOLE)[1]!, WEEK_MS),
    )
    expect(together).toBeGreaterThan(3 * alone!)
  })

  it('add up to 1, and are those of the formula, section by section', () => {
    withSeed('section rates', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 60; round++) {
        const parents = [0]
        for (let left = random.int(9); left > 0; left--) parents.push(random.int(parents.length))
        const seen = Array.from({ length: random.pick([0, 1, 10, 60]) }, () =>
          page(random.int(parents.length), random.int(5), random.int(9)),
        )
        const whole = chancesAround(10 ** (random.next() * 3 - 3) / DAY_MS)
        const priors = sectionPriors({ parents }, seen, whole)
        expect(priors).toHaveLength(parents.length)
        for (const [section, prior] of priors.entries()) {
          expect(prior).toHaveLength(GRID_SIZE)
          expect(Math.abs(sumOf(prior) - 1)).toBeLessThan(1e-12)
          const twin = priorByFormula(parents, seen, whole, section, 2)
          for (const [at, chance] of prior.entries()) expect(Math.abs(chance - twin[at]!)).toBeLessThan(1e-12)
        }
      }
    })
  })
})

/** What all pages in and below a section are believed to be after `round` rounds, and eight more like the parent's. */
function priorByFormula(
  parents: readonly number[],
  seen: readonly RatedPage[],
  whole: RateChances,
  section: number,
  round: number,
): number[] {
  if (section === 0 || round === 0) return [...whole]
  const isBelow = (other: number): boolean => other === section || (other > section && isBelow(parents[other]!))
  const inside = seen.filter((each) => isBelow(each.section))
  const beliefs = new Map(
    [...new Set(inside.map((each) => each.section))].map((each) => [
      each,
      priorByFormula(parents, seen, whole, each, round - 1),
    ]),
  )
  const above = priorByFormula(parents, seen, whole, parents[section]!, round)
  const posteriors = inside.map((each) => {
    const weights = beliefs.get(each.section)!.map((chance, at) => chance * each.likelihoods[at]!)
    const sum = weights.reduce((total, weight) => total + weight, 0)
    return weights.map((weight) => weight / sum)
  })
  return above.map((chance, at) => {
    const found = posteriors.reduce((total, posterior) => total + posterior[at]!, 0)
    return (found + 8 * chance) / (inside.length + 8)
  })
}
