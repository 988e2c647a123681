/**
 * The tables of catalog.db, version by version. An opening for writing brings an older catalog to the newest version in
 * one transaction; what is newer than this code is refused and not touched. docs/file-format.md describes the tables.
 */
import type { Database } from 'better-sqlite3'
import { FreshdexError } from '../base/errors.js'

/** "fdex", in the header of the database file: tells our catalogs from other people's databases. */
const APPLICATION_ID = 0x66646578

/** The tables of the refresh history and of the workload. Part of schema.ts, versions 2 to 5. */

/**
 * The view says what the policy user-centric-shrunk says, with the stake as prior, at the moment of the query: the
 * default is beyond SQL. src/refresh/policies/user-centric-shrunk.ts has the same formula, and a test compares the two.
 */
const REFRESH_TABLES = `
  -- The refresh history of each document, by its number. Times are milliseconds since 1970; last_outcome: 1 new, 2 changed,
  -- 3 same, 4 gone, 5 error. recent: the last 6 rated refreshes, 6 intervals in seconds and then 6 gains as float32.
  -- effects: the queries that the last refresh moved most.
  CREATE TABLE ledger (
    doc INTEGER PRIMARY KEY,
    is_present INTEGER NOT NULL,
    last_outcome INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    refreshes INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    rated INTEGER NOT NULL,
    created_ms REAL NOT NULL,
    refreshed_ms REAL NOT NULL,
    attempted_ms REAL NOT NULL,
    sum_delta_quality REAL NOT NULL,
    sum_interval_ms REAL NOT NULL,
    sum_rate REAL NOT NULL,
    last_delta_quality REAL NOT NULL,
    decayed_rate REAL NOT NULL,
    decayed_weight REAL NOT NULL,
    stake REAL NOT NULL,
    recent BLOB NOT NULL,
    effects BLOB NOT NULL
  );

  -- Documents that an older version wrote: how old they are is not known.
  INSERT INTO ledger
    SELECT doc, 1, 1, 0, 0, 0, 0, now, now, now, 0, 0, 0, 0, 0, 0, 0, x'', x''
    FROM documents, (SELECT (julianday('now') - 2440587.5) * 86400000 AS now);

  -- The query log: name is a text, or hashes of words; weight is that at at_ms.
  CREATE TABLE queries (id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight REAL NOT NULL, at_ms REAL NOT NULL);

  -- Clicks on answers by rank, counting from 1.
  CREATE TABLE clicks (rank INTEGER PRIMARY KEY, count REAL NOT NULL);

  -- One row. version grows with every change of the tables above; privacy, text or hash, says what the names of queries are.
  CREATE TABLE refresh_state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL,
    next_query INTEGER NOT NULL,
    privacy TEXT NOT NULL
  );
  INSERT INTO refresh_state VALUES (1, 0, 1, 'text');

  CREATE VIEW refresh_priorities AS
  WITH
    moment AS (SELECT (julianday('now') - 2440587.5) * 86400000 AS now_ms),
    totals AS (
      SELECT
        total(stake) / count(*) AS mean_stake,
        total(sum_delta_quality) AS sum_delta_quality,
        total(sum_interval_ms) AS sum_interval_ms,
        total(rated) AS rated
      FROM ledger WHERE is_present = 1
    ),
    prior AS (
      SELECT
        mean_stake,
        CASE WHEN sum_delta_quality > 0 THEN sum_delta_quality / sum_interval_ms
          ELSE 0.01 / 86400000 * CASE WHEN mean_stake > 0 THEN mean_stake ELSE 1 END END AS mean_rate,
        CASE WHEN rated > 0 THEN sum_interval_ms / rated ELSE 7 * 86400000.0 END AS tau0_ms
      FROM totals
    ),
    judged AS (
      SELECT
        ledger.*,
        max(0, now_ms - refreshed_ms) AS age_ms,
        (sum_delta_quality + tau0_ms * mean_rate *
          CASE WHEN mean_stake = 0 THEN 1 ELSE 0.05 + 0.95 * stake / mean_stake END) / (sum_interval_ms + tau0_ms) AS rate
      FROM ledger, prior, moment
    )
  SELECT
    documents.key AS key,
    rate * age_ms AS priority,
    age_ms,
    stake,
    rate * 86400000 AS gain_per_day,
    datetime(refreshed_ms / 1000, 'unixepoch') AS refreshed,
    refreshes,
    changes,
    CASE last_outcome WHEN 1 THEN 'new' WHEN 2 THEN 'changed' WHEN 3 THEN 'same' WHEN 4 THEN 'gone' ELSE 'error' END AS last_outcome,
    last_delta_quality,
    errors,
    judged.doc AS doc
  FROM judged JOIN documents ON documents.doc = judged.doc
  WHERE is_present = 1;
`

