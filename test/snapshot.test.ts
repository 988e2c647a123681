import { expect, it } from 'vitest'
import { Freshdex } from '../src/freshdex.js'

interface Page {
  url: string
  body: string
}

async function openSmall(): Promise<Freshdex<Page>> {
  const index = await Freshdex.open<Page>(':memory:', { key: 'url', fields: { body: {} } })
  await index.write({ put: [{ url: '/a', body: 'alpha beta' }] })
  return index
}

it('several snapshots each keep their moment', async () => {
  const index = await openSmall()
  const snapshots = [index.snapshot()]
  for (let nth = 0; nth < 5; nth++) {
    await index.write({ put: [{ url: `/${nth}`, body: `alpha number${nth}` }], remove: nth === 2 ? ['/a'] : [] })
    snapshots.push(index.snapshot())
  }
  expect(snapshots.map((snapshot) => snapshot.search('alpha').total)).toEqual([1, 2, 3, 3, 4, 5])
  expect(snapshots.map((snapshot) => snapshot.has('/a'))).toEqual([true, true, true, false, false, false])
  expect(snapshots.map((snapshot) => snapshot.stats().documents)).toEqual([1, 2, 3, 3, 4, 5])
  await index.compact()
  expect(snapshots.map((snapshot) => snapshot.search('alpha').total)).toEqual([1, 2, 3, 3, 4, 5])
  for (const snapshot of snapshots) snapshot.close()
  await index.close()
})

it('a closed snapshot refuses, and the index goes on', async () => {
  const index = await openSmall()
  const snapshot = index.snapshot()
  snapshot.close()
  snapshot.close()
  const closed = expect.objectContaining({ code: 'CLOSED' })
  expect(() => snapshot.search('alpha')).toThrow(closed)
  expect(() => snapshot.get('/a')).toThrow(closed)
  expect(() => snapshot.has('/a')).toThrow(closed)
  expect(() => snapshot.stats()).toThrow(closed)
  expect(index.search('alpha').total).toBe(1)
  await index.close()
})

it('a snapshot ends with its scope', async () => {
  const index = await openSmall()
  let escaped: ReturnType<typeof index.snapshot>
  {
    using snapshot = index.snapshot()
    escaped = snapshot
    expect(snapshot.get('/a')).toEqual({ url: '/a', body: 'alpha beta' })
  }
  expect(() => escaped.stats()).toThrow(expect.objectContaining({ code: 'CLOSED' }))
  await index.close()
})

it('a snapshot checks its arguments as the index does', async () => {
  const index = await openSmall()
  const snapshot = index.snapshot()
  expect(() => snapshot.search(5 as never)).toThrow(TypeError)
  expect(() => snapshot.search('alpha', { limt: 1 } as never)).toThrow('"limt"')
  expect(() => snapshot.get(undefined as never)).toThrow(TypeError)
  expect(() => snapshot.has('')).toThrow(expect.objectContaining({ code: 'INVALID_KEY' }))
  snapshot.close()
  await index.close()
})
