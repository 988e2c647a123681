/**
 * The frontier in a folder: that it lasts, is one with the writes, comes back from failures, and is read by followers,
 * copies and checks.
 */
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex, salvage } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { holdCatalog } from '../storage/held-catalog.js'
import { newPath } from '../storage/temporary-folder.js'
import { SeededRandom, seededRandom, withSeed } from '../support/seed.js'
import { DAY_MS, foundPages, looksOf, OPTIONS, openMeadow, type Page, START } from './meadow.js'

const reopen = (folder: string, options = {}) => Freshdex.open<Page>(folder, { ...OPTIONS, ...options })

function asDocument(url: string): Page {
  return { url, title: url.replace(/\W+/g, ' '), body: 'moss fern' }
}

/** The rows themselves, whatever the index makes of them. */
function tablesOf(folder: string): object {
  const db = new Database(path.join(folder, 'catalog.db'), { readonly: true })
  const tables = ['frontier', 'frontier_state'].map((name) => db.prepare(`SELECT * FROM ${name}`).all())
  db.close()
  return tables
}

function damage(folder: string, sql: string): void {
  const db = new Database(path.join(folder, 'catalog.db'))
  db.exec(sql)
  db.close()
}

test('a frontier is the same after any changes and openings as one that stays in memory', async () => {
  await withSeed('frontier reopening', async (seed) => {
    const folder = newPath()
    const { index: twin } = await openMeadow(':memory:', new SeededRandom(seed))
    let { index } = await openMeadow(folder, new SeededRandom(seed))
    await using _twin = twin
    const random = new SeededRandom(seed + 1)
    for (let round = 0; round < 12; round++) {
      const at = START + round * DAY_MS
      const waiting = (await twin.frontier.next({ budget: 1000, at })).map(({ url }) => url)
      const found = foundPages(random, random.int(30))
      const fetched = waiting.filter(() => random.chance(0.1))
      const removed = waiting.filter(() => random.chance(0.05))
      // What was not loaded before a write is not loaded for it.
      if (random.chance(0.5)) {
        await index.close()
        index = await reopen(folder)
      }
      for (const each of [twin, index]) {
        await each.write({ put: fetched.map(asDocument) }, { at })
        await each.frontier.add(
          [...found, ...waiting.slice(0, 5).map((url) => ({ url, anchors: [`round ${round}`] }))],
          { at },
        )
        await each.frontier.remove(removed)
      }
      expect(await looksOf(index, at)).toEqual(await looksOf(twin, at))
    }
    const last = await looksOf(twin)
    expect(last.learnt).toBeGreaterThan(30)
    await index.close()
    await using again = await reopen(folder)
    expect([again.frontier.size, again.stats().frontier.memoryBytes]).toEqual([last.size, 0])
    expect(await looksOf(again)).toEqual(last)
    expect(await again.check()).toMatchObject({ ok: true, faults: [] })
  })
})

describe.concurrent('while another program holds the catalog', () => {
  const URLS = ['https://new.example/moss', 'https://new.example/fern/2']
  const ACTS: [string, (index: Freshdex<Page>) => Promise<unknown>][] = [
    ['a write of pages of the frontier', (index) => index.write({ put: URLS.map(asDocument) }, { at: START })],
    [
      'an addition',
      (index) => index.frontier.add([{ url: '/late' }, { url: URLS[0]!, anchors: ['late'] }], { at: START }),
    ],
    ['a removal', (index) => index.frontier.remove(URLS)],
  ]
  test.each(ACTS)('%s is BUSY, changes nothing, and can be repeated', async (_, act) => {
    const folder = newPath()
    const { index } = await openMeadow(folder, seededRandom('busy frontier'))
    await using _index = index
    await index.frontier.add(
      URLS.map((url) => ({ url, anchors: ['vetch'] })),
      { at: START },
    )
    const [before, tables] = [await looksOf(index), tablesOf(folder)]
    const release = holdCatalog(folder)
    await expect(act(index)).rejects.toMatchObject({ code: 'BUSY' })
    release()
    expect(await looksOf(index)).toEqual(before)
    expect(tablesOf(folder)).toEqual(tables)
    await act(index)
    const after = await looksOf(index)
    expect(after).not.toEqual(before)
    await index.close()
    await using again = await reopen(folder)
    expect(await looksOf(again)).toEqual(after)
  })

  test('a plan is made all the same, and what it could not keep is learnt later', async () => {
    const folder = newPath()
    const { index, found } = await openMeadow(folder, seededRandom('busy lessons'))
    await using _index = index
    await index.write({ put: found.slice(0, 9).map(({ url }) => asDocument(url)) })
    const release = holdCatalog(folder)
    expect(await index.frontier.next({ budget: 3 })).toHaveLength(3)
    expect(index.stats().frontier).toMatchObject({ fetched: 9, learnt: 0 })
    release()
    await index.frontier.next({ budget: 3 })
    expect(index.stats().frontier).toMatchObject({ fetched: 0, learnt: 9 })
  })
})

