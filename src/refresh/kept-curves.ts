/**
 * Score→rank curves on their way to the catalog and back: rows of bytes that only the core reads (see
 * native/quality/stored_curves.h), and the state that they have in common.
 */
import { Packr } from 'msgpackr'
import type { Step } from '../base/step.js'
import type { Steps } from '../base/turns.js'
import type { SampledView } from '../workload/view-likelihood.js'

/** Rows by the ids of their queries; row i ends at `ends[i]`. */
export interface PackedCurves {
  readonly ids: Uint32Array
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

/** What one fit changes of the curves that are kept. */
export interface CurveChange {
  /** All that was kept before is forgotten first. */
  readonly isAll: boolean
  /** Undefined: as it was. */
  readonly state: Uint8Array | undefined
  readonly put: PackedCurves
  readonly removed: Uint32Array
}

export interface CurveCommit {
  /** In the order of time. */
  readonly changes: readonly CurveChange[]
  /** How far lists have changed since their curves were fitted; undefined: as it was. */
  readonly churn: Uint8Array | undefined
}

/** Curves that an earlier process left, as the catalog has them: whatever that is. */
export interface CurveSource {
  state(): unknown
  churn(): unknown
  /** The ids of the queries that have curves. */
  ids(): readonly unknown[]
  /** Query and bytes of each row, in portions. */
  rows(portion: number): Iterable<readonly (readonly [query: unknown, bytes: unknown])[]>
}

/** Rows of curves that are read in one step. */
const PORTION = 64

/** All rows. A row that cannot be a curve stays as one without bytes, so that it is known to be damaged. */
export function* readPacked(source: CurveSource): Steps<PackedCurves> {
  const isId = (id: unknown) => typeof id === 'number' && id >= 0 && id <= NO_QUERY
  const ids: number[] = []
  const parts: Uint8Array[] = []
  for (const rows of source.rows(PORTION)) {
    for (const [id, bytes] of rows) {
      ids.push(isId(id) ? (id as number) : NO_QUERY)
      parts.push(bytes instanceof Uint8Array ? bytes : new Uint8Array())
      yield
    }
  }
  let end = 0
  const ends = Uint32Array.from(parts, ({ length }) => {
    end += length
    return end
  })
  return { ids: Uint32Array.from(ids), bytes: Buffer.concat(parts), ends }
}

const NO_QUERY = 0xffffffff

/** What all curves that are kept have in common. */
export interface CurveState {
  /** The time as of which queries are weighed in stakes. */
  readonly referenceMs: number
  /** What curves depend on besides documents and queries. */
  readonly basis: string
  /** Undefined: r^-3/2. */
  readonly view: SampledView | undefined
  /** The share of the workload that stakes still have of queries whose curves were lost: 0 to 1. */
  readonly lostShare: number
  /** The statistics of the epoch. */
  readonly statistics: Uint8Array
}

const CHECKSUM_BYTES = 8
const packr = new Packr({ useRecords: false, copyBuffers: true })

/**
 * | offset | size | meaning |
 * |--------|------|---------|
 * | 0      | 8    | XXH64 of the rest, under the seed of the index, little endian |
 * | 8      |      | MessagePack: reference time, basis, head and tail of the view or null, lost share, statistics |
 */
export function packState(state: CurveState, hash: (bytes: Uint8Array) => bigint): Uint8Array {
  const { referenceMs, basis, view, lostShare, statistics } = state
  const parts = [referenceMs, basis, ...(view === undefined ? [null, null] : [view.head, view.tail].map(bytesOf))]
  const body = packr.pack([...parts, lostShare, Buffer.from(statistics)])
  const bytes = Buffer.alloc(CHECKSUM_BYTES + body.length)
  body.copy(bytes, CHECKSUM_BYTES)
  bytes.writeBigUInt64LE(hash(bytes.subarray(CHECKSUM_BYTES)))
  return bytes
}

/** Undefined for bytes that are damaged. */
export function unpackState(bytes: unknown, hash: (bytes: Uint8Array) => bigint): CurveState | undefined {
  if (!isWhole(bytes, hash)) return undefined
  try {
    const values = packr.unpack(bytes.subarray(CHECKSUM_BYTES)) as unknown[]
    const [referenceMs, basis, head, tail, lostShare, statistics] = values
    if (!Number.isFinite(referenceMs) || typeof basis !== 'string' || !Number.isFinite(lostShare)) return undefined
    if (!(statistics instanceof Uint8Array)) return undefined
    const view = head instanceof Uint8Array && tail instanceof Uint8Array ? viewOf(head, tail) : undefined
    return { referenceMs: referenceMs as number, basis, view, lostShare: lostShare as number, statistics }
  } catch {
    return undefined
  }
}

/** Whether bytes begin with the checksum of the rest of them. */
export function isWhole(bytes: unknown, hash: (bytes: Uint8Array) => bigint): bytes is Uint8Array {
  if (!(bytes instanceof Uint8Array) || bytes.length < CHECKSUM_BYTES) return false
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return hash(view.subarray(CHECKSUM_BYTES)) === view.readBigUInt64LE()
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function viewOf(head: Uint8Array, tail: Uint8Array): SampledView {
  // Copies: the bytes may lie at any offset.
  const numbers = (bytes: Uint8Array) => new Float64Array(Uint8Array.from(bytes).buffer)
  return { head: numbers(head), tail: numbers(tail) }
}

/** The relative difference of likelihoods from which on two views are not the same. */
const VIEW_SHARE = 0.05

/** Whether stakes by one view can stand for stakes by the other. */
export function isSameView(one: SampledView, other: SampledView): boolean {
  const isNear = (a: Float64Array, b: Float64Array) =>
    a.length === b.length &&
    a.every((value, at) => Math.abs(value - (b[at] as number)) <= VIEW_SHARE * Math.max(value, b[at] as number))
  return isNear(one.head, other.head) && isNear(one.tail, other.tail)
}

/** What fits have changed of the curves and no commit has taken along yet. */
export class UnsavedCurves {
  #changes: CurveChange[] = []
  #churn: Uint8Array | undefined

  get isEmpty(): boolean {
    return this.#changes.length === 0 && this.#churn === undefined
  }

  add(change: CurveChange): void {
    if (change.isAll) this.#changes = []
    this.#changes.push(change)
  }

  setChurn(churn: Uint8Array): void {
    this.#churn = churn
  }

  /** Takes everything along. */
  step(): Step<CurveCommit | undefined> {
    if (this.isEmpty) return { rows: undefined, undo: () => {} }
    const [changes, churn] = [this.#changes, this.#churn]
    this.#changes = []
    this.#churn = undefined
    return {
      rows: { changes, churn },
      undo: () => {
        const later = this.#changes
        this.#changes = [...changes]
        for (const change of later) this.add(change)
        this.#churn ??= churn
      },
    }
  }
}
