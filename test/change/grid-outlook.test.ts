/** The outlook of all rates at once, against the functions that compute each rate by itself. */
import { expect, test } from 'vitest'
import { GridOutlook, newOutlookSums } from '../../src/change/grid-outlook.js'
import {
  changeChance,
  GRID_RATES_PER_MS,
  GRID_SIZE,
  gridCurves,
  meanUtility,
  meanUtilityGrowth,
} from '../../src/change/rate-grid.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const YEAR_MS = 365 * 86_400_000

const isNear = (value: number, expected: number) => Math.abs(value - expected) <= 1e-12 * Math.abs(expected)

test('agrees with what each rate gives by itself, at any age', () => {
  withSeed('grid outlook', (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < 200; round++) check(random)
  })
})

function check(random: SeededRandom): void {
  const raw = Float64Array.from({ length: GRID_SIZE }, () => random.next() ** 4)
  // Often only one rate counts, so that nothing hides its error.
  if (random.chance(0.5)) {
    raw.fill(0)
    raw[Math.floor(GRID_SIZE * random.next())] = 1
  }
  const sum = raw.reduce((total, one) => total + one, 0)
  const chances = raw.map((one) => one / sum)
  const ageMs = random.pick([0, 1, 10 ** (13 * random.next()), 2 * YEAR_MS * random.next(), 1e15])
  for (const items of [1, 2, 5]) {
    const curves = gridCurves(items)
    const sums = newOutlookSums()
    new GridOutlook(items).at(chances, ageMs, sums)
    const utility = meanUtility(chances, curves, ageMs)
    expect(isNear(sums.utilityMs, utility), `${sums.utilityMs} ${utility} at ${ageMs} of ${items}`).toBe(true)
    expect(isNear(sums.changeChance, changeChance(chances, ageMs))).toBe(true)
    const growth = meanUtilityGrowth(chances, curves, ageMs)
    expect(isNear(sums.utilityGrowth, growth), `${sums.utilityGrowth} ${growth} at ${ageMs} of ${items}`).toBe(true)
    const chance = newOutlookSums()
    new GridOutlook(items).chanceAt(chances, ageMs, chance)
    expect(isNear(chance.changeChance, sums.changeChance)).toBe(true)
    const slope = chances.reduce(
      (total, one, at) => total + one * GRID_RATES_PER_MS[at]! * Math.exp(-GRID_RATES_PER_MS[at]! * ageMs),
      0,
    )
    expect(Math.abs(chance.chanceGrowth - slope)).toBeLessThanOrEqual(1e-9 * slope + 1e-15 * GRID_RATES_PER_MS[0]!)
  }
}
