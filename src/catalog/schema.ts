/**
 * The tables of catalog.db. A new catalog gets the newest ones. An opening for writing brings an older catalog to the
 * newest version in one transaction; what is newer than this code is refused and not touched. docs/file-format.md
 * describes the tables for readers of the file.
 */
import type { Database } from 'better-sqlite3'
import { FreshdexError } from '../base/errors.js'
import { createVisitTable } from './cluster-visit-rows.js'
import { CREATE_LEDGER } from './ledger-rows.js'
import { createLinkTables } from './link-rows.js'
import { OwnSchema } from './own-schema.js'
import { corrupt } from './state.js'

/** "fdex", in the header of the database file: tells our catalogs from other people's databases. */
const APPLICATION_ID = 0x66646578

/** The newest version of all tables. Times are milliseconds since 1970. */
const SCHEMA = `
  -- What the index is: 'schema' and 'scoring', JSON both.
  CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;

  -- Where the index is: one row, rewritten by every transaction. checksum covers the other columns and the rows of
  -- meta.
  CREATE TABLE state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    sequence INTEGER NOT NULL,
    flushed INTEGER NOT NULL,
    next_segment INTEGER NOT NULL,
    segments_hash BLOB NOT NULL,
    checksum BLOB NOT NULL
  );

  -- Documents by number. key has no type: a string stays TEXT, a number stays a number. There is no index over keys:
  -- the core finds documents by them.
  CREATE TABLE documents (doc INTEGER PRIMARY KEY, key NOT NULL);

  -- The stored forms of documents, apart from their keys, so that whoever wants all keys need not read them. A document
  -- of which nothing is stored has no row. A compaction moves documents from stored to packed and compresses them:
  -- src/catalog/packed-documents.ts. Of a document that has a row in both, that in stored counts.
  CREATE TABLE stored (doc INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE packed (doc INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

  -- What documents are compressed with, by the number that they name.
  CREATE TABLE dictionaries (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

  -- Batches that no segment holds yet: one row each, state.flushed < sequence <= state.sequence.
  CREATE TABLE log (sequence INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

  -- The segments that make up the index as of batch state.flushed.
  CREATE TABLE segments (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, bytes INTEGER NOT NULL);

  -- The refresh history of each document, by its number. src/ledger/columns.ts says what each column means and which
  -- bytes recent and profile have. last_outcome: 1 new, 2 changed, 3 same, 4 gone, 5 error. effects: the queries that
  -- the last refresh moved most, as in native/quality/measurer.h.
  ${CREATE_LEDGER};

  -- Changes of the ledger that are yet to be brought into it, a row for each commit: see docs/file-format.md. Whoever
  -- reads the ledger applies them in the order of their ids.
  CREATE TABLE ledger_changes (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

  -- The query log: name is a text, or hashes of words; weight is that at at_ms; last_ms: when it was last asked;
  -- answered: whether its last search found anything, NULL where nobody looked.
  CREATE TABLE queries (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    weight REAL NOT NULL,
    at_ms REAL NOT NULL,
    last_ms REAL NOT NULL,
    answered INTEGER
  );

  -- One row. version grows with every change of queries and clicks. max_queries and half_life_ms: NULL is the default.
  -- dropped and dropped_weight: queries beyond max_queries. lost: queries of other processes that did not arrive. The
  -- others say how far which inbox is taken over.
  CREATE TABLE workload_state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL,
    max_queries INTEGER,
    half_life_ms REAL,
    dropped INTEGER NOT NULL,
    dropped_weight REAL NOT NULL,
    lost REAL NOT NULL,
    inbox_generation TEXT NOT NULL,
    inbox_row INTEGER NOT NULL,
    inbox_dropped REAL NOT NULL
  );
  INSERT INTO workload_state VALUES (1, 0, NULL, NULL, 0, 0, 0, '', 0, 0);

  -- The score->rank curves of measured queries, those of one fit in a row: see docs/file-format.md. A later fit
  -- replaces curves of earlier ones.
  CREATE TABLE curves (fit INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

  -- At most one row: what the curves have in common, and how far lists have changed since they were fitted.
  CREATE TABLE curve_state (one INTEGER PRIMARY KEY CHECK (one = 1), state BLOB NOT NULL, churn BLOB NOT NULL);

  -- Clicks on answers by rank, counting from 1.
  CREATE TABLE clicks (rank INTEGER PRIMARY KEY, count REAL NOT NULL);

  -- One row. version grows with every change of the tables from ledger on, the workload left out; privacy, text or
  -- hash, says what the names of queries are. unanswered and answered are parts of the workload, by weight, from 0 to
  -- 1: what no document answers, and what none answered until a refresh brought the answer, as that counted at
  -- answered_ms. unrecorded: 1 when documents were written without a prioritizer, so that rows of them may be missing.
  CREATE TABLE refresh_state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL,
    next_query INTEGER NOT NULL,
    privacy TEXT NOT NULL,
    unanswered REAL NOT NULL,
    answered REAL NOT NULL,
    answered_ms REAL NOT NULL,
    unrecorded INTEGER NOT NULL
  );
  INSERT INTO refresh_state VALUES (1, 0, 1, 'text', 0, 0, 0, 0);

  -- Documents that change alike, as of the last time that they were clustered; ledger.cluster names them, 0 is none.
  -- probability: that of a change from one refresh to the next. rate_per_ms and strength_ms: what is believed of a
  -- document's changes before it was watched. centroid: float64 for each feature. nearest: numbers of the documents
  -- nearest to the centroid, float64.
  CREATE TABLE clusters (
    id INTEGER PRIMARY KEY,
    size INTEGER NOT NULL,
    known INTEGER NOT NULL,
    probability REAL NOT NULL,
    rate_per_ms REAL NOT NULL,
    strength_ms REAL NOT NULL,
    centroid BLOB NOT NULL,
    nearest BLOB NOT NULL
  );

  -- At most one row: when and how documents were clustered.
  CREATE TABLE clustering (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at_ms REAL NOT NULL,
    seed INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    mean_cosine REAL NOT NULL
  );

  -- The sites that have sent signals, by the host of their documents' keys; numbers begin at 1, and ledger.site names
  -- them, 0 is none.
  CREATE TABLE sites (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

  -- What refreshes showed of a site's signals, kind by kind: how many documents were signalled before, or not, and had
  -- changed, or not.
  CREATE TABLE signal_trust (
    site INTEGER NOT NULL,
    kind TEXT NOT NULL,
    signalled_changed INTEGER NOT NULL,
    signalled_same INTEGER NOT NULL,
    silent_changed INTEGER NOT NULL,
    silent_same INTEGER NOT NULL,
    PRIMARY KEY (site, kind)
  ) WITHOUT ROWID;

  -- By day, in UTC and counted from 1970: refreshes, how many of them found a change, and what they gained, beside what
  -- was expected just before. variance is that of the expected gain. Gains are in units of deltaQuality.
  CREATE TABLE review_days (
    day INTEGER PRIMARY KEY,
    refreshes INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    expected_changes REAL NOT NULL,
    expected_delta_quality REAL NOT NULL,
    variance REAL NOT NULL,
    delta_quality REAL NOT NULL
  );

  -- The last 256 writes, for whoever watches. documents: how many it put or removed. shifts: scores that it moved.
  -- stake: what all pages have at stake. pages: JSON, the first 32 of [key, outcome, deltaQuality, [[query, rank
  -- before, rank after]]]; 0 is no rank.
  CREATE TABLE writes (
    id INTEGER PRIMARY KEY,
    written_ms REAL NOT NULL,
    at_ms REAL NOT NULL,
    documents INTEGER NOT NULL,
    shifts INTEGER NOT NULL,
    index_us REAL NOT NULL,
    measure_us REAL NOT NULL,
    stake REAL NOT NULL,
    pages TEXT NOT NULL
  );

  -- Pages that are known and were not fetched, by the key that their document will have. anchors: the texts of links to
  -- the page, in UTF-8 with line feeds between them. fetched_ms: when the document was written; such a row stays until
  -- the page's scores have been learnt from.
  CREATE TABLE frontier (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    anchors BLOB NOT NULL,
    inlinks REAL NOT NULL,
    added_ms REAL NOT NULL,
    fetched_ms REAL
  );

  -- One row. version grows with every change of the table frontier; lessons, MessagePack, is what fetched pages have
  -- taught: src/frontier/lessons.ts.
  CREATE TABLE frontier_state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL,
    lessons BLOB NOT NULL
  );
  INSERT INTO frontier_state VALUES (1, 0, x'');

  -- What the last judgement said of a document, by the policy of the index: one for each refresh.next(). expected_gain:
  -- the share of all that refreshing everything would have gained at judged_ms.
  CREATE TABLE judgements (
    doc INTEGER PRIMARY KEY,
    priority REAL NOT NULL,
    expected_gain REAL NOT NULL,
    current_probability REAL NOT NULL,
    judged_ms REAL NOT NULL
  );

  -- What to refresh next, as refresh.next() last judged it. Priorities are NULL for documents that were not judged
  -- since they were first written. stake: the share of today's answers that the document carries.
  CREATE VIEW refresh_priorities AS
  SELECT
    documents.key AS key,
    judgements.priority AS priority,
    ledger.stake / nullif((SELECT total(stake) FROM ledger WHERE is_present = 1), 0) AS stake,
    judgements.expected_gain AS expected_gain,
    judgements.current_probability AS current_probability,
    datetime(judgements.judged_ms / 1000, 'unixepoch') AS judged_at,
    max(0, (julianday('now') - 2440587.5) * 86400000 - ledger.refreshed_ms) AS age_ms,
    datetime(ledger.refreshed_ms / 1000, 'unixepoch') AS refreshed,
    ledger.refreshes AS refreshes,
    ledger.changes AS changes,
    CASE ledger.last_outcome
      WHEN 1 THEN 'new' WHEN 2 THEN 'changed' WHEN 3 THEN 'same' WHEN 4 THEN 'gone' ELSE 'error'
    END AS last_outcome,
    ledger.errors AS errors,
    ledger.doc AS doc
  FROM ledger
  JOIN documents ON documents.doc = ledger.doc
  LEFT JOIN judgements ON judgements.doc = ledger.doc AND judgements.judged_ms >= ledger.created_ms
  WHERE ledger.is_present = 1;

  -- Stored documents as JSON, by key: those that were written with storeAs: 'json', which are never compressed. The
  -- others have NULL, because SQL cannot read MessagePack, whose maps do not begin with the byte of a brace.
  CREATE VIEW stored_documents AS
  SELECT key, CASE WHEN substr(bytes, 1, 1) = x'7b' THEN CAST(bytes AS TEXT) END AS fields, doc
  FROM documents LEFT JOIN stored USING (doc);
`

