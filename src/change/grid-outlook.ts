/**
 * What all rates of the grid make of one age, in one pass and without an exponential for each rate: rates halve along
 * the grid, and
 *
 *   e^(-2x) = (e^(-x))²       1 - e^(-2x) = (1 - e^(-x)) (1 + e^(-x))
 *
 * so the values of a rate follow from those of the rate below it. The utility of a copy of K parts
 * (divergence-curve.ts) is, with W_n the sum of j c_j over j < n, and T_n that over j >= n,
 *
 *   λ U = Σ j c_j - e^(-x) Σ x^n/n! T_n    (n from 0 to K)        from half an expected update on,
 *   λ U = e^(-x) Σ x^n/n! W_n              (n from 2)             below that, where the first form would cancel.
 *
 * The results are those of changeChance(), meanUtility() and meanUtilityGrowth() of rate-grid.ts up to a relative error
 * of 1e-12.
 */
import { HOUR_MS } from '../base/time.js'
import { GRID_SIZE, type RateChances } from './rate-grid.js'

/** Written over by each call of `GridOutlook.at`. */
export interface OutlookSums {
  /** The probability that the page has changed. */
  changeChance: number
  /** By how much that grows, per millisecond. */
  chanceGrowth: number
  /** E[U] in milliseconds. */
  utilityMs: number
  /** An upper bound of the growth of E[U] per millisecond, from this age on. */
  utilityGrowth: number
}

export function newOutlookSums(): OutlookSums {
  return { changeChance: 0, chanceGrowth: 0, utilityMs: 0, utilityGrowth: 0 }
}

const LOWEST_PERIOD_MS = HOUR_MS * 2 ** (GRID_SIZE - 1)
/** Below this many expected updates the second form is used. */
const FEW_UPDATES = 0.5
/** Terms of the second form: the next ones are below the rounding error of the sum. */
const TERMS = 16
/** Below this many expected updates, so many terms suffice. */
const HARDLY_ANY = 1 / 32
const FEW_TERMS = 8
/** Below this probability of no update, it adds less to a chance or a utility than the rounding error of the sum. */
const NEVER_SAME = 1e-35

export class GridOutlook {
  readonly #items: number
  /** Σ j c_j. */
  readonly #limit: number
  /** T_n / n!, n from 0. */
  readonly #many: Float64Array
  /** W_(n+2) / (n+2)!, n from 0. */
  readonly #few: Float64Array
  /** j c_j / j!, j from 1. */
  readonly #growth: Float64Array

  /** For copies of `items` parts, of which each change takes one. */
  constructor(items: number) {
    const worth = Array.from({ length: items + 1 }, (_, j) => (j === 0 ? 0 : j * stepLoss(j, items)))
    const sum = (from: number, to: number) => worth.slice(from, to).reduce((total, one) => total + one, 0)
    this.#items = items
    this.#limit = sum(0, items + 1)
    this.#many = Float64Array.from({ length: items + 1 }, (_, n) => sum(n, items + 1) / factorial(n))
    this.#few = Float64Array.from({ length: TERMS }, (_, n) => sum(0, Math.min(n + 2, items + 1)) / factorial(n + 2))
    this.#growth = Float64Array.from({ length: items }, (_, j) => worth[j + 1]! / factorial(j + 1))
  }

  /** Only the probability of a change and its growth. REQUIRES: ageMs >= 0. */
  chanceAt(chances: RateChances, ageMs: number, into: OutlookSums): void {
    let rate = 1 / LOWEST_PERIOD_MS
    let changed = -Math.expm1(-ageMs * rate)
    let chance = 0
    let growth = 0
    for (let at = GRID_SIZE - 1; at >= 0; at--) {
      const weight = chances[at]!
      chance += weight * changed
      growth += weight * rate * (1 - changed)
      rate *= 2
      changed *= 2 - changed
    }
    into.changeChance = chance < 1 ? chance : 1
    into.chanceGrowth = growth
  }

  /** All of it. REQUIRES: ageMs >= 0. */
  at(chances: RateChances, ageMs: number, into: OutlookSums): void {
    let updates = ageMs / LOWEST_PERIOD_MS
    let periodMs = LOWEST_PERIOD_MS
    let changed = -Math.expm1(-updates)
    let same = Math.exp(-updates)
    let chance = 0
    let chanceGrowth = 0
    let utilityMs = 0
    let utilityGrowth = 0
    let at = GRID_SIZE - 1
    for (; at >= 0 && same > NEVER_SAME; at--) {
      const weight = chances[at]!
      chance += weight * changed
      chanceGrowth += (weight * same) / periodMs
      utilityMs += weight * periodMs * this.#unitUtility(updates, same)
      utilityGrowth += weight * this.#unitGrowth(updates, same)
      updates *= 2
      periodMs *= 0.5
      changed *= 2 - changed
      // Every square doubles the relative error, and few of them are needed from here on.
      same = updates < 1 ? 1 - changed : same * same
    }
    // Copies of pages with these rates are out of date for certain.
    for (; at >= 0; at--) {
      const weight = chances[at]!
      chance += weight
      utilityMs += weight * periodMs * this.#limit
      periodMs *= 0.5
      if (same === 0) continue
      // An upper bound is never 0 while something grows.
      utilityGrowth += weight * this.#unitGrowth(updates, same)
      updates *= 2
      same *= same
    }
    into.changeChance = chance < 1 ? chance : 1
    into.chanceGrowth = chanceGrowth
    into.utilityMs = utilityMs
    into.utilityGrowth = utilityGrowth
  }

  #unitUtility(x: number, same: number): number {
    if (x >= FEW_UPDATES) {
      const many = this.#many
      let sum = many[many.length - 1]!
      for (let n = many.length - 2; n >= 0; n--) sum = sum * x + many[n]!
      // Where e^(-x) is 0, the sum may be infinite.
      return same > 0 ? this.#limit - same * sum : this.#limit
    }
    const few = this.#few
    let sum = 0
    for (let n = (x < HARDLY_ANY ? FEW_TERMS : TERMS) - 1; n >= 0; n--) sum = sum * x + few[n]!
    return same * x * x * sum
  }

  #unitGrowth(x: number, same: number): number {
    if (x < this.#items) return this.#items === 1 ? 1 / Math.E : 0.5
    if (same === 0) return 0
    const growth = this.#growth
    let sum = 0
    for (let j = growth.length - 1; j >= 0; j--) sum = sum * x + growth[j]!
    return same * x * sum
  }
}

/** c_j of divergence-curve.ts. */
function stepLoss(j: number, items: number): number {
  return (2 * items) / ((items + j) * (items + j - 1))
}

function factorial(n: number): number {
  let product = 1
  for (let factor = 2; factor <= n; factor++) product *= factor
  return product
}
