/**
 * How far expected gains can be trusted: what fetched pages gained, compared with what was expected of them.
 *
 * Expectations are off by different factors at different sizes. The few pages that match queries well are judged about
 * right; the many about which little is known are judged too high. So pages are compared at levels of expected gain,
 * each four times the one below. Gains have heavy tails: a few pages bring most of them. So the factor of a level is
 * shrunk to that of all levels, and this one to 1.
 *
 * The logarithm of the calibrated gain is interpolated between the levels; beyond the outermost levels their factors
 * hold. It never falls (isotonic regression), so that chance at one level cannot reverse the order of pages.
 */
import { describe } from '../../base/describe.js'

/** The ratio of two neighbouring levels. */
const LEVEL_RATIO = 4
/** A prior weighs as much as this many pages. */
const PRIOR_PAGES = 30
/** The least slope of the interpolation: pages keep their order even where expectations seem to say nothing. */
const LEAST_SLOPE = 0.1

interface LevelSums {
  pages: number
  expected: number
  measured: number
}

interface LogPoint {
  /** ln of the expected gain. */
  readonly x: number
  /** ln of the calibrated gain. */
  readonly y: number
}

interface WeightedPoint extends LogPoint {
  readonly weight: number
}

/** How far gains of one size can be trusted. */
export interface CalibratedGain {
  /** The calibrated gain is the expected gain times this factor. */
  readonly factor: number
  /** The fetched pages of the level. */
  readonly pages: number
}

export class GainCalibration {
  readonly #levels = new Map<number, LevelSums>()
  /** The fitted points by size; undefined after a page was noted. */
  #points: LogPoint[] | undefined

  /** Pages compared so far. */
  get pages(): number {
    let pages = 0
    for (const sums of this.#levels.values()) pages += sums.pages
    return pages
  }

  /** Notes a page. A page of which no gain was expected says nothing and is left out. */
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

  /** The calibration of an expected gain; a factor of 1 for a gain of 0. */
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
   * The geometric mean of the factors of all pages, with PRIOR_PAGES of factor 1. Geometric, because a level of tiny
   * expectations that gained a thousand times as much says little about the others.
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

/** The factor of a level as if PRIOR_PAGES more of its pages had the factor `prior`. */
function shrunkFactor({ pages, expected, measured }: LevelSums, prior: number): number {
  const more = (PRIOR_PAGES * expected) / pages
  return (measured + prior * more) / (expected + more)
}

/** Isotonic regression above the least slope, by pooling neighbours that fall. */
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
