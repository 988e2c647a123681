/**
 * How far expected gains are to be believed: what pages gained when they were fetched, against what had been expected
 * of them.
 *
 * Expectations are off by different factors at different sizes: the few pages that queries speak for are judged about
 * right, the many of which next to nothing is known too high. So pages are compared at levels of expected gain, each
 * four times the one below. Gains have heavy tails, a few pages bring most of them: the factor of a level is believed
 * as far as it has pages, else that of all levels, and this one else 1.
 *
 * Logarithms of gains go along straight lines between the levels, and beyond the last ones with their factors. They
 * never fall (isotonic regression): chance at one level must not turn the order of pages round.
 */
import { describe } from '../../base/describe.js'

/** The ratio of two neighbouring levels. */
const LEVEL_RATIO = 4
/** As many pages say as much as what was believed before. */
const PRIOR_PAGES = 30
/** Of the lines, where expectations seem to say nothing: pages keep their order. */
const LEAST_SLOPE = 0.1

interface LevelSums {
  pages: number
  expected: number
  measured: number
}

/** Logarithms: of what was expected, and of what is to be expected. */
interface LogPoint {
  readonly x: number
  readonly y: number
}

interface WeightedPoint extends LogPoint {
  readonly weight: number
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
  /** By size; undefined after a page was noted. */
  #points: LogPoint[] | undefined

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
    this.#points = undefined
  }

  /** 1 for a gain of 0. */
  of(expected: number): CalibratedGain {
    requireGain('expected', expected)
    this.#points ??= this.#fit()
    if (expected === 0 || this.#points.length === 0) return { factor: 1, pages: 0 }
    const x = Math.log(expected)
    return { factor: Math.exp(heightAt(this.#points, x) - x), pages: this.#levels.get(levelOf(expected))?.pages ?? 0 }
  }

  #fit(): LogPoint[] {
    const overall = this.#overallFactor()
    const points = Array.from(this.#levels.values(), (sums) => {
      const x = Math.log(sums.expected / sums.pages)
      return { x, y: x + Math.log(shrunkFactor(sums, overall)), weight: sums.pages + PRIOR_PAGES }
    })
    return risingPoints(points.sort((a, b) => a.x - b.x))
  }

  /**
   * The geometric mean of the levels, each page one vote, and some for 1: where a level of tiny expectations gained a
   * thousand times of them, that says little of the others.
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

/** By pooling neighbours that fall, for all that is above the least slope. */
function risingPoints(points: readonly WeightedPoint[]): LogPoint[] {
  const pools: { height: number; weight: number; xs: number[] }[] = []
  for (const { x, y, weight } of points) {
    let pool = { height: y - LEAST_SLOPE * x, weight, xs: [x] }
    for (let last = pools.at(-1); last !== undefined && last.height > pool.height; last = pools.at(-1)) {
      pools.pop()
      const both = last.weight + pool.weight
      const height = (last.height * last.weight + pool.height * pool.weight) / both
      pool = { height, weight: both, xs: [...last.xs, ...pool.xs] }
    }
    pools.push(pool)
  }
  return pools.flatMap(({ height, xs }) => xs.map((x) => ({ x, y: height + LEAST_SLOPE * x })))
}

/** REQUIRES: at least one point. */
function heightAt(points: readonly LogPoint[], x: number): number {
  const at = points.findIndex((point) => point.x >= x)
  const next = points.at(at)!
  if (at <= 0) return next.y + x - next.x
  const before = points[at - 1]!
  return before.y + ((next.y - before.y) * (x - before.x)) / (next.x - before.x)
}

function levelOf(expected: number): number {
  return Math.round(Math.log(expected) / Math.log(LEVEL_RATIO))
}

function requireGain(name: string, gain: number): void {
  if (!(gain >= 0 && gain < Number.POSITIVE_INFINITY))
    throw new RangeError(`${name} must be a finite gain, at least 0, received ${describe(gain)}`)
}
