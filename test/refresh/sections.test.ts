/**
 * Pages of a folder change alike: what refreshes found in it speaks for its other pages, also after the index was
 * opened again.
 */
import Database from 'better-sqlite3'
import { Freshdex, type OpenOptions } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { readKeys } from '../../src/catalog/ledger-rows.js'
import { holdCatalog } from '../storage/held-catalog.js'
import { newPath } from '../storage/temporary-folder.js'
import { DAY_MS, START } from './orchard.js'

interface Article {
  url: string
  body: string
}

const OPTIONS: OpenOptions<Article> = { key: 'url', fields: { body: {} } }
const PAGES = 40
const WEEKS = 6
const week = (nth: number) => START + 7 * nth * DAY_MS
const ASKED = week(WEEKS) + 3 * DAY_MS

type KeyOf = (folder: string, page: number | string) => string
const inFolders: KeyOf = (folder, page) => `https://site.example/${folder}/${page}`
const inOneFolder: KeyOf = (folder, page) => `https://site.example/${folder}-${page}`

const open = (path: string, options: Partial<OpenOptions<Article>> = {}) =>
  Freshdex.open<Article>(path, { ...OPTIONS, ...options })

/**
 * Pages of two folders, refreshed each week: those of one have always changed. At last each folder gets a page that
 * nobody has refreshed yet.
 */
async function live(index: Freshdex<Article>, keyOf: KeyOf = inFolders): Promise<void> {
  for (let nth = 0; nth <= WEEKS; nth++) {
    const pages = Array.from({ length: PAGES }, (_, page) => [
      { url: keyOf('news', page), body: `news ${page} of week ${nth}` },
      { url: keyOf('archive', page), body: `archive ${page}` },
    ])
    await index.write({ put: pages.flat() }, { at: week(nth) })
  }
  const unseen = ['news', 'archive'].map((folder) => ({ url: keyOf(folder, 'unseen'), body: folder }))
  await index.write({ put: unseen }, { at: week(WEEKS) })
}

type Terms = Readonly<Record<string, number>>

function termsOf(index: Freshdex<Article>, key: string, at = ASKED): Terms {
  const explained = index.refresh.explain(key, { at })
  expect(explained?.policy.name).toBe('quality-utility')
  return { ...explained!.policy.terms, priority: explained!.priority }
}

const chanceOf = (index: Freshdex<Article>, key: string) => termsOf(index, key).changeChance!

const SOME_KEYS = ['news', 'archive'].flatMap((folder) => ['unseen', 0, 7].map((page) => inFolders(folder, page)))
const looksOf = (index: Freshdex<Article>) => SOME_KEYS.map((key) => termsOf(index, key))

/** But for the order in which numbers were added up: sections are numbered as their pages come. */
function expectNear(looks: readonly Terms[], expected: readonly Terms[]): void {
  for (const [nth, terms] of looks.entries()) {
    expect(Object.keys(terms)).toEqual(Object.keys(expected[nth]!))
    for (const [name, value] of Object.entries(terms))
      expect(Math.abs(value - expected[nth]![name]!), name).toBeLessThanOrEqual(1e-9 * Math.abs(value))
  }
}

