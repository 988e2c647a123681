/**
 * The curves of fits as the catalog keeps them: the curves of one fit are one BLOB, because a row for each of thousands
 * of curves costs more than fitting them. A later fit replaces curves of earlier ones.
 *
 * | offset   | size | meaning |
 * |----------|------|---------|
 * | 0        | 4    | n, the curves of the fit |
 * | 4        | 4    | r, queries that have no curve any more |
 * | 8        | 4 n  | ids of the queries, ascending or not |
 * | 8 + 4n   | 4 n  | where the bytes of each curve end, counted from the first curve |
 * | 8 + 8n   | 4 r  | ids of the queries without a curve |
 * | …        |      | the curves, each with a checksum of its own: native/quality/stored_curves.h |
 *
 * Numbers are u32, little endian.
 */
import type { Steps } from '../base/turns.js'

/** Curves by the ids of their queries; curve i ends at `ends[i]`. */
export interface PackedCurves {
  readonly ids: Uint32Array
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

export const NO_CURVES: PackedCurves = { ids: new Uint32Array(), bytes: new Uint8Array(), ends: new Uint32Array() }

/** The id of a curve that is so damaged that nobody knows of which query it is. */
export const NO_QUERY = 0xffffffff

const HEAD_BYTES = 8

export function packFit({ ids, ends, bytes }: PackedCurves, removed: Uint32Array): Uint8Array {
  const numbers = [Uint32Array.of(ids.length, removed.length), ids, ends, removed]
  return Buffer.concat([...numbers.map(bytesOf), bytes])
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

interface Fit extends PackedCurves {
  readonly removed: Uint32Array
}

/** Undefined for bytes that no fit has: curves are not looked at. */
function unpackFit(packed: unknown): Fit | undefined {
  if (!(packed instanceof Uint8Array) || packed.length < HEAD_BYTES) return undefined
  const head = new DataView(packed.buffer, packed.byteOffset, HEAD_BYTES)
  const [count, gone] = [head.getUint32(0, true), head.getUint32(4, true)]
  const curvesAt = HEAD_BYTES + 4 * (2 * count + gone)
  if (curvesAt > packed.length) return undefined
  // A copy, because the bytes may lie anywhere.
  const numbers = new Uint32Array(Uint8Array.from(packed.subarray(HEAD_BYTES, curvesAt)).buffer)
  const ends = numbers.subarray(count, 2 * count)
  for (let nth = 1; nth < count; nth++) if (ends[nth]! < ends[nth - 1]!) return undefined
  const bytes = packed.subarray(curvesAt)
  if ((count === 0 ? 0 : ends[count - 1]) !== bytes.length) return undefined
  return { ids: numbers.subarray(0, count), ends, bytes, removed: numbers.subarray(2 * count) }
}

/** The curves that hold after these fits, oldest first. A fit that cannot be read leaves a curve without bytes. */
export function* mergeFits(fits: readonly unknown[]): Steps<PackedCurves> {
  const [only] = fits.length === 1 ? [unpackFit(fits[0])] : []
  if (only !== undefined) return { ids: only.ids, bytes: only.bytes, ends: only.ends }
  const curves = new Map<number, Uint8Array>()
  for (const packed of fits) {
    const fit = unpackFit(packed)
    yield
    if (fit === undefined) curves.set(NO_QUERY, new Uint8Array())
    for (const id of fit?.removed ?? []) curves.delete(id)
    const { ids, ends, bytes } = fit ?? NO_CURVES
    for (let nth = 0; nth < ids.length; nth++) {
      curves.set(ids[nth]!, bytes.subarray(nth === 0 ? 0 : ends[nth - 1], ends[nth]))
      yield
    }
  }
  const ends = new Uint32Array(curves.size)
  let nth = 0
  for (const { length } of curves.values()) {
    ends[nth] = length + (nth === 0 ? 0 : ends[nth - 1]!)
    nth++
    yield
  }
  const bytes = new Uint8Array(ends.at(-1) ?? 0)
  nth = 0
  for (const curve of curves.values()) {
    bytes.set(curve, ends[nth++]! - curve.length)
    yield
  }
  return { ids: Uint32Array.from(curves.keys()), bytes, ends }
}
