/** Loading streams of documents, patching what is stored, and going through keys. */
import { Readable } from 'node:stream'
import { Freshdex, type LoadProgress } from 'freshdex'
import { afterEach, describe, expect, it } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  id: number
  body: string
  note?: unknown
}

const OPTIONS = { key: 'id', fields: { body: {} } } as const
const opened: Freshdex<Page>[] = []

afterEach(async () => {
  for (const index of opened.splice(0)) await index.close()
})

async function inMemory(options: object = {}): Promise<Freshdex<Page>> {
  const index = await Freshdex.open<Page>(':memory:', { ...OPTIONS, ...options })
  opened.push(index)
  return index
}

function pages(count: number, from = 0): Page[] {
  return Array.from({ length: count }, (_, at) => ({ id: from + at, body: `salt ${from + at}` }))
}

async function* oneByOne<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield item
}

describe('load', () => {
  it('takes lists, generators, async generators and streams', async () => {
    const index = await inMemory()
    const sources = [
      pages(3),
      new Set(pages(3, 3)).values(),
      oneByOne(pages(3, 6)),
      Readable.from(pages(3, 9)),
      new ReadableStream<Page>({
        start(controller) {
          for (const page of pages(3, 12)) controller.enqueue(page)
          controller.close()
        },
      }),
    ]
    for (const source of sources)
      expect(await index.load(source, { batch: 2 })).toMatchObject({ documents: 3, added: 3 })
    expect([...index.keys()].sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 15 }, (_, id) => id))
    expect(await index.load([])).toMatchObject({ documents: 0, batches: 0, tokens: { total: 0, tokenized: 0 } })
  })

  it('reports what it did, and its progress after each batch', async () => {
    const index = await inMemory()
    await index.write({
      put: [
        { id: 0, body: 'salt 0' },
        { id: 1, body: 'other' },
      ],
    })
    const progress: LoadProgress[] = []
    const report = await index.load(pages(5), { batch: 2, onProgress: (at) => progress.push(at) })
    expect(report).toEqual({
      documents: 5,
      batches: 3,
      added: 3,
      replaced: 1,
      unchanged: 1,
      tokens: { total: 10, tokenized: 8 },
    })
    expect(progress.map(({ documents, batches }) => [documents, batches])).toEqual([
      [2, 1],
      [4, 2],
      [5, 3],
    ])
  })

  it('reads no more than two batches ahead of what is written', async () => {
    const index = await inMemory()
    let written = 0
    let read = 0
    let most = 0
    function* counted() {
      for (const page of pages(100)) {
        most = Math.max(most, ++read - written)
        yield page
      }
    }
    await index.load(counted(), { batch: 7, onProgress: ({ documents }) => (written = documents) })
    expect(most).toBeLessThanOrEqual(15)
    expect(read).toBe(100)
  })

  it('keeps the later document of a key', async () => {
    const index = await inMemory()
    const given = [...pages(3), { id: 1, body: 'pepper' }, { id: 1, body: 'fish' }]
    expect(await index.load(given)).toMatchObject({ documents: 5, batches: 3, added: 3, replaced: 2 })
    expect(index.get(1)?.body).toBe('fish')
  })

  it('ends with the failure of the source, a document or the signal, and keeps the batches before', async () => {
    const index = await inMemory()
    async function* broken() {
      yield* pages(5)
      throw new Error('the source is dry')
    }
    await expect(index.load(broken(), { batch: 2 })).rejects.toThrow('the source is dry')
    expect(index.has(1)).toBe(true)
    await expect(index.load([{ id: 20, body: 'a' }, 'text'] as never, { batch: 1 })).rejects.toThrow(
      /^document 2: a document must be an object/,
    )
    await expect(index.load([{ id: 21, body: 5 }] as never)).rejects.toThrow(TypeError)
    expect(index.has(21)).toBe(false)

    let isReturned = false
    function* endless() {
      try {
        for (let id = 100; ; id++) yield { id, body: 'salt' }
      } finally {
        isReturned = true
      }
    }
    const ending = new AbortController()
    const onProgress = ({ batches }: LoadProgress) => batches === 3 && ending.abort(new Error('enough'))
    await expect(index.load(endless(), { batch: 10, signal: ending.signal, onProgress })).rejects.toThrow('enough')
    expect(isReturned).toBe(true)
    expect(index.has(129)).toBe(true)
    const thrower = () => {
      throw new Error('no room for a bar')
    }
    await expect(index.load(pages(3, 500), { onProgress: thrower })).rejects.toThrow('no room for a bar')
    expect((await index.check()).ok).toBe(true)
  })

  it('has strict arguments, and knows a closed index', async () => {
    const index = await inMemory()
    for (const source of [undefined, null, 5, 'text', { put: [] }])
      await expect(index.load(source as never)).rejects.toThrow(TypeError)
    for (const options of [{ batches: 1 }, { batch: '1' }, { signal: {} }, { onProgress: 1 }])
      await expect(index.load([], options as never)).rejects.toThrow(TypeError)
    for (const options of [{ batch: 0 }, { batch: 1.5 }, { batch: 100_001 }])
      await expect(index.load([], options)).rejects.toThrow(RangeError)
    await expect(index.load([], { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before')
    await index.close()
    await expect(index.load([])).rejects.toMatchObject({ code: 'CLOSED' })
  })
})

describe('patch', () => {
  it('changes what is stored, and nothing else, in a folder too', async () => {
    await withSeed('patch', async (seed) => {
      const random = new SeededRandom(seed)
      const folder = newPath()
      let index = await Freshdex.open<Page>(folder, OPTIONS)
      const twin = new Map(pages(40).map((page) => [page.id, page as Page & Record<string, unknown>]))
      await index.load(twin.values())
      for (let round = 0; round < 30; round++) {
        const chosen = random.shuffle(twin.keys()).slice(0, random.between(0, 8))
        const patches = chosen.map((id) => {
          const values: Record<string, unknown> = {}
          for (const name of ['note', 'seen', 'tags']) {
            if (random.chance(0.5)) continue
            values[name] = random.pick([undefined, null, 5, 'x', new Date(round), { deep: [1, 2] }, round])
          }
          return [id, values] as const
        })
        const before = patches.map(([id]) => JSON.stringify(twin.get(id)))
        for (const [id, values] of patches) {
          const next: Page & Record<string, unknown> = { ...(twin.get(id) as Page), ...values }
          for (const [name, value] of Object.entries(values)) if (value === undefined) delete next[name]
          twin.set(id, next)
        }
        const report = await index.patch(patches as never)
        const changed = patches.filter(([id], at) => JSON.stringify(twin.get(id)) !== before[at]).length
        expect(report.patched).toBeGreaterThanOrEqual(changed)
        expect(report.patched + report.unchanged).toBe(patches.length)
        if (random.chance(0.2)) {
          await index.close()
          index = await Freshdex.open<Page>(folder)
        }
        for (const [id, page] of twin) expect(index.get(id)).toEqual(page)
        expect(index.search('salt').total).toBe(40)
      }
      expect(index.refresh.explain(3)?.history.length).toBe(0)
      expect(await index.check()).toMatchObject({ ok: true })
      await index.close()
    })
  })

  it('is read within the call, and is one step', async () => {
    const index = await inMemory()
    await index.write({ put: pages(2) })
    const values = { note: { deep: 1 } }
    const patching = index.patch([[0, values]])
    values.note.deep = 2
    expect(await patching).toEqual({ patched: 1, unchanged: 0 })
    expect(index.get(0)?.note).toEqual({ deep: 1 })
    expect(await index.patch([[0, { note: { deep: 1 } }]])).toEqual({ patched: 0, unchanged: 1 })
    const absent = index.patch([
      [0, { note: 'new' }],
      [9, { note: 'new' }],
    ])
    await expect(absent).rejects.toThrow('there is no document with the key 9')
    expect(index.get(0)?.note).toEqual({ deep: 1 })
  })

  it('keeps and changes weights', async () => {
    interface Weighed extends Page {
      links: number
    }
    const index = await Freshdex.open<Weighed>(':memory:', { ...OPTIONS, scoring: { weight: 'links' } })
    await index.write({ put: [{ id: 1, body: 'salt', links: 3 }] })
    const score = index.search('salt').hits[0]?.score as number
    await index.patch([[1, { note: 'x' }]])
    expect(index.search('salt').hits[0]?.score).toBe(score)
    await index.patch([[1, { links: 5 }]])
    expect(index.search('salt').hits[0]?.score).toBe(score + 2)
    await expect(index.patch([[1, { links: -1 }]])).rejects.toThrow(RangeError)
    await index.close()
  })

  it('refuses what it cannot do', async () => {
    const index = await inMemory({ store: ['note'] })
    await index.write({ put: pages(1) })
    const patching = (patches: unknown) => index.patch(patches as never)
    for (const patches of [undefined, 5, [5], [[0]], [[0, 5]], [[0, { id: 2 }]], [[0, { body: 'x' }]], [[{}, {}]]])
      await expect(patching(patches)).rejects.toThrow(TypeError)
    await expect(patching([[0, { note: () => 1 }]])).rejects.toThrow(TypeError)
    await expect(patching([[0, { other: 1 }]])).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    await expect(
      patching([
        [0, {}],
        [0, {}],
      ]),
    ).rejects.toMatchObject({ code: 'DUPLICATE_KEY' })
    const keys = await inMemory({ store: false })
    await expect(keys.patch([[0, { note: 1 }]])).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    expect(await patching([])).toEqual({ patched: 0, unchanged: 0 })
  })
})

describe('keys', () => {
  it('are those of one moment', async () => {
    const index = await inMemory()
    await index.write({ put: pages(700) })
    const iterator = index.keys()
    expect(iterator.next().value).toBe(0)
    await index.write({ put: pages(5, 700), remove: [3] })
    const rest = [...iterator]
    expect(rest).toContain(3)
    expect(rest.length).toBe(699)
    expect([...index.keys()].length).toBe(704)
    const snapshot = index.snapshot()
    expect([...snapshot.keys()].length).toBe(704)
    snapshot.close()
    expect(() => snapshot.keys()).toThrow('closed')
  })
})