// Concurrent, as one of them waits some seconds for the catalog.
describe.concurrent('an index', () => {
  test.each([
    ['in memory', () => ':memory:'],
    ['in a folder', () => newPath()],
  ])('%s takes a page that it never refreshed for one like those of its folder', async (_, pathOf) => {
    await using index = await open(pathOf())
    await live(index)
    const [busy, calm] = ['news', 'archive'].map((folder) => chanceOf(index, inFolders(folder, 'unseen')))
    expect(busy).toBeGreaterThan(0.7)
    expect(calm).toBeLessThan(0.15)
  })

  test('has nothing to tell pages apart by where all are in one folder', async () => {
    await using index = await open(':memory:')
    await live(index, inOneFolder)
    const [busy, calm] = ['news', 'archive'].map((folder) => chanceOf(index, inOneFolder(folder, 'unseen')))
    expect(busy).toBe(calm)
    // What a page has shown itself is another matter.
    expect(chanceOf(index, inOneFolder('news', 0))).toBeGreaterThan(5 * chanceOf(index, inOneFolder('archive', 0)))
  })

  test('learns of a folder whose pages came after it was first asked', async () => {
    await using index = await open(':memory:')
    await live(index)
    expect(chanceOf(index, inFolders('archive', 'unseen'))).toBeLessThan(0.15)
    const put = Array.from({ length: PAGES }, (_, page) => ({ url: inFolders('archive/live', page), body: `${page}` }))
    await index.write({ put }, { at: week(WEEKS) - 10 * DAY_MS })
    // Not refreshed yet: as the folder above, which is a calm one.
    expect(chanceOf(index, inFolders('archive/live', 0))).toBeLessThan(0.2)
    for (let day = 9; day > 0; day -= 2) {
      const changed = put.slice(1).map(({ url, body }) => ({ url, body: `${body} ${day} days before` }))
      await index.write({ put: changed }, { at: week(WEEKS) - day * DAY_MS })
    }
    const fresh = { url: inFolders('archive/live', 'unseen'), body: 'fresh' }
    await index.write({ put: [fresh] }, { at: week(WEEKS) })
    expect(chanceOf(index, fresh.url)).toBeGreaterThan(0.7)
  })

  test('takes a copy for older where the folder was busy meanwhile', async () => {
    await using index = await open(':memory:')
    // When pages of one folder change; one of them has its own mind.
    const [together, alone] = [
      [5, 6],
      [4, 8],
    ]
    for (let nth = 0; nth <= 8; nth++) {
      const pages = Array.from({ length: PAGES }, (_, page) => [
        {
          url: inFolders('wiki', page),
          body: `wiki ${page} ${page === 1 ? alone.filter((at) => at <= nth) : together.filter((at) => at <= nth)}`,
        },
        { url: inFolders('archive', page), body: `archive ${page} ${page === nth ? 'changed' : ''}` },
      ])
      // The last pages of both are not refreshed after week 3.
      await index.write({ put: pages.flat().slice(0, nth > 3 ? -2 : undefined) }, { at: week(nth) })
    }
    const [wiki, archive] = ['wiki', 'archive'].map((folder) => termsOf(index, inFolders(folder, PAGES - 1), week(9)))
    expect([wiki!.ageMs, archive!.ageMs]).toEqual([6 * 7 * DAY_MS, 6 * 7 * DAY_MS])
    expect(wiki!.ageOfSectionMs! / wiki!.ageMs!).toBeGreaterThan(1.6)
    expect(archive!.ageOfSectionMs! / archive!.ageMs!).toBeLessThan(1.4)
    // As many changes in as many visits, but it stayed as it was when all others did not.
    const [usual, other] = [0, 1].map((page) => termsOf(index, inFolders('wiki', page), week(9)))
    expect(other!.changes).toBe(usual!.changes)
    expect(other!.changeChance).toBeLessThan(0.9 * usual!.changeChance!)
    // Since then clocks have run alike.
    for (const folder of ['wiki', 'archive']) {
      const refreshed = termsOf(index, inFolders(folder, 0), week(9))
      expect(refreshed.ageOfSectionMs! / (7 * DAY_MS)).toBeCloseTo(1, 9)
    }
  })
})

