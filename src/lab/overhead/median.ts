/** The middle one; of an even number the mean of the two in the middle. REQUIRES: at least one. */
export function medianOf(samples: readonly number[]): number {
  const sorted = Float64Array.from(samples).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
