/** The middle value; of an even number of values the mean of the two in the middle. REQUIRES: at least one value. */
export function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The ends between which a share of the values lies, as much below as above them; NaN without any value. */
export function centralInterval(values: ArrayLike<number>, share: number): readonly [low: number, high: number] {
  const sorted = Float64Array.from(values).sort()
  const quantile = (part: number) => sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN
  return [quantile((1 - share) / 2), quantile((1 + share) / 2)]
}
