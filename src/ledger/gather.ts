/**
 * Copies elements of one column, for some pages, into packed rows. A function for each kind of array, so that the
 * compiler sees one kind in each: one function for all of them takes about eight times as long.
 */
import type { ArrayKind } from './columns.js'

/** Pages, by the numbers of their documents. */
type Docs = ArrayLike<number>

/** Writes the number of each page to `out`, `stride` places apart, from `at` on. */
export type GatherNumbers = (values: never, docs: Docs, out: Float64Array, at: number, stride: number) => void

/** Writes `width` elements of each page to `out`, little endian, `stride` bytes apart, from `at` on. */
export type GatherBytes = (values: never, docs: Docs, width: number, out: DataView, at: number, stride: number) => void

export const GATHER_NUMBERS: ReadonlyMap<ArrayKind, GatherNumbers> = new Map<ArrayKind, GatherNumbers>([
  [
    Uint8Array,
    (values: Uint8Array, docs, out, at, stride) => {
      for (let row = 0, to = at; row < docs.length; row++, to += stride) out[to] = values[docs[row]!]!
    },
  ],
  [
    Uint16Array,
    (values: Uint16Array, docs, out, at, stride) => {
      for (let row = 0, to = at; row < docs.length; row++, to += stride) out[to] = values[docs[row]!]!
    },
  ],
  [
    Uint32Array,
    (values: Uint32Array, docs, out, at, stride) => {
      for (let row = 0, to = at; row < docs.length; row++, to += stride) out[to] = values[docs[row]!]!
    },
  ],
  [
    Float32Array,
    (values: Float32Array, docs, out, at, stride) => {
      for (let row = 0, to = at; row < docs.length; row++, to += stride) out[to] = values[docs[row]!]!
    },
  ],
  [
    Float64Array,
    (values: Float64Array, docs, out, at, stride) => {
      for (let row = 0, to = at; row < docs.length; row++, to += stride) out[to] = values[docs[row]!]!
    },
  ],
])

export const GATHER_BYTES: ReadonlyMap<ArrayKind, GatherBytes> = new Map<ArrayKind, GatherBytes>([
  [
    Uint8Array,
    (values: Uint8Array, docs, width, out, at, stride) => {
      for (let row = 0, to = at; row < docs.length; row++, to += stride)
        for (let nth = 0, from = docs[row]! * width; nth < width; nth++) out.setUint8(to + nth, values[from + nth]!)
    },
  ],
  [
    Uint16Array,
    (values: Uint16Array, docs, width, out, at, stride) => {
      for (let row = 0, to = at; row < docs.length; row++, to += stride)
        for (let nth = 0, from = docs[row]! * width; nth < width; nth++)
          out.setUint16(to + 2 * nth, values[from + nth]!, true)
    },
  ],
  [
    Uint32Array,
    (values: Uint32Array, docs, width, out, at, stride) => {
      for (let row = 0, to = at; row < docs.length; row++, to += stride)
        for (let nth = 0, from = docs[row]! * width; nth < width; nth++)
          out.setUint32(to + 4 * nth, values[from + nth]!, true)
    },
  ],
  [
    Float32Array,
    (values: Float32Array, docs, width, out, at, stride) => {
      for (let row = 0, to = at; row < docs.length; row++, to += stride)
        for (let nth = 0, from = docs[row]! * width; nth < width; nth++)
          out.setFloat32(to + 4 * nth, values[from + nth]!, true)
    },
  ],
  [
    Float64Array,
    (values: Float64Array, docs, width, out, at, stride) => {
      for (let row = 0, to = at; row < docs.length; row++, to += stride)
        for (let nth = 0, from = docs[row]! * width; nth < width; nth++)
          out.setFloat64(to + 8 * nth, values[from + nth]!, true)
    },
  ],
])
