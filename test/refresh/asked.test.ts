/** What people ask to know of the workload: what has no answer, what was dropped; and that a query goes for good. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { openLearning, textsOf } from './learning.js'
import { DAY_MS, OPTIONS, type Page, page, START, url } from './orchard.js'

/** Every byte of every file in the folder. */
function bytesOf(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Buffer.concat(files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name))))
}

const unansweredOf = (index: Freshdex<Page>) => index.workload.unanswered().map(({ query }) => query)

describe('queries without an answer', () => {
  test('are kept and listed, heaviest first, until a document answers them', async () => {
    const folder = newPath()
    const index = await openLearning({ halfLifeMs: Number.POSITIVE_INFINITY }, folder)
    for (const query of ['zebra', 'apple', 'zebra', 'yak apple']) index.search(query)
    index.workload.record('walrus', { count: 5, at: START })
    index.workload.record('pear', { count: 9, at: START })
    expect(index.workload.unanswered()).toEqual([
      { query: 'walrus', weight: 5, lastAt: START },
      { query: 'zebra', weight: 2, lastAt: expect.any(Number) },
      { query: 'yak apple', weight: 1, lastAt: expect.any(Number) },
    ])
    expect(index.workload.unanswered({ limit: 1 }).map(({ query }) => query)).toEqual(['walrus'])
    await index.close()
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    expect(unansweredOf(again)).toEqual(['walrus', 'zebra', 'yak apple'])
    await again.write({ put: [{ ...page(1), body: 'zebra' }] })
    expect(unansweredOf(again)).toEqual(['walrus', 'yak apple'])
    expect(() => again.workload.unanswered({ limit: -1 })).toThrow(RangeError)
  })

  test.each(['text', 'hash'] as const)('are open questions of the workload (privacy: %s)', async (privacy) => {
    await using index = await openLearning({ privacy, halfLifeMs: Number.POSITIVE_INFINITY }, newPath())
    index.search('apple')
    for (let nth = 0; nth < 3; nth++) index.search('zebra')
    await index.refresh.fit()
    await index.refresh.observe(url(1), { outcome: 'same', at: START + DAY_MS })
    expect(index.workload.unanswered()).toHaveLength(1)
    expect(index.workload.unanswered()[0]?.weight).toBeCloseTo(3, 3)
    const asked = index.workload.queries().reduce((sum, { weight }) => sum + weight, 0)
    expect(asked).toBeCloseTo(4, 3)
    expect(index.stats().measurement.queries).toBe(2)
  })

  test('of a search in some fields only are looked for in all of them', async () => {
    await using index = await openLearning()
    await index.write({ put: [{ url: 'only-body', title: 'fig', body: 'gnu' }] })
    expect(index.search('gnu', { fields: ['title'] }).total).toBe(0)
    expect(unansweredOf(index)).toEqual([])
    expect(textsOf(index)).toEqual(['gnu'])
  })
})

