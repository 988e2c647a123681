/** A check of a catalog that is damaged while the index is open reports it: it neither rejects nor passes. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { failureOf, openPages, withIndex } from '../storage/specimen.js'
import { newPath } from '../storage/temporary-folder.js'

const DAMAGES: [string, (file: string) => void][] = [
  ['cut in half', (file) => truncateSync(file, readFileSync(file).length >> 1)],
  [
    'overwritten behind its first page',
    (file) => {
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0xff, 4096))
    },
  ],
]

test.each(DAMAGES)('a catalog %s', async (_, damage) => {
  const folder = newPath()
  await (await openPages(folder)).close()
  await withIndex(folder, { readOnly: true }, async (index) => {
    expect((await index.check()).ok).toBe(true)
    damage(path.join(folder, 'catalog.db'))
    for (const level of [1, 2, 3] as const) {
      const { ok, faults } = await index.check({ level })
      expect(ok).toBe(false)
      expect(faults.some(({ invariant }) => invariant === 'catalog')).toBe(true)
    }
  })
})

function change(folder: string, sql: string): void {
  const db = new Database(path.join(folder, 'catalog.db'))
  db.exec(sql)
  db.close()
}

test.each(['refresh_state', 'workload_state', 'frontier_state'])(
  'a catalog whose %s is lost is not opened',
  async (table) => {
    const folder = newPath()
    await (await openPages(folder)).close()
    change(folder, `DELETE FROM ${table}`)
    for (const options of [{}, { readOnly: true }])
      expect(await failureOf(() => withIndex(folder, options, () => {}))).toBe('CORRUPT')
  },
)

test('a document without its history is told, and nothing fails without a code', async () => {
  const folder = newPath()
  await (await openPages(folder)).close()
  change(folder, 'DELETE FROM ledger_changes; DELETE FROM ledger WHERE doc % 2 = 0')
  await withIndex(folder, {}, async (index) => {
    const { ok, faults } = await index.check()
    expect(ok).toBe(false)
    expect(faults.some(({ message }) => /has no row in the ledger/.test(message))).toBe(true)
    const acts = [
      () => index.refresh.next({ budget: 100 }),
      () => index.refresh.observe(0, { outcome: 'same' }),
      () => index.refresh.explain(0),
      () => index.write({ put: [{ id: 0, body: 'again' }] }),
      () => index.search('fox', { refresh: true }),
      () => index.stats(),
    ]
    for (const act of acts) expect(['none', 'CORRUPT']).toContain(await failureOf(act))
  })
})

test('more faults than a call can have arguments are told, the first hundred of them', async () => {
  const folder = newPath()
  await (await openPages(folder)).close()
  change(
    folder,
    `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200000)
     INSERT INTO review_days SELECT x, -1, -1, -1, -1, -1, -1 FROM n;
     WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200000)
     INSERT INTO curves SELECT x, x'77' FROM n;`,
  )
  await withIndex(folder, {}, async (index) => {
    const { ok, faults } = await index.check()
    expect([ok, faults.length]).toEqual([false, 100])
    expect((await index.refresh.next({ budget: 3, minIntervalMs: 0 })).pages.length).toBeGreaterThan(0)
  })
})
