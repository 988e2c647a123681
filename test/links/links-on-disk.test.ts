/** Links survive: closing, adding the field later, copying, damage, and the death of the process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { Freshdex, type OpenOptions, type PageLink, salvage } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { rounds } from '../support/rounds.js'
import { seededRandom, withSeed } from '../support/seed.js'

interface Page {
  readonly url: string
  readonly title?: string
  readonly anchors?: string
  readonly out?: readonly PageLink[]
}

const OPTIONS: OpenOptions<Page> = {
  key: 'url',
  fields: { title: {}, anchors: { from: 'out' } },
  scoring: { weight: { from: 'out' } },
}

const PAGES: readonly Page[] = Array.from({ length: 30 }, (_, nth) => ({
  url: `/${nth}`,
  title: `page ${nth}`,
  out: Array.from({ length: nth % 5 }, (_, at) => ({ to: `/${(nth * 3 + at) % 33}`, text: `word${(nth + at) % 7}` })),
}))

/** Which pages a word of links finds, with their scores: that and the check say everything. */
function answers(index: Freshdex<Page>): unknown {
  return Array.from({ length: 30 }, (_, nth) => [`word${nth}`, `w${nth}`])
    .flat()
    .map((word) =>
      index
        .search(word, { limit: 100, learn: false })
        .hits.map(({ key, score }) => [key, score])
        .sort(),
    )
}

async function expectSound(index: Freshdex<Page>): Promise<void> {
  expect(await index.check()).toMatchObject({ ok: true, faults: [] })
}

/** An index in memory that was given these pages at once. */
async function answersOf(pages: readonly Page[]): Promise<unknown> {
  await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
  await index.write({ put: pages })
  return answers(index)
}

describe('links in a folder', () => {
  it('are remembered with the index, and belong to what it is', async () => {
    const folder = newPath()
    const index = await Freshdex.open<Page>(folder, OPTIONS)
    await index.write({ put: PAGES.slice(0, 20) })
    await index.close()
    const again = await Freshdex.open<Page>(folder)
    await again.write({ put: PAGES.slice(20) })
    expect(answers(again)).toEqual(await answersOf(PAGES))
    await expectSound(again)
    await again.close()
    const mismatch = { code: 'MISMATCH' }
    const weight = { weight: { from: 'out' } } as const
    await expect(Freshdex.open<Page>(folder, { ...OPTIONS, scoring: 'bm25' })).rejects.toMatchObject(mismatch)
    await expect(
      Freshdex.open<Page>(folder, { ...OPTIONS, fields: { title: {}, anchors: {} }, scoring: weight }),
    ).rejects.toMatchObject(mismatch)
  })

  it('fill a field that is added later', async () => {
    const folder = newPath()
    const index = await Freshdex.open<Page>(folder, { key: 'url', fields: { title: {} } })
    await index.write({ put: PAGES })
    await index.close()
    const fields = { title: {}, anchors: { from: 'out' } } as const
    const grown = await Freshdex.open<Page>(folder, { key: 'url', fields })
    expect(await grown.reindexing).toMatchObject({ fields: ['anchors'], documents: 30 })
    await using fresh = await Freshdex.open<Page>(':memory:', { key: 'url', fields })
    await fresh.write({ put: PAGES })
    expect(answers(grown)).toEqual(answers(fresh))
    await expectSound(grown)
    await grown.close()
  })

  it('fill a field that is added to an index that counts them', async () => {
    const folder = newPath()
    const index = await Freshdex.open<Page>(folder, { ...OPTIONS, fields: { title: {} } })
    await index.write({ put: PAGES })
    await expectSound(index)
    await index.close()
    const grown = await Freshdex.open<Page>(folder, OPTIONS)
    await grown.reindexing
    expect(answers(grown)).toEqual(await answersOf(PAGES))
    await expectSound(grown)
    await grown.close()
  })

  it('are seen by readers, and copied by a backup', async () => {
    const [folder, copy] = [newPath(), newPath('copy')]
    const index = await Freshdex.open<Page>(folder, OPTIONS)
    await index.write({ put: PAGES })
    const reader = await Freshdex.open<Page>(folder, { readOnly: true })
    await index.backup(copy)
    await index.write({ remove: ['/9'] })
    await reader.catchUp()
    expect(answers(reader)).toEqual(answers(index))
    await reader.close()
    await index.close()
    const copied = await Freshdex.open<Page>(copy)
    await copied.write({ remove: ['/9'] })
    expect(answers(copied)).toEqual(await answersOf(PAGES.filter(({ url }) => url !== '/9')))
    await expectSound(copied)
    await copied.close()
  })

  it.each([
    ['everything', {}],
    ['nothing', { store: false }],
  ] as const)('come back in a salvage of an index that stores %s', async (_, store) => {
    const [folder, target] = [newPath(), newPath('saved')]
    const index = await Freshdex.open<Page>(folder, { ...OPTIONS, ...store })
    await index.write({ put: PAGES })
    const expected = answers(index)
    await index.close()
    const report = await salvage(folder, target)
    expect(report).toMatchObject({ documents: 30, lost: [], problems: [] })
    const saved = await Freshdex.open<Page>(target)
    expect(answers(saved)).toEqual(expected)
    await expectSound(saved)
    await saved.write({ remove: ['/9'] })
    expect(answers(saved)).toEqual(await answersOf(PAGES.filter(({ url }) => url !== '/9')))
    await saved.close()
  })

  it('that are lost are noticed, and made anew from the stored documents', async () => {
    const [folder, target] = [newPath(), newPath('saved')]
    const index = await Freshdex.open<Page>(folder, OPTIONS)
    await index.write({ put: PAGES })
    const expected = answers(index)
    await index.close()
    const db = new Database(path.join(folder, 'catalog.db'))
    db.exec("DELETE FROM links WHERE id % 5 = 0; UPDATE links SET texts = '7' WHERE id = 3")
    db.close()
    const damaged = await Freshdex.open<Page>(folder)
    const { faults } = await damaged.check().catch((error) => ({ faults: [{ invariant: error.code }] }))
    expect(faults.length).toBeGreaterThan(0)
    await damaged.close()
    await salvage(folder, target)
    const saved = await Freshdex.open<Page>(target)
    expect(answers(saved)).toEqual(expected)
    await expectSound(saved)
    await saved.close()
  })

  it('and their targets are one thing for a writer that is killed', { timeout: 120_000 }, async () => {
    await withSeed('links kill', async (seed) => {
      const random = seededRandom('links kill', seed)
      const folder = newPath()
      let written = 0
      for (let kill = 0; kill < rounds(6, 100); kill++) {
        written += await writeUntilKilled(folder, written, random.between(1, 30))
        const index = await Freshdex.open<Page>(folder)
        await expectSound(index)
        const pages = [...index.documents()]
        expect(answers(index)).toEqual(await answersOf(pages))
        await index.close()
      }
      expect(written).toBeGreaterThan(10)
    })
  })
})

const CHILD = fileURLToPath(new URL('links-child.mjs', import.meta.url))

/** Gives the number of batches that it has acknowledged. */
async function writeUntilKilled(folder: string, from: number, batches: number): Promise<number> {
  const child = spawn(process.execPath, [CHILD, folder, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = 0
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString().split('\n').length - 1
    if (said >= batches) child.kill('SIGKILL')
  })
  await once(child, 'exit')
  return said
}