/**
 * UPGRADES[n] is the SQL that turns tables of version n + 8 into those of version n + 9. A new catalog never runs them:
 * whoever adds an entry changes SCHEMA, too. A published entry never changes.
 */
export const UPGRADES: readonly string[] = []

/** Tables of earlier versions were never released: they are refused. */
const OLDEST_VERSION = 8

function newestVersion(): number {
  return OLDEST_VERSION + UPGRADES.length
}

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
  if (version > newestVersion()) throw unsupported(db, version, `knows formats up to ${newestVersion()}`)
  if (version < OLDEST_VERSION) {
    const what = `knows formats from ${OLDEST_VERSION} on: build the index again from its sources`
    throw unsupported(db, version, what)
  }
  return version
}

/** For a reader, which changes nothing: NOT_SUPPORTED unless the tables are those that this code reads. */
export function requireNewest(db: Database, version: number): void {
  if (!isNewest(version)) throw unsupported(db, version, 'brings it to its own when the index is opened for writing')
}

function unsupported(db: Database, version: number, what: string): FreshdexError {
  return new FreshdexError('NOT_SUPPORTED', `the catalog has format ${version}, this version of freshdex ${what}`, {
    detail: { file: db.name, format: version, supported: newestVersion() },
  })
}

export function isNewest(version: number): boolean {
  return version === newestVersion()
}

