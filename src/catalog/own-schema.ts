/**
 * Whether the tables of a database are ours. Somebody else's catalog can have a trigger or a view that never comes to
 * an end, under any name, and a statement of ours would run it. So tables, views, indexes and triggers must be those
 * that we make, word by word; of tables the same columns are enough, where nothing in them computes.
 */
import Database, { type Database as Connection } from 'better-sqlite3'

interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly sql: string | null
  /** Of a table: its columns without their order and defaults, as a table has them to which some were added. */
  readonly columns: string
}

const SELECT = `SELECT type, name, sql, CASE WHEN type = 'table' THEN (
    SELECT group_concat(concat_ws(' ', c.name, c.type, c."notnull", c.pk, c.hidden) ORDER BY c.name)
    FROM pragma_table_xinfo(s.name) c
  ) END AS columns
  FROM sqlite_schema s`

/** What a table may have that computes something. */
const COMPUTING = /\b(?:virtual|generated|as|check)\b/i

/** What `ANALYZE` leaves: numbers, which SQLite itself reads. */
const STATISTICS = /^sqlite_stat[134]$/

/** The objects that `create` makes, by their names. */
export class OwnSchema {
  readonly #create: (db: Connection) => void
  readonly #createOptional: (db: Connection) => void
  #objects: ReadonlyMap<string, SchemaObject> | undefined
  /** Names of objects that need not be there. */
  readonly #optional = new Set<string>()

  /** `createOptional` makes objects that some databases have and others do not. */
  constructor(create: (db: Connection) => void, createOptional: (db: Connection) => void = () => {}) {
    this.#create = create
    this.#createOptional = createOptional
  }

  /** What is wrong with the schema of a database, in words; undefined when nothing is. */
  complaint(db: Connection): string | undefined {
    const own = this.#own()
    const found = db.prepare(SELECT).all() as SchemaObject[]
    for (const { type, name, sql, columns } of found) {
      const expected = own.get(name)
      if (expected?.type === type && (expected.sql === sql || isSameTable(expected, columns, sql))) continue
      if (expected !== undefined) return `its ${type} "${name}" is not as it was made`
      if (type === 'table' && STATISTICS.test(name)) continue
      return `it has a ${type} "${name}", which is none of its own; DROP ${type.toUpperCase()} "${name}" removes it`
    }
    const names = new Set(found.map(({ name }) => name))
    const missing = [...own.values()].find(({ name }) => !names.has(name) && !this.#optional.has(name))
    return missing && `it lacks the ${missing.type} "${missing.name}"`
  }

  /**
   * The same for whoever only reads tables of ours, of a database that may be damaged: they may be missing or otherwise
   * than we make them, but reading them must compute nothing. Triggers and other objects do no harm.
   */
  readingComplaint(db: Connection): string | undefined {
    const own = this.#own()
    const computes = ({ type, name, sql }: SchemaObject) =>
      own.get(name)?.type === 'table' && (type !== 'table' || COMPUTING.test(sql ?? ''))
    const culprit = (db.prepare(SELECT).all() as SchemaObject[]).find(
      (object) => object.sql !== own.get(object.name)?.sql && computes(object),
    )
    return culprit && `its ${culprit.type} "${culprit.name}" is not as it was made`
  }

  #own(): ReadonlyMap<string, SchemaObject> {
    this.#objects ??= this.#made()
    return this.#objects
  }

  #made(): ReadonlyMap<string, SchemaObject> {
    const db = new Database(':memory:')
    try {
      this.#create(db)
      const needed = new Set(db.prepare('SELECT name FROM sqlite_schema').pluck().all())
      this.#createOptional(db)
      const objects = db.prepare(SELECT).all() as SchemaObject[]
      for (const { name } of objects) if (!needed.has(name)) this.#optional.add(name)
      return new Map(objects.map((object) => [object.name, object]))
    } finally {
      db.close()
    }
  }
}

/** A table that an upgrade has added columns to reads otherwise than a new one, and has the same columns. */
function isSameTable(expected: SchemaObject, columns: string, sql: string | null): boolean {
  return expected.type === 'table' && columns === expected.columns && !COMPUTING.test(sql ?? '')
}
