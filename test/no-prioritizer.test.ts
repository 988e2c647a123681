/** An index that was opened with prioritizer: false, and what an opening with one finds later. */
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex, salvage } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { errorOf, failureOf, looksOf, OPTIONS, openPages, type Page, page, withIndex } from './storage/specimen.js'
import { newPath } from './storage/temporary-folder.js'

const OFF = { ...OPTIONS, prioritizer: false }

/** The tables that only a prioritizer writes. */
const TABLES = ['ledger', 'judgements', 'queries', 'curves', 'curve_state', 'writes', 'review_days', 'frontier']

function ask(folder: string, sql: string): unknown[] {
  const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
  try {
    return db.prepare(sql).raw().all()
  } finally {
    db.close()
  }
}

function rowsIn(folder: string): Record<string, unknown> {
  return Object.fromEntries(TABLES.map((table) => [table, (ask(folder, `SELECT count(*) FROM ${table}`)[0] as [0])[0]]))
}

const NO_ROWS = Object.fromEntries(TABLES.map((table) => [table, 0]))

/** Some history: two refreshes, of which one found a change, a workload, curves and a judgement. */
async function withHistory(folder: string): Promise<void> {
  const index = await openPages(folder, { prioritizer: true })
  index.workload.record('fox')
  index.workload.record('lazily')
  await index.refresh.fit()
  await index.frontier.add([{ url: '/500' }, { url: '/501' }])
  await index.write({ put: [page(2, 1), page(4), page(5, 1)] }, { at: Date.now() + 1000 })
  await index.refresh.next({ budget: 10 })
  await index.close()
}

describe.each([':memory:', 'a folder'])('without a prioritizer, in %s', (place) => {
  const open = () => Freshdex.open<Page>(place === ':memory:' ? place : newPath(), OFF)

  test('searches and writes are as ever, and nothing is measured', async () => {
    await using index = await open()
    await using other = await Freshdex.open<Page>(place === ':memory:' ? place : newPath(), OPTIONS)
    for (const put of [[page(1), page(2), page(3)], [page(2, 1)], [page(2, 1)]]) {
      const { gains, overhead, ...counts } = await index.write({ put })
      const { gains: _, overhead: __, ...expected } = await other.write({ put })
      expect(counts).toEqual(expected)
      expect(gains).toEqual([])
      expect(overhead).toMatchObject({ measureUs: 0, fitUs: 0, ledgerUs: 0, ratio: 0, skippedWeight: 0 })
      expect(overhead.indexUs).toBeGreaterThan(0)
    }
    expect(looksOf(index)).toEqual(looksOf(other))
    expect(await index.check()).toMatchObject({ ok: true })
  })

  test('what its prioritizer would answer is refused', async () => {
    await using index = await open()
    await index.write({ put: [page(1)] })
    const asked: Record<string, () => unknown> = {
      'refresh.next': () => index.refresh.next({ budget: 1 }),
      'refresh.explain': () => index.refresh.explain('page 1'),
      'refresh.priority': () => index.refresh.priority('page 1'),
      'refresh.observe': () => index.refresh.observe('page 1', { outcome: 'same' }),
      'refresh.observeAll': () => index.refresh.observeAll([]),
      'refresh.signal': () => index.refresh.signal('page 1', { kind: 'push' }),
      'refresh.signalAll': () => index.refresh.signalAll([]),
      'refresh.importSignals': () => index.refresh.importSignals({ sitemap: '<urlset></urlset>' }),
      'refresh.curve': () => index.refresh.curve('fox'),
      'refresh.changes': () => index.refresh.changes(),
      'refresh.review': () => index.refresh.review(),
      'refresh.fit': () => index.refresh.fit(),
      'refresh.writes': () => index.refresh.writes(),
      'refresh.watch': () => index.refresh.watch().next(),
      'workload.record': () => index.workload.record('fox'),
      'workload.load': () => index.workload.load(['fox']),
      'workload.click': () => index.workload.click('fox', 'page 1', 1),
      'workload.privacy': () => index.workload.privacy,
      'workload.queries': () => index.workload.queries(),
      'workload.unanswered': () => index.workload.unanswered(),
      'workload.flush': () => index.workload.flush(),
      'workload.forget': () => index.workload.forget('fox'),
      'workload.clear': () => index.workload.clear(),
      'frontier.size': () => index.frontier.size,
      'frontier.add': () => index.frontier.add([]),
      'frontier.remove': () => index.frontier.remove([]),
      'frontier.next': () => index.frontier.next({ budget: 1 }),
      'frontier.explain': () => index.frontier.explain('/9'),
      'clusters.build': () => index.clusters.build(),
      'clusters.last': () => index.clusters.last(),
      'clusters.list': () => index.clusters.list(),
      'clusters.explain': () => index.clusters.explain('page 1'),
      plan: () => index.plan({ budget: 1 }),
      onShifts: () => index.onShifts(() => {}),
      'search with refresh': () => index.search('fox', { refresh: true }),
    }
    const codes = await Promise.all(Object.entries(asked).map(async ([name, act]) => [name, await failureOf(act)]))
    expect(codes).toEqual(Object.keys(asked).map((name) => [name, 'NO_PRIORITIZER']))
    expect((await errorOf(() => index.workload.queries())).message).toContain('open it without prioritizer: false')
    await index.close()
    expect(await failureOf(() => index.refresh.next({ budget: 1 }))).toBe('CLOSED')
  })

  test('stats are those of an index of which nothing is known', async () => {
    await using index = await open()
    await index.write({ put: [page(1)] })
    index.search('fox')
    const { workload, measurement, ledger, signals, frontier } = index.stats()
    expect(workload).toMatchObject({ queries: 0, learning: 'off' })
    expect(measurement).toMatchObject({ fits: 0, measureUs: 0, ledgerUs: 0, ratio: 0 })
    expect(ledger).toMatchObject({ documents: 0, memoryBytes: 0, bytesPerDocument: 0 })
    expect([signals, frontier.pages]).toEqual([[], 0])
  })
})

