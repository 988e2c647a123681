/**
 * The inbox: a small database of its own, in which processes that do not write leave what they have learnt, and from
 * which the writer takes it. Rows are appended, never changed, and removed when they are taken over.
 *
 * It survives the death of any process at any time. It is not synced: a loss of power may take or damage it, and then
 * it is replaced, which costs a few queries and nothing else. So an append waits for no disk, and may be done by a
 * process that answers searches meanwhile. docs/file-format.md describes the file.
 */
import { randomBytes } from 'node:crypto'
import { lstatSync, rmSync } from 'node:fs'
import type { Database as Connection } from 'better-sqlite3'
import { FreshdexError } from '../base/errors.js'
import type { InboxMark, InboxPortion, LearntRow } from '../workload/learnt-rows.js'
import { openDatabase } from './connection.js'
import { fromLearntColumns, toLearntColumns } from './learnt-rows.js'
import { OwnSchema } from './own-schema.js'

export interface InboxFile {
  readonly file: string
  /** The index that the inbox belongs to, hexadecimal. */
  readonly indexId: string
}

/** "fdib", in the header of the file. */
const APPLICATION_ID = 0x66646962

/** What nobody takes over does not grow beyond this. */
export const MAX_INBOX_ROWS = 100_000
export const MAX_INBOX_BYTES = 8 * 1024 * 1024
/** About what a row takes beside its name. */
const ROW_BYTES = 48

/** Rows that are taken at a time: enough to be worth a transaction, few enough to be entered between two turns. */
const PORTION_ROWS = 1000

/** The writer waits this long for a reader, whose transactions take a millisecond. */
const DRAIN_TIMEOUT_MS = 250

const SCHEMA = `
  -- One row. rows and bytes are those of the table below; dropped: queries for which there was no room.
  CREATE TABLE inbox_state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    index_id TEXT NOT NULL,
    generation TEXT NOT NULL,
    rows INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    dropped REAL NOT NULL
  );

  -- kind: text, hash or click. A number is never given twice.
  CREATE TABLE learnt (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    count REAL NOT NULL,
    at_ms REAL NOT NULL,
    answered INTEGER,
    rank INTEGER
  );
`

/** Something is in the place of the inbox that is no inbox of this index. */
export class ForeignInbox extends Error {
  /** Errors lose their class on the way between threads. */
  readonly code = 'FOREIGN_INBOX'
}

/** An open inbox, for readers. Every call waits for nobody: SQLITE_BUSY when somebody else is at it. */
export class OpenInbox {
  readonly #db: Connection
  readonly #inode: number
  readonly #append: (rows: readonly LearntRow[]) => void

  constructor({ file, indexId }: InboxFile) {
    this.#db = openInbox({ file, indexId }, 0)
    this.#inode = lstatSync(file).ino
    this.#append = prepareAppend(this.#db)
  }

