import { describe, expect, it } from 'vitest'
import { BLOB_LAYOUTS } from '../../src/ledger/blobs.js'
import { BYTES_PER_PAGE, COLUMN_BYTES, clearRow, growColumns, newColumns } from '../../src/ledger/column-arrays.js'
import { LEDGER } from '../../src/ledger/columns.js'
import { COLUMN_NAMES, NUMBERS } from '../../src/ledger/layout.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { packedValues, packRows, unpacked, unpackRow } from '../../src/ledger/rows.js'
import { edgeRow } from '../support/ledgers.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { PACKED, ROW } from './recorded-row.js'

function withRow(): Ledger {
  const ledger = new Ledger()
  ledger.restore(ROW)
  return ledger
}

describe('the bytes of a row', () => {
  it('are those that were recorded', () => {
    const { numbers, blobs } = packRows(withRow().columns, [ROW.doc])
    expect(Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('hex')).toBe(
      Buffer.from(PACKED.numbers).toString('hex'),
    )
    expect(Buffer.from(blobs.recent).toString('hex')).toBe(Buffer.from(PACKED.recent).toString('hex'))
    expect(Buffer.from(blobs.profile).toString('hex')).toBe(Buffer.from(PACKED.profile).toString('hex'))
    expect(Buffer.from(blobs.versions).toString('hex')).toBe(Buffer.from(PACKED.versions).toString('hex'))
    expect(Object.values(BLOB_LAYOUTS).map(({ bytes }) => bytes)).toEqual([48, 123, 161])
  })

  it('are the row again', () => {
    const numbers = new Float64Array(PACKED.numbers.slice().buffer)
    expect(unpackRow([...numbers, PACKED.recent, PACKED.profile, PACKED.versions])).toEqual(ROW)
    expect(withRow().rowOf(ROW.doc)).toEqual(ROW)
  })

  it('of a page without a profile are none in its place', () => {
    const ledger = new Ledger()
    ledger.created(3, 1000)
    const rows = packRows(ledger.columns, [3])
    expect(packedValues(rows, 0).slice(-3)).toEqual([new Uint8Array(48), new Uint8Array(), new Uint8Array()])
    expect(unpackRow(packedValues(rows, 0))).toEqual(ledger.rowOf(3))
  })

  it('survive the way to an object and back, whatever the row', () => {
    withSeed('packed rows', (seed) => {
      const random = new SeededRandom(seed)
      const ledger = new Ledger()
      const docs = Array.from({ length: 200 }, (_, doc) => doc)
      for (const doc of docs) ledger.restore(edgeRow(random, doc))
      const rows = packRows(ledger.columns, docs)
      const copy = new Ledger()
      for (const values of unpacked(rows)) copy.restore(unpackRow(values)!)
      expect(packRows(copy.columns, docs)).toEqual(rows)
    })
  })
})

describe('the columns', () => {
  it('lie in shared memory, and keep what they hold when they grow', () => {
    const columns = newColumns(2, { hasVersions: true })
    for (const name of COLUMN_NAMES) columns[name].fill(7)
    growColumns(columns, 5)
    for (const name of COLUMN_NAMES) {
      const { width, array } = LEDGER[name]
      expect(columns[name].buffer, name).toBeInstanceOf(SharedArrayBuffer)
      expect(columns[name], name).toBeInstanceOf(array)
      expect([...columns[name]], name).toEqual([...Array(2 * width).fill(7), ...Array(3 * width).fill(0)])
    }
  })

  it('are cleared row by row', () => {
    const columns = newColumns(3, { hasVersions: true })
    for (const name of COLUMN_NAMES) columns[name].fill(7)
    clearRow(columns, 1)
    for (const name of COLUMN_NAMES) {
      const { width } = LEDGER[name]
      expect([...columns[name]], name).toEqual([
        ...Array(width).fill(7),
        ...Array(width).fill(0),
        ...Array(width).fill(7),
      ])
    }
  })

  it('are in one group each, and in a row by themselves or in a BLOB', () => {
    expect(Object.values(COLUMN_BYTES).reduce((sum, bytes) => sum + bytes, 0)).toBe(
      BYTES_PER_PAGE + COLUMN_BYTES.versions,
    )
    expect(COLUMN_BYTES).toEqual({ history: 128, profile: 127, signals: 14, cluster: 2, versions: 161 })
    const inBlobs = Object.values(BLOB_LAYOUTS).flatMap(({ columns }) => columns.map(({ name }) => name))
    expect([...NUMBERS.map(({ name }) => name), ...inBlobs].sort()).toEqual([...COLUMN_NAMES].sort())
  })
})

describe('a row', () => {
  it.each(NUMBERS.map((column) => [column.rowName, column] as const))('is refused with a wrong %s', (name, column) => {
    const wrong: Record<string, readonly unknown[]> = {
      flag: [1, undefined],
      outcome: ['old', undefined],
      count: [-1, 0.5, column.max + 1, Number.NaN],
      time: [8.64e15 + 2, Number.NaN, Number.NEGATIVE_INFINITY],
      amount: [-1e-9, 2e38, Number.NaN],
    }
    for (const value of wrong[column.is]!) {
      const refused = () => new Ledger().restore({ ...ROW, [name]: value })
      expect(refused, String(value)).toThrow(`${name} of a row of the ledger must be`)
    }
  })
})
