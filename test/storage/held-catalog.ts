import path from 'node:path'
import Database from 'better-sqlite3'

/** Holds the only right to write that SQLite gives, as another program would. Returns how to let it go. */
export function holdCatalog(folder: string): () => void {
  const db = new Database(path.join(folder, 'catalog.db'))
  db.exec('BEGIN IMMEDIATE')
  return () => {
    db.exec('ROLLBACK')
    db.close()
  }
}