test.each(['workload', 'refresh', 'changeProfiles'])('%s has no meaning without one', async (name) => {
  const options = { ...OFF, [name]: name === 'changeProfiles' ? true : {} }
  await expect(Freshdex.open<Page>(':memory:', options)).rejects.toThrow(`${name} is for a prioritizer`)
})

test('it is true or false', async () => {
  const options = { ...OPTIONS, prioritizer: {} } as never
  await expect(Freshdex.open<Page>(':memory:', options)).rejects.toThrow('prioritizer must be true or false')
})

describe('an index that was always written without one', () => {
  test('has no rows of a prioritizer', async () => {
    const folder = newPath()
    const index = await openPages(folder, { prioritizer: false })
    index.search('fox')
    expect(await index.check()).toMatchObject({ ok: true })
    await index.close()
    expect(rowsIn(folder)).toEqual(NO_ROWS)
  })

  test('begins its ledger with new pages when it is opened with one', async () => {
    const folder = newPath()
    await (await openPages(folder, { prioritizer: false })).close()
    const openedMs = Date.now()
    let clockMs = openedMs
    await withIndex(folder, { now: () => clockMs }, async (index) => {
      const { documents } = index.stats()
      expect(await index.check()).toMatchObject({ ok: true })
      const { pages } = await index.refresh.next({ budget: 100, at: openedMs + 86_400_000 })
      expect(pages).toHaveLength(documents)
      const explanation = index.refresh.explain('page 2')!
      expect(explanation).toMatchObject({ refreshes: 0, changes: 0, errors: 0, lastOutcome: 'new', history: [] })
      expect(explanation.createdAt).toBeGreaterThanOrEqual(openedMs)
      expect(explanation.refreshedAt).toBe(explanation.createdAt)
      index.workload.record('fox')
      clockMs += 86_400_000
      await index.write({ put: [page(2, 1)] })
      expect(index.refresh.explain('page 2')).toMatchObject({ refreshes: 1, changes: 1, lastOutcome: 'changed' })
    })
    // The rows are there, not made up anew by each opening.
    expect(rowsIn(folder).ledger).toBe((ask(folder, 'SELECT count(*) FROM documents')[0] as [number])[0])
    await withIndex(folder, { readOnly: true }, async (index) => {
      expect(index.refresh.explain('page 4')!.createdAt).toBeLessThanOrEqual(
        index.refresh.explain('page 2')!.refreshedAt,
      )
      expect(await index.check()).toMatchObject({ ok: true })
    })
  })

  test('is followed by a reader with one, to which all pages are new', async () => {
    const folder = newPath()
    await using writer = await openPages(folder, { prioritizer: false })
    await using reader = await Freshdex.open<Page>(folder, { readOnly: true })
    await writer.write({ put: [page(77)] })
    await reader.catchUp()
    expect(reader.refresh.explain('page 77')).toMatchObject({ refreshes: 0, lastOutcome: 'new' })
    expect((await reader.refresh.next({ budget: 1000 })).basis).toBe('no-queries')
    expect(await reader.check()).toMatchObject({ ok: true })
  })
})

