import { parameter } from '../change/law-parameters.js'
import { describe } from '../describe.js'

export interface EmbarrassmentFactors {
  /** d: how likely a query is answered wrongly by a stale copy of the page. */
  readonly incorrect: number
  /** c[j][k]: how often the result at place j of result page k is clicked. */
  readonly clicks: readonly (readonly number[])[]
  /** b[j][k]: how likely the page is returned at place j of result page k. */
  readonly returned: readonly (readonly number[])[]
}

/** w = d times the sum of c[j][k] b[j][k]: what a stale page costs the one who answers with it ("Optimal crawling strategies", Eq. 8). */
export function embarrassmentWeight({ incorrect, clicks, returned }: EmbarrassmentFactors): number {
  const shape = (rows: readonly (readonly number[])[]) => rows.map((row) => row.length).join(' ')
  if (shape(clicks) !== shape(returned)) {
    throw new RangeError(
      `clicks and returned must have the same places, received rows of ${describe(shape(clicks))} and ${describe(shape(returned))}`,
    )
  }
  let sum = 0
  for (const [j, row] of clicks.entries()) {
    for (const [k, click] of row.entries()) {
      const c = parameter(`clicks[${j}][${k}]`, click, { min: 0 })
      sum += c * parameter(`returned[${j}][${k}]`, returned[j]?.[k], { min: 0, max: 1 })
    }
  }
  return parameter('incorrect', incorrect, { min: 0, max: 1 }) * sum
}