/**
 * Which of the last 32 refreshes found a change, of a document of which only their number is known: as evenly spread as
 * quarters allow.
 */
export const SPREAD_CHANGE_BITS = `CASE CAST(round(4.0 * changes / max(1, refreshes)) AS INTEGER)
    WHEN 0 THEN 0 WHEN 1 THEN 0x11111111 WHEN 2 THEN 0x55555555 WHEN 3 THEN 0x77777777 ELSE 0xFFFFFFFF END`

/**
 * Version 3: how documents change, what is heard of their changes, and which pages are known that were never fetched.
 */
const CHANGE_TABLES = `
  -- How the document changes: the bytes are described in src/refresh/profile-bytes.ts. Empty for a document without a profile.
  ALTER TABLE ledger ADD COLUMN profile BLOB NOT NULL DEFAULT x'';

  -- Signals of a change since the last refresh: the site that they are trusted by, how many, of which kinds, since when.
  ALTER TABLE ledger ADD COLUMN site INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE ledger ADD COLUMN signals INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE ledger ADD COLUMN signal_kinds INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE ledger ADD COLUMN signal_ms REAL NOT NULL DEFAULT 0;

  -- Which of the last 32 refreshes found a change: a bit each, the newest in bit 0.
  ALTER TABLE ledger ADD COLUMN change_bits INTEGER NOT NULL DEFAULT 0;
  UPDATE ledger SET change_bits = ${SPREAD_CHANGE_BITS};

  -- The cluster that the document is in; 0: none.
  ALTER TABLE ledger ADD COLUMN cluster INTEGER NOT NULL DEFAULT 0;

  -- Documents that change alike, as of the last time that they were clustered. probability: of a change from one refresh to the next.
  -- rate_per_ms and strength_ms: what is believed of a document's changes before it was watched. centroid: float64 for each feature.
  -- nearest: numbers of the documents nearest to the centroid, float64.
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

  -- The sites that have sent signals, by the host of their documents' keys; numbers begin at 1.
  CREATE TABLE sites (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

  -- What refreshes showed of a site's signals, kind by kind: documents that were signalled before, or not, and had changed, or not.
  CREATE TABLE signal_trust (
    site INTEGER NOT NULL,
    kind TEXT NOT NULL,
    signalled_changed INTEGER NOT NULL,
    signalled_same INTEGER NOT NULL,
    silent_changed INTEGER NOT NULL,
    silent_same INTEGER NOT NULL,
    PRIMARY KEY (site, kind)
  ) WITHOUT ROWID;

  -- Pages that are known and were not fetched, by the key that their document will have. anchors: the texts of links to the page, in UTF-8
  -- with line feeds between them. fetched_ms: when the document was written; such a row stays until the page's scores have been learnt from.
  CREATE TABLE frontier (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    anchors BLOB NOT NULL,
    inlinks REAL NOT NULL,
    added_ms REAL NOT NULL,
    fetched_ms REAL
  );

  -- One row. version grows with every change of the table above; lessons, MessagePack, is what fetched pages have taught: src/discovery/lessons.ts.
  CREATE TABLE frontier_state (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL, lessons BLOB NOT NULL);
  INSERT INTO frontier_state VALUES (1, 0, x'');
`

/** Version 4: whether refreshes have gained what was expected of them. */
const REVIEW_TABLES = `
  -- By day, in UTC and counted from 1970: refreshes, how many of them found a change, and what they gained, beside what was expected just before.
  -- variance: of the expected gain. Amounts are in units of deltaQuality.
  CREATE TABLE review_days (
    day INTEGER PRIMARY KEY,
    refreshes INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    expected_changes REAL NOT NULL,
    expected_delta_quality REAL NOT NULL,
    variance REAL NOT NULL,
    delta_quality REAL NOT NULL
  );
`

/** Version 5: how much of what people ask is open. */
const QUESTION_TABLES = `
  -- Parts of the workload, by weight, from 0 to 1: unanswered, by any document; answered, by a refresh before which no document did, as that counted at answered_ms.
  ALTER TABLE refresh_state ADD COLUMN unanswered REAL NOT NULL DEFAULT 0;
  ALTER TABLE refresh_state ADD COLUMN answered REAL NOT NULL DEFAULT 0;
  ALTER TABLE refresh_state ADD COLUMN answered_ms REAL NOT NULL DEFAULT 0;
`

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
