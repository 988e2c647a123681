/** Columns on disk: what a document has in them survives whatever its text does, and comes to an index later, too. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Freshdex, salvage } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { SeededRandom, withSeed } from '../support/seed.js'
import { newPath } from './temporary-folder.js'

interface Page {
  id: number
  body: string
  section?: string
  tags?: string[]
  words?: number | undefined
  published?: Date
  draft?: boolean
}

const COLUMNS = {
  section: 'keyword',
  tags: 'keyword',
  words: 'number',
  published: 'date',
  draft: 'boolean',
} as const

const OPTIONS = { key: 'id', fields: { body: {} }, columns: COLUMNS } as const
/** A flush and a fold are due all the time. */
const UPKEEP = { logBytes: 3_000, foldPostings: 50, partitionBytes: 2_000 }

type Index = Freshdex<Page, typeof COLUMNS>

const open = (folder: string, options: object = {}) =>
  Freshdex.open<Page, typeof COLUMNS>(folder, { ...OPTIONS, ...options } as never) as Promise<Index>

function pageOf(random: SeededRandom, id: number): Page {
  const word = () => random.pick(['salt', 'sea', 'ferry', 'bread'])
  return {
    id,
    body: Array.from({ length: random.between(1, 12) }, word).join(' '),
    ...(random.chance(0.8) ? { section: random.pick(['docs', 'api', 'blog']) } : {}),
    ...(random.chance(0.5)
      ? { tags: Array.from({ length: random.between(0, 4) }, () => `t${random.between(0, 40)}`) }
      : {}),
    ...(random.chance(0.7) ? { words: random.between(0, 9) } : {}),
    ...(random.chance(0.7) ? { published: new Date(Date.UTC(2026, random.between(0, 5))) } : {}),
    ...(random.chance(0.5) ? { draft: random.chance(0.5) } : {}),
  }
}

