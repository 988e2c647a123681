/**
 * The table `ledger` of the catalog, which keeps the refresh history of each document: a column for each number and
 * each BLOB of src/ledger/columns.ts, and `effects`, the queries that the last refresh moved most, which no column has
 * in memory. Changes wait in a table of their own (ledger-changes.ts) before they are brought into it.
 */
import type { Database } from 'better-sqlite3'
import { finish, type Steps } from '../base/turns.js'
import { BLOB_NAMES } from '../ledger/blobs.js'
import { KEEP_EFFECTS } from '../ledger/effects.js'
import { NUMBERS } from '../ledger/layout.js'
import { type LedgerRows, packedValues } from '../ledger/rows.js'
import { inSqlite, placeBehind } from './connection.js'
import { shownChanges, WaitingChanges, waitingChanges } from './ledger-changes.js'

export const CREATE_LEDGER = `CREATE TABLE ledger (
    ${[
      'doc INTEGER PRIMARY KEY',
      ...NUMBERS.map(({ sqlName, sqlType }) => `${sqlName} ${sqlType} NOT NULL`),
      ...[...BLOB_NAMES, 'effects'].map((name) => `${name} BLOB NOT NULL`),
    ].join(',\n    ')}
  )`

/** In the order of the values that `packedValues` gives and `unpackRow` takes. */
const COLUMNS = ['doc', ...NUMBERS.map(({ sqlName }) => sqlName), ...BLOB_NAMES]
export const LEDGER_COLUMNS = COLUMNS.join(', ')

/** A parameter for each column. */
const PUT_ROW = `INSERT OR REPLACE INTO ledger (${LEDGER_COLUMNS}, effects)
  VALUES (${[...COLUMNS, 'effects'].map(() => '?').join(', ')})`

/** The same without the effects, of which a row keeps those that it has. It takes longer than replacing the row. */
const PUT_ROW_KEEPING_EFFECTS = `INSERT INTO ledger (${LEDGER_COLUMNS}, effects)
  VALUES (${COLUMNS.map(() => '?').join(', ')}, x'')
  ON CONFLICT (doc) DO UPDATE SET ${COLUMNS.slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`

/** Writes rows, within a transaction of the caller. */
export function prepareLedgerWriter(db: Database): (rows: LedgerRows) => void {
  const put = db.prepare(PUT_ROW)
  const putKeeping = db.prepare(PUT_ROW_KEEPING_EFFECTS)
  return (rows) => {
    let begin = 0
    for (let row = 0; row < rows.effectEnds.length; row++) {
      const end = rows.effectEnds[row]!
      const values = packedValues(rows, row)
      if (end === KEEP_EFFECTS) {
        putKeeping.run(...values)
      } else {
        put.run(...values, rows.effects.subarray(begin, end))
        begin = end
      }
    }
  }
}

/**
 * Brings all changes that wait into the table, within a transaction of the caller. One that cannot be read stays where
 * it is, so that checks and every opening tell of it until the index is salvaged.
 */
export function prepareLedgerFold(db: Database): () => void {
  const put = db.prepare(PUT_ROW)
  const putKeeping = db.prepare(PUT_ROW_KEEPING_EFFECTS)
  const setStake = db.prepare('UPDATE ledger SET stake = ? WHERE doc = ?')
  const remove = db.prepare('DELETE FROM ledger WHERE doc = ?')
  const find = db.prepare('SELECT id, bytes FROM ledger_changes ORDER BY id').raw()
  const clear = db.prepare('DELETE FROM ledger_changes')
  const clearOne = db.prepare('DELETE FROM ledger_changes WHERE id = ?')
  return () => {
    const changes = find.all() as [id: number, bytes: unknown][]
    const waiting = new WaitingChanges(changes.map(([, bytes]) => bytes))
    // In the order of the table, so that each page of the file is changed once.
    for (const doc of waiting.documents) {
      const stake = waiting.stakeAlone(doc)
      if (waiting.isRemoved(doc)) remove.run(doc)
      else if (stake !== undefined) setStake.run(stake, doc)
      else {
        const values = waiting.over(doc, undefined) as readonly unknown[]
        if (waiting.hasEffects(doc)) put.run(...values, waiting.effectsOver(doc, NO_EFFECTS))
        else putKeeping.run(...values)
      }
    }
    if (waiting.damaged.length === 0) clear.run()
    else for (const [place, [id]] of changes.entries()) if (!waiting.damaged.includes(place)) clearOne.run(id)
  }
}

const NO_EFFECTS = new Uint8Array()

/**
 * All rows, in order of their documents, in portions: the values that `unpackRow` takes, unless the catalog is damaged.
 * Changes that wait are in them; one that cannot be read is a row of NULL. The connection is asked for anew for each
 * portion: the one that was shown before may be closed meanwhile.
 */
export function* readLedger(connection: () => Database, portion: number): Generator<readonly (readonly unknown[])[]> {
  const waiting = waitingChanges(connection())
  if (waiting.damaged.length > 0) yield waiting.damaged.map(() => [null])
  const documents = waiting.documents
  let next = 0
  for (const table of readTable(connection, portion)) {
    const rows: (readonly unknown[])[] = []
    const add = (doc: number, values: readonly unknown[] | undefined) => {
      const row = waiting.over(doc, values)
      if (row !== undefined) rows.push(row)
    }
    for (const values of table) {
      const doc = values[0] as number
      while (next < documents.length && documents[next]! < doc) add(documents[next++]!, undefined)
      if (documents[next] === doc) next++
      add(doc, values)
    }
    yield rows
  }
  const rest = Array.from(documents.subarray(next), (doc) => waiting.over(doc, undefined))
  for (let from = 0; from < rest.length; from += portion)
    yield rest.slice(from, from + portion).filter((row) => row !== undefined)
}

