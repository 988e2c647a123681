/** `mapped: false`: segments are read, and a file that is cut off while it is open gives an error. */
import { readdirSync, statSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Freshdex, type OpenOptions } from '../../src/index.js'
import { newPath } from './temporary-folder.js'

interface Page {
  url: string
  body: string
}

const pages = (count: number): Page[] =>
  Array.from({ length: count }, (_, at) => ({
    url: `/${at}`,
    body: Array.from({ length: 60 }, (_, word) => `w${(at * 7 + word * 13) % 4000} v${at % 50}`).join(' '),
  }))

const OPTIONS = { key: 'url', fields: { body: {} }, workload: false } as const

async function opened(folder: string, options: Partial<OpenOptions<Page>> = {}): Promise<Freshdex<Page>> {
  const index = await Freshdex.open<Page>(folder, { ...OPTIONS, ...options })
  onTestFinished(() => index.close())
  return index
}

async function filled(): Promise<string> {
  const folder = newPath()
  const index = await opened(folder)
  await index.write({ put: pages(3000) })
  await index.compact()
  await index.close()
  return folder
}

describe('mapped: false', () => {
  it('answers as mapped segments do, and holds what they take', async () => {
    const folder = await filled()
    const mapped = await opened(folder)
    const queries = ['w1', 'w1 w14', 'w2 OR v3', '"w7 v1"', 'w3*', 'v4 -w8']
    const answersOf = (index: Freshdex<Page>) => queries.map((query) => index.search(query, { countUpTo: 1e6 }))
    const expected = structuredClone(
      answersOf(mapped).map(({ hits, total }) => [hits.map((hit) => ({ ...hit })), total]),
    )
    const { memory } = mapped.stats()
    expect(memory.mapped).toBeGreaterThan(0)
    await mapped.close()
    const read = await opened(folder, { mapped: false })
    expect(answersOf(read).map(({ hits, total }) => [hits.map((hit) => ({ ...hit })), total])).toEqual(expected)
    expect(read.stats().memory.mapped).toBe(0)
    expect(read.stats().memory.postings).toBeGreaterThan(memory.postings)
    // Writes, folds and a compaction read what they build on.
    await read.write({ put: pages(200).map((page) => ({ ...page, body: `${page.body} extra` })), remove: ['/900'] })
    await read.compact()
    expect(await read.check()).toMatchObject({ ok: true, documents: 2999 })
    expect(read.search('extra').total).toBe(200)
  })

  it('gives an error for what is cut off while it is open', async () => {
    const folder = await filled()
    const index = await opened(folder, { mapped: false })
    const segments = path.join(folder, 'segments')
    for (const name of readdirSync(segments)) {
      const file = path.join(segments, name)
      truncateSync(file, Math.min(statSync(file).size, 64))
    }
    const searches = Array.from({ length: 4000 }, (_, word) => `w${word} v${word % 50}`)
    const codes = new Set<string>()
    for (const query of searches) {
      try {
        index.search(query)
      } catch (error) {
        codes.add((error as { code: string }).code)
      }
    }
    expect([...codes]).toEqual(['CORRUPT'])
    const report = await index.check().catch((error) => error)
    expect(report.ok ?? false).toBe(false)
    await expect(Freshdex.open(folder, { mapped: false })).rejects.toMatchObject({ code: /LOCKED|CORRUPT/ })
  })

  it('reads for a reader, too, and is only for a folder', async () => {
    const folder = await filled()
    const reader = await Freshdex.open<Page>(folder, { readOnly: true, mapped: false })
    onTestFinished(() => reader.close())
    expect(reader.search('w1').total).toBeGreaterThan(0)
    expect(reader.stats().memory.mapped).toBe(0)
    await expect(opened(':memory:', { mapped: false })).rejects.toThrow(TypeError)
  })
})
