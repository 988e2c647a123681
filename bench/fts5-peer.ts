/** The size of SQLite's FTS5 index of the same pages. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import type { Page } from './snapshot-data.js'

export interface Fts5Sizes {
  readonly version: string
  /** Contentless: positions, and no stored page. */
  readonly plainBytes: number
  /** With the pages stored. */
  readonly storedBytes: number
}

export function sizeOfFts5(pages: readonly Page[]): Fts5Sizes {
  const work = mkdtempSync(path.join(tmpdir(), 'freshdex-fts5-'))
  try {
    const sizeWith = (name: string, options: string) => {
      const file = path.join(work, name)
      const db = new Database(file)
      db.exec(`CREATE VIRTUAL TABLE pages USING fts5 (url UNINDEXED, title, text${options})`)
      const insert = db.prepare('INSERT INTO pages (rowid, url, title, text) VALUES (?, ?, ?, ?)')
      db.transaction(() => {
        for (const [at, { url, title, text }] of pages.entries()) insert.run(at + 1, url, title, text)
      })()
      db.exec(`INSERT INTO pages (pages) VALUES ('optimize'); VACUUM`)
      const version = db.prepare('SELECT sqlite_version()').pluck().get() as string
      db.close()
      return { bytes: statSync(file).size, version }
    }
    const plain = sizeWith('plain.db', ", content=''")
    return { version: plain.version, plainBytes: plain.bytes, storedBytes: sizeWith('stored.db', '').bytes }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
