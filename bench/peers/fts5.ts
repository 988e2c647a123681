/**
 * SQLite's FTS5 among the peers: contentless, Porter's stems, keys in a table by row. It has no stop words. It scores
 * every match; the number of all matches is a second statement.
 */
import path from 'node:path'
import Database from 'better-sqlite3'
import type { Kind } from '../class-queries.js'
import { BEST } from '../peer-contract.js'
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