test('a follower sees the frontier of the writer, plans by it, and changes nothing', async () => {
  const folder = newPath()
  const { index, found } = await openMeadow(folder, seededRandom('followed frontier'))
  await using writer = index
  // The workload becomes durable with a write.
  await writer.write({ put: [asDocument(found[0]!.url)] }, { at: START })
  await using follower = await reopen(folder, { readOnly: true })
  expect(follower.frontier.size).toBe(found.length - 1)
  const own = await writer.frontier.next({ budget: 99, at: START })
  expect(await writer.frontier.next({ budget: 99, at: START })).toEqual(own)
  // The writer has learnt from the page before it answered.
  await follower.catchUp()
  expect(await follower.frontier.next({ budget: 99, at: START })).toEqual(own)
  await writer.frontier.add([{ url: '/late' }])
  await writer.write({ put: [asDocument(found[1]!.url)] })
  await follower.catchUp()
  const urls = (await follower.frontier.next({ budget: 99, at: START })).map(({ url }) => url)
  expect([urls.includes('/late'), urls.includes(found[1]!.url), follower.frontier.size]).toEqual([
    true,
    false,
    found.length - 1,
  ])
  expect((await follower.plan({ budget: 5 })).actions).toHaveLength(5)
  await expect(follower.frontier.add([{ url: '/mine' }])).rejects.toMatchObject({ code: 'READ_ONLY' })
  await expect(follower.frontier.remove(['/late'])).rejects.toMatchObject({ code: 'READ_ONLY' })
  expect(follower.frontier.size).toBe(found.length - 1)
  expect(await follower.check()).toMatchObject({ ok: true })
})

test('a backup has the frontier, and so has a salvaged index', async () => {
  const [folder, copy, salvaged] = [newPath(), newPath('copy'), newPath('salvaged')]
  const { index, found } = await openMeadow(folder, seededRandom('copied frontier'))
  await index.write({ put: [asDocument(found[0]!.url)] }, { at: START })
  const looks = await looksOf(index)
  await index.backup(copy)
  await index.close()
  await using copied = await reopen(copy)
  expect(await looksOf(copied)).toEqual(looks)
  await salvage(folder, salvaged)
  await using again = await reopen(salvaged)
  expect(again.stats().documents).toBe(61)
  expect(await looksOf(again)).toEqual(looks)
  expect(await again.check()).toMatchObject({ ok: true })
})

describe('a damaged frontier', () => {
  const DAMAGE: [string, string, string][] = [
    ['a URL that is none', "UPDATE frontier SET url = 'nowhere' WHERE id = 3", "the frontier's page 3 is damaged"],
    [
      'anchors that are no bytes',
      "UPDATE frontier SET anchors = 'text' WHERE id = 4",
      "the frontier's page 4 is damaged",
    ],
    ['fewer links than none', 'UPDATE frontier SET inlinks = -1 WHERE id = 5', "the frontier's page 5 is damaged"],
    ['no time', "UPDATE frontier SET added_ms = 'noon' WHERE id = 5", "the frontier's page 5 is damaged"],
    [
      'a number beyond all',
      'UPDATE frontier SET id = 1 << 40 WHERE id = 6',
      `the frontier's page ${2 ** 40} is damaged`,
    ],
    ['a negative number', 'UPDATE frontier SET id = -7 WHERE id = 6', "the frontier's page -7 is damaged"],
  ]
  test.each(DAMAGE)('with %s is told by a check, and the rest goes on', async (_, sql, message) => {
    const folder = newPath()
    const { index, found } = await openMeadow(folder, seededRandom('damaged frontier'))
    await index.close()
    damage(folder, sql)
    await using again = await reopen(folder)
    expect(await again.check()).toMatchObject({ ok: false, faults: [{ invariant: 'L4', message }] })
    expect(await again.frontier.next({ budget: 999 })).toHaveLength(found.length - 1)
    expect(again.stats().frontier).toMatchObject({ pages: found.length - 1, damagedRows: 1 })
    await again.frontier.add(found)
    expect(again.frontier.size).toBe(found.length)
  })

  test('with lessons that nobody wrote begins to learn anew', async () => {
    const folder = newPath()
    const { index, found } = await openMeadow(folder, seededRandom('damaged lessons'))
    await index.write({ put: [asDocument(found[0]!.url)] })
    await index.frontier.next({ budget: 1 })
    await index.close()
    damage(folder, "UPDATE frontier_state SET lessons = x'81a6666f726d617401'")
    await using again = await reopen(folder)
    const message = 'what was learnt from the frontier is damaged'
    expect(await again.check()).toMatchObject({ ok: false, faults: [{ invariant: 'L4', message }] })
    expect(await again.frontier.next({ budget: 999 })).toHaveLength(found.length - 1)
    expect(again.stats().frontier.learnt).toBe(0)
  })

  test('that has a document among its pages is told by a check', async () => {
    const folder = newPath()
    const { index } = await openMeadow(folder, seededRandom('document in frontier'))
    await index.close()
    damage(folder, "UPDATE frontier SET url = 'https://old0.example/0' WHERE id = 3")
    await using again = await reopen(folder)
    const message = '"https://old0.example/0" is in the frontier, and a document too'
    expect(await again.check()).toMatchObject({ ok: false, faults: [{ invariant: 'L4', message }] })
  })
})
