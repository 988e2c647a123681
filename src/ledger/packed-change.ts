/**
 * What one commit changes of the ledger, as bytes. The bytes name their columns, so that a later version, whose rows
 * have more of them, can read them.
 *
 * | offset | size        | meaning |
 * |--------|-------------|---------|
 * | 0      | 4           | bytes h of the heading, a multiple of 8 |
 * | 4      | 4           | rows n |
 * | 8      | 4           | stakes s |
 * | 12     | 4           | documents r that are removed |
 * | 16     | 4           | rows of documents that were never refreshed |
 * | 20     | 4           | 0 |
 * | 24     | h           | JSON, filled up with spaces: names of the c numbers of a row, and BLOBs, [name, bytes] |
 * | …      | 8 c n       | numbers, row by row, the first of each is the document: float64 |
 * | …      | 16 s        | document and stake in turn: float64 |
 * | …      | 4 n         | where the effects of each row end; -1: the row keeps those that it has: i32 |
 * | …      | 4 r         | documents that are removed: u32 |
 * | …      |             | the BLOBs of all rows, kind by kind |
 * | …      |             | effects |
 *
 * All are little endian. Stakes come first in time, then the rows, then the removals.
 */
import { isCount } from '../base/checks.js'
import { finish, type Steps } from '../base/turns.js'
import { BLOB_LAYOUTS, BLOB_NAMES } from './blobs.js'
import type { BlobName } from './columns.js'
import { EFFECT_BYTES, KEEP_EFFECTS, MAX_EFFECTS } from './effects.js'
import { NUMBERS } from './layout.js'
import { type LedgerRows, REFRESHES_AT } from './rows.js'

export interface LedgerChange {
  readonly ledger: LedgerRows
  /** Documents that are no more. */
  readonly removed: Uint32Array
  /** Stakes as they were before the rows, of whichever documents: document and stake in turn. */
  readonly stakes: Float64Array
}

const HEAD_BYTES = 24

const NAMES = ['doc', ...NUMBERS.map(({ sqlName }) => sqlName)]
const HEADING = headingOf(true)
const HEADING_WITHOUT_VERSIONS = headingOf(false)

function headingOf(hasVersions: boolean): Uint8Array {
  const sizeOf = (name: BlobName) => (name === 'versions' && !hasVersions ? 0 : BLOB_LAYOUTS[name].bytes)
  const text = JSON.stringify([NAMES, BLOB_NAMES.map((name) => [name, sizeOf(name)])])
  return Buffer.from(text.padEnd(8 * Math.ceil(text.length / 8)))
}

/** Bytes that are copied in a step. */
const STEP_BYTES = 2 ** 20

/** In memory of its own, which can be handed to another thread. */
export function packChange(change: LedgerChange): Uint8Array {
  return finish(packingChange(change))
}

/** The same in steps. */
export function* packingChange({ ledger, removed, stakes }: LedgerChange): Steps<Uint8Array> {
  const { numbers, blobs, effects, effectEnds } = ledger
  const rows = effectEnds.length
  const heading = blobs.versions.length === 0 ? HEADING_WITHOUT_VERSIONS : HEADING
  const head = Uint32Array.of(heading.length, rows, stakes.length / 2, removed.length, newRows(ledger), 0)
  const ends = Int32Array.from(effectEnds)
  const packedBlobs = BLOB_NAMES.map((name) => blobs[name])
  const parts = [head, heading, numbers, stakes, ends, removed, ...packedBlobs, effects]
  let length = 0
  for (const part of parts) length += part.byteLength
  const packed = new Uint8Array(length)
  let at = 0
  for (const { buffer, byteOffset, byteLength } of parts) {
    for (let from = 0; from < byteLength; from += STEP_BYTES) {
      if (from > 0) yield
      const size = Math.min(STEP_BYTES, byteLength - from)
      packed.set(new Uint8Array(buffer, byteOffset + from, size), at)
      at += size
    }
  }
  return packed
}

function newRows({ numbers }: LedgerRows): number {
  let count = 0
  for (let at = REFRESHES_AT; at < numbers.length; at += NAMES.length) if (numbers[at] === 0) count++
  return count
}

/** How much a change changes. REQUIRES: `packed` was packed here. */
export function sizeOfChange(packed: Uint8Array) {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const [rows, stakes, removed, added] = [4, 8, 12, 16].map((at) => view.getUint32(at, true))
  return { rows: rows!, stakes: stakes!, removed: removed!, added: added! }
}

