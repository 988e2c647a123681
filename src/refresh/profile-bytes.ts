/**
 * A change profile as the catalog keeps it, little endian; no bytes at all for a page without one.
 *
 *   OFFSET   SIZE   MEANING
 *   0        8      f64: when the base version was fetched, milliseconds since 1970
 *   8        32     8 u32: the smallest shingle hashes of the base version, ascending, 0xFFFFFFFF where there are no more
 *   40       48     12 f32: seconds from the base version to each observation, ascending
 *   88       24     12 u16: the divergence of each, in units of 1/65520
 *   112      4      f32: changes per day of the curve of the profile before
 *   116      4      f32: its share
 *   120      1      u8: its items; 0: there is no such curve
 *   121      1      u8: 1 live, 2 the page has a version that was not sketched
 *   122      1      u8: number of observations
 */
import { MAX_TIME_MS } from '../base/time.js'
import { PROFILE_BYTES } from '../catalog/refresh-rows.js'
import { SKETCH_MINIMA } from '../change/min-hash.js'
import type { LedgerColumnArrays, LedgerColumns } from './ledger-columns.js'
import { PROFILE_OBSERVATIONS } from './ledger-columns.js'
import { DIVERGENCE_UNITS, MAX_PROFILE_STATE } from './profile.js'

const AT = { base: 0, sketch: 8, ages: 40, divergences: 88, rate: 112, share: 116, items: 120, state: 121, count: 122 }

/** Writes PROFILE_BYTES from `to` on; all 0 for a page without a profile. */
export function packProfile(columns: LedgerColumns, doc: number, view: DataView, to: number): void {
  if (columns.profileState[doc] === 0) return
  view.setFloat64(to + AT.base, columns.profileBaseMs[doc]!, true)
  for (let at = 0; at < SKETCH_MINIMA; at++)
    view.setUint32(to + AT.sketch + 4 * at, columns.sketch[doc * SKETCH_MINIMA + at]!, true)
  for (let at = 0; at < PROFILE_OBSERVATIONS; at++) {
    const from = doc * PROFILE_OBSERVATIONS + at
    view.setFloat32(to + AT.ages + 4 * at, columns.observedAgeSeconds[from]!, true)
    view.setUint16(to + AT.divergences + 2 * at, columns.observedDivergence[from]!, true)
  }
  view.setFloat32(to + AT.rate, columns.earlierRatePerDay[doc]!, true)
  view.setFloat32(to + AT.share, columns.earlierShare[doc]!, true)
  view.setUint8(to + AT.items, columns.earlierItems[doc]!)
  view.setUint8(to + AT.state, columns.profileState[doc]!)
  view.setUint8(to + AT.count, columns.observations[doc]!)
}

/** The bytes of one page. */
export function packedProfileOf(columns: LedgerColumns, doc: number): Uint8Array {
  if (columns.profileState[doc] === 0) return new Uint8Array()
  const bytes = new Uint8Array(PROFILE_BYTES)
  packProfile(columns, doc, viewOf(bytes), 0)
  return bytes
}

/** Whether bytes are a profile that packProfile can have written, or none. */
export function isSoundProfile(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true
  if (bytes.length !== PROFILE_BYTES) return false
  const view = viewOf(bytes)
  const state = view.getUint8(AT.state)
  const count = view.getUint8(AT.count)
  if (state === 0 || state > MAX_PROFILE_STATE || count > PROFILE_OBSERVATIONS) return false
  if (!(Math.abs(view.getFloat64(AT.base, true)) <= MAX_TIME_MS)) return false
  if (!isAmount(view.getFloat32(AT.rate, true)) || !(view.getFloat32(AT.share, true) <= 1)) return false
  return view.getFloat32(AT.share, true) >= 0 && areSoundObservations(view, count) && isSoundSketch(view)
}

/** REQUIRES: sound; the row is cleared. */
export function unpackProfile(columns: LedgerColumnArrays, doc: number, bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const view = viewOf(bytes)
  columns.profileBaseMs[doc] = view.getFloat64(AT.base, true)
  for (let at = 0; at < SKETCH_MINIMA; at++)
    columns.sketch[doc * SKETCH_MINIMA + at] = view.getUint32(AT.sketch + 4 * at, true)
  for (let at = 0; at < PROFILE_OBSERVATIONS; at++) {
    const to = doc * PROFILE_OBSERVATIONS + at
    columns.observedAgeSeconds[to] = view.getFloat32(AT.ages + 4 * at, true)
    columns.observedDivergence[to] = view.getUint16(AT.divergences + 2 * at, true)
  }
  columns.earlierRatePerDay[doc] = view.getFloat32(AT.rate, true)
  columns.earlierShare[doc] = view.getFloat32(AT.share, true)
  columns.earlierItems[doc] = view.getUint8(AT.items)
  columns.profileState[doc] = view.getUint8(AT.state)
  columns.observations[doc] = view.getUint8(AT.count)
}

function areSoundObservations(view: DataView, count: number): boolean {
  let before = 0
  for (let at = 0; at < count; at++) {
    const seconds = view.getFloat32(AT.ages + 4 * at, true)
    if (!(seconds > before && isAmount(seconds))) return false
    if (view.getUint16(AT.divergences + 2 * at, true) > DIVERGENCE_UNITS) return false
    before = seconds
  }
  return true
}

function isSoundSketch(view: DataView): boolean {
  for (let at = 1; at < SKETCH_MINIMA; at++) {
    const [before, after] = [view.getUint32(AT.sketch + 4 * at - 4, true), view.getUint32(AT.sketch + 4 * at, true)]
    if (before > after || (before === after && before !== 0xffffffff)) return false
  }
  return true
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
