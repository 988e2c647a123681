/**
 * What is known about the refreshes of each page, column by column as columns.ts declares it: policies read millions of
 * rows, and a row of numbers in arrays takes a fraction of an object. Row n is that of document n. The arrays lie in
 * shared memory, so that other threads can read them without a copy.
 */

import { sharedMemory } from '../base/bytes.js'
import { finish, type Steps } from '../base/turns.js'
import { type ColumnGroup, type ColumnName, LEDGER, RECENT_REFRESHES } from './columns.js'
import { COLUMN_NAMES } from './layout.js'

/** For writing. The arrays are replaced when the ledger grows: take them from here each time. */
export type LedgerColumnArrays = { [Name in ColumnName]: (typeof LEDGER)[Name]['array']['prototype'] }

/** For reading. */
export type LedgerColumns = { readonly [Name in ColumnName]: ArrayLike<number> }

/** The bytes that a page takes in these columns. */
export function columnBytes(names: readonly ColumnName[]): number {
  return names.reduce((sum, name) => sum + LEDGER[name].array.BYTES_PER_ELEMENT * LEDGER[name].width, 0)
}

function groupBytes(group: ColumnGroup): number {
  return columnBytes(COLUMN_NAMES.filter((name) => LEDGER[name].place.of === group))
}

/** The bytes that a page takes, by what the columns are for. */
export const COLUMN_BYTES: Readonly<Record<ColumnGroup, number>> = {
  history: groupBytes('history'),
  profile: groupBytes('profile'),
  signals: groupBytes('signals'),
  cluster: groupBytes('cluster'),
  versions: groupBytes('versions'),
}

/** Most ledgers keep no version of any page: these columns have no place until one does. */
const VERSION_NAMES = COLUMN_NAMES.filter((name) => LEDGER[name].place.of === 'versions')

/** The bytes that a page takes in the columns that every ledger has. */
export const BYTES_PER_PAGE = columnBytes(COLUMN_NAMES) - COLUMN_BYTES.versions

export function newColumns(rows: number, { hasVersions = false } = {}): LedgerColumnArrays {
  const arrays = COLUMN_NAMES.map((name) => {
    const places = VERSION_NAMES.includes(name) && !hasVersions ? 0 : rows
    return [name, newArray(name, places)]
  })
  return Object.fromEntries(arrays) as LedgerColumnArrays
}

function newArray(name: ColumnName, rows: number): LedgerColumnArrays[ColumnName] {
  const { array, width } = LEDGER[name]
  const overShared = array as new (buffer: SharedArrayBuffer) => LedgerColumnArrays[ColumnName]
  return new overShared(sharedMemory(rows * width * array.BYTES_PER_ELEMENT))
}

/** Whether versions of pages have a place. */
export function hasVersions(columns: LedgerColumns): boolean {
  return columns.versions.length > 0
}

/** Makes a place for versions of as many pages as the columns have a place for. */
export function reserveVersions(columns: LedgerColumnArrays): void {
  if (hasVersions(columns)) return
  const added = VERSION_NAMES.map((name) => [name, newArray(name, columns.present.length)])
  Object.assign(columns, Object.fromEntries(added))
}

/** Puts longer arrays with the same beginning into the same object. */
export function growColumns(columns: LedgerColumnArrays, rows: number): void {
  Object.assign(columns, finish(longerColumns(columns, rows)))
}

/** Longer arrays with the same beginning, in steps: those of a million pages take a tenth of a second. */
export function* longerColumns(columns: LedgerColumns, rows: number): Steps<LedgerColumnArrays> {
  const longer = newColumns(rows, { hasVersions: hasVersions(columns) })
  for (const name of COLUMN_NAMES) {
    const from = columns[name] as LedgerColumnArrays[typeof name]
    const elements = Math.ceil(COPIED_BYTES / from.BYTES_PER_ELEMENT)
    for (let at = 0; at < from.length; at += elements) {
      longer[name].set(from.subarray(at, at + elements), at)
      yield
    }
  }
  return longer
}

/** Copied in a step: a tenth of a millisecond, the pages that the system has to give counted. */
const COPIED_BYTES = 65_536

const WIDTHS = COLUMN_NAMES.map((name) => [name, LEDGER[name].width] as const)

export function clearRow(columns: LedgerColumnArrays, doc: number): void {
  for (const [name, width] of WIDTHS) columns[name].fill(0, doc * width, (doc + 1) * width)
}

/** The place of a page's n-th last rated refresh in the recent columns, n from 0. REQUIRES: n < recentCount. */
export function recentAt(columns: LedgerColumns, doc: number, back: number): number {
  const next = columns.rated[doc]! % RECENT_REFRESHES
  return doc * RECENT_REFRESHES + ((next - 1 - back + 2 * RECENT_REFRESHES) % RECENT_REFRESHES)
}

/** Rated refreshes whose gain is known. One that found the page the same has gained 0. */
export function measuredCount(columns: LedgerColumns, doc: number): number {
  return columns.rated[doc]! - columns.unmeasured[doc]!
}

/** Changes whose gain is known: those that sumDeltaQuality is the sum of. */
export function measuredChanges(columns: LedgerColumns, doc: number): number {
  // A change that was seen without an interval is counted among the changes only.
  return Math.max(0, Math.min(columns.changes[doc]!, columns.rated[doc]!) - columns.unmeasured[doc]!)
}

/** How many rated refreshes of a page the recent columns hold. */
export function recentCount(columns: LedgerColumns, doc: number): number {
  return Math.min(columns.rated[doc]!, RECENT_REFRESHES)
}
