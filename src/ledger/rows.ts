/**
 * Rows of the ledger outside of its columns, as columns.ts declares them: as objects, for explanations and for whoever
 * keeps them, and packed, for the catalog's thread.
 */
import { isAmount, isCount } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { MAX_TIME_MS } from '../base/time.js'
import type { Steps } from '../base/turns.js'
import { BLOB_LAYOUTS, BLOB_NAMES, packBlob, packedBlob, unpackBlob } from './blobs.js'
import {
  hasVersions,
  type LedgerColumnArrays,
  type LedgerColumns,
  newColumns,
  recentAt,
  recentCount,
  reserveVersions,
} from './column-arrays.js'
import { type BlobName, type Meaning, RECENT_REFRESHES } from './columns.js'
import { KEEP_EFFECTS } from './effects.js'
import { type MeaningOf, NUMBERS, type NumberColumn, type NumberName, type RowName } from './layout.js'
import { isValidProfile } from './profile.js'
import { gatherRows, type RowLayout, rowLayout } from './row-copies.js'
import { areValidVersions } from './versions.js'

/** What came of the last attempt. Their order is that of the numbers in the column, from 1. */
export const OUTCOMES = ['new', 'changed', 'same', 'gone', 'error'] as const
export type Outcome = (typeof OUTCOMES)[number]

export function outcomeNumber(outcome: Outcome): number {
  return OUTCOMES.indexOf(outcome) + 1
}

export interface PastRefresh {
  /** Since the refresh before; kept as a 32-bit float. */
  readonly intervalMs: number
  /** Kept as a 32-bit float; undefined for a change that could not be measured. */
  readonly deltaQuality: number | undefined
}

type RowValue<Is> = Is extends 'flag' ? boolean : Is extends 'outcome' ? Outcome : number
type RowNumbers = { readonly [Name in NumberName as RowName<Name>]: RowValue<MeaningOf<Name>> }

/** The numbers have the names of their columns, and the same meaning. */
export interface LedgerRow extends RowNumbers {
  readonly doc: number
  /** The last rated refreshes, newest first. */
  readonly recent: readonly PastRefresh[]
  /** The bytes of the BLOB `profile`; none for a page without a profile. */
  readonly profile: Uint8Array
  /** The bytes of the BLOB `versions`; none for a page of which none is kept. */
  readonly versions: Uint8Array
}

/** REQUIRES: there is a row. */
export function rowFrom(columns: LedgerColumns, doc: number): LedgerRow {
  const row: Record<string, unknown> = { doc }
  for (const { name, rowName, is } of NUMBERS) row[rowName] = rowValue(is, columns[name][doc]!)
  row.recent = recentRefreshes(columns, doc)
  row.profile = packedBlob(packBlob(columns, doc, 'profile'), 'profile', 0)
  row.versions = hasVersions(columns) ? packedBlob(packBlob(columns, doc, 'versions'), 'versions', 0) : NO_BYTES
  return row as unknown as LedgerRow
}

/** REQUIRES: the row is valid, and its place is empty. */
export function rowInto(columns: LedgerColumnArrays, row: LedgerRow): void {
  const { doc } = row
  for (const { name, rowName } of NUMBERS) columns[name][doc] = numberOf(row[rowName])
  row.recent.forEach(({ intervalMs, deltaQuality }, back) => {
    const at = recentAt(columns, doc, back)
    columns.recentIntervalSeconds[at] = intervalMs / 1000
    columns.recentDeltaQuality[at] = deltaQuality ?? Number.NaN
  })
  unpackBlob(columns, doc, 'profile', row.profile)
  if (row.versions.length === 0) return
  reserveVersions(columns)
  unpackBlob(columns, doc, 'versions', row.versions)
}

const NO_BYTES = new Uint8Array()

/** The last rated refreshes, newest first. */
export function recentRefreshes(columns: LedgerColumns, doc: number): PastRefresh[] {
  const { recentIntervalSeconds, recentDeltaQuality } = columns
  return Array.from({ length: recentCount(columns, doc) }, (_, back) => {
    const at = recentAt(columns, doc, back)
    const gain = recentDeltaQuality[at]!
    return { intervalMs: recentIntervalSeconds[at]! * 1000, deltaQuality: Number.isNaN(gain) ? undefined : gain }
  })
}

/** What a row has for the number of a column; undefined for a number that means nothing. */
function rowValue(is: Meaning, number: number): RowValue<Meaning> | undefined {
  if (is === 'flag') return number === 0 || number === 1 ? number === 1 : undefined
  return is === 'outcome' ? OUTCOMES[number - 1] : number
}

function numberOf(value: RowValue<Meaning>): number {
  return typeof value === 'string' ? outcomeNumber(value) : Number(value)
}

/** Far beyond any gain, interval or sum that was ever measured, and in the range of a 32-bit float. */
const MAX_AMOUNT = 1e38

/** RangeError for a row that the ledger cannot hold, or from which a policy could compute NaN or infinity. */
export function checkRow(row: LedgerRow): void {
  const fault = faultOf(row)
  if (fault === undefined) return
  const [name, rule] = fault
  throw new RangeError(`${name} of a row of the ledger must be ${rule}, received ${describe(row[name])}`)
}

