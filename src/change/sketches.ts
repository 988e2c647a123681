/**
 * Shingles, the word k-grams of a text, as a set of hashes, and sketches that keep the smallest hashes of a set. Both
 * tell how far two texts are apart (Broder, On the resemblance and containment of documents). User-centric crawling,
 * section 6, tells large updates from small ones by shingles.
 *
 * In a sketch, the share of the m smallest hashes of two sets together that both sets have is an unbiased estimate of
 * the share of all shingles that both have (Broder, Glassman and Manasse, Syntactic clustering of the web, 1997). Only
 * the upper half of a hash is kept: m minima take 4 m bytes, and two of 10,000 shingles share a value in one of 86
 * pages.
 */
import { numberOption } from '../base/checks.js'

/** XXH64 of the UTF-8 bytes, such as `h64` of xxhash-wasm. That is loaded asynchronously, so the caller provides it. */
export type TextHash = (text: string) => bigint

/** Ascending, no value twice. */
export type ShingleSet = BigUint64Array

/** Words of one shingle. The papers leave the number open. */
const SHINGLE_WORDS = 4

const WORD = /[\p{L}\p{N}]+/gu

/** The shingles of a text. A text with fewer words than a shingle is one shingle; a text without words has none. */
export function shinglesOf(text: string, hash: TextHash, shingleWords = SHINGLE_WORDS): ShingleSet {
  const k = numberOption('shingleWords', shingleWords, SHINGLE_WORDS, { min: 1, max: 100, integer: true })
  const words = text.toLowerCase().match(WORD) ?? []
  if (words.length === 0) return new BigUint64Array()
  const count = Math.max(1, words.length - k + 1)
  const hashes = new BigUint64Array(count)
  for (let at = 0; at < count; at++) hashes[at] = hash(words.slice(at, at + k).join(' '))
  return withoutRepetitions(hashes.sort())
}

/** The share of all shingles that only one set has: 0 for equal sets, including empty ones, and 1 for disjoint sets. */
export function shingleDifference(a: ShingleSet, b: ShingleSet): number {
  const shared = sharedCount(a, b)
  const all = a.length + b.length - shared
  return all === 0 ? 0 : 1 - shared / all
}

/**
 * Whether an update is large under a threshold in [0, 1], so that the copy is stale for SBR and irrelevant for EBR. The
 * paper says "exceeds" for SBR and "at least" for EBR. Here it is "at least" for both, since no update exceeds a
 * threshold of 1. An update that changed no shingle is never large.
 */
export function isLargeUpdate(difference: number, threshold: number): boolean {
  return difference > 0 && difference >= threshold
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

/** m: as many as "Recrawl scheduling based on information longevity" finds sufficient (section 5.2). */
export const SKETCH_MINIMA = 8

/** Fills the places of a sketch for which its set has no values. */
export const NO_MINIMUM = 0xffff_ffff

/** The smallest values, ascending and distinct, then NO_MINIMUM. A hash of NO_MINIMUM counts as one less. */
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
 * Estimates `shingleDifference` from the sketches that begin at `aAt` and `bAt`: the share of the smallest values of
 * both that only one of them has. Exact where both sets together fit into one sketch, and 0 for two empty ones.
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
  // Both places stay inside their sketches: neither advances more often than values are seen.
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
