/** How every connection to a catalog is opened. */
import Database, { type Database as Connection } from 'better-sqlite3'

/**
 * Power: a commit is synced before it counts. Process: the operating system has it, which survives the death of the process
 * but not that of the machine; what is lost then is a tail of commits, never part of one.
 */
export type Durability = 'power' | 'process'

/** Long enough for another tool's transaction, short enough to be noticed as an error. */
const BUSY_TIMEOUT_MS = 5000

export function openForReading(file: string): Connection {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  db.pragma('cell_size_check = ON')
  db.pragma('trusted_schema = OFF')
  return db
}

/** For a look at whose database this is: changes nothing that a reader would not. */
export function openForLooking(file: string): Connection {
  return new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
}

export function openNew(file: string): Connection {
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  // Of effect only before anything is written: lets a compaction give back the room of log rows and of replaced documents.
  db.pragma('auto_vacuum = INCREMENTAL')
  return prepareForWriting(db, 'power')
}

export function openForWriting(file: string, durability: Durability): Connection {
  return prepareForWriting(new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS }), durability)
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
  // Checkpoints are asked for: the one at the end of a commit would find the reader that is pinned meanwhile in its way, each time.
  db.pragma('wal_autocheckpoint = 0')
  db.pragma('cell_size_check = ON')
  db.pragma('trusted_schema = OFF')
  return db
}

export function synchronous(durability: Durability): 'FULL' | 'NORMAL' {
  return durability === 'power' ? 'FULL' : 'NORMAL'
}
