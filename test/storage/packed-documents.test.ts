/** Stored documents that a compaction compressed are those that were written, whoever reads them. */
import path from 'node:path'
import Database from 'better-sqlite3'
import { salvage } from 'freshdex'
import { expect, test } from 'vitest'
import { failureOf, looksOf, openPages, PAGES, page, withIndex } from './specimen.js'
import { newPath } from './temporary-folder.js'

const ROWS =
  'SELECT doc, bytes FROM stored UNION ALL SELECT doc, bytes FROM packed WHERE doc NOT IN (SELECT doc FROM stored)'

/** Of each document's row, its first byte. */
function firstBytes(folder: string): string[] {
  const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
  const bytes = db.prepare(`SELECT hex(substr(bytes, 1, 1)) FROM (${ROWS}) ORDER BY doc`).pluck().all() as string[]
  db.close()
  return bytes
}

function change(folder: string, sql: string): void {
  const db = new Database(path.join(folder, 'catalog.db'))
  db.exec(sql)
  db.close()
}

function storedBytes(folder: string): number {
  const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
  const bytes = db.prepare(`SELECT sum(length(bytes)) FROM (${ROWS})`).pluck().get() as number
  db.close()
  return bytes
}

test('documents read the same before and after they are compressed, by everybody', async () => {
  const folder = newPath()
  await using index = await openPages(folder)
  const looks = looksOf(index)
  const bytes = storedBytes(folder)
  expect(new Set(firstBytes(folder))).not.toContain('C1')
  using moment = index.snapshot()
  await index.compact()
  expect(new Set(firstBytes(folder))).toEqual(new Set(['C1']))
  expect(storedBytes(folder)).toBeLessThan(bytes)
  expect(looksOf(index)).toEqual(looks)
  expect(looksOf(moment)).toEqual(looks)
  expect((await index.check()).faults).toEqual([])
  expect(await withIndex(folder, { readOnly: true }, looksOf)).toEqual(looks)
  const copy = newPath()
  await index.backup(copy)
  expect(await withIndex(copy, {}, looksOf)).toEqual(looks)
  const target = newPath()
  expect(await salvage(copy, target)).toMatchObject({ documents: PAGES.length - 1, fromStored: PAGES.length - 1 })
})

test('what is written later is compressed by the next compaction, with the same dictionary', async () => {
  const folder = newPath()
  await using index = await openPages(folder)
  await index.compact()
  await index.write({ put: [page(4, 7)] })
  expect(firstBytes(folder).filter((byte) => byte !== 'C1')).toHaveLength(1)
  expect(index.get(page(4).id)).toEqual(page(4, 7))
  await index.compact()
  expect(new Set(firstBytes(folder))).toEqual(new Set(['C1']))
  expect(index.get(page(4).id)).toEqual(page(4, 7))
  expect((await index.check()).faults).toEqual([])
})

test('documents of several megabytes take a transaction of their own each', async () => {
  const folder = newPath()
  const large = PAGES.slice(0, 3).map(({ id }, nth) => ({ id, note: String(nth).repeat(3_000_000) }))
  await using index = await openPages(folder)
  await index.write({ put: large })
  await index.compact()
  expect(new Set(firstBytes(folder))).toEqual(new Set(['C1']))
  for (const one of large) expect(index.get(one.id)).toEqual(one)
  expect((await index.check()).faults).toEqual([])
})

test('JSON stays as it is, for SQL, and so does what is stored of a few documents', async () => {
  const json = newPath()
  await using first = await openPages(json, { storeAs: 'json' })
  await first.compact()
  expect(new Set(firstBytes(json))).toEqual(new Set(['7B']))
  const few = newPath()
  await withIndex(few, { key: 'id', fields: { title: {} } }, async (index) => {
    await index.write({ put: PAGES.slice(0, 12) })
    await index.compact()
    expect(index.get(PAGES[3]!.id)).toEqual(PAGES[3])
  })
  expect(new Set(firstBytes(few))).not.toContain('C1')
})

test('a document that is written or removed later leaves no compressed form behind', async () => {
  const folder = newPath()
  await (await openPages(folder)).close()
  await withIndex(folder, { storeAs: 'json' }, async (index) => {
    await index.compact()
    await index.write({ put: [page(4, 7)], remove: [page(5).id] })
    expect([index.get(page(4).id), index.get(page(5).id)]).toEqual([page(4, 7), undefined])
    await index.compact()
    expect(index.get(page(4).id)).toEqual(page(4, 7))
    expect((await index.check()).faults).toEqual([])
  })
  const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
  const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  expect([count('stored'), count('packed')]).toEqual([1, PAGES.length - 3])
  db.close()
  // Nothing stored any more of one that was.
  await withIndex(folder, { store: [] }, async (index) => {
    await index.write({ put: [page(7, 3)] })
    expect(index.get(page(7).id)).toEqual({ id: page(7).id })
    expect((await index.check()).faults).toEqual([])
  })
})

test.each([
  'UPDATE dictionaries SET bytes = zeroblob(length(bytes))',
  'DELETE FROM dictionaries',
  'UPDATE packed SET bytes = substr(bytes, 1, length(bytes) - 9)',
  "UPDATE packed SET bytes = x'c1'",
  "UPDATE packed SET bytes = x'c10100000000' || substr(bytes, 7)",
  "UPDATE packed SET bytes = x'c101ffffffff' || substr(bytes, 8)",
  "UPDATE packed SET bytes = x'c102' || substr(bytes, 3)",
])('%s is noticed by whoever reads the documents, and salvaged from their records', async (sql) => {
  const folder = newPath()
  const index = await openPages(folder)
  await index.compact()
  await index.close()
  change(folder, sql)
  expect(await failureOf(() => withIndex(folder, { readOnly: true }, looksOf))).toBe('CORRUPT')
  await withIndex(folder, {}, async (damaged) => expect((await damaged.check()).ok).toBe(false))
  const report = await salvage(folder, newPath())
  expect([report.fromStored, report.fromRecord]).toEqual([0, PAGES.length - 1])
})