/** The first value that is not what it must be, and what that is. */
function faultOf(row: LedgerRow): readonly [name: keyof LedgerRow, rule: string] | undefined {
  if (!isCount(row.doc)) return ['doc', 'the number of a document']
  for (const column of NUMBERS) {
    const rule = brokenRule(column, row[column.rowName])
    if (rule !== undefined) return [column.rowName, rule]
  }
  const due = Math.min(row.rated, RECENT_REFRESHES)
  if (row.recent.length !== due) return ['recent', `a list of ${due}`]
  for (const { intervalMs, deltaQuality } of row.recent)
    if (!(intervalMs > 0 && (deltaQuality ?? 0) >= 0)) return ['recent', 'intervals above 0 and gains']
  const earlier = row.unmeasured - row.recent.filter(({ deltaQuality }) => deltaQuality === undefined).length
  if (!(earlier >= 0 && earlier <= row.rated - due))
    return ['unmeasured', 'the number of rated refreshes without a gain']
  if (!arePackedProfile(row.profile)) return ['profile', 'the bytes of a profile']
  if (!arePackedVersions(row.versions)) return ['versions', 'the bytes of versions']
  return row.rated > row.unmeasured && !(row.decayedWeight > 0) ? ['decayedWeight', 'above 0'] : undefined
}

function brokenRule({ is, max }: NumberColumn, value: unknown): string | undefined {
  switch (is) {
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'outcome':
      return OUTCOMES.includes(value as Outcome) ? undefined : `one of ${OUTCOMES.join(', ')}`
    case 'count':
      return isCount(value, max) ? undefined : 'a count'
    case 'time':
      return typeof value === 'number' && Math.abs(value) <= MAX_TIME_MS ? undefined : 'a finite number'
    case 'amount':
      return isAmount(value, MAX_AMOUNT) ? undefined : 'a finite number'
  }
}

/** One row, in which bytes become numbers before they are looked at. */
const SCRATCH = newColumns(1, { hasVersions: true })

function arePackedProfile(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true
  if (bytes.length !== BLOB_LAYOUTS.profile.bytes) return false
  unpackBlob(SCRATCH, 0, 'profile', bytes)
  return isValidProfile(SCRATCH, 0)
}

function arePackedVersions(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true
  if (bytes.length !== BLOB_LAYOUTS.versions.bytes) return false
  unpackBlob(SCRATCH, 0, 'versions', bytes)
  return areValidVersions(SCRATCH, 0)
}

/** Rows of the ledger, packed, so that they cross to the catalog's thread in a few pieces. */
export interface LedgerRows {
  /** ROW_NUMBERS for each row: its document, then its numbers in the order of the table. */
  readonly numbers: Float64Array
  /** BLOBs of one length, one after another; where a row has none, bytes of 0; no bytes where no row has any. */
  readonly blobs: Readonly<Record<BlobName, Uint8Array>>
  readonly effects: Uint8Array
  /** Where the effects of each row end. KEEP_EFFECTS: those of the row in the table stay. */
  readonly effectEnds: Float64Array
}

const ROW_NUMBERS = 1 + NUMBERS.length
/** The places of these numbers among the values of a row. */
export const STAKE_AT = 1 + NUMBERS.findIndex(({ name }) => name === 'stake')
export const REFRESHES_AT = 1 + NUMBERS.findIndex(({ name }) => name === 'refreshes')

/** Sections: numbers, behind each document's own; the BLOBs. */
const PACKED_ROWS = packedLayout(BLOB_NAMES)
/** Most ledgers keep no versions, whose bytes are more than those of all others. */
const PACKED_WITHOUT_VERSIONS = packedLayout(BLOB_NAMES.filter((name) => name !== 'versions'))

function packedLayout(blobs: readonly BlobName[]) {
  return rowLayout([
    { name: 'doc', section: 0, at: 0, isWidened: true },
    ...NUMBERS.map(({ name }, nth) => ({ name, section: 0, at: 8 * (nth + 1), isWidened: true })),
    ...blobs.flatMap((blob, nth) =>
      BLOB_LAYOUTS[blob].columns.map(({ name, at }) => ({ name, section: nth + 1, at, isWidened: false })),
    ),
  ])
}

/** A change of no row. */
export const NO_ROWS: LedgerRows = {
  numbers: new Float64Array(),
  blobs: { recent: new Uint8Array(), profile: new Uint8Array(), versions: new Uint8Array() },
  effects: new Uint8Array(),
  effectEnds: new Float64Array(),
}

/** What the last refreshes of rows did, one row after another. */
export type PackedEffects = Pick<LedgerRows, 'effects' | 'effectEnds'>

