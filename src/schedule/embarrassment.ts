/** What a stale page costs whoever answers with it ("Optimal crawling strategies", section 2.2). */
import { numberOption, parameter, requireList, requireObject } from '../base/checks.js'
import { describe } from '../base/describe.js'

export interface EmbarrassmentFactors {
  /** d: the probability that a stale copy of the page answers a query wrongly. */
  readonly incorrect: number
  /**
   * c[j][k]: how often the result at place j of result page k is clicked. Default: `clickFrequencies()` of the
   * places.
   */
  readonly clicks?: readonly (readonly number[])[]
  /** b[j][k]: the probability that the page is returned at place j of result page k. */
  readonly returned: readonly (readonly number[])[]
}

/** w = d times the sum of c[j][k] b[j][k] (Eq. 8). */
export function embarrassmentWeight(factors: EmbarrassmentFactors): number {
  const { incorrect, returned, clicks } = requireObject('factors', factors)
  for (const [name, rows] of Object.entries({ clicks: clicks ?? [], returned }))
    for (const [at, row] of requireList(name, rows).entries()) requireList(`${name}[${at}]`, row)
  const frequencies = clicks ?? clickFrequencies({ places: returned.length, pages: returned[0]?.length ?? 0 })
  const shape = (rows: readonly (readonly number[])[]) => rows.map((row) => row.length).join(' ')
  if (shape(frequencies) !== shape(returned)) {
    throw new RangeError(
      'clicks and returned must have the same places, ' +
        `received rows of ${describe(shape(frequencies))} and ${describe(shape(returned))}`,
    )
  }
  let sum = 0
  for (const [j, row] of frequencies.entries()) {
    for (const [k, click] of row.entries()) {
      const c = parameter(`clicks[${j}][${k}]`, click, { min: 0 })
      sum += c * parameter(`returned[${j}][${k}]`, returned[j]?.[k], { min: 0, max: 1 })
    }
  }
  return parameter('incorrect', incorrect, { min: 0, max: 1 }) * sum
}

export interface ClickCurve {
  /** P: places of a result page. Default 10. */
  readonly places?: number
  /** Result pages. Default 5. */
  readonly pages?: number
  /** How alike the places are: the n-th is clicked in proportion to n^(theta - 1). Default 0, the most skewed. */
  readonly theta?: number
  /** The probability of going on to the next result page. Default 0.8. */
  readonly onward?: number
}

/**
 * c[j][k]: a Zipf-like function of the place among all, times a geometric one of the result page (Figure 3), so that
 * the Zipf-like part has the sum 1.
 */
export function clickFrequencies(curve: ClickCurve = {}): number[][] {
  const { places, pages, theta, onward } = requireObject('curve', curve)
  const count = { min: 0, max: 1000, integer: true }
  const rows = numberOption('places', places, 10, count)
  const columns = numberOption('pages', pages, 5, count)
  const skew = numberOption('theta', theta, 0, { min: 0, max: 1 }) - 1
  const next = numberOption('onward', onward, 0.8, { min: 0, max: 1 })
  let sum = 0
  for (let at = 1; at <= rows * columns; at++) sum += at ** skew
  return Array.from({ length: rows }, (_, place) =>
    Array.from({ length: columns }, (_, page) => (next ** page * (page * rows + place + 1) ** skew) / sum),
  )
}