describe('an index that was written with one before', () => {
  test('keeps all rows while nothing is written', async () => {
    const folder = newPath()
    await withHistory(folder)
    const before = rowsIn(folder)
    await withIndex(folder, { prioritizer: false }, async (index) => {
      index.search('fox')
      expect(await index.check()).toMatchObject({ ok: true })
    })
    expect(rowsIn(folder)).toEqual(before)
  })

  test('forgets the documents that are written or removed, and the curves, and nothing else', async () => {
    const folder = newPath()
    await withHistory(folder)
    const before = rowsIn(folder)
    expect(before.curves).toBeGreaterThan(0)
    await withIndex(folder, { prioritizer: false }, async (index) => {
      await index.write({ put: [page(2, 2), page(5, 1), { ...page(8), note: 'new' }], remove: ['page 7'] })
      await index.write({ put: [{ ...page(500), id: '/500' }] })
      expect(await index.check()).toMatchObject({ ok: true })
    })
    const ledger = (before.ledger as number) - 3
    const judgements = ledger
    expect(rowsIn(folder)).toEqual({ ...before, ledger, judgements, curves: 0, curve_state: 0 })
    await withIndex(folder, {}, async (index) => {
      expect(await index.check()).toMatchObject({ ok: true })
      // Written meanwhile, one of them with the text that it had: neither looks as if nothing had happened since.
      for (const key of ['page 2', 'page 8'])
        expect(index.refresh.explain(key)).toMatchObject({ refreshes: 0, changes: 0, lastOutcome: 'new', history: [] })
      // Written as it was, and left alone.
      expect(index.refresh.explain('page 5')).toMatchObject({ refreshes: 1, changes: 1, lastOutcome: 'changed' })
      expect(index.refresh.explain('page 4')).toMatchObject({ refreshes: 1, changes: 0, lastOutcome: 'same' })
      expect(
        index.workload
          .queries()
          .map(({ query }) => query)
          .sort(),
      ).toEqual(['fox', 'lazily'])
      // A document by now.
      expect(index.frontier.size).toBe(1)
      await index.write({ put: [page(11, 3)] })
      expect(index.stats().measurement).toMatchObject({ fits: 1, queries: 2 })
    })
  })

  test('a removed document whose number is given to another leaves no history to it', async () => {
    const folder = newPath()
    await withHistory(folder)
    await withIndex(folder, { prioritizer: false }, async (index) => {
      await index.write({ remove: ['page 2'] })
      for (let nth = 600; nth < 620; nth++) await index.write({ put: [{ ...page(nth), id: `other ${nth}` }] })
    })
    await withIndex(folder, {}, async (index) => {
      for (let nth = 600; nth < 620; nth++)
        expect(index.refresh.explain(`other ${nth}`)).toMatchObject({ refreshes: 0, lastOutcome: 'new' })
      expect(await index.check()).toMatchObject({ ok: true })
    })
  })

  test('a salvage counts no history as lost that was forgotten', async () => {
    const folder = newPath()
    await withHistory(folder)
    await withIndex(folder, { prioritizer: false }, (index) => index.write({ put: [page(2, 2)] }))
    const target = newPath()
    const { refresh, documents } = await salvage(folder, target)
    expect(refresh.histories).toEqual({ kept: documents - 1, lost: 0 })
    await withIndex(target, {}, async (index) => {
      expect(index.refresh.explain('page 2')).toMatchObject({ refreshes: 0, lastOutcome: 'new' })
      expect(index.refresh.explain('page 5')).toMatchObject({ refreshes: 1 })
    })
  })

  test('a backup is as the index is', async () => {
    const folder = newPath()
    await withHistory(folder)
    const copy = newPath()
    await withIndex(folder, { prioritizer: false }, async (index) => {
      await index.write({ put: [page(2, 2)] })
      await index.backup(copy)
    })
    expect(rowsIn(copy)).toEqual(rowsIn(folder))
    await withIndex(copy, {}, (index) => expect(index.refresh.explain('page 2')).toMatchObject({ refreshes: 0 }))
  })
})