/** The same of rows one by one; one without effects keeps those of the refresh before. */
export function packEffects(parts: readonly (Uint8Array | undefined)[]): PackedEffects {
  const effectEnds = new Float64Array(parts.length)
  let end = 0
  for (const [row, part] of parts.entries()) {
    if (part !== undefined) end += part.length
    effectEnds[row] = part === undefined ? KEEP_EFFECTS : end
  }
  const effects = new Uint8Array(end)
  let at = 0
  for (const part of parts) {
    if (part !== undefined) effects.set(part, at)
    at += part?.length ?? 0
  }
  return { effects, effectEnds }
}

/** Without effects, all rows keep those of the refresh before. */
export function packRows(columns: LedgerColumns, docs: ArrayLike<number>, effects?: PackedEffects): LedgerRows {
  const packing = new Packing(columns, docs)
  packing.gather(0, packing.rows)
  return packing.take(effects)
}

/** The same in steps. */
export function* packingRows(columns: LedgerColumns, docs: ArrayLike<number>): Steps<LedgerRows> {
  const packing = new Packing(columns, docs)
  for (let from = 0; from < packing.rows; from += ROWS_PER_STEP) {
    if (from > 0) yield
    packing.gather(from, Math.min(packing.rows, from + ROWS_PER_STEP))
  }
  return packing.take()
}

/** Rows that are packed between two looks at the clock. */
const ROWS_PER_STEP = 1024

/** Sections of packed rows, of which most ledgers have no versions. */
const SIZES = [8 * ROW_NUMBERS, ...BLOB_NAMES.map((name) => BLOB_LAYOUTS[name].bytes)]

/** Rows on their way into packed form, in memory of their own, which can be handed to another thread. */
class Packing {
  readonly rows: number
  readonly #columns: LedgerColumns
  readonly #documents: Uint32Array
  readonly #layout: RowLayout
  readonly #sizes: readonly number[]
  readonly #begins: readonly number[]
  readonly #packed: Uint8Array

  constructor(columns: LedgerColumns, docs: ArrayLike<number>) {
    this.#columns = columns
    this.#documents = Uint32Array.from(docs)
    this.rows = docs.length
    const areKept = hasVersions(columns) && this.#documents.some((doc) => columns.versions[doc]! > 0)
    this.#layout = areKept ? PACKED_ROWS : PACKED_WITHOUT_VERSIONS
    this.#sizes = areKept ? SIZES : SIZES.slice(0, -1)
    const begins: number[] = []
    let length = 0
    for (const size of this.#sizes) {
      begins.push(length)
      length += size * this.rows
    }
    this.#begins = begins
    this.#packed = new Uint8Array(length)
  }

  gather(from: number, to: number): void {
    const sections = Uint32Array.from(this.#sizes.flatMap((size, nth) => [this.#begins[nth]! + size * from, size]))
    gatherRows(this.#columns, this.#layout, sections, this.#documents.subarray(from, to), this.#packed)
  }

  take(given?: PackedEffects): LedgerRows {
    const packed = this.#packed
    const [, recentAt, profileAt, versionsAt = packed.length] = this.#begins
    const effectEnds = given?.effectEnds ?? new Float64Array(this.rows).fill(KEEP_EFFECTS)
    return {
      numbers: new Float64Array(packed.buffer, 0, ROW_NUMBERS * this.rows),
      blobs: {
        recent: packed.subarray(recentAt, profileAt),
        profile: packed.subarray(profileAt, versionsAt),
        versions: packed.subarray(versionsAt),
      },
      effects: given?.effects ?? NO_BYTES,
      effectEnds,
    }
  }
}

/** A row as the catalog takes it and gives it back: ROW_NUMBERS numbers, then the BLOBs. */
export function packedValues({ numbers, blobs }: LedgerRows, row: number): (number | Uint8Array)[] {
  const values: (number | Uint8Array)[] = []
  for (let at = row * ROW_NUMBERS, end = at + ROW_NUMBERS; at < end; at++) values.push(numbers[at]!)
  for (const blob of BLOB_NAMES) values.push(packedBlob(blobs[blob], blob, row))
  return values
}

export function* unpacked(rows: LedgerRows): Generator<readonly unknown[]> {
  for (let row = 0; row < rows.effectEnds.length; row++) yield packedValues(rows, row)
}

/** Undefined for values that are no row of a document. */
export function unpackRow(values: readonly unknown[]): LedgerRow | undefined {
  const row: Record<string, unknown> = { doc: values[0] }
  let at = 1
  for (const { rowName, is } of NUMBERS) {
    const number = values[at++]
    if (typeof number !== 'number') return undefined
    row[rowName] = rowValue(is, number)
  }
  const [recent, profile, versions] = values.slice(at)
  if (!(recent instanceof Uint8Array && recent.length === BLOB_LAYOUTS.recent.bytes)) return undefined
  if (!(profile instanceof Uint8Array && versions instanceof Uint8Array)) return undefined
  SCRATCH.rated[0] = row.rated as number
  unpackBlob(SCRATCH, 0, 'recent', recent)
  row.recent = recentRefreshes(SCRATCH, 0)
  row.profile = profile
  row.versions = versions
  return faultOf(row as unknown as LedgerRow) === undefined ? (row as unknown as LedgerRow) : undefined
}
