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

interface Fit {
  readonly ids: readonly number[]
  readonly curves: readonly Uint8Array[]
  readonly removed: readonly number[]
}

/** Undefined for bytes that no fit has: curves are not looked at. */
function unpackFit(packed: unknown): Fit | undefined {
  if (!(packed instanceof Uint8Array) || packed.length < HEAD_BYTES) return undefined
  const view = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const [count, gone] = [view.readUInt32LE(0), view.readUInt32LE(4)]
  const curvesAt = HEAD_BYTES + 4 * (2 * count + gone)
  if (curvesAt > view.length) return undefined
  const numbers = (first: number, length: number) =>
    Array.from({ length }, (_, nth) => view.readUInt32LE(HEAD_BYTES + 4 * (first + nth)))
  const curves: Uint8Array[] = []
  let begin = curvesAt
  for (const end of numbers(count, count)) {
    if (curvesAt + end < begin || curvesAt + end > view.length) return undefined
    curves.push(view.subarray(begin, curvesAt + end))
    begin = curvesAt + end
  }
  if (begin !== view.length) return undefined
  return { ids: numbers(0, count), curves, removed: numbers(2 * count, gone) }
}

/** The curves that hold after these fits, oldest first. A fit that cannot be read leaves a curve without bytes. */
export function* mergeFits(fits: Iterable<unknown>): Steps<PackedCurves> {
  const curves = new Map<number, Uint8Array>()
  for (const packed of fits) {
    const fit = unpackFit(packed)
    yield
    if (fit === undefined) curves.set(NO_QUERY, new Uint8Array())
    else {
      for (const id of fit.removed) curves.delete(id)
      for (const [nth, id] of fit.ids.entries()) curves.set(id, fit.curves[nth] as Uint8Array)
    }
    yield
  }
  const ends = new Uint32Array(curves.size)
  let end = 0
  let nth = 0
  for (const { length } of curves.values()) {
    end += length
    ends[nth++] = end
  }
  yield
  return { ids: Uint32Array.from(curves.keys()), bytes: Buffer.concat([...curves.values()]), ends }
}
