/**
 * A write or an observation that does not become durable leaves history, stakes and workload as they were, and can be
 * repeated.
 */
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { holdCatalog } from '../storage/held-catalog.js'
import { newPath } from '../storage/temporary-folder.js'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, page, START, url } from './orchard.js'

const at = (days: number) => START + days * DAY_MS

async function looksOf(index: Freshdex<Page>): Promise<object> {
  return {
    next: (await index.refresh.next({ budget: 1000, at: at(100) })).pages,
    explained: [...PAGES.map(({ url }) => url), 'new'].map((key) => index.refresh.explain(key, { at: at(100) })),
    queries: index.workload.queries({ at: at(100) }),
    documents: index.stats().ledger.documents,
    signals: index.stats().signals,
    review: index.refresh.review(),
  }
}

/** The rows themselves, whatever the index makes of them. */
function tablesOf(folder: string): object {
  const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
  const tables = ['ledger', 'queries', 'clicks', 'refresh_state', 'sites', 'signal_trust', 'review_days'].map((name) =>
    db.prepare(`SELECT * FROM ${name}`).all(),
  )
  db.close()
  return tables
}

const WRITE = {
  put: [{ ...page(1), body: 'quince quince' }, page(2), { url: 'new', title: 'apple', body: 'plum' }],
  remove: [url(3)],
}

const ACTS: [string, (index: Freshdex<Page>) => Promise<unknown>][] = [
  ['a write', (index) => index.write(WRITE, { at: at(9) })],
  // Enough pages to be measured while their documents are already being committed.
  [
    'a large write',
    (index) =>
      index.write(
        { put: Array.from({ length: 40 }, (_, nth) => page(nth + 6, 'plum quince')), remove: [url(3)] },
        { at: at(9) },
      ),
  ],
  ['an observation', (index) => index.refresh.observe(url(4), { outcome: 'changed', at: at(9) })],
  [
    'many observations',
    (index) =>
      index.refresh.observeAll([
        [url(4), { outcome: 'gone', at: at(9) }],
        [url(5), { outcome: 'error', at: at(9) }],
      ]),
  ],
  ['a signal of a site that has sent others', (index) => index.refresh.signal(url(1), { kind: 'etag', at: at(9) })],
  [
    'many signals, also of new sites',
    (index) =>
      index.refresh.signalAll(
        [0, 1, 2, 1].map((nth) => [url(nth), { kind: 'sitemap', at: at(9 + nth), value: at(8) }] as const),
      ),
  ],
  ['an answer to a signal', (index) => index.refresh.observe(url(5), { outcome: 'same', at: at(9) })],
]

// Each waits some seconds for the catalog.
describe.concurrent('while another program holds the catalog', () => {
  test.each(ACTS)('%s is BUSY, changes nothing, and loses nothing when it is repeated', async (_, act) => {
    const [folder, twin] = [newPath(), newPath('twin')]
    // What was learnt is not saved meanwhile by itself.
    const options = { workload: { ...OPTIONS.workload, learnFlushMs: 3_600_000 } }
    const index = await openOrchard(folder, options)
    const undisturbed = await openOrchard(twin, options)
    for (const each of [index, undisturbed]) {
      // The stakes of the first fit are durable with it.
      await each.refresh.observe(url(0), { outcome: 'same', at: at(1) })
      // Answers to it are part of what a write changes.
      await each.refresh.signalAll([1, 5].map((nth) => [url(nth), { kind: 'feed', at: at(1) }] as const))
      await each.refresh.observe(url(9), { outcome: 'same', at: at(1) })
      // Not yet durable: what the next commit takes along.
      each.workload.record('medlar', { count: 2, at: at(2) })
      each.workload.click('apple', url(1), 1)
    }
    const before = await looksOf(index)
    // What is promised by the answers is compared with later refreshes.
    expect(await looksOf(undisturbed)).toEqual(before)
    const tables = tablesOf(folder)
    const release = holdCatalog(folder)
    await expect(act(index)).rejects.toMatchObject({ code: 'BUSY' })
    release()
    expect(await looksOf(index)).toEqual(before)
    expect(tablesOf(folder)).toEqual(tables)
    for (const each of [index, undisturbed]) {
      await act(each)
      await each.refresh.fit()
      await each.refresh.observe(url(0), { outcome: 'same', at: at(10) })
    }
    expect(await looksOf(index)).toEqual(await looksOf(undisturbed))
    expect(await looksOf(index)).not.toEqual(before)
    for (const each of [index, undisturbed]) await each.close()
    expect(tablesOf(folder)).toEqual(tablesOf(twin))
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    expect(again.workload.queries({ at: at(100) }).map(({ query }) => query)).toContain('medlar')
    expect(again.stats().workload.clicks).toBe(1)
    expect(await again.check()).toMatchObject({ ok: true })
  })

  test('a close that cannot save says so, and frees the index', async () => {
    const folder = newPath()
    const index = await openOrchard(folder)
    index.workload.record('medlar')
    const release = holdCatalog(folder)
    await expect(index.close()).rejects.toMatchObject({ code: 'BUSY' })
    release()
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    expect(again.stats().documents).toBe(PAGES.length)
  })
})

describe('a write that is refused', () => {
  test.each<[string, unknown]>([
    ['a key twice', { put: [page(1, 'other'), page(1)] }],
    ['a document without a key', { put: [page(1, 'other'), { title: 'x', body: 'y' }] }],
    ['a key put and removed', { put: [page(1, 'other')], remove: [url(1)] }],
  ])('for %s leaves the history as it was', async (_, batch) => {
    await using index = await openOrchard(newPath())
    const before = await looksOf(index)
    await expect(index.write(batch as never, { at: at(3) })).rejects.toThrow()
    expect(await looksOf(index)).toEqual(before)
    await index.write({ put: [page(1, 'other')] }, { at: at(3) })
    expect(index.refresh.explain(url(1))).toMatchObject({ refreshes: 1, refreshedAt: at(3) })
  })
})
