/**
 * SQLite's FTS5 among the peers: without stored pages, Porter's stems, keys in a table by row. It has no stop words. It
 * scores every match; the number of all matches is a second statement.
 */
import path from 'node:path'
import Database from 'better-sqlite3'
import type { Kind } from '../class-queries.js'
import { BEST } from '../peer-contract.js'
import type { TextWrite } from '../replacing/write-sections.js'
import { drive } from './driver.js'

const OPERATORS: Readonly<Record<Exclude<Kind, 'phrase'>, string>> = { term: ' ', and: ' AND ', or: ' OR ' }
const MEMORY_BYTES = 2 ** 30

const fileOf = (folder: string) => path.join(folder, 'pages.db')

function versionOf(): string {
  const db = new Database(':memory:')
  const version = db.prepare('SELECT sqlite_version()').pluck().get() as string
  db.close()
  return version
}

/**
 * A transaction is as durable as a write of freshdex with `durability: 'process'`: a log is written and not waited for.
 * Old versions get a tombstone, because what is not stored cannot be taken out word by word.
 */
function openForWriting(folder: string) {
  const db = new Database(fileOf(folder))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.pragma(`cache_size = ${-MEMORY_BYTES / 1024}`)
  db.exec(`CREATE TABLE IF NOT EXISTS keys (id INTEGER PRIMARY KEY, url TEXT UNIQUE);
    CREATE VIRTUAL TABLE IF NOT EXISTS pages
      USING fts5 (text, content='', contentless_delete=1, tokenize='porter unicode61')`)
  const find = db.prepare('SELECT id FROM keys WHERE url = ?').pluck()
  const number = db.prepare('INSERT INTO keys (url) VALUES (?) RETURNING id').pluck()
  const forget = db.prepare('DELETE FROM keys WHERE url = ? RETURNING id').pluck()
  const insert = db.prepare('INSERT INTO pages (rowid, text) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM pages WHERE rowid = ?')
  const write = db.transaction(({ put, remove: removed }: TextWrite) => {
    for (const { url, text } of put) {
      const known = find.get(url)
      if (known !== undefined) remove.run(known)
      insert.run(known ?? number.get(url), text)
    }
    for (const url of removed) remove.run(forget.get(url))
  })
  return { db, write: (one: TextWrite) => write(one), settle: () => undefined, close: () => void db.close() }
}

await drive<{ readonly match: string; readonly isCounted: boolean }>({
  version: versionOf(),

  build(folder, pages) {
    const db = new Database(fileOf(folder))
    db.exec(`CREATE TABLE keys (id INTEGER PRIMARY KEY, url TEXT);
      CREATE VIRTUAL TABLE pages USING fts5 (text, content='', tokenize='porter unicode61')`)
    const insertKey = db.prepare('INSERT INTO keys (id, url) VALUES (?, ?)')
    const insertText = db.prepare('INSERT INTO pages (rowid, text) VALUES (?, ?)')
    db.transaction(() => {
      let id = 0
      for (const { url, text } of pages) {
        insertKey.run(++id, url)
        insertText.run(id, text)
      }
    })()
    db.exec(`INSERT INTO pages (pages) VALUES ('optimize'); VACUUM`)
    db.close()
  },

  writing: {
    prepare(folder, pages) {
      const peer = openForWriting(folder)
      peer.write({ put: [...pages], remove: [] })
      peer.db.exec(`INSERT INTO pages (pages) VALUES ('optimize')`)
      peer.close()
    },
    open: openForWriting,
  },

  open(folder) {
    const db = new Database(fileOf(folder), { readonly: true })
    db.pragma(`mmap_size = ${MEMORY_BYTES}`)
    db.pragma(`cache_size = ${-MEMORY_BYTES / 1024}`)
    const best = db
      .prepare(`SELECT url FROM (SELECT rowid AS id FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ${BEST})
        JOIN keys USING (id)`)
      .pluck()
    const count = db.prepare('SELECT count(*) FROM pages WHERE pages MATCH ?').pluck()
    return {
      questionOf: (kind, words, counting) => ({
        match: kind === 'phrase' ? `"${words}"` : words.replaceAll(/\S+/g, '"$&"').replaceAll(' ', OPERATORS[kind]),
        isCounted: counting === 'exact',
      }),
      answer: ({ match, isCounted }) => ({
        keys: best.all(match),
        total: isCounted ? (count.get(match) as number) : undefined,
      }),
    }
  },
})
