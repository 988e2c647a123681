/**
 * How far expected gains are to be believed: what pages gained when they were fetched, against what had been expected of them.
 *
 * Expectations are off by different factors at different sizes: the few pages that queries speak for are judged about right, the many of which next to nothing
 * is known too high. So pages are compared at levels of expected gain, each four times the one below. Gains have heavy tails, a few pages bring most of
 * them: the factor of a level is believed as far as it has pages, else that of all levels, and this one else 1.
 */
import { describe } from '../describe.js'

/** The ratio of two neighbouring levels. */
const LEVEL_RATIO = 4
/** As many pages say as much as what was believed before. */
const PRIOR_PAGES = 30

interface LevelSums {
  pages: number
  expected: number
  measured: number
}

/** Of gains of one size. */
export interface CalibratedGain {
  /** What was expected times this is to be expected. */
  readonly factor: number
  /** Pages of its level that were seen. */
  readonly pages: number
}

export class GainCalibration {
  readonly #levels = new Map<number, LevelSums>()
  #overall: number | undefined

  /** Pages compared so far. */
  get pages(): number {
    let pages = 0
    for (const sums of this.#levels.values()) pages += sums.pages
    return pages
  }

  /** Of a page of which nothing was expected nothing can be learnt. */
  note(expected: number, measured: number): void {
    requireGain('expected', expected)
    requireGain('measured', measured)
    if (expected === 0) return
    const level = levelOf(expected)
    const sums = this.#levels.get(level) ?? { pages: 0, expected: 0, measured: 0 }
    sums.pages++
    sums.expected += expected
    sums.measured += measured
    this.#levels.set(level, sums)
    this.#overall = undefined
  }

  of(expected: number): CalibratedGain {
    requireGain('expected', expected)
    const sums = expected === 0 ? undefined : this.#levels.get(levelOf(expected))
    this.#overall ??= this.#overallFactor()
    if (sums === undefined) return { factor: this.#overall, pages: 0 }
    return { factor: shrunkFactor(sums, this.#overall), pages: sums.pages }
  }

  /**
   * The geometric mean of the levels, each page one vote, and some for 1: where a level of tiny expectations gained a thousand times of them, that says little of
   * the others.
   */
  #overallFactor(): number {
    let [pages, logs] = [PRIOR_PAGES, 0]
    for (const sums of this.#levels.values()) {
      pages += sums.pages
      logs += sums.pages * Math.log(shrunkFactor(sums, 1))
    }
    return Math.exp(logs / pages)
  }
}

/** As if some more pages of the same size had gained what `prior` says. */
function shrunkFactor({ pages, expected, measured }: LevelSums, prior: number): number {
  const more = (PRIOR_PAGES * expected) / pages
  return (measured + prior * more) / (expected + more)
}

function levelOf(expected: number): number {
  return Math.round(Math.log(expected) / Math.log(LEVEL_RATIO))
}

function requireGain(name: string, gain: number): void {
  if (!(gain >= 0 && gain < Number.POSITIVE_INFINITY))
    throw new RangeError(`${name} must be a finite gain, at least 0, received ${describe(gain)}`)
}
