/**
 * Shingles: the word k-grams of a text, as a set of hashes, and how far two such sets are apart (Broder, On the
 * resemblance and containment of documents). User-centric crawling, section 6, tells large updates from small ones by
 * them.
 */
import { numberOption } from '../base/checks.js'

/**
 * XXH64 of the UTF-8 form, as `h64` of xxhash-wasm has it: that one is ready only after a wait, which is no business of
 * mathematics.
 */
export type TextHash = (text: string) => bigint

/** Ascending, no value twice. */
export type ShingleSet = BigUint64Array

/** Words of one shingle. The papers leave it open. */
const SHINGLE_WORDS = 4

const WORD = /[\p{L}\p{N}]+/gu

/**
 * A text of fewer words than a shingle has is one shingle, so that short texts can differ too; one without words has
 * none.
 */
export function shinglesOf(text: string, hash: TextHash, shingleWords = SHINGLE_WORDS): ShingleSet {
  const k = numberOption('shingleWords', shingleWords, SHINGLE_WORDS, { min: 1, max: 100, integer: true })
  const words = text.toLowerCase().match(WORD) ?? []
  if (words.length === 0) return new BigUint64Array()
  const count = Math.max(1, words.length - k + 1)
  const hashes = new BigUint64Array(count)
  for (let at = 0; at < count; at++) hashes[at] = hash(words.slice(at, at + k).join(' '))
  return withoutRepetitions(hashes.sort())
}

/**
 * Share of the shingles of both that only one of them has: 0 for equal sets, also for two empty ones, 1 for sets with
 * nothing in common.
 */
export function shingleDifference(a: ShingleSet, b: ShingleSet): number {
  const shared = sharedCount(a, b)
  const all = a.length + b.length - shared
  return all === 0 ? 0 : 1 - shared / all
}

/**
 * Whether an update counts under a threshold in [0, 1]: what makes a copy stale for SBR, and irrelevant for EBR. The
 * paper says "exceeds" of the one and "at least" of the other; it is "at least" here for both, or a threshold of 1
 * would pass nothing. An update that changed no shingle never counts.
 */
export function isLargeUpdate(difference: number, threshold: number): boolean {
  return difference > 0 && difference >= threshold
}

/** d(p) of EBR: the share of the updates of a page that are large; 0 without any update. */
export function largeUpdateShare(differences: readonly number[], threshold: number): number {
  const large = differences.filter((difference) => isLargeUpdate(difference, threshold)).length
  return differences.length === 0 ? 0 : large / differences.length
}

function withoutRepetitions(sorted: BigUint64Array): BigUint64Array {
  let kept = 0
  for (let at = 0; at < sorted.length; at++) {
    if (at > 0 && sorted[at] === sorted[at - 1]) continue
    sorted[kept] = sorted[at]!
    kept++
  }
  return sorted.slice(0, kept)
}

function sharedCount(a: ShingleSet, b: ShingleSet): number {
  let shared = 0
  let at = 0
  for (const value of a) {
    while (at < b.length && b[at]! < value) at++
    if (at === b.length) break
    if (b[at] === value) shared++
  }
  return shared
}

/**
 * Sketches of shingle sets: their smallest hashes stand for the whole. Of the m smallest hashes of two sets together,
 * the share that both have estimates without bias the share of all shingles that both have (Broder, Glassman and
 * Manasse, Syntactic clustering of the web, 1997). Sets that are to be compared exactly are kept whole: see
 * `shingleDifference`.
 *
 * Of a hash only the upper half is kept: m minima in 4 m bytes, and two shingles of 10,000 share a value once in 86
 * pages.
 */

/** m that "Recrawl scheduling based on information longevity" finds enough (section 5.2). */
export const SKETCH_MINIMA = 8

/** Stands where a set has fewer values than its sketch has places. */
export const NO_MINIMUM = 0xffff_ffff

/**
 * The smallest values, ascending, each once; the rest is NO_MINIMUM. A hash that would be NO_MINIMUM counts as the
 * value before it.
 */
export function sketchOf(shingles: ShingleSet, minima = SKETCH_MINIMA): Uint32Array {
  const sketch = new Uint32Array(minima).fill(NO_MINIMUM)
  let kept = 0
  for (let at = 0; at < shingles.length && kept < minima; at++) {
    const value = Math.min(Number(shingles[at]! >> 32n), NO_MINIMUM - 1)
    if (kept > 0 && sketch[kept - 1] === value) continue
    sketch[kept] = value
    kept++
  }
  return sketch
}

/**
 * An estimate of `shingleDifference` from the sketches that begin at `aAt` and `bAt`: exact where both sets together
 * fit into one, 0 for two empty ones. It is the share of the smallest values of both that only one of them has.
 */
export function sketchDifference(
  a: ArrayLike<number>,
  aAt: number,
  b: ArrayLike<number>,
  bAt: number,
  minima: number,
): number {
  let seen = 0
  let shared = 0
  // Both stay below `minima`: neither moves on more often than values are seen.
  let inA = aAt
  let inB = bAt
  for (; seen < minima; seen++) {
    const valueA = a[inA]!
    const valueB = b[inB]!
    if (valueA === NO_MINIMUM && valueB === NO_MINIMUM) break
    if (valueA === valueB) shared++
    if (valueA <= valueB) inA++
    if (valueB <= valueA) inB++
  }
  return seen === 0 ? 0 : 1 - shared / seen
}
