/**
 * Rows of the ledger copied out of its columns and put back, many at a time, by one call of the addon. In JavaScript
 * the loops over columns hardly ever run often enough to be compiled, and a write of some pages takes thousands of
 * their steps.
 */
import { loadAddon } from '../core/addon.js'
import { columnBytes, type LedgerColumnArrays, type LedgerColumns } from './column-arrays.js'
import type { ColumnName } from './columns.js'
import { LEDGER } from './columns.js'
import { COLUMN_NAMES } from './layout.js'

/** Where the elements of a column are in a packed row. */
export interface RowPlace {
  /** 'doc': the number of the document itself, which is no column. */
  readonly name: ColumnName | 'doc'
  /** Rows lie in sections: in each, row after row. */
  readonly section: number
  /** From the begin of the row in its section. */
  readonly at: number
  /** Packed as float64, whatever the array holds. */
  readonly isWidened: boolean
}

export interface RowLayout {
  readonly names: readonly (ColumnName | 'doc')[]
  /** Of each column: section, offset, elements a row, 0 for the number of the document, and 1 where it is widened. */
  readonly places: Uint32Array
}

export function rowLayout(places: readonly RowPlace[]): RowLayout {
  return {
    names: places.map(({ name }) => name),
    places: Uint32Array.from(
      places.flatMap(({ name, section, at, isWidened }) => [
        ...[section, at, name === 'doc' ? 0 : LEDGER[name].width, isWidened ? 1 : 0],
      ]),
    ),
  }
}

/**
 * Copies the rows of these documents to `out`; a document without a place in the columns has zeros. `sections`: where
 * each begins, and the bytes of a row in it, in turn.
 */
export function gatherRows(
  columns: LedgerColumns,
  { names, places }: RowLayout,
  sections: Uint32Array,
  docs: Uint32Array,
  out: Uint8Array,
): void {
  addon ??= loadAddon()
  addon.gatherRows(arraysOf(columns, names), places, sections, docs, out)
}

function arraysOf(columns: LedgerColumns, names: RowLayout['names']): readonly LedgerColumnArrays[ColumnName][] {
  return names.map((name) => (name === 'doc' ? NO_COLUMN : (columns[name] as LedgerColumnArrays[ColumnName])))
}

const NO_COLUMN = new Float64Array()

/** Finding it takes a look into folders. */
let addon: ReturnType<typeof loadAddon> | undefined

/** Rows as they were at some moment, all columns of each. */
export interface RowCopies {
  readonly docs: Uint32Array
  readonly bytes: Uint8Array
}

const WHOLE_ROWS = rowLayout(
  COLUMN_NAMES.map((name, nth) => ({
    ...{ name, section: 0, isWidened: false },
    at: columnBytes(COLUMN_NAMES.slice(0, nth)),
  })),
)
const ROW_BYTES = columnBytes(COLUMN_NAMES)
const WHOLE_ROW_SECTION = Uint32Array.of(0, ROW_BYTES)

export function copyRows(columns: LedgerColumns, docs: ArrayLike<number>): RowCopies {
  const copies = { docs: Uint32Array.from(docs), bytes: new Uint8Array(docs.length * ROW_BYTES) }
  gatherRows(columns, WHOLE_ROWS, WHOLE_ROW_SECTION, copies.docs, copies.bytes)
  return copies
}

export function putRowsBack(columns: LedgerColumnArrays, { docs, bytes }: RowCopies): void {
  addon ??= loadAddon()
  addon.scatterRows(arraysOf(columns, WHOLE_ROWS.names), WHOLE_ROWS.places, WHOLE_ROW_SECTION, docs, bytes)
}