/** Makes the tables of a new catalog. REQUIRES: a transaction is open. */
export function createTables(db: Database): void {
  db.exec(SCHEMA)
  db.pragma(`application_id = ${APPLICATION_ID}`)
  db.pragma(`user_version = ${newestVersion()}`)
}

const OWN = new OwnSchema(createTables, (db) => {
  createLinkTables(db)
  createVisitTable(db)
})

/** CORRUPT unless the catalog has exactly the tables and views of the newest version. */
export function requireOwnTables(db: Database): void {
  refuse(db, OWN.complaint(db))
  for (const table of ONE_ROW) {
    const rows = db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    if (rows !== 1) throw corrupt(db, `"${table}" has ${rows} rows and not one`)
  }
}

/** Tables of one row, without which nothing of the prioritizer can be read. */
const ONE_ROW = ['refresh_state', 'workload_state', 'frontier_state'] as const

/** For a salvage: CORRUPT where reading a table of ours would compute anything. */
export function requireReadableTables(db: Database): void {
  refuse(db, OWN.readingComplaint(db))
}

function refuse(db: Database, complaint: string | undefined): void {
  if (complaint !== undefined) throw corrupt(db, complaint)
}

/** Brings an older catalog to the newest version. REQUIRES: a transaction is open. */
export function upgrade(db: Database, from: number): void {
  for (const sql of UPGRADES.slice(from - OLDEST_VERSION)) db.exec(sql)
  db.pragma(`user_version = ${newestVersion()}`)
}