describe('a query that is forgotten', () => {
  test.each(['text', 'hash'] as const)('is gone for good (privacy: %s)', async (privacy) => {
    const folder = newPath()
    const index = await openLearning({ privacy }, folder)
    index.search('confidential diagnosis')
    for (let nth = 0; nth < 300; nth++) index.workload.record(`word${nth} padding`)
    index.search('apple')
    await index.workload.flush()
    const reader = await Freshdex.open<Page>(folder, { readOnly: true })
    reader.search('confidential diagnosis')
    await reader.close()
    expect(bytesOf(folder).includes('confidential')).toBe(privacy === 'text')
    expect(await index.workload.forget('confidential  diagnosis')).toBe(true)
    expect(await index.workload.forget('confidential diagnosis')).toBe(false)
    expect(bytesOf(folder).includes('confidential')).toBe(false)
    expect(index.stats().workload.queries).toBe(301)
    await index.close()
    expect(bytesOf(folder).includes('confidential')).toBe(false)
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    await again.workload.flush()
    expect(again.stats().workload.queries).toBe(301)
    expect(await again.workload.forget('apple')).toBe(true)
    await expect(again.workload.forget(7 as never)).rejects.toThrow(TypeError)
  })

  test('is gone from the files, too, when a write was under way', async () => {
    const folder = newPath()
    await using index = await openLearning({}, folder)
    index.search('confidential diagnosis')
    await index.workload.flush()
    const written = index.write({ put: [page(1)] }, { at: START + DAY_MS })
    expect(await index.workload.forget('confidential diagnosis')).toBe(true)
    await written
    expect(bytesOf(folder).includes('confidential')).toBe(false)
  })

  test('is gone from the files with the next flush when a reader stood in the way', async () => {
    const folder = newPath()
    await using index = await openLearning({}, folder)
    index.search('confidential diagnosis')
    await index.workload.flush()
    const reader = new Database(path.join(folder, 'catalog.db'), { readonly: true })
    reader.exec('BEGIN')
    expect(reader.prepare('SELECT count(*) FROM queries').pluck().get()).toBe(1)
    expect(await index.workload.forget('confidential diagnosis')).toBe(true)
    expect(bytesOf(folder).includes('confidential')).toBe(true)
    reader.close()
    index.search('apple')
    await index.workload.flush()
    expect(bytesOf(folder).includes('confidential')).toBe(false)
  })

  test('is no longer named by what it did to a page', async () => {
    await using index = await openLearning({}, newPath())
    index.search('quince')
    index.search('apple')
    await index.write({ put: [{ ...page(1), body: 'quince apple apple' }] }, { at: START + DAY_MS })
    const named = () => JSON.stringify(index.refresh.explain(url(1)))
    expect(named()).toContain('quince')
    await index.workload.forget('quince')
    expect(named()).not.toContain('"quince"')
  })

  test('waits no longer either, and is gone from memory too', async () => {
    await using index = await openLearning()
    index.search('apple')
    index.search('pear', { session: 'one' })
    expect(await index.workload.forget('apple')).toBe(true)
    expect(await index.workload.forget('pear')).toBe(true)
    expect(textsOf(index)).toEqual([])
  })
})

describe('what does not fit', () => {
  test('is counted and said, by a load and by the statistics, also after reopening', async () => {
    const folder = newPath()
    const index = await openLearning({ maxQueries: 50, halfLifeMs: Number.POSITIVE_INFINITY }, folder)
    const queries = Array.from({ length: 80 }, (_, nth) => [`word${nth}`, nth < 50 ? 2 : 1] as const)
    expect(await index.workload.load(queries)).toEqual({ recorded: 80, skipped: 0, dropped: 30 })
    expect(index.stats().workload).toMatchObject({ queries: 50, maxQueries: 50, dropped: 30 })
    expect(index.stats().workload.droppedWeight).toBeGreaterThanOrEqual(30)
    const { droppedWeight } = index.stats().workload
    await index.close()
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    expect(again.stats().workload).toMatchObject({ queries: 50, dropped: 30, droppedWeight })
  })

  test('is decided by bounds that are kept with the index', async () => {
    const folder = newPath()
    const first = await openLearning({ maxQueries: 20_000, halfLifeMs: Number.POSITIVE_INFINITY }, folder)
    const queries = Array.from({ length: 15_000 }, (_, nth) => `word${nth}`)
    expect(await first.workload.load(queries, { at: START })).toMatchObject({ dropped: 0 })
    await first.close()
    const { workload: _, ...others } = OPTIONS
    const second = await Freshdex.open<Page>(folder, others)
    second.search('apple')
    second.workload.record('pear')
    expect(second.stats().workload).toMatchObject({ queries: 15_002, maxQueries: 20_000, halfLifeMs: Infinity })
    await second.close()
    await using third = await Freshdex.open<Page>(folder, { ...others, readOnly: true })
    expect(third.stats().workload).toMatchObject({ queries: 15_002, maxQueries: 20_000, dropped: 0 })
  })
})
