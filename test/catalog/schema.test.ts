/** Versions of the tables. Made-up later ones run through the real opening. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, test } from 'vitest'
import { OwnSchema } from '../../src/catalog/own-schema.js'
import { UPGRADES } from '../../src/catalog/schema.js'
import { errorOf, failureOf, looksOf, OPTIONS, openPages, PAGES, withIndex } from '../storage/specimen.js'
import { newPath } from '../storage/temporary-folder.js'

// What they leave are the tables of the newest version, as those of every upgrade are.
const SECOND = `
  CREATE TABLE counted (rank INTEGER PRIMARY KEY, count REAL NOT NULL);
  INSERT INTO counted VALUES (7, 5);
  DROP TABLE clicks;
  ALTER TABLE counted RENAME TO clicks;
`
const THIRD = 'INSERT INTO clicks SELECT rank + 1, 2 * count FROM clicks'

function setUpgrades(...upgrades: readonly string[]): void {
  ;(UPGRADES as string[]).splice(0, UPGRADES.length, ...upgrades)
}

afterEach(() => setUpgrades())

async function firstVersion(): Promise<{ folder: string; catalog: string; looks: object }> {
  const folder = newPath()
  const index = await openPages(folder)
  const looks = looksOf(index)
  await index.close()
  return { folder, catalog: path.join(folder, 'catalog.db'), looks }
}

function ask(catalog: string, sql: string): unknown[] {
  const db = new Database(catalog, { readonly: true })
  const values = db.prepare(sql).pluck().all()
  db.close()
  return values
}

test('a new catalog has version 8, as long as there is no later one', async () => {
  const { catalog } = await firstVersion()
  expect(ask(catalog, 'PRAGMA user_version')).toEqual([8])
})

test('an older catalog is brought to the newest version by the first opening for writing', async () => {
  const { folder, catalog, looks } = await firstVersion()
  setUpgrades(SECOND, THIRD)
  expect(await withIndex(folder, {}, looksOf)).toEqual(looks)
  expect(ask(catalog, 'PRAGMA user_version')).toEqual([10])
  expect(ask(catalog, 'SELECT count FROM clicks')).toEqual([5, 10])
  // The second opening finds nothing to do, and a reader can read.
  for (const options of [{}, OPTIONS, { readOnly: true }])
    expect(await withIndex(folder, options, looksOf)).toEqual(looks)
  expect(ask(catalog, 'SELECT count FROM clicks')).toEqual([5, 10])
  await withIndex(folder, {}, async (index) => {
    await index.write({ put: PAGES.slice(0, 3) })
    expect(await index.check()).toMatchObject({ ok: true })
  })
})

test('the upgrades behind a version are left out', async () => {
  const { folder, catalog } = await firstVersion()
  setUpgrades(SECOND)
  await withIndex(folder, {}, () => {})
  setUpgrades('SELECT nothing FROM nowhere', THIRD)
  await withIndex(folder, {}, () => {})
  expect(ask(catalog, 'SELECT count FROM clicks')).toEqual([5, 10])
})

test('a reader leaves an older catalog as it is, and says what to do', async () => {
  const { folder, catalog } = await firstVersion()
  const before = readFileSync(catalog)
  setUpgrades(SECOND)
  const { code, message, detail } = await errorOf(() => withIndex(folder, { readOnly: true }, () => {}))
  expect([code, detail]).toEqual(['NOT_SUPPORTED', { file: catalog, format: 8, supported: 9 }])
  expect(message).toContain('opened for writing')
  expect(readFileSync(catalog)).toEqual(before)
})

test('an upgrade that fails leaves the catalog as it was', async () => {
  const { folder, catalog, looks } = await firstVersion()
  setUpgrades(SECOND, 'SELECT nothing FROM nowhere')
  expect(await failureOf(() => withIndex(folder, {}, () => {}))).toBe('CORRUPT')
  expect(ask(catalog, 'PRAGMA user_version')).toEqual([8])
  expect(ask(catalog, 'SELECT count(*) FROM clicks')).toEqual([0])
  setUpgrades()
  expect(await withIndex(folder, {}, looksOf)).toEqual(looks)
})

test('a catalog of a later version is refused, and not touched, by code that does not know it', async () => {
  const { folder, catalog } = await firstVersion()
  setUpgrades(SECOND)
  await withIndex(folder, {}, () => {})
  setUpgrades()
  const before = readFileSync(catalog)
  for (const options of [{}, OPTIONS, { readOnly: true }])
    expect(await failureOf(() => withIndex(folder, options, () => {}))).toBe('NOT_SUPPORTED')
  expect(readFileSync(catalog)).toEqual(before)
})

test('a catalog that was never released is refused, and not touched', async () => {
  const { folder, catalog } = await firstVersion()
  const db = new Database(catalog)
  db.pragma('user_version = 7')
  db.close()
  const before = readFileSync(catalog)
  for (const options of [{}, OPTIONS, { readOnly: true }]) {
    const { code, message } = await errorOf(() => withIndex(folder, options, () => {}))
    expect([code, message]).toEqual(['NOT_SUPPORTED', expect.stringContaining('build the index again')])
  }
  expect(readFileSync(catalog)).toEqual(before)
})

test('tables of an upgraded catalog are ours, and those of somebody else are not', () => {
  const own = new OwnSchema((db) => db.exec('CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT NOT NULL, z BLOB NOT NULL)'))
  const complaintOf = (sql: string) => {
    const db = new Database(':memory:')
    db.exec(sql)
    const complaint = own.complaint(db)
    db.close()
    return complaint
  }
  const older = 'CREATE TABLE a (x INTEGER PRIMARY KEY, z BLOB NOT NULL);'
  expect(complaintOf(`${older} ALTER TABLE a ADD COLUMN y TEXT NOT NULL DEFAULT ''`)).toBeUndefined()
  expect(complaintOf(older)).toMatch(/"a" is not as it was made/)
  expect(complaintOf(`${older} ALTER TABLE a ADD COLUMN y TEXT NOT NULL DEFAULT '' CHECK (x > 0)`)).toMatch(/"a"/)
  expect(complaintOf(`${older} ALTER TABLE a ADD COLUMN y TEXT NOT NULL AS ('' || x)`)).toMatch(/"a"/)
  expect(complaintOf("CREATE VIEW a AS SELECT 1 AS x, '' AS y, x'' AS z")).toMatch(/view "a" is not/)
})
