/** SQLite's FTS5 with the same pages: its size, and the CPU time of the same writes. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { collectGarbage } from './memory.js'
import { cpuUs } from './process-cpu.js'
import type { Page, Week } from './snapshot-data.js'

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

/**
 * Pages in a file, a transaction for each week. As durable as an index with `durability: 'process'`: a log is written,
 * and not waited for.
 */
export class Fts5Pages {
  readonly #db: Database.Database
  readonly #write: (week: Week) => void

  constructor(file: string) {
    const db = new Database(file)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    db.exec(`CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, url TEXT UNIQUE);
      CREATE VIRTUAL TABLE IF NOT EXISTS pages USING fts5 (url UNINDEXED, title, text)`)
    const number = db.prepare('INSERT INTO rows (url) VALUES (?) RETURNING id').pluck()
    const find = db.prepare('SELECT id FROM rows WHERE url = ?').pluck()
    const forget = db.prepare('DELETE FROM rows WHERE url = ? RETURNING id').pluck()
    const insert = db.prepare('INSERT INTO pages (rowid, url, title, text) VALUES (?, ?, ?, ?)')
    const update = db.prepare('UPDATE pages SET title = ?, text = ? WHERE rowid = ?')
    const remove = db.prepare('DELETE FROM pages WHERE rowid = ?')
    this.#db = db
    this.#write = db.transaction(({ added, replaced, gone }: Week) => {
      for (const { url, title, text } of added) insert.run(number.get(url), url, title, text)
      for (const { url, title, text } of replaced) update.run(title, text, find.get(url))
      for (const url of gone) remove.run(forget.get(url))
    })
  }

  write(week: Week): void {
    this.#write(week)
  }

  close(): void {
    this.#db.close()
  }
}

/** The CPU time of the weeks after the first one, closing included, in microseconds. */
export function replayWithFts5(weeks: readonly Week[]): number {
  const work = mkdtempSync(path.join(tmpdir(), 'freshdex-fts5-'))
  try {
    const pages = new Fts5Pages(path.join(work, 'pages.db'))
    pages.write(weeks[0]!)
    collectGarbage()
    const begin = cpuUs()
    for (const week of weeks.slice(1)) pages.write(week)
    pages.close()
    return cpuUs() - begin
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
