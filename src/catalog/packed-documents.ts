/**
 * Stored documents, compressed by zlib with a dictionary of the index's own. A compaction moves what was written since
 * the last one from the table `stored` to `packed`: writes are not held up, and rows that only shrank would leave their
 * pages half empty. Documents that SQL is to read, as JSON, stay where they are.
 *
 * | offset | size | meaning |
 * |---|---|---|
 * | 0 | 1 | 0xc1, with which neither MessagePack nor JSON begins |
 * | 1 | 1 | number of the dictionary |
 * | 2 | 4 | u32: bytes of the stored form |
 * | 6 | | the stored form, raw DEFLATE |
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Database, Statement } from 'better-sqlite3'
import { isCount } from '../base/checks.js'
import { inSqlite } from './connection.js'
import { corrupt } from './state.js'

const PACKED = 0xc1
const HEAD_BYTES = 6
/** What is shorter would hardly become shorter still. */
const LEAST_BYTES = 64
/** Of stored forms that one transaction compresses. */
const PORTION_BYTES = 1024 * 1024

/**
 * A page of 3.5 kB of documentation takes 29% of its bytes, against 33% without a dictionary; level 1 takes 32%, and
 * twice as many samples 28%.
 */
const LEVEL = 6
const SAMPLES = 16
const SAMPLE_BYTES = 512
/** From the beginning of a sample, where the names of properties are; the others are from its middle. */
const BEGINNING_BYTES = 128

const PLAIN = `length(bytes) >= ${LEAST_BYTES} AND substr(bytes, 1, 1) <> x'7b'`

/** Number, key and stored form, compressed or not, of documents. */
export const DOCUMENTS_AND_FORMS = `SELECT doc, key, coalesce(stored.bytes, packed.bytes, x'')
  FROM documents LEFT JOIN stored USING (doc) LEFT JOIN packed USING (doc)`

/** Gives stored forms as they were before they were compressed. */
export class DocumentUnpacker {
  readonly #db: Database
  readonly #dictionaries = new Map<number, Uint8Array>()
  #select: Statement<[number]> | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** What is no compressed form, or a damaged one, stays as it is: whoever asks compares hashes. */
  unpack(stored: unknown): unknown {
    if (!(stored instanceof Uint8Array) || stored[0] !== PACKED || stored.length < HEAD_BYTES) return stored
    const dictionary = this.#dictionary(stored[1]!)
    if (dictionary === undefined) return stored
    const view = new DataView(stored.buffer, stored.byteOffset)
    try {
      // Bytes from outside may say anything: no more is made of them than they claim.
      const maxOutputLength = Math.max(1, view.getUint32(2, true))
      return inflateRawSync(stored.subarray(HEAD_BYTES), { dictionary, maxOutputLength })
    } catch {
      return stored
    }
  }

  #dictionary(number: number): Uint8Array | undefined {
    const known = this.#dictionaries.get(number)
    if (known !== undefined) return known
    this.#select ??= this.#db.prepare<[number]>('SELECT bytes FROM dictionaries WHERE number = ?').pluck()
    const read = this.#select.get(number)
    if (!(read instanceof Uint8Array)) return undefined
    this.#dictionaries.set(number, read)
    return read
  }
}

interface Dictionary {
  readonly number: number
  readonly bytes: Uint8Array
}

/**
 * Compresses documents with numbers above `after`, some at a time and in one transaction. Gives the number of the last
 * one, or undefined when there are no more.
 */
export function packDocuments(db: Database, after: number): number | undefined {
  return inSqlite(db.name, () => db.transaction(() => packPortion(db, after)).immediate())
}

function packPortion(db: Database, after: number): number | undefined {
  const dictionary = knownDictionary(db) ?? newDictionary(db)
  if (dictionary === undefined) return undefined
  const rows = plainRows(db, after)
  const put = db.prepare(`INSERT INTO packed (doc, bytes) VALUES (?, ?)
    ON CONFLICT (doc) DO UPDATE SET bytes = excluded.bytes`)
  const remove = db.prepare('DELETE FROM stored WHERE doc = ?')
  for (const [doc, bytes] of rows) {
    const packed = pack(bytes, dictionary)
    if (packed.length >= bytes.length) continue
    put.run(doc, packed)
    remove.run(doc)
  }
  if (rows.length === 0) db.prepare('DELETE FROM packed WHERE doc IN (SELECT doc FROM stored)').run()
  return rows.at(-1)?.[0]
}

function plainRows(db: Database, after: number): [number, Uint8Array][] {
  const select = db.prepare(`SELECT doc, bytes FROM stored WHERE doc > ? AND ${PLAIN} ORDER BY doc`).raw()
  const rows: [number, Uint8Array][] = []
  let bytes = 0
  for (const row of select.iterate(after) as IterableIterator<[number, unknown]>) {
    if (!(row[1] instanceof Uint8Array)) continue
    rows.push([row[0], row[1]])
    bytes += row[1].length
    if (bytes >= PORTION_BYTES) break
  }
  return rows
}

function pack(bytes: Uint8Array, { number, bytes: dictionary }: Dictionary): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = PACKED
  head[1] = number
  head.writeUInt32LE(bytes.length, 2)
  return Buffer.concat([head, deflateRawSync(bytes, { dictionary, level: LEVEL })])
}

function knownDictionary(db: Database): Dictionary | undefined {
  const known = db.prepare('SELECT number, bytes FROM dictionaries ORDER BY number DESC LIMIT 1').get() as
    | Dictionary
    | undefined
  if (known === undefined || (known.bytes instanceof Uint8Array && isCount(known.number, 255))) return known
  throw corrupt(db, 'what documents are compressed with is no BLOB')
}

/** Of parts of documents that lie evenly among all. None where there are too few to tell what documents are like. */
function newDictionary(db: Database): Dictionary | undefined {
  const [first, last] = db.prepare('SELECT min(doc), max(doc) FROM stored').raw().get() as (number | null)[]
  if (first == null || last == null || last - first < SAMPLES) return undefined
  const next = db.prepare(`SELECT doc, bytes FROM stored WHERE doc >= ? AND ${PLAIN} ORDER BY doc LIMIT 1`).raw()
  const samples = new Map<number, Uint8Array>()
  for (let nth = 0; nth < SAMPLES; nth++) {
    const row = next.get(first + Math.floor(((last - first) * nth) / SAMPLES)) as [number, unknown] | undefined
    if (row?.[1] instanceof Uint8Array) samples.set(row[0], row[1])
  }
  if (samples.size < SAMPLES) return undefined
  const bytes = Buffer.concat([...samples.values()].flatMap(partsOf))
  db.prepare('INSERT INTO dictionaries (number, bytes) VALUES (1, ?)').run(bytes)
  return { number: 1, bytes }
}

function partsOf(stored: Uint8Array): Uint8Array[] {
  if (stored.length <= SAMPLE_BYTES) return [stored]
  const middle = stored.length >> 1
  return [stored.subarray(0, BEGINNING_BYTES), stored.subarray(middle, middle + SAMPLE_BYTES - BEGINNING_BYTES)]
}
