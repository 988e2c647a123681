/** A catalog as openers read it: what the index is, where it is, and what the segments do not hold yet. */
import { existsSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { isWaiting, NOTHING_WAITS, type WaitingProperties } from '../base/waiting-properties.js'
import { inSqlite, openForLooking, openForWriting, openNew } from './connection.js'
import { IndexIdentity } from './identity.js'
import { createLinkTables } from './link-rows.js'
import { beginReindexing } from './reindexing.js'
import { createTables, isNewest, requireNewest, requireOwnTables, upgrade, versionOf } from './schema.js'
import {
  type CatalogState,
  corrupt,
  EMPTY_LIST,
  type Hash,
  hashOfSegments,
  readSegments,
  readState,
  SAVE_STATE,
  type SegmentList,
  stateParameters,
} from './state.js'
import type { StoredView } from './stored-view.js'

/** The hash function of an index with this seed. */
export type HashFor = (seed: bigint) => Hash

/** What a catalog says at one moment. */
export interface CatalogMoment {
  readonly identity: IndexIdentity
  readonly state: CatalogState
  readonly segments: SegmentList
}

/** Rows are handed over in portions of about this size: enough to be worth a call, little enough to wait for. */
const PORTION_BYTES = 4 * 1024 * 1024

/** What the index is, or undefined where a catalog has yet to be made. Brings an older catalog to the newest format. */
export function identityForWriting(file: string, hashFor: HashFor): IndexIdentity | undefined {
  if (!existsSync(file)) return undefined
  return inSqlite(file, () => {
    const version = using(openForLooking(file), versionOf)
    if (version === 0) return undefined
    return using(openForWriting(file, 'power'), (db) => {
      if (!isNewest(version)) db.transaction(() => upgrade(db, version)).immediate()
      requireOwnTables(db)
      return readVerified(db, hashFor).identity
    })
  })
}

function using<T>(db: Database, work: (db: Database) => T): T {
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** The same for a reader, which leaves an older catalog as it is: NOT_SUPPORTED. REQUIRES: the view is not pinned. */
export function identityForReading(view: StoredView, hashFor: HashFor): IndexIdentity | undefined {
  const version = inSqlite(view.db.name, () => versionOf(view.db))
  if (version === 0) return undefined
  requireNewest(view.db, version)
  inSqlite(view.db.name, () => requireOwnTables(view.db))
  view.pin()
  try {
    return inSqlite(view.db.name, () => readVerified(view.db, hashFor).identity)
  } finally {
    view.unpin()
  }
}

function readVerified(db: Database, hashFor: HashFor): Pick<CatalogMoment, 'identity' | 'state'> {
  const identity = IndexIdentity.read(db)
  return { identity, state: readState(db, identity.text, hashFor(identity.seed)) }
}

/** Makes the catalog of a new index, in one transaction that is synced. */
export function createCatalog(file: string, identity: IndexIdentity, hashFor: HashFor): void {
  writeIdentity(openNew, file, identity, hashFor, (db, hash) => {
    createTables(db)
    if (identity.schema.links !== undefined) createLinkTables(db)
    return { sequence: 0, flushed: 0, nextSegment: 1, segmentsHash: hashOfSegments(EMPTY_LIST, hash) }
  })
}

/** The same index, scored otherwise or with more fields and columns, which its documents do not have yet. */
export function changeIdentity(
  file: string,
  from: IndexIdentity,
  to: IndexIdentity,
  hashFor: HashFor,
  added: WaitingProperties = NOTHING_WAITS,
): void {
  const open = (name: string) => openForWriting(name, 'power')
  writeIdentity(open, file, to, hashFor, (db, hash) => {
    if (isWaiting(added)) beginReindexing(db, added)
    if (to.schema.links !== undefined) createLinkTables(db)
    return readState(db, from.text, hash)
  })
}

function writeIdentity(
  open: (file: string) => Database,
  file: string,
  identity: IndexIdentity,
  hashFor: HashFor,
  stateOf: (db: Database, hash: Hash) => CatalogState,
): void {
  inSqlite(file, () => {
    const hash = hashFor(identity.seed)
    using(open(file), (db) => {
      db.transaction(() => {
        const state = stateOf(db, hash)
        identity.save(db)
        db.prepare(SAVE_STATE).run(...stateParameters(state, identity.text, hash))
      }).immediate()
    })
  })
}

/** What the catalog says at the moment that the view is pinned at; CORRUPT when the parts do not fit each other. */
export function readMoment({ db }: StoredView, hashFor: HashFor): CatalogMoment {
  return inSqlite(db.name, () => {
    const { identity, state } = readVerified(db, hashFor)
    const [first, last, count] = db.prepare('SELECT min(sequence), max(sequence), count(*) FROM log').raw().get() as (
      | number
      | null
    )[]
    const due = state.sequence - state.flushed
    const isWhole = count === due && (due === 0 || (first === state.flushed + 1 && last === state.sequence))
    if (!isWhole) throw corrupt(db, `the log has ${count} batches where ${due} are due`)
    return { identity, state, segments: readSegments(db, state, hashFor(identity.seed)) }
  })
}

/** The bytes of the batches that no segment holds yet. */
export function logBytesOf({ db }: StoredView): number {
  return inSqlite(db.name, () => db.prepare('SELECT ifnull(sum(length(bytes)), 0) FROM log').pluck().get() as number)
}

/** The rows of the log behind a batch, in portions: each row preceded by its u32 length. */
export function* logRows({ db }: StoredView, after: number): Generator<Uint8Array> {
  // By numbers and not by one open cursor: the connection must stay free for reads between two portions.
  const select = db.prepare('SELECT sequence, bytes FROM log WHERE sequence > ? ORDER BY sequence LIMIT 1').raw()
  let last = after
  for (;;) {
    const parts: Uint8Array[] = []
    let bytes = 0
    while (bytes < PORTION_BYTES) {
      const row = inSqlite(db.name, () => select.get(last)) as [number, Uint8Array] | undefined
      if (row === undefined) break
      if (!(row[1] instanceof Uint8Array)) throw corrupt(db, `batch ${row[0]} in the log is no BLOB`)
      last = row[0]
      const length = Buffer.alloc(4)
      length.writeUInt32LE(row[1].length)
      parts.push(length, row[1])
      bytes += row[1].length
    }
    if (parts.length === 0) return
    yield Buffer.concat(parts)
  }
}
