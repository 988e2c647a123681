/**
 * The tables of catalog.db, version by version. An opening for writing brings an older catalog to the newest version in one
 * transaction; what is newer than this code is refused and not touched. docs/file-format.md describes the tables.
 */
import type { Database } from 'better-sqlite3'
import { FreshdexError } from '../errors.js'
import { CHANGE_TABLES, QUESTION_TABLES, REFRESH_TABLES, REVIEW_TABLES } from './refresh-schema.js'

/** "fdex", in the header of the database file: tells our catalogs from other people's databases. */
const APPLICATION_ID = 0x66646578

/** MIGRATIONS[n] brings version n to version n + 1. A published entry never changes. */
const MIGRATIONS: readonly string[] = [
  `
  -- What the index is: 'schema' and 'scoring', JSON both.
  CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;

  -- Where the index is: one row, rewritten by every transaction. checksum covers the other columns and the rows of meta.
  CREATE TABLE state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    sequence INTEGER NOT NULL,
    flushed INTEGER NOT NULL,
    next_segment INTEGER NOT NULL,
    segments_hash BLOB NOT NULL,
    checksum BLOB NOT NULL
  );

  -- Stored documents by number. key has no type: a string stays TEXT, a number stays a number.
  CREATE TABLE documents (doc INTEGER PRIMARY KEY, key NOT NULL, stored BLOB NOT NULL);
  CREATE UNIQUE INDEX documents_by_key ON documents (key);

  -- Batches that no segment holds yet: one row each, state.flushed < sequence <= state.sequence.
  CREATE TABLE log (sequence INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

  -- The segments that make up the index as of batch state.flushed.
  CREATE TABLE segments (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, bytes INTEGER NOT NULL);
  `,
  REFRESH_TABLES,
  CHANGE_TABLES,
  REVIEW_TABLES,
  QUESTION_TABLES,
]

const SCHEMA_VERSION = MIGRATIONS.length

/** The version of a catalog; 0 for a database without any table. NOT_AN_INDEX for anybody else's. */
export function versionOf(db: Database): number {
  // In one transaction: somebody may be making the catalog at this moment.
  const { version, application, isEmpty } = db.transaction(() => ({
    isEmpty: db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0,
    version: db.pragma('user_version', { simple: true }) as number,
    application: db.pragma('application_id', { simple: true }) as number,
  }))()
  if (isEmpty && version === 0 && application === 0) return 0
  if (application !== APPLICATION_ID) {
    throw new FreshdexError('NOT_AN_INDEX', `'${db.name}' is a database, but not the catalog of an index`, {
      detail: { file: db.name },
    })
  }
  if (version < 1 || version > SCHEMA_VERSION) {
    throw new FreshdexError(
      'NOT_SUPPORTED',
      `the catalog has format ${version}, this version of freshdex knows 1 to ${SCHEMA_VERSION}`,
      { detail: { file: db.name, format: version, supported: SCHEMA_VERSION } },
    )
  }
  return version
}

/** Brings the catalog to the newest version. REQUIRES: a transaction is open. */
export function migrate(db: Database, from: number): void {
  for (const migration of MIGRATIONS.slice(from)) db.exec(migration)
  db.pragma(`user_version = ${SCHEMA_VERSION}`)
  db.pragma(`application_id = ${APPLICATION_ID}`)
}

export function isNewest(version: number): boolean {
  return version === SCHEMA_VERSION
}