/** Undefined for bytes that are no change. Whether rows make sense is for whoever reads them. */
export function unpackChange(packed: unknown): LedgerChange | undefined {
  if (!(packed instanceof Uint8Array) || packed.length < HEAD_BYTES) return undefined
  // A copy, so that numbers lie where an array of them can begin.
  const bytes = Uint8Array.from(packed)
  const view = new DataView(bytes.buffer)
  const [headingBytes, rows, stakes, removed] = [0, 4, 8, 12].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ]
  const heading = readHeading(bytes.subarray(HEAD_BYTES, HEAD_BYTES + headingBytes))
  if (heading === undefined || headingBytes % 8 !== 0) return undefined
  const { names, blobs } = heading
  let at = HEAD_BYTES + headingBytes
  const take = (length: number) => {
    const begin = at
    at += length
    return begin
  }
  const begins = {
    numbers: take(8 * names.length * rows),
    stakes: take(16 * stakes),
    effectEnds: take(4 * rows),
    removed: take(4 * removed),
    blobs: new Map(blobs.map(([name, size]) => [name, take(size * rows)])),
  }
  if (at > bytes.length) return undefined
  const effects = bytes.subarray(at)
  const effectEnds = Float64Array.from(new Int32Array(bytes.buffer, begins.effectEnds, rows))
  if (!areEnds(effectEnds, effects.length)) return undefined
  const blobOf = (name: BlobName) => {
    const begin = begins.blobs.get(name) ?? 0
    const size = blobs.find(([known]) => known === name)?.[1] ?? 0
    return bytes.subarray(begin, begin + size * rows)
  }
  if (blobs.length !== BLOB_NAMES.length || !blobs.every(isOurs)) return undefined
  const numbers = new Float64Array(bytes.buffer, begins.numbers, names.length * rows)
  if (!areStorable(numbers, names.length)) return undefined
  return {
    ledger: {
      numbers: inOurOrder(numbers, names),
      blobs: { recent: blobOf('recent'), profile: blobOf('profile'), versions: blobOf('versions') },
      effects,
      effectEnds,
    },
    removed: new Uint32Array(bytes.buffer, begins.removed, removed),
    stakes: new Float64Array(bytes.buffer, begins.stakes, 2 * stakes),
  }
}

interface Heading {
  readonly names: readonly string[]
  readonly blobs: readonly (readonly [name: string, bytes: number])[]
}

function readHeading(bytes: Uint8Array): Heading | undefined {
  try {
    const [names, blobs] = JSON.parse(Buffer.from(bytes).toString('utf8')) as [unknown, unknown]
    if (!Array.isArray(names) || !Array.isArray(blobs) || names[0] !== 'doc') return undefined
    const isBlob = (blob: unknown) => Array.isArray(blob) && Number.isSafeInteger(blob[1]) && blob[1] >= 0
    return blobs.every(isBlob) ? { names: names as string[], blobs: blobs as [string, number][] } : undefined
  } catch {
    return undefined
  }
}

/** A BLOB of another size has another meaning; versions have none where no row keeps any. */
function isOurs([name, bytes]: readonly [name: string, bytes: number]): boolean {
  if (name === 'versions' && bytes === 0) return true
  return BLOB_NAMES.includes(name as BlobName) && BLOB_LAYOUTS[name as BlobName].bytes === bytes
}

/** Whether a table can hold the numbers: NaN is NULL there. Whether a row makes sense is for whoever reads it. */
function areStorable(numbers: Float64Array, width: number): boolean {
  for (let at = 0; at < numbers.length; at++) {
    if (Number.isNaN(numbers[at]) || (at % width === 0 && !isCount(numbers[at]))) return false
  }
  return true
}

/** The numbers of rows that have these names, in the order that rows have now; 0 for those that they had not then. */
function inOurOrder(numbers: Float64Array, names: readonly string[]): Float64Array {
  const ours = NAMES
  if (ours.length === names.length && ours.every((name, nth) => name === names[nth])) return numbers
  const rows = numbers.length / names.length
  const ordered = new Float64Array(rows * ours.length)
  for (const [nth, name] of ours.entries()) {
    const from = names.indexOf(name)
    if (from < 0) continue
    for (let row = 0; row < rows; row++) ordered[row * ours.length + nth] = numbers[row * names.length + from]!
  }
  return ordered
}

/** Ends ascend up to all effects, and no row has more effects than a refresh leaves. */
function areEnds(ends: Float64Array, length: number): boolean {
  let last = 0
  for (const end of ends) {
    if (end === KEEP_EFFECTS) continue
    const own = end - last
    if (own < 0 || own % EFFECT_BYTES !== 0 || own > EFFECT_BYTES * MAX_EFFECTS) return false
    last = end
  }
  return last === length
}
