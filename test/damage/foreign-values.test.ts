/** Values of another type than was written: to SQLite nothing is wrong with them, so that it is for us to notice. */
import { cpSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import { BUSY, failureOf, looksOf, OPTIONS, openPages, page, withIndex } from '../storage/specimen.js'
import { newPath } from '../storage/temporary-folder.js'

/** Column by column, what one changed bit in the header of a row can make of it. */
const CHANGES: readonly string[] = [
  'UPDATE log SET bytes = CAST(bytes AS TEXT)',
  'UPDATE log SET bytes = 5',
  "UPDATE log SET bytes = x''",
  'UPDATE stored SET bytes = CAST(bytes AS TEXT)',
  'UPDATE stored SET bytes = 5',
  "UPDATE stored SET bytes = x''",
  'UPDATE segments SET kind = 1.5',
  "UPDATE segments SET kind = 'kind'",
  "UPDATE segments SET bytes = x'00'",
  'UPDATE segments SET bytes = 9007199254740993',
  'UPDATE state SET sequence = 1.5',
  "UPDATE state SET flushed = 'many'",
  'UPDATE state SET next_segment = 1e300',
  "UPDATE state SET segments_hash = 'hash'",
  'UPDATE state SET segments_hash = 5',
  "UPDATE state SET checksum = x''",
  'UPDATE state SET checksum = CAST(checksum AS TEXT)',
  'UPDATE meta SET value = CAST(value AS BLOB)',
  'UPDATE meta SET value = 5',
  "UPDATE meta SET value = '{}'",
  "UPDATE meta SET value = 'null'",
  "UPDATE meta SET value = '[]'",
  "UPDATE meta SET value = replace(value, 'fields', 'gields')",
  "UPDATE meta SET value = replace(value, 'boosts', 'coosts')",
  "UPDATE meta SET value = replace(value, 'standard', 'stbndard')",
  "UPDATE meta SET value = replace(value, 'bm25', 'bm26')",
  "UPDATE meta SET value = replace(value, 'title', 'tatle')",
  'DELETE FROM log',
  'DELETE FROM segments',
  'DELETE FROM state',
  'DELETE FROM meta',
  'DELETE FROM stored',
  'UPDATE log SET sequence = sequence + 100',
  'UPDATE stored SET doc = doc + 100',
  'DROP TABLE log',
  'DROP TABLE stored',
]

let specimen = ''

beforeAll(async () => {
  specimen = newPath('specimen')
  await (await openPages(specimen, { upkeep: BUSY })).close()
  // One batch that stays in the log.
  await withIndex(specimen, {}, (index) => index.write({ put: [page(4, 1)] }))
})

test.each(CHANGES)('%s', async (change) => {
  const folder = newPath()
  cpSync(specimen, folder, { recursive: true })
  const db = new Database(path.join(folder, 'catalog.db'))
  db.exec(change)
  db.close()
  for (const options of [{ readOnly: true }, OPTIONS, {}]) {
    const failure = await failureOf(() => withIndex(folder, options, (index) => looksOf(index)))
    expect(failure, JSON.stringify(options)).toMatch(/^(?:CORRUPT|MISMATCH)$/)
  }
})

/** Searches and `get` know keys from the core. */
test.each([
  "UPDATE documents SET key = x'00' WHERE doc = 5",
  'UPDATE documents SET doc = doc + 100',
  'DELETE FROM documents',
  'DELETE FROM documents WHERE doc = 5',
  "INSERT INTO stored VALUES (1000, x'00')",
])('%s is noticed by a check', async (change) => {
  const folder = newPath()
  await (await openPages(folder)).close()
  const db = new Database(path.join(folder, 'catalog.db'))
  db.exec(change)
  db.close()
  await withIndex(folder, {}, async (index) => expect((await index.check()).ok).toBe(false))
})
