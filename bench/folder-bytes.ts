/** What the bytes of an index's folder are for. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'

/** Names of the kinds of segments, as the core numbers them. */
const SEGMENTS: Readonly<Record<number, string>> = {
  1: 'postings',
  2: 'deltas of postings',
  3: 'forward records',
  4: 'terms',
  5: 'document table',
  6: 'registry of phrases',
  7: 'lists of phrases',
  8: 'deltas of phrases',
}

/** Tables of the catalog that are there whether or not somebody asks what to refresh. */
const TABLES: Readonly<Record<string, string>> = {
  documents: 'keys in the catalog',
  stored: 'stored documents, not compressed',
  packed: 'stored documents, compressed',
  log: 'log',
}

export interface FolderBytes {
  readonly byKind: Readonly<Record<string, number>>
  /** Without what belongs to the prioritizer. */
  readonly index: number
  /** The ledger with its images, and all else that is known of refreshes and queries. */
  readonly prioritizer: number
}

/** REQUIRES: nobody has the index open. */
export function folderBytes(folder: string): FolderBytes {
  const byKind = new Map<string, number>()
  const add = (kind: string, bytes: number) => byKind.set(kind, (byKind.get(kind) ?? 0) + bytes)
  const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
  for (const [kind, bytes] of db.prepare('SELECT kind, bytes FROM segments').raw().all() as [number, number][])
    add(SEGMENTS[kind] ?? `segments of kind ${kind}`, bytes)
  const tables = db.prepare('SELECT name, sum(pgsize) FROM dbstat GROUP BY name').raw().all() as [string, number][]
  db.close()
  let prioritizer = 0
  for (const [name, bytes] of tables) {
    if (TABLES[name] === undefined) prioritizer += bytes
    else add(TABLES[name], bytes)
  }
  for (const name of ['ledger.img', 'judgement.img', 'inbox.db']) {
    const file = path.join(folder, name)
    if (existsSync(file)) prioritizer += statSync(file).size
  }
  const index = [...byKind.values()].reduce((sum, bytes) => sum + bytes, 0)
  return { byKind: Object.fromEntries([...byKind].sort(([, a], [, b]) => b - a)), index, prioritizer }
}

/** Of all files, whatever they are for. */
export function bytesOnDisk(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)
}
