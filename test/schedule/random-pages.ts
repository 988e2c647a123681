import type { PageRates } from '../../src/math/harmonic-rates.js'
import type { SeededRandom } from '../support/seed.js'

export function pages(importance: readonly number[], changeRates: readonly number[]): PageRates {
  return { importance: Float64Array.from(importance), changeRates: Float64Array.from(changeRates) }
}

/** Some never change, and some are worth nothing. */
export function randomPages(random: SeededRandom, count: number): PageRates {
  const draw = (nothing: number) => (random.chance(nothing) ? 0 : 10 ** (3 * random.next() - 1.5))
  return pages(
    Array.from({ length: count }, () => draw(0.05)),
    Array.from({ length: count }, () => draw(0.05)),
  )
}

export function sumOf(values: Float64Array, value: (value: number, at: number) => number = (same) => same): number {
  let sum = 0
  for (const [at, each] of values.entries()) sum += value(each, at)
  return sum
}
