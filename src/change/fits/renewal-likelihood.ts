/**
 * How likely a renewal law makes what visits saw: whether there was an update since the visit before, not when nor how many. Hidden
 * updates make this a sum over all the times at which they may have happened, computed forward in time.
 *
 * Time between two visits of which the later saw a change is cut into cells of equal length, and an update in a cell counts as one in its
 * middle. All that the past has to say about the future is when the last update was, so it is kept as a weight for each cell
 * that may hold it; a visit that saw a change leaves only cells since the visit before. Visits that saw none just let time
 * pass. The law is in equilibrium at the first visit ("Optimal crawling strategies", section 2.1).
 *
 * For Poisson laws, which remember nothing, that is exact; for others the error falls with the square of the cells' length.
 */
import type { RenewalLaw } from '../update-law.js'
import type { VisitHistory } from '../visit-history.js'

const CELLS = 8

/** The last gap between visits in which there was an update. */
interface Gap {
  readonly endMs: number
  readonly cellMs: number
  /**
   * For each cell: how likely the last update of the gap was there, given all that was seen until endMs, over the survival from there
   * to endMs. Times the survival to a later time, that is how likely there was no update since.
   */
  readonly weights: Float64Array
}

/** ln of the probability of all visits, in their order. Times of the law are in milliseconds; the first visit of all is at 0. */
export function renewalLogLikelihood(law: RenewalLaw, history: VisitHistory, cells = CELLS): number {
  let logLikelihood = 0
  let last: Gap | undefined
  let atMs = 0
  for (const { intervalMs, changed } of history) {
    const fromMs = atMs
    atMs += intervalMs
    if (!changed) continue
    const { gap, probability } = updatesBetween(law, last, fromMs, atMs, cells)
    if (!(probability > 0)) return Number.NEGATIVE_INFINITY
    logLikelihood += Math.log(probability)
    last = gap
  }
  return logLikelihood + Math.log(noUpdateUntil(law, last, atMs))
}

/**
 * The probability, given all that was seen until the end of `last`, that there is no update from there until fromMs and at least one until
 * toMs; and what is known at toMs if so.
 */
function updatesBetween(law: RenewalLaw, last: Gap | undefined, fromMs: number, toMs: number, cells: number) {
  const cellMs = (toMs - fromMs) / cells
  /** From the middle of a cell to the end of the k-th one after it. */
  const survivals = Float64Array.from({ length: cells }, (_, k) => law.survival((k + 0.5) * cellMs))
  const toOwnEnd = survivals[0]!
  const weights = firstUpdates(law, last, fromMs, cellMs, cells)
  for (let cell = 0; cell < cells; cell++) {
    // The first update since the last gap, or the first one since an earlier cell of this gap.
    for (let earlier = 0; earlier < cell; earlier++) {
      weights[cell]! += weights[earlier]! * (survivals[cell - earlier - 1]! - survivals[cell - earlier]!)
    }
    weights[cell]! /= toOwnEnd
  }
  const probability = weights.reduce((sum, weight, cell) => sum + weight * survivals[cells - 1 - cell]!, 0)
  const gap: Gap = { endMs: toMs, cellMs, weights: weights.map((weight) => weight / probability) }
  return { gap, probability }
}

/** For each cell from fromMs on: how likely the first update since the end of `last` is there. */
function firstUpdates(
  law: RenewalLaw,
  last: Gap | undefined,
  fromMs: number,
  cellMs: number,
  cells: number,
): Float64Array {
  const quiet = Float64Array.from({ length: cells + 1 }, (_, nth) => noUpdateUntil(law, last, fromMs + nth * cellMs))
  return Float64Array.from({ length: cells }, (_, cell) => quiet[cell]! - quiet[cell + 1]!)
}

/** How likely there was no update from the end of `last` until atMs; without a last gap, from the first visit on. */
function noUpdateUntil(law: RenewalLaw, last: Gap | undefined, atMs: number): number {
  if (last === undefined) return 1 - law.staleProbability(atMs)
  const { endMs, cellMs, weights } = last
  let sum = 0
  for (let cell = 0; cell < weights.length; cell++) {
    sum += weights[cell]! * law.survival(atMs - endMs + (weights.length - cell - 0.5) * cellMs)
  }
  return sum
}
