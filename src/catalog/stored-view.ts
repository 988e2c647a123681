/**
 * Stored documents as of one moment. While it is pinned, a view keeps showing the transaction that it was pinned at,
 * whatever is committed meanwhile; unpinned, it shows the newest.
 */
import type { Database, Statement } from 'better-sqlite3'
import { fromSqlite, inSqlite, openForReading } from './connection.js'
import { DocumentUnpacker } from './packed-documents.js'

const NOTHING = new Uint8Array()

export class StoredView {
  readonly #db: Database
  /** Prepared by the first read: whether this is a catalog at all is for others to find out. */
  #select: Statement<[number, number]> | undefined

  #probe: Statement | undefined
  #begin: Statement | undefined
  #commit: Statement | undefined
  readonly #unpacker: DocumentUnpacker

  private constructor(db: Database) {
    this.#db = db
    this.#unpacker = new DocumentUnpacker(db)
  }

  static open(file: string): StoredView {
    return inSqlite(file, () => new StoredView(openForReading(file)))
  }

  /** The connection, for reading more of the same moment. */
  get db(): Database {
    return this.#db
  }

  /** A BLOB, unless the catalog is damaged; an empty one where nothing is stored of a document. */
  read(document: number): unknown {
    try {
      this.#select ??= this.#db
        .prepare<[number, number]>(
          'SELECT bytes FROM stored WHERE doc = ? UNION ALL SELECT bytes FROM packed WHERE doc = ? LIMIT 1',
        )
        .pluck()
      return this.unpack(this.#select.get(document, document) ?? NOTHING)
    } catch (error) {
      throw fromSqlite(error, this.#db.name)
    }
  }

  /** Bytes of a row as they were before they were compressed. */
  unpack(stored: unknown): unknown {
    return this.#unpacker.unpack(stored)
  }

  /** Idempotent. */
  pin(): void {
    if (this.#db.inTransaction) return
    inSqlite(this.#db.name, () => {
      this.#begin ??= this.#db.prepare('BEGIN')
      this.#begin.run()
      // A deferred transaction takes its snapshot with the first read.
      this.#probe ??= this.#db.prepare('SELECT sequence FROM state')
      this.#probe.get()
    })
  }

  /** Idempotent. */
  unpin(): void {
    if (!this.#db.inTransaction) return
    inSqlite(this.#db.name, () => {
      this.#commit ??= this.#db.prepare('COMMIT')
      this.#commit.run()
    })
  }

  close(): void {
    this.#db.close()
  }
}
