/** Changes of the ledger that wait: whoever reads sees what a table sees into which every change goes at once. */
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { documentsWithoutRow, readEffects, readLedger, rowsWithoutDocument } from '../../src/catalog/ledger-rows.js'
import { LedgerWriter } from '../../src/catalog/ledger-writer.js'
import { createTables } from '../../src/catalog/schema.js'
import { EFFECT_BYTES, KEEP_EFFECTS } from '../../src/ledger/effects.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { type LedgerChange, packChange, unpackChange } from '../../src/ledger/packed-change.js'
import { packEffects, packRows, STAKE_AT, unpacked } from '../../src/ledger/rows.js'
import { edgeRow } from '../support/ledgers.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const DOCUMENTS = 60

function newCatalog() {
  const db = new Database(':memory:')
  createTables(db)
  return db
}

function randomChange(random: SeededRandom): LedgerChange {
  const docs = [...new Set(Array.from({ length: random.int(9) }, () => random.int(DOCUMENTS)))]
  const ledger = new Ledger()
  for (const doc of docs) ledger.restore({ ...edgeRow(random, doc), refreshes: random.between(0, 3) })
  const effects = docs.map(() =>
    random.chance(0.6) ? Buffer.alloc(EFFECT_BYTES * random.int(3), random.int(256)) : undefined,
  )
  const removed = Array.from({ length: random.int(3) }, () => random.int(DOCUMENTS)).filter(
    (doc) => !docs.includes(doc),
  )
  const stakes = Array.from({ length: random.int(4) }, () => [random.int(DOCUMENTS), random.next()]).flat()
  return {
    ledger: packRows(ledger.columns, docs, packEffects(effects)),
    removed: Uint32Array.from(removed),
    stakes: Float64Array.from(stakes),
  }
}

/** Each document's row as a text, and its effects: what a ledger is, without any table. */
class KnownLedger {
  readonly #rows = new Map<number, { values: readonly unknown[]; effects: string }>()

