/** How old copies are: whether a policy leaves some pages behind for ever. */

/** In the unit of the ages; each an age that a page has. All 0 where there is no page. */
export interface AgeQuantiles {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

/** The p-th: the least age that so many per cent of the pages do not exceed. */
export function ageQuantiles(ages: Float64Array): AgeQuantiles {
  const sorted = ages.toSorted()
  const quantile = (percent: number) => sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0
  return { p50: quantile(50), p90: quantile(90), p99: quantile(99), max: quantile(100) }
}
