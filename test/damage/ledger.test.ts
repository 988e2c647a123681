/** Damaged rows of the refresh history: counted, reported by a check, and no reason for anything to fail. */
import { cpSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, page, START, url } from '../refresh/orchard.js'
import { newPath } from '../storage/temporary-folder.js'

/** What a changed bit can make of a value of a row, and what it cannot. */
const DAMAGES: readonly string[] = [
  ...["stake = 'much'", "stake = x'00'", 'stake = 9e999', 'stake = -1', 'stake = 1e300'],
  ...["refreshed_ms = 'yesterday'", 'refreshed_ms = -9e999', 'refreshed_ms = 1e300', "created_ms = x''"],
  ...['refreshes = -1', 'refreshes = 1.5', 'refreshes = 1e18', "changes = 'some'", 'errors = 70000', 'errors = -1'],
  ...['rated = 5', 'rated = -3', 'rated = 6.9', 'rated = 1e300'],
  ...['sum_delta_quality = -0.5', 'sum_interval_ms = -1', 'sum_rate = 9e999', 'unmeasured = -1'],
  ...['decayed_weight = 0', 'decayed_rate = -1', "decayed_weight = 'heavy'"],
  ...['last_outcome = 0', 'last_outcome = 9', 'last_outcome = 1.5', "last_outcome = 'new'"],
  ...['is_present = 7', "is_present = 'yes'"],
  ...[
    "recent = x''",
    "recent = x'00'",
    'recent = zeroblob(47)',
    'recent = zeroblob(48)',
    "recent = 'text'",
    'recent = 5',
  ],
  ...["profile = x'00'", 'profile = zeroblob(123)', "profile = 'text'", 'profile = 5'],
  ...['signals = 256', 'signals = -1', 'signal_kinds = 0.5', "signal_ms = 'now'", 'site = -1'],
  ...['change_bits = -1', 'change_bits = 4294967296', "change_bits = 'often'", 'cluster = 65536', 'cluster = 0.5'],
]

let specimen = ''

beforeAll(async () => {
  specimen = newPath('specimen')
  const index = await openOrchard(specimen)
  await index.write({ put: [{ ...page(2), body: 'quince' }] }, { at: START + DAY_MS })
  await index.write({ put: [...PAGES.slice(0, 2), ...PAGES.slice(3)] }, { at: START + 2 * DAY_MS })
  await index.close()
})

function copiedIndex(): string {
  const folder = newPath()
  cpSync(specimen, folder, { recursive: true })
  return folder
}

function change(folder: string, sql: string): void {
  const db = new Database(path.join(folder, 'catalog.db'))
  expect(db.prepare(sql).run().changes, sql).toBeGreaterThan(0)
  db.close()
}

async function faultsOf(index: Freshdex<Page>): Promise<string[]> {
  return (await index.check()).faults.map(({ invariant, message }) => `${invariant}: ${message}`)
}

/** Documents whose rows are damaged together, each in its own way. */
const DAMAGED = [2, 4, 5, 6, 7, 8, 9, 10, 11]
const GROUPS = Array.from({ length: Math.ceil(DAMAGES.length / DAMAGED.length) }, (_, nth) =>
  DAMAGES.slice(nth * DAMAGED.length, (nth + 1) * DAMAGED.length),
)

describe('rows with', () => {
  test.each(GROUPS.map((group) => [group.join(', '), group] as const))('%s', async (_, group) => {
    const folder = copiedIndex()
    const docs = DAMAGED.slice(0, group.length)
    for (const [nth, doc] of docs.entries()) change(folder, `UPDATE ledger SET ${group[nth]} WHERE doc = ${doc}`)
    const before = Date.now()
    // Without a workload nothing is fitted: the new stakes of a fit would mend some of the rows.
    for (const options of [{ ...OPTIONS, readOnly: true }, { ...OPTIONS, workload: false } as const]) {
      await using index = await Freshdex.open<Page>(folder, options)
      const next = (await index.refresh.next({ budget: 100, at: START + 100 * DAY_MS, minIntervalMs: 0 })).pages
      expect(next).toHaveLength(PAGES.length)
      for (const { priority, expectedGain } of next) expect([priority, expectedGain].every(Number.isFinite)).toBe(true)
      expect(index.stats().ledger).toMatchObject({ documents: PAGES.length, damagedRows: docs.length })
      // They begin anew, and the others are what they were.
      for (const [nth, doc] of docs.entries()) {
        const explained = index.refresh.explain(url(doc))
        expect(explained, group[nth]).toMatchObject({ lastOutcome: 'new', refreshes: 0, changes: 0, history: [] })
        expect(explained?.refreshedAt, group[nth]).toBeGreaterThanOrEqual(before)
      }
      expect(index.refresh.explain(url(3))).toMatchObject({ lastOutcome: 'same', refreshes: 1, createdAt: START })
      index.search('apple', { refresh: true, sort: 'priority' })
      expect(await faultsOf(index)).toEqual(docs.map((doc) => `L1: the ledger's row of document ${doc} is damaged`))
    }
    // The next refresh makes them sound.
    {
      const laterMs = before + DAY_MS
      await using index = await Freshdex.open<Page>(folder, { ...OPTIONS, now: () => laterMs })
      const same = { outcome: 'same', at: laterMs } as const
      await index.refresh.observeAll(docs.map((doc) => [url(doc), same]))
    }
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    for (const doc of docs) expect(again.refresh.explain(url(doc))).toMatchObject({ lastOutcome: 'same', refreshes: 1 })
    expect(again.stats().ledger.damagedRows).toBe(0)
    expect(await faultsOf(again)).toEqual([])
  })

  test.each(["effects = 'text'", "effects = x'00'", 'effects = zeroblob(240)', 'effects = 5'])('%s', async (damage) => {
    const folder = copiedIndex()
    change(folder, `UPDATE ledger SET ${damage} WHERE doc = 2`)
    await using index = await Freshdex.open<Page>(folder, OPTIONS)
    expect(index.refresh.explain(url(2))).toMatchObject({ lastOutcome: 'changed', refreshes: 1 })
    expect(index.stats().ledger.damagedRows).toBe(0)
    expect(await faultsOf(index)).toEqual(['L1: the effects of the last refresh of document 2 are damaged'])
  })
})

