import { rmSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex, type RecentWrite } from 'freshdex'
import { afterAll, describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../support/temporary-root.js'

interface Page {
  readonly id: string
  readonly text: string
}

const OPTIONS = { key: 'id', fields: { text: {} } } as const
const folder = makeTemporaryFolder('writes')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function changed(index: Freshdex<Page>): Promise<void> {
  await index.write({
    put: [
      { id: '/a', text: 'helm helm chart' },
      { id: '/b', text: 'chart and helm, in many other words beside them' },
    ],
  })
  index.workload.record('helm', { count: 40 })
  await index.refresh.fit()
  await index.write({ put: [{ id: '/b', text: 'helm helm helm helm' }] }, { at: 1000 })
}

describe.each([
  ['in memory', ':memory:'],
  ['in a folder', path.join(folder, 'pages')],
])('the last writes of an index %s', (_, where) => {
  it('say what each did to the answers, and what measuring that took', async () => {
    const index = await Freshdex.open<Page>(where, OPTIONS)
    await changed(index)
    await index.write({ put: [{ id: '/a', text: 'helm helm chart' }], remove: ['/b', '/none'] })
    const [added, refreshed, removed] = index.refresh.writes() as [RecentWrite, RecentWrite, RecentWrite]
    expect(added).toMatchObject({ documents: 2, shifts: 0, pages: [{ key: '/a', outcome: 'new' }, { key: '/b' }] })
    expect(refreshed).toMatchObject({
      at: 1000,
      documents: 1,
      pages: [{ key: '/b', outcome: 'changed', moves: [{ query: 'helm', rankBefore: 2, rankAfter: 1 }] }],
    })
    expect(refreshed.shifts).toBeGreaterThan(0)
    expect(refreshed.overhead.measureUs).toBeGreaterThan(0)
    expect(refreshed.overhead.ratio).toBe(refreshed.overhead.measureUs / refreshed.overhead.indexUs)
    const [page] = refreshed.pages
    expect(page!.share).toBeGreaterThan(0)
    expect(page!.share).toBeLessThanOrEqual(1)
    expect(removed.documents).toBe(2)
    expect(removed.pages.map(({ key, outcome }) => [key, outcome]).sort()).toEqual([
      ['/a', 'same'],
      ['/b', 'removed'],
    ])
    await index.close()
  })

  it('are the last 256 of them, with 32 pages each', async () => {
    const index = await Freshdex.open<Page>(where === ':memory:' ? where : path.join(folder, 'many'), OPTIONS)
    const put = Array.from({ length: 100 }, (_, at) => ({ id: `/${at}`, text: 'word' }))
    for (let round = 0; round < 260; round++) await index.write({ put: round === 259 ? put : put.slice(0, 1) })
    const writes = index.refresh.writes()
    expect(writes).toHaveLength(256)
    expect(writes.map(({ id }) => id)).toEqual(Array.from({ length: 256 }, (_, at) => writes[0]!.id + at))
    expect([writes.at(-1)!.documents, writes.at(-1)!.pages.length]).toEqual([100, 32])
    await index.close()
  })

  it('have no trace of a write that was refused', async () => {
    const index = await Freshdex.open<Page>(where === ':memory:' ? where : path.join(folder, 'refused'), OPTIONS)
    await expect(index.write({ put: [{ id: '', text: 'x' }] })).rejects.toThrow()
    expect(index.refresh.writes()).toEqual([])
    await index.close()
  })
})

describe('watching', () => {
  it('follows another opening of the index, write by write, until the signal', async () => {
    const writer = await Freshdex.open<Page>(path.join(folder, 'followed'), OPTIONS)
    const reader = await Freshdex.open<Page>(path.join(folder, 'followed'), { readOnly: true, pollMs: 1 })
    const stop = new AbortController()
    const seen: string[][] = []
    const watching = (async () => {
      for await (const { pages } of reader.refresh.watch({ signal: stop.signal, after: 0 })) {
        seen.push(pages.map(({ key, outcome }) => `${outcome} ${key}`))
        if (seen.length === 3) stop.abort()
      }
    })()
    await changed(writer)
    await writer.write({ remove: ['/b'] })
    await watching
    expect(seen).toEqual([['new /a', 'new /b'], ['changed /b'], ['removed /b']])
    await reader.close()
    await writer.close()
  })

  it('ends with the index, and begins with the next write unless told', async () => {
    const index = await Freshdex.open<Page>(':memory:', OPTIONS)
    await index.write({ put: [{ id: '/old', text: 'x' }] })
    const watching = index.refresh.watch()
    const first = watching.next()
    await index.write({ put: [{ id: '/new', text: 'x' }] })
    expect((await first).value).toMatchObject({ pages: [{ key: '/new' }] })
    const second = watching.next()
    await index.close()
    expect(await second).toEqual({ done: true, value: undefined })
    expect(() => index.refresh.writes()).toThrow('closed')
  })

  it('passes over rows that no writer made', async () => {
    const dir = path.join(folder, 'damaged')
    const index = await Freshdex.open<Page>(dir, OPTIONS)
    await changed(index)
    await index.close()
    const db = new Database(path.join(dir, 'catalog.db'))
    db.exec(`UPDATE writes SET pages = '[["/a", "new", "much", []]]' WHERE id = 1`)
    db.close()
    const reader = await Freshdex.open<Page>(dir, { readOnly: true })
    expect(reader.refresh.writes().map(({ id }) => id)).toEqual([2])
    await reader.close()
  })
})