describe.concurrent('what an index in a folder makes of sections', () => {
  test('is the same after it was closed and opened again, also to read', async () => {
    const folder = newPath()
    const index = await open(folder)
    await live(index)
    const before = looksOf(index)
    await index.close()
    for (const options of [{ readOnly: true }, {}]) {
      await using again = await open(folder, options)
      expectNear(looksOf(again), before)
      expect(await again.check()).toMatchObject({ ok: true })
    }
    // A write waits for all of the history; a question in the meantime does not.
    await using writer = await open(folder)
    const written = writer.refresh.observe(inFolders('news', 3), { outcome: 'error', at: ASKED })
    expectNear(looksOf(writer), before)
    await written
    expectNear(looksOf(writer), before)
  })

  test('is the same for a follower', async () => {
    const folder = newPath()
    await using index = await open(folder)
    await index.write({ put: [{ url: inFolders('other', 1), body: 'first' }] }, { at: START })
    await using follower = await open(folder, { readOnly: true, pollMs: 1_000_000 })
    expect(chanceOf(follower, inFolders('other', 1))).toBeGreaterThan(0)
    await live(index)
    await follower.catchUp()
    expectNear(looksOf(follower), looksOf(index))
    expect(chanceOf(follower, inFolders('news', 'unseen'))).toBeGreaterThan(0.7)
  })

  test('is the same where its keys are read in more than one portion', async () => {
    const folder = newPath()
    const index = await open(folder)
    // Their keys come before all others, and fill the first portion.
    const many = Array.from({ length: 4200 }, (_, page) => ({ url: `a/${page}`, body: 'a' }))
    await index.write({ put: many }, { at: week(WEEKS) })
    await live(index)
    const before = looksOf(index)
    await index.close()
    await using again = await open(folder)
    expectNear(looksOf(again), before)
    expect(chanceOf(again, inFolders('news', 'unseen'))).toBeGreaterThan(0.7)
  })

  test('is as it was after a write that failed, and goes by the pages that come instead', async () => {
    const [folder, twin] = [newPath(), newPath('twin')]
    await using index = await open(folder)
    await using undisturbed = await open(twin)
    for (const each of [index, undisturbed]) await live(each)
    const before = looksOf(index)
    const release = holdCatalog(folder)
    const failing = Array.from({ length: PAGES }, (_, page) => ({
      url: inFolders('news', `late${page}`),
      body: 'late',
    }))
    const changed = { url: inFolders('archive', 0), body: 'other' }
    await expect(index.write({ put: [changed, ...failing] }, { at: ASKED })).rejects.toMatchObject({ code: 'BUSY' })
    release()
    expect(looksOf(index)).toEqual(before)
    // They have the numbers that those would have had.
    const put = [1, 2, 3].map((page) => ({ url: inFolders('archive', `late${page}`), body: 'late' }))
    for (const each of [index, undisturbed]) await each.write({ put }, { at: week(WEEKS) })
    expect(looksOf(index)).toEqual(looksOf(undisturbed))
    for (const { url } of put) expect(termsOf(index, url)).toEqual(termsOf(undisturbed, url))
    expect(chanceOf(index, put[0]!.url)).toBeLessThan(0.15)
  })
})

test('a page that is new in a busy folder is named when it is its turn', async () => {
  await using index = await open(':memory:')
  // More pages than are judged together, the last ones of a calm folder.
  const calm = Array.from({ length: 340 }, (_, page) => ({
    url: inFolders('archive', page),
    body: `archive ${page}`,
  }))
  for (let nth = 0; nth < WEEKS; nth++) {
    const news = Array.from({ length: PAGES }, (_, page) => ({
      url: inFolders('news', page),
      body: `${page} ${nth}`,
    }))
    await index.write({ put: [...news, ...calm] }, { at: week(nth) })
  }
  await index.refresh.next({ budget: 1000, at: ASKED })
  const fresh = { url: inFolders('news', 'unseen'), body: 'fresh' }
  await index.write({ put: [fresh] }, { at: week(3) })
  const priorityOf = (key: string) => index.refresh.priority(key, { at: ASKED })
  expect(priorityOf(fresh.url)).toBeGreaterThan(priorityOf(inFolders('news', 0))!)
  expect((await index.refresh.next({ budget: 1, at: ASKED })).pages.map(({ key }) => key)).toEqual([fresh.url])
})

test('keys of both kinds are read in portions of any size, each once and with its number', () => {
  const db = new Database(':memory:')
  db.exec('CREATE TABLE documents (doc INTEGER PRIMARY KEY, key NOT NULL)')
  const keys = ['b/1', -3, 'a/é', 0.5, 'B', '', 2 ** 40, '10', 10, 'a/\u0000', 'a', -1e300]
  const insert = db.prepare('INSERT INTO documents VALUES (?, ?)')
  for (const [nth, key] of keys.entries()) insert.run(3 * nth, key)
  for (const portion of [1, 2, 3, 4, 5, 11, 12, 13, 100]) {
    let asked = 0
    const connection = () => {
      asked++
      return db
    }
    const portions = [...readKeys(connection, portion)]
    expect(portions.filter((rows) => rows.length === 0 || rows.length > portion)).toEqual([])
    expect(asked).toBe(Math.floor(keys.length / portion) + 1)
    expect(portions.flat()).toEqual(keys.map((key, nth) => [3 * nth, key]))
  }
  db.exec('DELETE FROM documents')
  expect([...readKeys(() => db, 3)]).toEqual([])
  db.close()
})
