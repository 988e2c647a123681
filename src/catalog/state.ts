/**
 * Where an index is: how many batches it has, which of them the segments hold. One row, part of every transaction.
 *
 * SQLite notices a damaged database only as far as its structure breaks. Everything that decides what the index *is* is
 * therefore covered by a hash of ours: log rows and segments by their own, the list of segments and this row here.
 */
import type { Database } from 'better-sqlite3'
import { FreshdexError } from '../base/errors.js'

export interface CatalogState {
  /** Batches so far. */
  readonly sequence: number
  /** The batches that the segments hold. The log has the rest. */
  readonly flushed: number
  readonly nextSegment: number
  /** The hash of the list of segments. */
  readonly segmentsHash: bigint
}

interface StateRow {
  readonly sequence: number
  readonly flushed: number
  readonly next_segment: number
  readonly segments_hash: Uint8Array
  readonly checksum: Uint8Array
}

/** The parameters of SAVE_STATE. `identity` is what the index is, as text: see identity.ts. */
export function stateParameters(state: CatalogState, identity: string, hash: Hash): readonly unknown[] {
  const { sequence, flushed, nextSegment, segmentsHash } = state
  return [sequence, flushed, nextSegment, toBytes(segmentsHash), toBytes(checksumOf(state, identity, hash))]
}

export const SAVE_STATE = `
  INSERT INTO state (one, sequence, flushed, next_segment, segments_hash, checksum) VALUES (1, ?, ?, ?, ?, ?)
  ON CONFLICT (one) DO UPDATE SET sequence = excluded.sequence, flushed = excluded.flushed,
    next_segment = excluded.next_segment, segments_hash = excluded.segments_hash, checksum = excluded.checksum`

/** The state of the transaction that `db` is in, verified. */
export function readState(db: Database, identity: string, hash: Hash): CatalogState {
  const row = db.prepare('SELECT * FROM state').get() as StateRow | undefined
  if (row === undefined) throw corrupt(db, 'the state is missing')
  const isWhole = [row.sequence, row.flushed, row.next_segment].every(Number.isSafeInteger)
  const hasHashes = [row.segments_hash, row.checksum].every(
    (bytes) => bytes instanceof Uint8Array && bytes.length === 8,
  )
  if (!isWhole || !hasHashes) throw corrupt(db, 'the state is malformed')
  const state: CatalogState = {
    sequence: row.sequence,
    flushed: row.flushed,
    nextSegment: row.next_segment,
    segmentsHash: fromBytes(row.segments_hash),
  }
  if (checksumOf(state, identity, hash) !== fromBytes(row.checksum)) throw corrupt(db, 'checksum of the state')
  return state
}

/** The list of segments, as `state` describes it. */
export function readSegments(db: Database, state: CatalogState, hash: Hash): SegmentList {
  const rows = db.prepare('SELECT number, kind, bytes FROM segments ORDER BY rowid').raw().all() as number[][]
  const list = toSegmentList(rows)
  if (segmentCount(list) !== rows.length || hashOfSegments(list, hash) !== state.segmentsHash) {
    throw corrupt(db, 'the list of segments')
  }
  return list
}

export function corrupt(db: Database, what: string): FreshdexError {
  return new FreshdexError('CORRUPT', `'${db.name}' is damaged: ${what}`, { detail: { file: db.name } })
}

function checksumOf(
  { sequence, flushed, nextSegment, segmentsHash }: CatalogState,
  identity: string,
  hash: Hash,
): bigint {
  return hash(Buffer.from(`${sequence} ${flushed} ${nextSegment} ${segmentsHash} ${identity}`))
}

function toBytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

function fromBytes(bytes: Uint8Array): bigint {
  return Buffer.from(bytes).readBigUInt64LE()
}

/** The segments of an index as the core gives and takes them: number, kind, bytes, one segment after another. */
export type SegmentList = Float64Array

const NUMBERS_PER_SEGMENT = 3

export type SegmentRow = readonly [number: number, kind: number, bytes: number]

/** XXH64 of the core, seeded as the index is. */
export type Hash = (bytes: Uint8Array) => bigint

export const EMPTY_LIST: SegmentList = new Float64Array(0)

export function segmentRows(list: SegmentList): SegmentRow[] {
  return Array.from({ length: segmentCount(list) }, (_, row) => {
    const at = row * NUMBERS_PER_SEGMENT
    return [list[at], list[at + 1], list[at + 2]] as unknown as SegmentRow
  })
}

export function toSegmentList(rows: readonly (readonly unknown[])[]): SegmentList {
  return Float64Array.from(rows.flat() as number[])
}

export function segmentCount(list: SegmentList): number {
  return list.length / NUMBERS_PER_SEGMENT
}

export function segmentBytes(list: SegmentList): number {
  return segmentRows(list).reduce((sum, [, , bytes]) => sum + bytes, 0)
}

/** The list in the order in which it is stored: hashes depend on it. */
export function sortedSegments(list: SegmentList): SegmentList {
  return toSegmentList(segmentRows(list).sort(([a], [b]) => a - b))
}

export function hashOfSegments(list: SegmentList, hash: Hash): bigint {
  return hash(new Uint8Array(list.buffer, list.byteOffset, list.byteLength))
}
