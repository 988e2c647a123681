/** Sorting in steps: a million items take the better part of a second, for which nobody else should have to wait. */
import type { Steps } from '../base/turns.js'

/** Items that are sorted at once, and merged between two steps. */
const PORTION = 1024

/** A sorted copy, stable as that of Array.sort. */
export function* sorting<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = []
  for (let from = 0; from < items.length; from += PORTION) {
    runs.push(items.slice(from, from + PORTION).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merging(runs[at]!, runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

function* merging<T>(first: readonly T[], second: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = []
  let [a, b] = [0, 0]
  while (a < first.length || b < second.length) {
    const isFirst = b >= second.length || (a < first.length && compare(first[a]!, second[b]!) <= 0)
    merged.push(isFirst ? first[a++]! : second[b++]!)
    if (merged.length % PORTION === 0) yield
  }
  return merged
}
