import path from 'node:path'
import Database from 'better-sqlite3'
import { BEST, type Contender, type ContenderSetup } from '../contender.js'
import type { BenchPage } from '../pages.js'
import type { Kind, Question } from '../questions.js'

const OPERATORS: Readonly<Record<Exclude<Kind, 'phrase'>, string>> = { word: ' ', all: ' AND ', any: ' OR ' }

/** A table of SQLite with the pages in it, as durable as the index: a log is written, and not waited for. */
export function fts5Contender({ folder, fields, isEnglish }: ContenderSetup): Contender {
  const db = new Database(path.join(folder, 'pages.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  const columns = fields.map((_, at) => `field${at}`)
  const values = columns.map(() => '?').join(', ')
  db.exec(`CREATE TABLE keys (id INTEGER PRIMARY KEY, key TEXT UNIQUE);
    CREATE VIRTUAL TABLE pages USING fts5 (${columns.join(', ')},
      tokenize='${isEnglish ? 'porter unicode61' : 'unicode61'}')`)
  const find = db.prepare('SELECT id FROM keys WHERE key = ?').pluck()
  const number = db.prepare('INSERT INTO keys (key) VALUES (?) RETURNING id').pluck()
  const insert = db.prepare(`INSERT INTO pages (rowid, ${columns.join(', ')}) VALUES (?, ${values})`)
  const update = db.prepare(`UPDATE pages SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE rowid = ?`)
  const write = db.transaction((pages: readonly BenchPage[]) => {
    for (const { key, texts } of pages) {
      const id = find.get(key)
      if (id === undefined) insert.run(number.get(key), ...texts)
      else update.run(...texts, id)
    }
  })
  const best = db
    .prepare(`SELECT key FROM (SELECT rowid AS id FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ${BEST})
      JOIN keys USING (id)`)
    .pluck()
  return {
    version: db.prepare('SELECT sqlite_version()').pluck().get() as string,
    write: async (pages) => write(pages),
    learn: async () => {},
    merge: async () => {
      db.exec(`INSERT INTO pages (pages) VALUES ('optimize')`)
      // Pages that hold nothing any more would count as bytes on disk.
      db.exec('VACUUM')
      db.pragma('wal_checkpoint(TRUNCATE)')
    },
    prepare: ({ kind, words }: Question) => {
      if (kind === 'phrase') return `"${words.join(' ')}"`
      return words.map((word) => `"${word}"`).join(OPERATORS[kind])
    },
    ask: (match) => best.all(match),
    close: async () => {
      db.close()
    },
  }
}