  /** The file in its place is still the one that was opened. */
  get isInPlace(): boolean {
    const about = lstatSync(this.#db.name, { throwIfNoEntry: false })
    return about?.isFile() === true && about.ino === this.#inode
  }

  append(rows: readonly LearntRow[]): void {
    this.#append(rows)
  }

  close(): void {
    this.#db.close()
  }
}

/** Makes the inbox where there is none. Refuses links: nothing outside the folder is to be written. */
function openInbox({ file, indexId }: InboxFile, timeout: number): Connection {
  const db = openPlainInbox(file, timeout)
  try {
    db.pragma('journal_mode = TRUNCATE')
    db.pragma('synchronous = OFF')
    db.pragma('secure_delete = ON')
    const isNew = db.prepare('SELECT count(*) = 0 FROM sqlite_schema').pluck().get() === 1
    if (isNew) db.transaction(() => createTables(db, indexId)).immediate()
    requireOwn(db, indexId)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function openPlainInbox(file: string, timeout: number): Connection {
  try {
    return openDatabase(file, { timeout })
  } catch (error) {
    if (error instanceof FreshdexError) throw new ForeignInbox(error.message)
    throw error
  }
}

const OWN = new OwnSchema((db) => db.exec(SCHEMA))

function createTables(db: Connection, indexId: string): void {
  // Somebody may have been faster.
  if (db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() !== 0) return
  db.exec(SCHEMA)
  db.prepare('INSERT INTO inbox_state VALUES (1, ?, ?, 0, 0, 0)').run(indexId, newGeneration())
  db.pragma(`application_id = ${APPLICATION_ID}`)
}

function newGeneration(): string {
  return randomBytes(16).toString('hex')
}

function requireOwn(db: Connection, indexId: string): void {
  const application = db.pragma('application_id', { simple: true })
  if (application !== APPLICATION_ID) throw new ForeignInbox(`'${db.name}' is not an inbox`)
  const complaint = OWN.complaint(db)
  if (complaint !== undefined) throw new ForeignInbox(`'${db.name}': ${complaint}`)
  const owner = db.prepare('SELECT index_id FROM inbox_state').pluck().get()
  if (owner !== indexId) throw new ForeignInbox(`'${db.name}' is the inbox of another index`)
}

function prepareAppend(db: Connection): (rows: readonly LearntRow[]) => void {
  const state = db.prepare('SELECT rows, bytes FROM inbox_state').raw()
  const insert = db.prepare('INSERT INTO learnt (kind, name, count, at_ms, answered, rank) VALUES (?, ?, ?, ?, ?, ?)')
  const update = db.prepare('UPDATE inbox_state SET rows = ?, bytes = ?, dropped = dropped + ?')
  return db.transaction((learnt: readonly LearntRow[]) => {
    let [rows, bytes] = state.get() as [number, number]
    let dropped = 0
    for (const row of learnt) {
      const size = bytesOf(row)
      if (rows >= MAX_INBOX_ROWS || bytes + size > MAX_INBOX_BYTES) {
        dropped += row.count
        continue
      }
      insert.run(...toLearntColumns(row))
      rows++
      bytes += size
    }
    update.run(rows, bytes, dropped)
  }).immediate
}

function bytesOf(row: LearntRow): number {
  return ROW_BYTES + (row.kind === 'click' ? 0 : Buffer.byteLength(row.name))
}

/** How many rows nobody has taken over; 0 where there is no inbox, or none that can be read now. */
export function waitingRows(file: string, after: InboxMark): number {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return 0
  try {
    const db = openDatabase(file, { readonly: true, fileMustExist: true, timeout: 0 })
    try {
      if (OWN.complaint(db) !== undefined) return 0
      const text = 'SELECT count(*) FROM learnt WHERE id > iif((SELECT generation FROM inbox_state) = ?, ?, 0)'
      return db.prepare(text).pluck().get(after.generation, after.row) as number
    } finally {
      db.close()
    }
  } catch {
    return 0
  }
}

// The writer's side, in the thread of the catalog.

/** Rows behind the mark; undefined when there are none. Throws what SQLite does, and ForeignInbox. */
export function takeFromInbox(inbox: InboxFile, after: InboxMark): InboxPortion | undefined {
  return withInbox(inbox, (db) => {
    const begun = db.transaction(() => beginning(db, after)).immediate()
    const { mark, dropped } = begun
    const rows = db
      .prepare('SELECT kind, name, count, at_ms, answered, rank, id FROM learnt WHERE id > ? ORDER BY id LIMIT ?')
      .raw()
      .all(mark.row, PORTION_ROWS) as unknown[][]
    if (rows.length === 0 && dropped === mark.dropped && mark.generation === after.generation) return undefined
    const learnt = rows.map(fromLearntColumns)
    const valid = learnt.filter((row) => row !== undefined)
    return {
      rows: valid,
      faulty: learnt.length - valid.length,
      mark: { generation: mark.generation, row: Number(rows.at(-1)?.[6] ?? mark.row), dropped },
      // Rows that are out of order would be taken again and again.
      hasMore: rows.length === PORTION_ROWS && Number(rows.at(-1)?.[6]) > mark.row,
    }
  })
}

/**
 * Where to go on. An inbox that has given fewer numbers than were taken was set back by a loss of power: nobody can
 * tell which of its rows were taken, so that they are dropped, and it gets another name.
 */
function beginning(db: Connection, after: InboxMark): { readonly mark: InboxMark; readonly dropped: number } {
  const [generation, dropped] = db.prepare('SELECT generation, dropped FROM inbox_state').raw().get() as [
    string,
    number,
  ]
  if (generation !== after.generation) return { mark: { generation, row: 0, dropped: 0 }, dropped }
  const last = db.prepare("SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'learnt'").pluck().get()
  if (Number(last) >= after.row) return { mark: after, dropped }
  const renamed = newGeneration()
  db.exec('DELETE FROM learnt')
  db.prepare('UPDATE inbox_state SET generation = ?, rows = 0, bytes = 0, dropped = 0').run(renamed)
  return { mark: { generation: renamed, row: 0, dropped: 0 }, dropped: 0 }
}

/** Removes rows up to the mark. */
export function clearInbox(inbox: InboxFile, mark: InboxMark): void {
  withInbox(inbox, (db) => {
    db.transaction(() => {
      if (db.prepare('SELECT generation FROM inbox_state').pluck().get() !== mark.generation) return
      db.prepare('DELETE FROM learnt WHERE id <= ?').run(mark.row)
      const left = `SELECT count(*), ifnull(sum(${ROW_BYTES} + length(CAST(name AS BLOB))), 0) FROM learnt`
      db.prepare(`UPDATE inbox_state SET (rows, bytes) = (${left})`).run()
    }).immediate()
  })
}

function withInbox<T>(inbox: InboxFile, work: (db: Connection) => T): T {
  const db = openInbox(inbox, DRAIN_TIMEOUT_MS)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** Removes an inbox that cannot be read. A link is removed, and not what it points to. */
export function removeInbox(file: string): void {
  for (const name of [file, `${file}-journal`, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
}
