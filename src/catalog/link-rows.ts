/**
 * The tables `link_keys` and `links`, which an index has that reads the links of its documents: a row of `links` for
 * each pair of a document and a key that it links to, with the texts of these links as JSON.
 */
import type { Database, Statement } from 'better-sqlite3'
import { describe } from '../base/describe.js'
import type { Key } from '../base/keys.js'
import type { LinkChange, LinkTable } from '../links/link-table.js'
import type { LinkTexts } from '../links/page-links.js'
import { inSqlite } from './connection.js'
import { corrupt } from './state.js'

/** Within a transaction of the caller. */
export function createLinkTables(db: Database): void {
  db.exec(`
    -- key has no type: a string stays TEXT, a number stays a number.
    CREATE TABLE IF NOT EXISTS link_keys (id INTEGER PRIMARY KEY, key NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS links (
      id INTEGER PRIMARY KEY,
      target INTEGER NOT NULL,
      source INTEGER NOT NULL,
      texts TEXT NOT NULL,
      UNIQUE (target, source)
    );
    CREATE INDEX IF NOT EXISTS links_by_source ON links (source);
  `)
}

/** Writes within a transaction of the caller. */
export function prepareLinkWriter(db: Database): (changes: readonly LinkChange[]) => void {
  const idOf = db.prepare<[Key], number>('SELECT id FROM link_keys WHERE key = ?').pluck()
  const addKey = db.prepare('INSERT INTO link_keys (key) VALUES (?)')
  const put = db.prepare(`INSERT INTO links (target, source, texts) VALUES (?, ?, ?)
    ON CONFLICT (target, source) DO UPDATE SET texts = excluded.texts`)
  const remove = db.prepare('DELETE FROM links WHERE target = ? AND source = ?')
  const numberOf = (key: Key) => idOf.get(key) ?? Number(addKey.run(key).lastInsertRowid)
  return (changes) => {
    for (const { source, target, texts } of changes) {
      if (texts === undefined) remove.run(numberOf(target), numberOf(source))
      else put.run(numberOf(target), numberOf(source), JSON.stringify(texts))
    }
  }
}

/** Forgets keys at which no link begins or ends, and says how many. Within a transaction of the caller. */
export function forgetUnlinkedKeys(db: Database): number {
  if (!hasLinkTables(db)) return 0
  return db
    .prepare('DELETE FROM link_keys WHERE id NOT IN (SELECT target FROM links UNION SELECT source FROM links)')
    .run().changes
}

/** What is wrong with rows of links: damaged ones, and links of what is no document. */
export function* strayLinks(db: Database): Generator<string> {
  for (const rows of readAllLinks(db, PORTION)) {
    for (const [id, source, target, texts] of rows) {
      if (source === null || target === null || readTexts(texts) === undefined) yield `link ${id} is damaged`
    }
  }
  const strays = db
    .prepare(
      `SELECT key FROM link_keys WHERE id IN (SELECT source FROM links) AND key NOT IN (SELECT key FROM documents)`,
    )
    .pluck()
  for (const key of inSqlite(db.name, () => strays.all())) yield `${describe(key)} has links and is no document`
}

/** Rows between two looks. */
const PORTION = 1000

function hasLinkTables(db: Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'links'").get() !== undefined
}

interface LinkStatements {
  readonly from: Statement<[Key], readonly unknown[]>
  readonly to: Statement<[Key], readonly unknown[]>
}

/** The links in a catalog, as of the moment that the connection shows when asked. */
export class StoredLinks implements LinkTable {
  readonly #connection: () => Database
  readonly #statements = new WeakMap<Database, LinkStatements>()

  constructor(connection: () => Database) {
    this.#connection = connection
  }

  linksFrom(source: Key): LinkTexts {
    return this.#read(source, 'from')
  }

  linksTo(target: Key): LinkTexts {
    return this.#read(target, 'to')
  }

  #read(key: Key, which: keyof LinkStatements): LinkTexts {
    const db = this.#connection()
    return inSqlite(db.name, () => {
      const statement = this.#statementsOf(db)[which]
      return new Map(statement.all(key).map((row) => readRow(db, row)))
    })
  }

  #statementsOf(db: Database): LinkStatements {
    const known = this.#statements.get(db)
    if (known !== undefined) return known
    const select = (end: 'source' | 'target', other: 'source' | 'target') =>
      db
        .prepare<[Key], readonly unknown[]>(
          `SELECT other.key, links.texts FROM link_keys AS one
           JOIN links ON links.${end} = one.id JOIN link_keys AS other ON other.id = links.${other}
           WHERE one.key = ?`,
        )
        .raw()
    const statements = { from: select('source', 'target'), to: select('target', 'source') }
    this.#statements.set(db, statements)
    return statements
  }
}

function readRow(db: Database, [key, texts]: readonly unknown[]): readonly [Key, readonly string[]] {
  const read = readTexts(texts)
  if (read === undefined || (typeof key !== 'string' && typeof key !== 'number'))
    throw corrupt(db, 'a row of the table links is damaged')
  return [key, read]
}

/** The texts of a row; undefined when it makes no sense. */
export function readTexts(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'string') return undefined
  try {
    const texts: unknown = JSON.parse(value)
    const isSound = Array.isArray(texts) && texts.length > 0 && texts.every((text) => typeof text === 'string')
    return isSound ? (texts as string[]) : undefined
  } catch {
    return undefined
  }
}

/** A number, the keys of both ends, and the texts. The numbers are above the parameter, and ascend. */
export const ALL_LINKS = `SELECT links.id, source.key, target.key, links.texts FROM links
  LEFT JOIN link_keys AS source ON source.id = links.source
  LEFT JOIN link_keys AS target ON target.id = links.target
  WHERE links.id > ? ORDER BY links.id`

/** The rows of ALL_LINKS, whatever they are, in portions. */
function* readAllLinks(db: Database, portion: number): Generator<readonly (readonly unknown[])[]> {
  const select = db.prepare(`${ALL_LINKS} LIMIT ?`).raw()
  for (let last = -1; ; ) {
    const rows = inSqlite(db.name, () => select.all(last, portion)) as unknown[][]
    if (rows.length > 0) yield rows
    if (rows.length < portion) return
    last = Number(rows.at(-1)?.[0])
  }
}