  take({ ledger, removed, stakes }: LedgerChange): void {
    for (let at = 0; at < stakes.length; at += 2) {
      const known = this.#rows.get(stakes[at]!)
      if (known !== undefined) known.values = known.values.with(STAKE_AT, stakes[at + 1]!)
    }
    let begin = 0
    for (const [row, values] of [...unpacked(ledger)].entries()) {
      const doc = values[0] as number
      const end = ledger.effectEnds[row]!
      const own = end === KEEP_EFFECTS ? (this.#rows.get(doc)?.effects ?? '') : hexOf(ledger.effects.slice(begin, end))
      if (end !== KEEP_EFFECTS) begin = end
      this.#rows.set(doc, { values, effects: own })
    }
    for (const doc of removed) this.#rows.delete(doc)
  }

  looks(documents: readonly number[]) {
    const docs = [...this.#rows.keys()].sort((a, b) => a - b)
    return {
      rows: docs.map((doc) => textOf(this.#rows.get(doc)!.values)),
      effects: Array.from({ length: DOCUMENTS }, (_, doc) => this.#rows.get(doc)?.effects ?? ''),
      withoutRow: documents.filter((doc) => !this.#rows.has(doc)),
      withoutDocument: docs.filter((doc) => !documents.includes(doc)),
    }
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function textOf(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => (value instanceof Uint8Array ? hexOf(value) : value)))
}

function looksOf(db: Database.Database) {
  return {
    rows: [...readLedger(() => db, 7)].flat().map(textOf),
    effects: Array.from({ length: DOCUMENTS }, (_, doc) => hexOf(readEffects(db, doc))),
    withoutRow: documentsWithoutRow(db).sort((a, b) => a - b),
    withoutDocument: rowsWithoutDocument(db).sort((a, b) => a - b),
  }
}

describe('changes that wait', () => {
  test('are read as if they were in the table, before and after they are brought there', () => {
    withSeed('waiting changes', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 12; round++) {
        const db = newCatalog()
        const documents = Array.from({ length: DOCUMENTS / 2 }, (_, nth) => 2 * nth)
        for (const doc of documents) db.prepare('INSERT INTO documents VALUES (?, ?)').run(doc, `key ${doc}`)
        const known = new KnownLedger()
        let writer = new LedgerWriter(db)
        for (let step = 0; step < 25; step++) {
          const change = randomChange(random)
          writer.write(packChange(change))
          known.take(change)
          db.exec('UPDATE refresh_state SET version = version + 1')
          if (random.chance(0.1)) writer.fold()
          if (random.chance(0.1)) writer = new LedgerWriter(db)
          expect(looksOf(db)).toEqual(known.looks(documents))
        }
        writer.fold()
        expect(db.prepare('SELECT count(*) FROM ledger_changes').pluck().get()).toBe(0)
        expect(looksOf(db)).toEqual(known.looks(documents))
        db.close()
      }
    })
  })

  test('are brought into the table when there are many of them, and at once where most documents are new', () => {
    const db = newCatalog()
    const writer = new LedgerWriter(db)
    const waits = () => db.prepare('SELECT count(*) FROM ledger_changes').pluck().get()
    const packedOf = (docs: readonly number[], refreshes: number) => {
      const ledger = new Ledger()
      for (const doc of docs) {
        ledger.created(doc, 0)
        for (let nth = 1; nth <= refreshes; nth++) ledger.refreshed(doc, nth * 1000, 'same', 0)
      }
      return packChange({
        ledger: packRows(ledger.columns, docs),
        removed: new Uint32Array(),
        stakes: new Float64Array(),
      })
    }
    const docs = Array.from({ length: 800 }, (_, doc) => doc)
    writer.write(packedOf(docs, 0))
    expect(waits()).toBe(0)
    for (let nth = 1; nth <= 20; nth++) {
      writer.write(packedOf(docs, nth))
      expect(waits()).toBe(nth)
    }
    writer.write(packedOf(docs, 21))
    expect(waits()).toBe(0)
    expect(db.prepare('SELECT DISTINCT refreshes FROM ledger').pluck().all()).toEqual([21])
    writer.write(packedOf([7], 22))
    expect(waits()).toBe(1)
    // Another process finds what a killed one has left, and its first write brings it where it belongs.
    new LedgerWriter(db).write(packedOf([8], 22))
    expect(waits()).toBe(0)
    expect(db.prepare('SELECT refreshes FROM ledger WHERE doc IN (6, 7, 8)').pluck().all()).toEqual([21, 22, 22])
    db.close()
  })
})

describe('a change that waits and cannot be read', () => {
  const changeOf = (doc: number) => {
    const ledger = new Ledger()
    ledger.created(doc, 0)
    ledger.refreshed(doc, 1000, 'same', 0)
    return packChange({
      ledger: packRows(ledger.columns, [doc]),
      removed: new Uint32Array(),
      stakes: new Float64Array(),
    })
  }
  const withNumber = (packed: Uint8Array, nth: number, number: number) => {
    const bytes = Buffer.from(packed)
    bytes.writeDoubleLE(number, 24 + bytes.readUInt32LE(0) + 8 * nth)
    return bytes
  }
  const whole = changeOf(3)

  test.each([
    ['bytes that end too early', whole.subarray(0, 100)],
    ['a number that is none', withNumber(whole, 2, Number.NaN)],
    ['half a document', withNumber(whole, 0, 0.5)],
    ['no bytes at all', Buffer.alloc(0)],
  ])('%s: stays when the others are brought into the table, and is told of', (_, bytes) => {
    const db = newCatalog()
    const writer = new LedgerWriter(db)
    const waits = () => db.prepare('SELECT id FROM ledger_changes').pluck().all()
    const documents = () => db.prepare('SELECT doc FROM ledger').pluck().all()
    writer.write(changeOf(1))
    db.prepare('INSERT INTO ledger_changes (bytes) VALUES (?)').run(bytes)
    writer.write(changeOf(2))
    expect(waits()).toEqual([1, 2, 3])
    for (let time = 0; time < 2; time++) {
      writer.fold()
      expect(documents()).toEqual([1, 2])
      expect(waits()).toEqual([2])
      const rows = [...readLedger(() => db, 7)].flat()
      expect(rows.filter(([doc]) => doc === null)).toHaveLength(1)
      expect(rows).toHaveLength(3)
    }
    new LedgerWriter(db).write(changeOf(5))
    expect(documents()).toEqual([1, 2, 5])
    expect(waits()).toEqual([2])
    db.close()
  })
})

describe('the bytes of a change', () => {
  test('are the change again, and cut off anywhere they are none', () => {
    withSeed('bytes of a change', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const change = randomChange(random)
        const packed = packChange(change)
        expect(unpackChange(packed)).toEqual(change)
        for (const length of [0, 3, 15, 16, 40, packed.length - 1]) {
          const cut = unpackChange(packed.subarray(0, Math.min(length, packed.length - 1)))
          expect(cut).toBeUndefined()
        }
      }
    })
    for (const other of [undefined, null, 'text', 7]) expect(unpackChange(other)).toBeUndefined()
  })

  test('of rows that had fewer numbers, in another order, have 0 for the others', () => {
    const ledger = new Ledger()
    ledger.created(5, 1000)
    ledger.refreshed(5, 9000, 'changed', 2)
    const change = {
      ledger: packRows(ledger.columns, [5]),
      removed: new Uint32Array(),
      stakes: new Float64Array(),
    }
    const packed = Buffer.from(packChange(change))
    const headingBytes = packed.readUInt32LE(0)
    const [names, blobs] = JSON.parse(packed.toString('utf8', 24, 24 + headingBytes)) as [string[], unknown]
    const fewer = [
      'doc',
      ...names
        .slice(1)
        .filter((name) => name !== 'cluster')
        .reverse(),
    ]
    const text = JSON.stringify([fewer, blobs])
    const heading = Buffer.from(text.padEnd(text.length + ((8 - (text.length % 8)) % 8)))
    const numbers = fewer.map((name) => change.ledger.numbers[names.indexOf(name)]!)
    const head = Buffer.from(packed.subarray(0, 24))
    head.writeUInt32LE(heading.length)
    const rest = packed.subarray(24 + headingBytes + 8 * names.length)
    const older = Buffer.concat([head, heading, Buffer.from(Float64Array.from(numbers).buffer), rest])
    expect(unpackChange(older)).toEqual(change)
  })
})
