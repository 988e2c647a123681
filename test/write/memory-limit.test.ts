/** `maxMemory`: what an index holds is accounted for, and a write that would exceed it leaves no trace. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { Freshdex, type OpenOptions } from '../../src/index.js'
import { newPath } from '../storage/temporary-folder.js'

interface Page {
  url: string
  body: string
}

const KB = 1024

async function opened(path: string, options: Partial<OpenOptions<Page>> = {}): Promise<Freshdex<Page>> {
  const index = await Freshdex.open<Page>(path, { key: 'url', fields: { body: {} }, ...options })
  onTestFinished(() => index.close())
  return index
}

/** Pages of words that no other page has. */
const pages = (from: number, count: number, words = 40): Page[] =>
  Array.from({ length: count }, (_, at) => ({
    url: `/${from + at}`,
    body: Array.from({ length: words }, (_, word) => `w${from + at}x${word}`).join(' '),
  }))

describe('stats().memory', () => {
  it('is the sum of its parts, which grow with what they are for', async () => {
    const index = await opened(':memory:')
    const before = index.stats().memory
    await index.write({ put: pages(0, 2000) })
    index.workload.record('w1x1', { count: 3 })
    await index.refresh.next({ budget: 1 })
    const { total, limit, mapped, ...parts } = index.stats().memory
    expect(Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)).toBe(total)
    for (const part of ['terms', 'keys', 'documents', 'postings', 'workload', 'ledger'] as const)
      expect(parts[part], part).toBeGreaterThan(before[part])
    expect([limit, mapped, parts.writes]).toEqual([undefined, 0, 0])
    // 80,000 words of 6 bytes: an entry, a number, a place in the table and one in the order, each at least once.
    expect(parts.terms).toBeGreaterThan(80_000 * 20)
  })

  it('counts the batches of writes while they wait', async () => {
    const index = await opened(':memory:')
    const writes = [0, 1, 2].map((nth) => index.write({ put: pages(nth * 50, 50) }))
    expect(index.stats().memory.writes).toBeGreaterThan(3 * 50 * 40 * 4)
    await Promise.all(writes)
    expect(index.stats().memory.writes).toBe(0)
  })
})

for (const [kind, path] of [
  ['memory', () => ':memory:'],
  ['a folder', () => newPath()],
] as const) {
  describe(`maxMemory of an index in ${kind}`, () => {
    it('refuses the write that would exceed it, and everything else goes on', async () => {
      const index = await opened(path(), { maxMemory: 6000 * KB })
      let refused: unknown
      let written = 0
      for (; refused === undefined && written < 100_000; written += 500)
        await index.write({ put: pages(written, 500) }).catch((error) => (refused = error))
      const there = written - 500
      expect(refused).toMatchObject({ code: 'MEMORY', detail: { limit: 6000 * KB } })
      expect(there).toBeGreaterThan(500)
      const { total, writes } = index.stats().memory
      expect(total).toBeLessThan(6000 * KB)
      expect(writes).toBe(0)
      // Nothing of it is there, and reads go on.
      expect(index.stats().documents).toBe(there)
      expect(index.search(`w${there}x1`).total).toBe(0)
      expect(index.search('w1x1').total).toBe(1)
      expect(await index.check()).toMatchObject({ ok: true, documents: there })
      // Small ones still fit; removals always do.
      await index.write({ put: pages(0, 1, 41) })
      await index.write({ remove: pages(0, there).map(({ url }) => url) })
      expect(index.stats().documents).toBe(0)
    })

    it('refuses batches that wait together', async () => {
      const index = await opened(path(), { maxMemory: 3000 * KB })
      const results = await Promise.allSettled(
        Array.from({ length: 40 }, (_, nth) => index.write({ put: pages(nth * 400, 400, 60) })),
      )
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      expect(refused.length).toBeGreaterThan(10)
      for (const error of refused) expect(error).toMatchObject({ code: 'MEMORY' })
      expect(index.stats().documents).toBe((40 - refused.length) * 400)
      expect(index.stats().memory).toMatchObject({ writes: 0, limit: 3000 * KB })
    })
  })
}

describe('maxMemory', () => {
  it('may be smaller than what an index holds already: it opens, and reads go on', async () => {
    const folder = newPath()
    const first = await opened(folder)
    await first.write({ put: pages(0, 2000) })
    await first.close()
    const index = await opened(folder, { maxMemory: 1000 })
    expect(index.search('w7x3').hits.map(({ key }) => key)).toEqual(['/7'])
    await expect(index.write({ put: pages(0, 1) })).rejects.toMatchObject({ code: 'MEMORY' })
    await index.write({ remove: ['/7'] })
    expect(index.search('w7x3').total).toBe(0)
  })

  it('is a whole number of bytes', async () => {
    for (const maxMemory of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(opened(':memory:', { maxMemory })).rejects.toThrow(RangeError)
  })
})
