/** Columns that the table has more are in the arrays, the rows, their check, their bytes and the catalog. */
import Database from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { prepareLedgerWriter, readLedger } from '../../src/catalog/ledger-rows.js'
import { createTables } from '../../src/catalog/schema.js'
import { COLUMN_BYTES } from '../../src/ledger/column-arrays.js'
import type * as Table from '../../src/ledger/columns.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { type LedgerRow, packEffects, packRows, unpacked, unpackRow } from '../../src/ledger/rows.js'
import { PACKED, ROW } from './recorded-row.js'

vi.mock('../../src/ledger/columns.js', async (original) => {
  const table = await original<typeof Table>()
  const { column } = table
  return {
    ...table,
    LEDGER: {
      ...table.LEDGER,
      noveltyOfText: column(Float32Array, { is: 'amount', of: 'cluster' }),
      pinned: column(Uint8Array, { is: 'flag', of: 'cluster' }),
    },
  }
})

const WIDER = { ...ROW, noveltyOfText: 0.375, isPinned: true }

function ledgerOf(row: LedgerRow): Ledger {
  const ledger = new Ledger()
  ledger.restore(row)
  return ledger
}

describe('a new column', () => {
  it('is in memory, in its group, and in the row', () => {
    expect(COLUMN_BYTES).toEqual({ history: 128, profile: 127, signals: 14, cluster: 7, versions: 161 })
    const ledger = ledgerOf(WIDER)
    expect(ledger.rowOf(ROW.doc)).toEqual(WIDER)
    expect(ledger.columns).toMatchObject({ noveltyOfText: expect.any(Float32Array), pinned: expect.any(Uint8Array) })
    ledger.removed(ROW.doc)
    ledger.created(ROW.doc, 0)
    expect(ledger.rowOf(ROW.doc)).toMatchObject({ noveltyOfText: 0, isPinned: false })
  })

  it('is checked by what it means', () => {
    expect(() => ledgerOf({ ...WIDER, noveltyOfText: -1 } as LedgerRow)).toThrow('noveltyOfText of a row of the ledger')
    expect(() => ledgerOf({ ...WIDER, isPinned: 1 } as unknown as LedgerRow)).toThrow('isPinned of a row of the ledger')
    expect(() => ledgerOf(ROW)).toThrow('noveltyOfText of a row of the ledger must be a finite number')
  })

  it('is packed behind the others, whose bytes stay as they are', () => {
    const rows = packRows(ledgerOf(WIDER).columns, [ROW.doc])
    const numbers = new Float64Array(PACKED.numbers.slice().buffer)
    expect([...rows.numbers]).toEqual([...numbers, 0.375, 1])
    expect(rows.blobs).toEqual({ recent: PACKED.recent, profile: PACKED.profile, versions: PACKED.versions })
    expect([...unpacked(rows)].map(unpackRow)).toEqual([WIDER])
  })

  it('is in the catalog, where it is created, written, overwritten and read', () => {
    const db = new Database(':memory:')
    createTables(db)
    const write = prepareLedgerWriter(db)
    write(
      packRows(
        ledgerOf({ ...WIDER, noveltyOfText: 9 } as LedgerRow).columns,
        [ROW.doc],
        packEffects([Buffer.from('effects')]),
      ),
    )
    write(packRows(ledgerOf(WIDER).columns, [ROW.doc]))
    const [row, ...others] = [...readLedger(() => db, 10)].flat().map(unpackRow)
    expect(others).toEqual([])
    expect(ledgerOf(row as LedgerRow).rowOf(ROW.doc)).toEqual(WIDER)
    const values = db.prepare('SELECT novelty_of_text, is_pinned, effects FROM ledger').raw().get()
    expect(values).toEqual([0.375, 1, Buffer.from('effects')])
    const types = db.prepare("SELECT name, type FROM pragma_table_info('ledger')").raw().all() as [string, string][]
    expect(Object.fromEntries(types)).toMatchObject({ novelty_of_text: 'REAL', is_pinned: 'INTEGER', recent: 'BLOB' })
    db.close()
  })
})