const countsOf = (values: readonly unknown[]) => {
  const counts = new Map<unknown, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Every value of every column is counted by walking through the pages. */
function expectValues(index: Index, pages: Iterable<Page>): void {
  const all = [...pages]
  const facets = Object.keys(COLUMNS).map((column) => ({ column, limit: 1000 }))
  const result = index.search('*', { facets: facets as never, limit: 1, learn: false })
  const counted = (column: keyof typeof COLUMNS) =>
    new Map((result.facets?.[column] ?? []).map(({ value, count }) => [String(value), count]))
  const expected = (of: (page: Page) => readonly unknown[]) =>
    countsOf(all.flatMap((page) => [...new Set(of(page).map(String))]))
  const one = (value: unknown) => (value === undefined ? [] : [value])
  expect(counted('section')).toEqual(expected(({ section }) => one(section)))
  expect(counted('tags')).toEqual(expected(({ tags = [] }) => tags))
  expect(counted('words')).toEqual(expected(({ words }) => one(words)))
  expect(counted('draft')).toEqual(expected(({ draft }) => one(draft)))
  for (const section of ['docs', 'api', 'blog']) {
    const { total } = index.search('*', { filter: { section }, learn: false })
    expect(total).toBe(all.filter((page) => page.section === section).length)
  }
  const from = new Date(Date.UTC(2026, 3))
  const { total } = index.search('*', { filter: { published: { gte: from } }, learn: false })
  expect(total).toBe(all.filter(({ published }) => published !== undefined && published >= from).length)
}

const SOUND = { ok: true, faults: [] }

/** Kinds of segments. */
const PAGES_OF_COLUMNS = 9
const WORDS_OF_COLUMNS = 10

function segmentsOf(folder: string): readonly string[] {
  const segments = path.join(folder, 'segments')
  return readdirSync(segments).map((name) => path.join(segments, name))
}

describe('columns of an index in a folder', () => {
  test('agree with the pages through writes, patches, removals, openings, compactions and a salvage', async () => {
    await withSeed('columns on disk', async (seed) => {
      const random = new SeededRandom(seed)
      const folder = newPath()
      const pages = new Map<number, Page>()
      let index = await open(folder, { upkeep: UPKEEP })
      for (let step = 0; step < 40; step++) {
        const put = Array.from(new Set(Array.from({ length: random.between(1, 12) }, () => random.between(0, 59))))
        const kind = random.between(0, 4)
        if (kind === 0) {
          const keys = put.filter((id) => pages.has(id))
          for (const id of keys) pages.set(id, { ...pages.get(id)!, section: 'api', words: undefined })
          await index.patch(keys.map((id) => [id, { section: 'api', words: undefined }]))
        } else if (kind === 1) {
          for (const id of put) pages.delete(id)
          await index.write({ remove: put })
        } else {
          const written = put.map((id) => pageOf(random, id))
          for (const page of written) pages.set(page.id, page)
          await index.write({ put: written })
        }
        if (random.chance(0.1)) await index.compact()
        if (random.chance(0.15)) {
          await index.close()
          index = await open(folder, { upkeep: UPKEEP })
        }
        if (step % 5 === 0) expectValues(index, pages.values())
      }
      expectValues(index, pages.values())
      expect(await index.check()).toMatchObject(SOUND)
      await index.close()
      const salvaged = newPath()
      await salvage(folder, salvaged)
      const again = await open(salvaged)
      expectValues(again, pages.values())
      expect(await again.check()).toMatchObject(SOUND)
      await again.close()
    })
  }, 60_000)

  test('damaged pages or words are CORRUPT with their file, and a salvage brings every value back', async () => {
    const folder = newPath()
    const pages = Array.from({ length: 60 }, (_, id) => pageOf(new SeededRandom(id), id))
    const index = await open(folder, { upkeep: UPKEEP })
    await index.write({ put: pages })
    await index.compact()
    await index.close()
    for (const kind of [PAGES_OF_COLUMNS, WORDS_OF_COLUMNS]) {
      const file = segmentsOf(folder).find((name) => readFileSync(name).readUInt16LE(10) === kind)!
      const whole = readFileSync(file)
      const damaged = Buffer.from(whole)
      damaged[60]! ^= 1
      writeFileSync(file, damaged)
      await expect(open(folder)).rejects.toMatchObject({ code: 'CORRUPT', detail: { file } })
      const salvaged = newPath()
      await salvage(folder, salvaged)
      const again = await open(salvaged)
      expectValues(again, pages)
      await again.close()
      writeFileSync(file, whole)
    }
    await (await open(folder)).close()
  }, 60_000)

  test('a write that moves only columns counts as seen and unchanged', async () => {
    const index = await open(newPath())
    const page = { id: 1, body: 'salt sea', section: 'docs', words: 2 }
    await index.write({ put: [page] })
    const report = await index.write({ put: [{ ...page, section: 'blog', tags: ['new'] }] })
    expect(report).toMatchObject({ unchanged: 1, replaced: 0, postings: { written: 0 } })
    expectValues(index, [{ ...page, section: 'blog', tags: ['new'] }])
    await index.close()
  })

  test('a wrong value refuses the batch by document and column, and nothing is written', async () => {
    const index = await open(newPath())
    const put = [{ id: 1, body: 'salt', words: 3 }, { id: 2, body: 'sea', published: 'tomorrow' } as never]
    await expect(index.write({ put })).rejects.toThrow(
      'column "published" of document 2 must be a Date, a text such as \'2026-11-19\'',
    )
    expect(index.stats()).toMatchObject({ documents: 0, sequence: 0 })
    await index.close()
  })

  test('a weight that is a column, too, moves with a reweighing, and other columns stay', async () => {
    const index = await open(newPath(), { scoring: { weight: 'words' }, store: ['section'] })
    await index.write({ put: [{ id: 1, body: 'salt', words: 3, tags: ['a'], section: 'docs' }] })
    await index.reweigh([[1, 7]])
    expectValues(index, [{ id: 1, body: 'salt', words: 7, tags: ['a'], section: 'docs' }])
    await index.close()
  })
})

describe('an index that is opened with more columns', () => {
  const pagesFor = (seed: number) => Array.from({ length: 450 }, (_, id) => pageOf(new SeededRandom(seed + id), id))

  test('reads them from its stored documents in the background', async () => {
    for (const isCompacted of [false, true]) {
      const folder = newPath()
      const pages = pagesFor(100)
      const first = await Freshdex.open<Page>(folder, { key: 'id', fields: { body: {} }, columns: { words: 'number' } })
      await first.load(pages)
      if (isCompacted) await first.compact()
      await first.close()
      const index = await open(folder)
      expect(index.reindexing.progress).toEqual({ done: 0, total: 450 })
      const changed: Page = { id: 3, body: 'sea', tags: ['changed'] }
      await index.write({ put: [changed], remove: [5] })
      expect(await index.reindexing).toMatchObject({ fields: [], columns: ['section', 'tags', 'published', 'draft'] })
      const now = [...pages.filter(({ id }) => id !== 3 && id !== 5), changed]
      expectValues(index, now)
      expect(index.refresh.explain(7)).toMatchObject({ history: [] })
      expect(await index.check()).toMatchObject(SOUND)
      const { unchanged } = await index.write({ put: now })
      expect(unchanged).toBe(now.length)
      await index.close()
      const again = await Freshdex.open<Page>(folder)
      expect(await again.reindexing).toEqual({ fields: [], columns: [], documents: 0 })
      expectValues(again as unknown as Index, now)
      await again.close()
    }
  }, 60_000)

  test('goes on at the next opening, with new fields as well, and keeps values that are not stored', async () => {
    const folder = newPath()
    const pages = pagesFor(900)
    const store = ['body', 'section'] as const
    const first = await Freshdex.open<Page>(folder, {
      key: 'id',
      fields: { body: {} },
      columns: { words: 'number' },
      store,
    })
    await first.load(pages)
    await first.close()
    const grown = {
      key: 'id',
      fields: { body: {}, section: {} },
      columns: { words: 'number', section: 'keyword' },
      store,
    }
    const stopped = await Freshdex.open<Page>(folder, grown as never)
    const reindexing = expect(stopped.reindexing).rejects.toMatchObject({ code: 'CLOSED' })
    await stopped.close()
    await reindexing
    const index = await Freshdex.open<Page>(folder)
    expect(await index.reindexing).toEqual({ fields: ['section'], columns: ['section'], documents: 450 })
    const kept = pages.map(({ id, body, section, words }) => ({ id, body, section, words }) as Page)
    const { total } = index.search('section:docs', { learn: false })
    expect(total).toBe(kept.filter(({ section }) => section === 'docs').length)
    const words = index.search('*', { facets: ['words'] as never, learn: false }).facets?.words ?? []
    expect(new Map(words.map(({ value, count }) => [value, count]))).toEqual(
      countsOf(kept.flatMap(({ words: value }) => (value === undefined ? [] : [value]))),
    )
    expect(await index.check()).toMatchObject(SOUND)
    await index.close()
  }, 60_000)

  test('is refused where they were not stored, for reading, and with a column of another kind', async () => {
    const folder = newPath()
    const first = await Freshdex.open<Page>(folder, { key: 'id', fields: { body: {} }, store: ['body'] })
    await first.write({ put: [{ id: 1, body: 'salt', section: 'docs' }] })
    await first.close()
    const columns = { section: 'keyword' }
    const message =
      'cannot be given the column "section": its documents would be read again, and "section" is not stored'
    for (const store of [undefined, true, ['body', 'section']]) {
      const opening = Freshdex.open<Page>(folder, { columns, ...(store === undefined ? {} : { store }) } as never)
      await expect(opening).rejects.toThrow(message)
    }
    await expect(Freshdex.open(folder, { columns, readOnly: true } as never)).rejects.toMatchObject({
      code: 'MISMATCH',
    })
    const same = await Freshdex.open<Page>(folder)
    expect(same.search('salt').total).toBe(1)
    await same.close()
    const other = newPath()
    await (await open(other)).close()
    for (const wrong of [{ ...COLUMNS, words: 'keyword' }, { words: 'number' }, {}])
      await expect(Freshdex.open(other, { columns: wrong } as never)).rejects.toMatchObject({ code: 'MISMATCH' })
  })
})
