/** How every connection to a catalog is opened, and how what SQLite throws becomes an error of ours. */

import type { Database as Connection, Options } from 'better-sqlite3'
import Database from 'better-sqlite3'
import { type ErrorDetail, FreshdexError, type FreshdexErrorCode, isErrorCode } from '../base/errors.js'
import { requirePlain } from '../base/plain-files.js'
import type { Durability } from '../options/index-options.js'

/** Long enough for another tool's transaction, short enough to be noticed as an error. */
const BUSY_TIMEOUT_MS = 5000

export function openForReading(file: string): Connection {
  return openDatabase(file, { readonly: true, fileMustExist: true })
}

/** For a look at whose database this is. Changes nothing that a reader would not change. */
export function openForLooking(file: string): Connection {
  return openDatabase(file, { fileMustExist: true })
}

export function openNew(file: string): Connection {
  const db = openDatabase(file)
  // Has an effect only before anything is written. A compaction can then give back the room of log rows and of
  // replaced documents.
  db.pragma('auto_vacuum = INCREMENTAL')
  return prepareForWriting(db, 'power')
}

export function openForWriting(file: string, durability: Durability): Connection {
  return prepareForWriting(openDatabase(file, { fileMustExist: true }), durability)
}

function prepareForWriting(db: Connection, durability: Durability): Connection {
  try {
    // The first look at the file: it may be no database at all.
    db.pragma('journal_mode = WAL')
  } catch (error) {
    db.close()
    throw error
  }
  db.pragma(`synchronous = ${synchronous(durability)}`)
  // Checkpoints are asked for explicitly: one at the end of each commit would always find the reader that is pinned
  // meanwhile in its way.
  db.pragma('wal_autocheckpoint = 0')
  // A log that begins anew gets the size of what is in it, so that its size says how much waits.
  db.pragma('journal_size_limit = 0')
  return db
}

/**
 * Every database of an index is opened here. NOT_AN_INDEX where it, or a file that SQLite keeps beside it, is a link, a
 * pipe or a device. What its schema says is not trusted with functions that do more than compute.
 */
export function openDatabase(file: string, options: Options = {}): Connection {
  requirePlain(file)
  for (const ending of ['-wal', '-shm', '-journal']) requirePlain(file + ending, 'file', { hasOneName: true })
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS, ...options })
  try {
    db.pragma('cell_size_check = ON')
    db.pragma('trusted_schema = OFF')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

export function synchronous(durability: Durability): 'FULL' | 'NORMAL' {
  return durability === 'power' ? 'FULL' : 'NORMAL'
}

/**
 * What codes of SQLite mean. A primary code stands for all extended codes that begin with it: SQLITE_IOERR_WRITE is a
 * SQLITE_IOERR.
 */
const CODES: readonly (readonly [primary: string, code: FreshdexErrorCode])[] = [
  ['SQLITE_FULL', 'DISK_FULL'],
  // The file ends too early, which is no fault of the device.
  ['SQLITE_IOERR_SHORT_READ', 'CORRUPT'],
  ['SQLITE_IOERR_CORRUPTFS', 'CORRUPT'],
  ['SQLITE_IOERR', 'IO'],
  ['SQLITE_CANTOPEN', 'IO'],
  ['SQLITE_READONLY', 'IO'],
  ['SQLITE_PERM', 'IO'],
  ['SQLITE_CORRUPT', 'CORRUPT'],
  ['SQLITE_NOTADB', 'CORRUPT'],
  // Our statements are fixed: tables that do not fit them are damaged, or somebody changed them.
  ['SQLITE_ERROR', 'CORRUPT'],
  ['SQLITE_SCHEMA', 'CORRUPT'],
  ['SQLITE_CONSTRAINT', 'CORRUPT'],
  ['SQLITE_MISMATCH', 'CORRUPT'],
  ['SQLITE_TOOBIG', 'BATCH_TOO_LARGE'],
  ['SQLITE_BUSY', 'BUSY'],
  ['SQLITE_LOCKED', 'BUSY'],
  ['SQLITE_NOMEM', 'OUT_OF_MEMORY'],
]

/** What SQLite threw, here or in another thread; anything else comes back as it is. */
export function fromSqlite(error: unknown, file: string): unknown {
  if (error instanceof FreshdexError) return error
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  // Errors of ours lose their class on the way between threads.
  if (isErrorCode(code)) return new FreshdexError(code, String(message), { cause: error, detail: { file } })
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error
  const detail: ErrorDetail = { file, sqlite: code }
  const meaning = CODES.find(([primary]) => code === primary || code.startsWith(`${primary}_`))?.[1] ?? 'INTERNAL'
  return new FreshdexError(meaning, `catalog: ${String(message)} (${code})`, { cause: error, detail })
}

/**
 * Where to read on in the order of numbers, behind `last`. A damaged table may give them in any order, and large ones
 * are rounded: reading would never end. CORRUPT then.
 */
export function placeBehind(last: number, next: unknown, file: string): number {
  const place = Number(next)
  if (place > last) return place
  throw new FreshdexError('CORRUPT', 'a table of the catalog is damaged: its rows are not in order', {
    detail: { file },
  })
}

/** Runs work on a catalog; what SQLite throws comes out as FreshdexError. */
export function inSqlite<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fromSqlite(error, file)
  }
}