describe('a ledger', () => {
  test('without the row of a document: it begins anew', async () => {
    const folder = copiedIndex()
    change(folder, 'DELETE FROM ledger WHERE doc = 2')
    await using index = await Freshdex.open<Page>(folder, OPTIONS)
    const { pages } = await index.refresh.next({ budget: 100, at: START + 100 * DAY_MS, minIntervalMs: 0 })
    expect(pages).toHaveLength(PAGES.length)
    expect(index.refresh.explain(url(2))).toMatchObject({ lastOutcome: 'new', refreshes: 0 })
    expect(await faultsOf(index)).toEqual(['L1: document 2 has no row in the ledger'])
  })

  test.each(['9223372036854775807', '4294967295', '4000000000', '100000'])(
    'beside a document with the number %s, which none has, is not opened',
    async (doc) => {
      const folder = copiedIndex()
      const db = new Database(path.join(folder, 'catalog.db'))
      const columns = db.prepare("SELECT name FROM pragma_table_info('documents')").pluck().all() as string[]
      const forged: Readonly<Record<string, string>> = { doc, key: "'/nowhere'" }
      const values = columns.map((name) => forged[name] ?? name)
      db.exec(`INSERT INTO documents SELECT ${values.join(', ')} FROM documents WHERE doc = 2`)
      db.close()
      for (const options of [{ ...OPTIONS, readOnly: true }, OPTIONS])
        await expect(Freshdex.open<Page>(folder, options)).rejects.toMatchObject({ code: 'CORRUPT' })
    },
  )

  // A number beyond all documents must not make a ledger of its size.
  test.each([5, 1000, 4_000_000_000, 9_007_199_254_740_991, -7])(
    'with a row of document %d, which is not there',
    async (doc) => {
      const folder = copiedIndex()
      {
        await using index = await Freshdex.open<Page>(folder, OPTIONS)
        await index.write({ remove: [url(5)] })
      }
      const columns = ledgerColumnsButDoc()
      change(folder, `INSERT INTO ledger (doc, ${columns}) SELECT ${doc}, ${columns} FROM ledger WHERE doc = 2`)
      await using index = await Freshdex.open<Page>(folder, OPTIONS)
      expect((await index.refresh.next({ budget: 100 })).pages).toHaveLength(PAGES.length - 1)
      expect(index.stats().ledger.memoryBytes).toBeLessThan(1_000_000)
      const faults = await faultsOf(index)
      expect(faults).toContain(`L1: the ledger has a row of document ${doc}, which is not there`)
      // A new page that gets the number is new.
      await index.write({ put: [{ url: 'heir', title: 'heir', body: 'apple' }] }, { at: START + 9 * DAY_MS })
      expect(index.refresh.explain('heir')).toMatchObject({ createdAt: START + 9 * DAY_MS, refreshes: 0 })
    },
  )

  test.each([
    "UPDATE queries SET weight = 'heavy' WHERE id = 2",
    'UPDATE queries SET weight = -1 WHERE id = 2',
    'UPDATE queries SET weight = 9e999 WHERE id = 2',
    "UPDATE queries SET at_ms = x'' WHERE id = 2",
    "UPDATE queries SET name = x'00ff' WHERE id = 2",
    "UPDATE queries SET name = 'apple' WHERE id = 2",
    'UPDATE queries SET id = 9223372036854775807 WHERE id = 2',
    'UPDATE queries SET id = -7 WHERE id = 2',
    'UPDATE refresh_state SET next_query = 9223372036854775807',
    "UPDATE refresh_state SET next_query = 'next'",
    "INSERT INTO clicks VALUES (1, 'many')",
    'INSERT INTO clicks VALUES (-3, 5)',
    'INSERT INTO clicks VALUES (3, -5)',
    'INSERT INTO clicks VALUES (1, 1e300)',
    'INSERT INTO clicks VALUES (9223372036854775807, 1)',
  ])('whose workload had %s is opened, and writes are measured', async (damage) => {
    const folder = copiedIndex()
    change(folder, damage)
    await using index = await Freshdex.open<Page>(folder, OPTIONS)
    expect(index.workload.queries().map(({ query }) => query)).toContain('quince')
    expect(index.stats().workload.clicks).toBe(0)
    const { gains } = await index.write({ put: [{ ...page(9), title: 'quince quince', body: 'apple' }] })
    expect(gains.map(({ key }) => key)).toContain(url(9))
    await index.check()
  })
})

function ledgerColumnsButDoc(): string {
  return [
    ...['is_present', 'last_outcome', 'errors', 'refreshes', 'changes', 'rated', 'created_ms', 'refreshed_ms'],
    ...['attempted_ms', 'sum_delta_quality', 'sum_interval_ms', 'sum_rate', 'unmeasured', 'decayed_rate'],
    ...['decayed_weight', 'stake', 'recent', 'effects', 'profile', 'site', 'signals', 'signal_kinds', 'signal_ms'],
    ...['change_bits', 'cluster', 'versions'],
  ].join(', ')
}
