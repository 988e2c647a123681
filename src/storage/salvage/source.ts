/** What can still be read of a catalog that may be damaged: every row that SQLite gives, and what it could not give. */
import type { Database } from 'better-sqlite3'
import { isCount } from '../../base/checks.js'
import { type Key, requireKey } from '../../base/keys.js'
import { inSqlite, openForReading } from '../../catalog/connection.js'
import { IndexIdentity } from '../../catalog/identity.js'
import { DOCUMENTS_AND_FORMS, DocumentUnpacker } from '../../catalog/packed-documents.js'
import { requireReadableTables } from '../../catalog/schema.js'
import { type SegmentList, toSegmentList } from '../../catalog/state.js'

/** Numbers tried behind one that cannot be read: more than the rows of any page. */
const MAX_FAILURES = 2000

/** The kinds of segments, as the core numbers them. */
const KINDS = [1, 2, 3, 4, 5]

export interface CatalogDocument {
  readonly number: number
  readonly key: Key
  readonly stored: Uint8Array
}

export class SalvageSource {
  readonly identity: IndexIdentity
  readonly problems: string[] = []
  readonly #db: Database
  readonly #unpacker: DocumentUnpacker
  readonly #told = new Set<string>()
  #areDocumentsWhole = true

  /** Without the rows that say what the index is there is nothing to begin with: CORRUPT. */
  constructor(file: string) {
    this.#db = inSqlite(file, () => openForReading(file))
    this.#unpacker = new DocumentUnpacker(this.#db)
    try {
      inSqlite(file, () => requireReadableTables(this.#db))
      this.identity = inSqlite(file, () => IndexIdentity.read(this.#db))
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  /** The segments whose rows can be read and make sense. */
  segments(): SegmentList {
    const rows = this.rows(
      'SELECT number, kind, bytes FROM segments WHERE number > ? ORDER BY number LIMIT 1',
      'segment',
    )
    const isSegment = (row: readonly unknown[]) =>
      row.every((value) => isCount(value)) && KINDS.includes(row[1] as number)
    return toSegmentList([...rows].filter(isSegment))
  }

  /** Notes what somebody else has found. */
  tell(problems: readonly string[]): void {
    for (const problem of problems) this.problems.push(problem)
  }

  /** Whether every document that was met could be read. */
  get areDocumentsWhole(): boolean {
    return this.#areDocumentsWhole
  }

  /** The documents that can be read, in order of their numbers. */
  *documents(): Generator<CatalogDocument> {
    const rows = this.rows(`${DOCUMENTS_AND_FORMS} WHERE doc > ? ORDER BY doc LIMIT 1`, 'stored document', () => {
      this.#areDocumentsWhole = false
    })
    for (const [number, key, stored] of rows) {
      try {
        const bytes = requireBytes(this.#unpacker.unpack(stored))
        yield { number: number as number, key: requireKey(key), stored: bytes }
      } catch (error) {
        this.#areDocumentsWhole = false
        this.problems.push(`stored document ${number}: ${(error as Error).message}`)
      }
    }
  }

  /** The rows of the log that can be read. */
  *log(): Generator<Uint8Array> {
    const rows = this.rows('SELECT sequence, bytes FROM log WHERE sequence > ? ORDER BY sequence LIMIT 1', 'log row')
    for (const [, bytes] of rows) if (bytes instanceof Uint8Array) yield bytes
  }

  close(): void {
    this.#db.close()
  }

  /** A function that gives one row at a time; undefined for a row that is not there or cannot be read. */
  lookup(sql: string, what: string): (...parameters: readonly unknown[]) => readonly unknown[] | undefined {
    const select = this.#attempt(what, () => this.#db.prepare(sql).raw())
    return (...parameters) => this.#attempt(what, () => select?.get(...parameters) as readonly unknown[] | undefined)
  }

  /** Undefined for work that fails; the failure is a problem, told once for each `what`. */
  #attempt<T>(what: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      const problem = `${what}: ${(error as Error).message}`
      if (!this.#told.has(problem)) this.problems.push(problem)
      this.#told.add(problem)
      return undefined
    }
  }

  /**
   * Row by row, by ascending number; behind a row that cannot be read, numbers are tried one by one for a while. The
   * parameter of `sql` is the number of the last row.
   */
  *rows(sql: string, what: string, onFailure = () => {}): Generator<readonly unknown[]> {
    const select = this.#attempt(what, () => this.#db.prepare(sql).raw())
    if (select === undefined) return onFailure()
    let last = -1
    let failures = 0
    for (;;) {
      let row: readonly unknown[] | undefined
      try {
        row = select.get(last) as readonly unknown[] | undefined
        // Damage can make a tree lead in circles.
        if (row !== undefined && !((row[0] as number) > last)) throw new Error('rows are out of order')
      } catch (error) {
        onFailure()
        if (failures === 0) this.problems.push(`${what} behind ${last}: ${(error as Error).message}`)
        if (++failures > MAX_FAILURES) return
        last++
        continue
      }
      if (row === undefined) return
      last = row[0] as number
      failures = 0
      yield row
    }
  }
}

function requireBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new TypeError('its stored form is not a BLOB')
}
