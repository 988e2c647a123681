/** What an index remembers of itself, and what must agree when it is opened again. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { type Analyzer, Freshdex, loadLanguage } from 'freshdex'
import { describe, expect, test } from 'vitest'
import {
  BUSY,
  errorOf,
  failureOf,
  looksOf,
  OPTIONS,
  type Options,
  openPages,
  PAGES,
  type Page,
  withIndex,
} from './specimen.js'
import { newPath } from './temporary-folder.js'

const blanks = (version: string): Analyzer => ({ name: 'blanks', version, analyze: (text) => text.split(/\s+/) })

async function written(options: Options = {}): Promise<{ folder: string; looks: object }> {
  const folder = newPath()
  const index = await openPages(folder, options)
  const looks = looksOf(index)
  await index.close()
  return { folder, looks }
}

describe('an index opened again', () => {
  test.each([
    ['without options', {}],
    ['with the same options', OPTIONS],
    ['with its fields in another order', { key: 'id', fields: { body: {}, title: { boost: 2 } } }],
    ['with its key alone', { key: 'id' }],
    ['with its fields alone', { fields: OPTIONS.fields }],
    ['for reading', { readOnly: true }],
    ['for the durability of power', { durability: 'power' }],
  ] as [string, Options][])('%s answers as before', async (_, options) => {
    const { folder, looks } = await written()
    await withIndex(folder, options, async (index) => {
      expect(looksOf(index)).toEqual(looks)
      expect(await index.check()).toMatchObject({ ok: true, faults: [] })
    })
  })

  test.each([
    ['all in the log', {}],
    ['all in segments', { upkeep: BUSY }],
  ] as [string, Options][])('goes on from where it was, with %s', async (_, options) => {
    const { folder } = await written(options)
    await withIndex(folder, options, async (index) => {
      expect(await index.write({ put: [PAGES[0]!, { id: 'new', body: 'brand new' }], remove: [3] })).toMatchObject({
        added: 1,
        unchanged: 1,
        removed: 1,
      })
      expect(index.stats().sequence).toBe(3)
    })
    await withIndex(folder, {}, async (index) => {
      expect(index.get('new')).toEqual({ id: 'new', body: 'brand new' })
      expect(index.has(3)).toBe(false)
      expect((await index.check()).ok).toBe(true)
    })
  })

  test('is empty when nothing was written', async () => {
    const folder = newPath()
    await withIndex(folder, OPTIONS, () => {})
    await withIndex(folder, {}, async (index) => {
      expect(index.stats()).toMatchObject({ documents: 0, sequence: 0 })
      expect((await index.check()).ok).toBe(true)
    })
  })

  test('knows the analyzer of a language by its name', async () => {
    const folder = newPath()
    await withIndex(folder, { ...OPTIONS, analyzer: await loadLanguage('german') }, (index) =>
      index.write({ put: [{ id: 1, body: 'die Häuser' }] }),
    )
    await withIndex(folder, {}, (index) => {
      expect(index.search('Haus').total).toBe(1)
      expect(index.stats().analyzer.name).toBe('german')
    })
  })

  test('has in its folder what a listing of it says', async () => {
    const { folder } = await written({ upkeep: BUSY })
    expect(readdirSync(folder).sort()).toEqual(['catalog.db', 'lock', 'segments'])
    const segments = await withIndex(folder, {}, (index) => index.stats().disk?.segments)
    expect(segments).toBeGreaterThan(3)
    expect(readdirSync(path.join(folder, 'segments'))).toHaveLength(segments as number)
  })
})

describe('MISMATCH', () => {
  test.each([
    ['key', {}, { key: 'title', fields: OPTIONS.fields }],
    ['fields', {}, { key: 'id', fields: { title: {} } }],
    ['fields', {}, { key: 'id', fields: { title: {}, note: {} } }],
    ['analyzer', {}, { ...OPTIONS, analyzer: 'english' }],
    ['analyzer', {}, { ...OPTIONS, analyzer: blanks('1') }],
    ['analyzer', { analyzer: blanks('1') }, { analyzer: 'standard' }],
    ['analyzer', { analyzer: blanks('1') }, {}],
    ['analyzer version', { analyzer: blanks('1') }, { ...OPTIONS, analyzer: blanks('2') }],
    ['scoring.weight', {}, { ...OPTIONS, scoring: { weight: 'links' } }],
    ['scoring.weight', { scoring: { weight: 'links' } }, { ...OPTIONS, scoring: 'bm25' }],
    ['scoring.weight', { scoring: { weight: 'links' } }, { ...OPTIONS, scoring: { weight: 'id' } }],
  ] as [string, Options, Options][])('of the %s, and nothing is touched (%#)', async (option, made, given) => {
    const { folder, looks } = await written(made)
    const before = readFileSync(path.join(folder, 'catalog.db'))
    for (const readOnly of [false, true]) {
      const error = await errorOf(() => withIndex(folder, { ...given, readOnly }, () => {}))
      expect([error.code, error.detail.option]).toEqual(['MISMATCH', option])
    }
    expect(readFileSync(path.join(folder, 'catalog.db'))).toEqual(before)
    await withIndex(folder, made, (index) => expect(looksOf(index)).toEqual(looks))
  })
})

describe('boosts, scoring and what is stored', () => {
  test('may change, and are remembered', async () => {
    const { folder, looks } = await written()
    const changed: Options = { ...OPTIONS, fields: { body: { boost: 3 }, title: {} }, scoring: 'tfidf' }
    const rescored = await withIndex(folder, changed, looksOf)
    expect(rescored).not.toEqual(looks)
    expect(await withIndex(folder, {}, looksOf)).toEqual(rescored)
    expect(await withIndex(folder, { readOnly: true }, looksOf)).toEqual(rescored)
    expect(await withIndex(folder, { ...OPTIONS, scoring: 'bm25' }, looksOf)).toEqual(looks)
    expect(await withIndex(folder, {}, looksOf)).toEqual(looks)
    await withIndex(folder, {}, async (index) => expect((await index.check()).ok).toBe(true))
  })

  test('k1, b, alpha and beta are remembered', async () => {
    const scoring = { k1: 0.3, b: 0.1, weight: 'links', alpha: 0.5, beta: 3 } as const
    const { folder, looks } = await written({ scoring })
    expect(await withIndex(folder, {}, looksOf)).toEqual(looks)
    const other = await withIndex(folder, { ...OPTIONS, scoring: { weight: 'links' } }, looksOf)
    expect(other).not.toEqual(looks)
    expect(await withIndex(folder, {}, looksOf)).toEqual(other)
  })

  test('changed by a reader are not remembered', async () => {
    const { folder, looks } = await written()
    const rescored = await withIndex(folder, { ...OPTIONS, scoring: 'tfidf', readOnly: true }, looksOf)
    expect(rescored).not.toEqual(looks)
    expect(await withIndex(folder, {}, looksOf)).toEqual(looks)
  })

  test('other stored properties count for what is put from then on', async () => {
    const { folder } = await written()
    await withIndex(folder, { store: ['title'] }, (index) => index.write({ put: [{ ...PAGES[0]!, links: 4 }] }))
    await withIndex(folder, {}, (index) => {
      expect(index.get(0)).toEqual({ id: 0, title: 'Title 0 even' })
      expect(index.get(3)).toEqual(PAGES[3])
    })
  })
})

test('a reader goes on when the index is opened with another scoring', async () => {
  const folder = newPath()
  await (await openPages(folder)).close()
  const reader = await Freshdex.open<Page>(folder, { readOnly: true })
  const before = reader.search('fox').hits.map(({ score }) => score)
  await withIndex(folder, { scoring: 'tfidf' }, (index) => index.write({ put: [{ id: 'new', body: 'zebra' }] }))
  await reader.catchUp()
  expect(reader.search('zebra').total).toBe(1)
  expect(reader.search('fox').hits.map(({ score }) => score)).not.toEqual(before)
  await reader.close()
})

describe('formats', () => {
  test('a newer one is NOT_SUPPORTED, for writing and for reading, and left as it is', async () => {
    const { folder, looks } = await written()
    const catalog = path.join(folder, 'catalog.db')
    setVersion(catalog, 999)
    const before = readFileSync(catalog)
    for (const options of [{}, OPTIONS, { readOnly: true }]) {
      expect(await failureOf(() => withIndex(folder, options, () => {}))).toBe('NOT_SUPPORTED')
    }
    expect(readFileSync(catalog)).toEqual(before)
    setVersion(catalog, 8)
    expect(await withIndex(folder, {}, looksOf)).toEqual(looks)
  })

  test('one that no version of freshdex ever wrote is NOT_SUPPORTED', async () => {
    const { folder } = await written()
    for (const version of [0, -1]) {
      setVersion(path.join(folder, 'catalog.db'), version)
      for (const options of [{}, OPTIONS, { readOnly: true }]) {
        const { code, message } = await errorOf(() => withIndex(folder, options, () => {}))
        expect([code, message]).toEqual(['NOT_SUPPORTED', expect.stringContaining(`has format ${version}`)])
      }
    }
  })

  test('a newer one may have other tables', async () => {
    const { folder } = await written()
    const db = new Database(path.join(folder, 'catalog.db'))
    db.exec('DROP TABLE documents; DROP TABLE meta')
    db.pragma('user_version = 9')
    db.close()
    for (const options of [{}, OPTIONS, { readOnly: true }]) {
      expect(await failureOf(() => withIndex(folder, options, () => {}))).toBe('NOT_SUPPORTED')
    }
  })

  test('an empty database is an index that has yet to be made', async () => {
    const folder = newPath()
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'catalog.db'), '')
    expect(await failureOf(() => withIndex(folder, {}, () => {}))).toBe('NOT_FOUND')
    expect(await failureOf(() => withIndex(folder, { readOnly: true }, () => {}))).toBe('NOT_FOUND')
    await withIndex(folder, OPTIONS, (index) => index.write({ put: PAGES }))
    await withIndex(folder, {}, (index) => expect(index.stats().documents).toBe(PAGES.length))
  })
})

function setVersion(catalog: string, version: number): void {
  const db = new Database(catalog)
  db.pragma(`user_version = ${version}`)
  db.close()
}
