/** Failures of SQLite in our terms. */
import { type ErrorDetail, FreshdexError, type FreshdexErrorCode } from '../errors.js'

/** By the primary code, the part of an extended code that comes first: SQLITE_IOERR_WRITE is a SQLITE_IOERR. */
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
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error
  const detail: ErrorDetail = { file, sqlite: code }
  const meaning = CODES.find(([primary]) => code === primary || code.startsWith(`${primary}_`))?.[1] ?? 'INTERNAL'
  return new FreshdexError(meaning, `catalog: ${String(message)} (${code})`, { cause: error, detail })
}

/** Runs work on a catalog; what SQLite throws comes out as FreshdexError. */
export function inSqlite<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fromSqlite(error, file)
  }
}