/** The rows of the table alone. */
function* readTable(connection: () => Database, portion: number): Generator<readonly (readonly unknown[])[]> {
  const text = `SELECT ${LEDGER_COLUMNS} FROM ledger WHERE doc > ? ORDER BY doc LIMIT ?`
  for (let last = -1; ; ) {
    const db = connection()
    const rows = inSqlite(db.name, () => db.prepare(text).raw().all(last, portion)) as unknown[][]
    if (rows.length > 0) yield rows
    if (rows.length < portion) return
    last = placeBehind(last, rows.at(-1)?.[0], db.name)
  }
}

/** A BLOB, unless the catalog is damaged: then it counts as none. */
export function readEffects(db: Database, doc: number): Uint8Array {
  const value = inSqlite(db.name, () => db.prepare('SELECT effects FROM ledger WHERE doc = ?').pluck().get(doc))
  return shownChanges(db).effectsOver(doc, value instanceof Uint8Array ? value : NO_EFFECTS)
}

/** Documents that have no row in the ledger. */
export function documentsWithoutRow(db: Database): number[] {
  return finish(findingDocumentsWithoutRow(db))
}

/** The same in steps. */
export function* findingDocumentsWithoutRow(db: Database): Steps<number[]> {
  const waiting = waitingChanges(db)
  const missing = yield* findingNumbers(
    db,
    'documents',
    'SELECT doc FROM documents WHERE doc NOT IN (SELECT doc FROM ledger)',
  )
  const removed = waitingWhich(db, waiting, (doc, isDocument) => isDocument && waiting.isRemoved(doc))
  return [...new Set([...missing.filter((doc) => waiting.over(doc, undefined) === undefined), ...removed])]
}

/** Rows of the ledger whose document is not there. */
export function rowsWithoutDocument(db: Database): number[] {
  return finish(findingRowsWithoutDocument(db))
}

/** The same in steps. */
export function* findingRowsWithoutDocument(db: Database): Steps<number[]> {
  const waiting = waitingChanges(db)
  const known = yield* findingNumbers(
    db,
    'ledger',
    'SELECT doc FROM ledger WHERE doc NOT IN (SELECT doc FROM documents)',
  )
  const added = waitingWhich(
    db,
    waiting,
    (doc, isDocument) => !isDocument && waiting.over(doc, undefined) !== undefined,
  )
  return [...new Set([...known.filter((doc) => !waiting.isRemoved(doc)), ...added])]
}

/**
 * Numbers of documents by a statement that ends with conditions, some rows of a table at a time. Damaged rows may have
 * any number.
 */
export function* findingNumbers(
  db: Database,
  table: 'documents' | 'ledger' | 'cluster_visits',
  text: string,
): Steps<number[]> {
  const found: number[] = []
  const [end, select] = inSqlite(db.name, () => [
    db
      .prepare<[number]>(
        `SELECT max(doc) FROM (SELECT doc FROM ${table} WHERE doc > ? ORDER BY doc LIMIT ${NUMBERS_PER_STEP})`,
      )
      .pluck(),
    db.prepare<[number, number]>(`${text} AND doc > ? AND doc <= ?`).pluck(),
  ])
  for (let from = Number.MIN_SAFE_INTEGER * 4096; ; ) {
    const to = inSqlite(db.name, () => end.get(from)) as number | null
    if (to === null) return found
    for (const doc of inSqlite(db.name, () => select.all(from, to)) as number[]) found.push(doc)
    from = placeBehind(from, to, db.name)
    yield
  }
}

/** Rows that are looked at in a step. */
const NUMBERS_PER_STEP = 8192

function waitingWhich(
  db: Database,
  { documents }: WaitingChanges,
  isWanted: (doc: number, isDocument: boolean) => boolean,
): number[] {
  const find = db.prepare('SELECT 1 FROM documents WHERE doc = ?')
  return inSqlite(db.name, () => Array.from(documents).filter((doc) => isWanted(doc, find.get(doc) !== undefined)))
}

/** Number and key of every document, in the order of numbers and in portions, as above. */
export function* readKeys(connection: () => Database, portion: number): Generator<readonly (readonly unknown[])[]> {
  const text = 'SELECT doc, key FROM documents WHERE doc > ? ORDER BY doc LIMIT ?'
  for (let last = -1; ; ) {
    const db = connection()
    const rows = inSqlite(db.name, () => db.prepare(text).raw().all(last, portion)) as unknown[][]
    if (rows.length > 0) yield rows
    if (rows.length < portion) return
    last = placeBehind(last, rows.at(-1)?.[0], db.name)
  }
}

/** The largest number that a document has, -1 when there is none. */
export function lastDocument(db: Database): number {
  return inSqlite(db.name, () => db.prepare('SELECT ifnull(max(doc), -1) FROM documents').pluck().get() as number)
}
