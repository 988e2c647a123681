/** Rows that the addon copies out of columns, against a plain copy number by number. */
import { describe, expect, test } from 'vitest'
import { columnBytes, type LedgerColumns } from '../../src/ledger/column-arrays.js'
import { type BlobName, type Column, LEDGER } from '../../src/ledger/columns.js'
import { COLUMN_NAMES, NUMBERS } from '../../src/ledger/layout.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { gatherRows, rowLayout } from '../../src/ledger/row-copies.js'
import { packRows } from '../../src/ledger/rows.js'
import { edgeRow } from '../support/ledgers.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const DOCUMENTS = 40

function randomLedger(random: SeededRandom): Ledger {
  const ledger = new Ledger()
  for (let doc = 0; doc < DOCUMENTS; doc++) if (random.chance(0.8)) ledger.restore(edgeRow(random, doc))
  return ledger
}

function randomDocs(random: SeededRandom): number[] {
  return Array.from({ length: random.int(9) }, () => random.int(DOCUMENTS))
}

/** The BLOB of one document, element by element. */
function plainBlob(columns: LedgerColumns, doc: number, blob: BlobName): number[] {
  return COLUMN_NAMES.flatMap((name) => {
    const { array, width, place }: Column = LEDGER[name]
    if (!('blob' in place) || place.blob !== blob) return []
    const elements = new array(width)
    for (let nth = 0; nth < width; nth++) elements[nth] = columns[name][doc * width + nth]!
    return [...new Uint8Array(elements.buffer)]
  })
}

/** All that can be seen of a ledger. */
function looksOf(ledger: Ledger) {
  const docs = Array.from({ length: DOCUMENTS }, (_, doc) => doc)
  return { rows: docs.map((doc) => ledger.rowOf(doc)), totals: ledger.totals() }
}

describe('packed rows', () => {
  test('have what a plain copy has', () => {
    withSeed('packed rows', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const { columns } = randomLedger(random)
        const docs = randomDocs(random)
        const { numbers, blobs } = packRows(columns, docs)
        expect([...numbers]).toEqual(docs.flatMap((doc) => [doc, ...NUMBERS.map(({ name }) => columns[name][doc])]))
        for (const blob of ['recent', 'profile'] as const)
          expect([...blobs[blob]]).toEqual(docs.flatMap((doc) => plainBlob(columns, doc, blob)))
      }
    })
  })

  test('are not copied where they would lie outside', () => {
    const { columns } = new Ledger()
    const layout = rowLayout([{ name: 'stake', section: 0, at: 4, isWidened: true }])
    const gather = (stride: number, bytes: number) =>
      gatherRows(columns, layout, Uint32Array.of(0, stride), Uint32Array.of(1, 2), new Uint8Array(bytes))
    gather(12, 24)
    expect(() => gather(11, 24)).toThrow('that fit them')
    expect(() => gather(12, 23)).toThrow('that fit them')
  })
})

describe('a step that is undone', () => {
  test('leaves rows and sums as they were, rows that the columns had no place for included', () => {
    withSeed('rows put back', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const ledger = randomLedger(random)
        const docs = [...new Set([...randomDocs(random), 5000])]
        const touched: number[] = []
        const looks = looksOf(ledger)
        const before = ledger.copyOf(docs)
        for (const doc of docs) {
          const happens = doc === 5000 ? 0 : random.int(3)
          if (happens === 0) ledger.created(doc, 1000)
          else if (happens === 1) ledger.removed(doc)
          else if (ledger.rowOf(doc) !== undefined) ledger.refreshed(doc, 1e12, 'changed', 3)
        }
        ledger.onTouched((doc) => touched.push(doc))
        ledger.putBack(before)
        expect(looksOf(ledger)).toEqual(looks)
        expect(ledger.rowOf(5000)).toBeUndefined()
        expect(touched).toEqual(docs)
      }
    })
  })

  test('is copied in as many bytes as the columns take', () => {
    const { bytes } = new Ledger().copyOf([0, 1, 2]).copies
    expect(bytes.length).toBe(3 * columnBytes(COLUMN_NAMES))
  })
})
