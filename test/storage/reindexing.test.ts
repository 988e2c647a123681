/** Giving an index more fields: its stored documents are analysed again, whatever else happens meanwhile. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Freshdex } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { SeededRandom, withSeed } from '../support/seed.js'
import { newPath } from './temporary-folder.js'

interface Page {
  id: number
  title: string
  body: string
  notes?: string
}

const WORDS = ['salt', 'water', 'fish', 'ferry', 'harbour', 'market', 'road', 'sea', 'wheel', 'bread']
const TWO = { title: { boost: 2 }, body: {} }
const THREE = { notes: { boost: 3 }, ...TWO }

function pagesOf(random: SeededRandom, count: number): Page[] {
  const text = (most: number) => Array.from({ length: random.between(0, most) }, () => random.pick(WORDS)).join(' ')
  return Array.from({ length: count }, (_, id) => ({
    id,
    title: text(3),
    body: text(20),
    ...(random.chance(0.7) ? { notes: text(6) } : {}),
  }))
}

async function madeWith(folder: string, pages: readonly Page[], options: object = {}): Promise<void> {
  const index = await Freshdex.open<Page>(folder, { key: 'id', fields: TWO, ...options })
  await index.load(pages, { at: 1e12 })
  await index.close()
}

/** The index answers as one does that had all fields from the beginning. */
async function expectAsNew(index: Freshdex<Page>, pages: readonly Page[], random: SeededRandom): Promise<void> {
  const fresh = await Freshdex.open<Page>(':memory:', { key: 'id', fields: { ...TWO, notes: { boost: 3 } } })
  await fresh.load(pages)
  for (let round = 0; round < 30; round++) {
    const [a, b] = [random.pick(WORDS), random.pick(WORDS)]
    const query = random.pick([a, `${a} ${b}`, `"${a} ${b}"`, `notes:${a}`, `${a} OR notes:${b}`, `notes:"${a} ${b}"`])
    const [found, expected] = [index, fresh].map((place) => place.search(query, { limit: 1000, learn: false }))
    const byKey = (hits: typeof found) => new Map(hits?.hits.map(({ key, score }) => [key, score]))
    expect(byKey(found).size).toBe(byKey(expected).size)
    for (const [key, score] of byKey(expected)) expect(byKey(found).get(key)).toBeCloseTo(score, 9)
  }
  expect(index.stats().fields).toMatchObject(fresh.stats().fields)
  await fresh.close()
  expect(await index.check()).toMatchObject({ ok: true, faults: [] })
}

describe('an index that is opened with more fields', () => {
  it('analyses its documents in the background, and is as one that had them from the beginning', async () => {
    await withSeed('reindexing', async (seed) => {
      const random = new SeededRandom(seed)
      for (const isCompacted of [false, true]) {
        const folder = newPath()
        const pages = pagesOf(random, 450)
        await madeWith(folder, pages)
        if (isCompacted) {
          const index = await Freshdex.open<Page>(folder, { upkeep: { phrasePages: 5 } })
          await index.compact()
          await index.close()
        }
        const index = await Freshdex.open<Page>(folder, { key: 'id', fields: THREE })
        expect(index.reindexing.progress).toEqual({ done: 0, total: 450 })
        expect(index.search('salt').total).toBeGreaterThan(0)
        const changed = { id: 3, title: 'salt', body: 'sea', notes: 'wheel' }
        const added = { id: 999, title: '', body: '', notes: 'wheel wheel' }
        await index.write({ put: [changed, added], remove: [5] })
        expect(await index.reindexing).toMatchObject({ fields: ['notes'] })
        const now = [...pages.filter(({ id }) => id !== 3 && id !== 5), changed, added]
        await expectAsNew(index, now, random)
        expect(index.refresh.explain(7)).toMatchObject({ history: [] })
        const { unchanged, replaced } = await index.write({ put: now })
        expect([unchanged, replaced]).toEqual([450, 0])
        await index.close()

        const again = await Freshdex.open<Page>(folder)
        expect(await again.reindexing).toEqual({ fields: [], columns: [], documents: 0 })
        await expectAsNew(again, now, random)
        await again.compact()
        await expectAsNew(again, now, random)
        await again.close()
      }
    })
  })

  it('goes on at the next opening after a close in the middle, with other fields too', async () => {
    const random = new SeededRandom(8)
    const folder = newPath()
    const pages = pagesOf(random, 500)
    await madeWith(folder, pages)
    const stopped = await Freshdex.open<Page>(folder, { key: 'id', fields: THREE })
    const reindexing = expect(stopped.reindexing).rejects.toMatchObject({ code: 'CLOSED' })
    await stopped.close()
    await reindexing
    const index = await Freshdex.open<Page>(folder)
    expect(await index.reindexing).toMatchObject({ fields: ['notes'], documents: 500 })
    await expectAsNew(index, pages, random)
    await index.close()
  })

  it('loses nothing when it is killed in the middle', async () => {
    const random = new SeededRandom(9)
    const folder = newPath()
    const pages = pagesOf(random, 1500)
    await madeWith(folder, pages)
    const child = fileURLToPath(new URL('reindexing-child.mjs', import.meta.url))
    for (let round = 0; round < 3; round++) {
      const process = spawn('node', [child, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(process.stdout, 'data')
      process.kill('SIGKILL')
      await once(process, 'exit')
    }
    const index = await Freshdex.open<Page>(folder)
    expect(await index.reindexing).toMatchObject({ fields: ['notes'] })
    await expectAsNew(index, pages, random)
    await index.close()
  })

  it('takes less than its documents for granted: readers, followers and what is not stored', async () => {
    const folder = newPath()
    const pages = pagesOf(new SeededRandom(4), 20)
    await madeWith(folder, pages)
    const opening = (options: object, path = folder) => Freshdex.open<Page>(path, { key: 'id', ...options } as never)
    await expect(opening({ fields: THREE, readOnly: true })).rejects.toMatchObject({ code: 'MISMATCH' })
    await expect(opening({ fields: { title: {} } })).rejects.toMatchObject({ code: 'MISMATCH' })
    await expect(opening({ fields: { title: {}, notes: {} } })).rejects.toMatchObject({ code: 'MISMATCH' })
    const reader = await Freshdex.open<Page>(folder, { readOnly: true })
    const index = await opening({ fields: THREE })
    await index.reindexing
    await expect(reader.catchUp()).rejects.toMatchObject({ code: 'MISMATCH' })
    expect(reader.search('salt').total).toBeGreaterThan(0)
    await reader.close()
    await index.close()

    for (const store of [false, ['title', 'body'], ['notes']]) {
      const bare = newPath()
      await madeWith(bare, pages, { store })
      await expect(opening({ fields: THREE }, bare)).rejects.toThrow(/is not stored; write them to a new index/)
      const same = await Freshdex.open<Page>(bare)
      expect(same.stats().documents).toBe(20)
      await same.close()
    }
    const empty = newPath()
    await madeWith(empty, [], { store: false })
    const grown = await opening({ fields: THREE }, empty)
    await grown.write({ put: [{ id: 1, title: '', body: '', notes: 'salt' }] })
    expect(grown.search('notes:salt').total).toBe(1)
    await grown.close()
  })
})
