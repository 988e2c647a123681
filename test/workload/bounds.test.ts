/** What is learnt from searches is bounded, in each query and in all. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Freshdex } from 'freshdex'
import { expect, it } from 'vitest'
import { QueryLog } from '../../src/workload/query-log.js'

const MB = 1024 * 1024
const OPTIONS = { key: 'id', fields: { body: {} } } as const

async function open() {
  const index = await Freshdex.open<{ id: number; body: string }>(':memory:', OPTIONS)
  await index.write({ put: [{ id: 1, body: 'ferry' }] })
  return index
}

/** 60 kB of text; of long words they are few enough to be asked, of short ones the query is refused. */
const LONG = {
  'words of 60 letters': (nth: number) =>
    Array.from({ length: 980 }, (_, at) => `${nth}x${at}`.padEnd(60, 'y')).join(' '),
  'short words': (nth: number) => `ferry${nth} ${'word '.repeat(12_000)}`,
}

it.each(Object.entries(LONG).flatMap(([name, text]) => [undefined, 'own'].map((session) => ({ name, text, session }))))(
  'long queries leave nothing behind: $name, session: $session',
  async ({ name, text, session }) => {
    const index = await open()
    const given = (nth: number) => (session === undefined ? {} : { session: `${session} ${nth} ${'x'.repeat(60_000)}` })
    let asked = 0
    const askBoth = (nth: number) => {
      try {
        index.search(text(nth), given(nth))
        asked++
      } catch (error) {
        expect(error).toMatchObject({ code: 'QUERY_TOO_COMPLEX' })
      }
      index.search(`fer${nth}`, given(nth))
    }
    for (let nth = 0; nth < 20; nth++) askBoth(nth)
    const before = heldBytes()
    for (let nth = 20; nth < 2020; nth++) askBoth(nth)
    expect(asked).toBe(name === 'short words' ? 0 : 2020)
    expect(heldBytes() - before).toBeLessThan(64 * MB)
    expect(index.stats().workload.memoryBytes).toBeLessThan(64 * MB)
    expect(index.workload.queries({ limit: 100_000 }).every(({ query }) => query.length <= 1024)).toBe(true)
    await index.close()
  },
)

/** What JavaScript holds when all is collected that can be. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

it('a long query is not recorded, and says so', async () => {
  const index = await open()
  expect(index.workload.record(`ferry ${'x'.repeat(2000)}`)).toBe(false)
  expect(index.workload.record('ferry')).toBe(true)
  expect(await index.workload.load(['ferry', `ferry ${'x'.repeat(2000)}`])).toMatchObject({ recorded: 1, skipped: 1 })
  await index.close()
})

it('all names together have a bound, and the lightest go', () => {
  const log = new QueryLog({ maxQueries: 1_000_000 })
  for (let nth = 0; nth < 20_000; nth++) log.record(`${'x'.repeat(1000)} ${nth}`, 1 + nth, nth)
  // Without the bound on all names, the names alone would take 40 MB.
  expect(log.memoryBytes).toBeLessThan(38 * MB)
  expect(log.size).toBeLessThan(20_000)
  expect(log.size).toBeGreaterThan(10_000)
  const names = new Set(log.weights(20_000).map(({ name }) => name))
  expect(names.has(`${'x'.repeat(1000)} 19999`)).toBe(true)
  expect(log.dropped.dropped).toBe(20_000 - log.size)
})

it('a load that fails leaves nothing of it', async () => {
  const index = await open()
  index.workload.record('before')
  const bad: readonly (readonly unknown[])[] = [
    ['a', 0],
    ['a', ['b', 0]],
    ['a', ['b', -1]],
    ['a', ['b', 1e40]],
    ['a', 5],
    ['a', null],
    ['a', undefined],
    ['a', [0]],
    ['a', {}],
    ['a', Symbol('b')],
  ]
  for (const queries of bad) {
    const loaded = index.workload.load(queries as string[])
    await expect(loaded).rejects.toSatisfy((error) => error instanceof TypeError || error instanceof RangeError)
    await expect(loaded).rejects.toThrow(/^(?:queries\[\d+\]|count|query) must/)
  }
  async function* breaking() {
    yield 'a'
    throw new Error('the source broke')
  }
  await expect(index.workload.load(breaking())).rejects.toThrow('the source broke')
  expect(index.workload.queries().map(({ query }) => query)).toEqual(['before'])
  await index.close()
})

it.each([{ and: {} }, { or: 5 }, { word: 5 }, { phrase: null }, { and: [null] }, { and: [5] }])(
  'a query that is none is refused in words: %o',
  async (query) => {
    const index = await open()
    const raw = /^(?:Cannot |.* is not iterable)/
    for (const act of [() => index.workload.record(query), () => index.workload.forget(query)]) {
      const error = await (async () => act())().catch((error) => error)
      expect(error).toBeInstanceOf(TypeError)
      expect(error.message).not.toMatch(raw)
    }
    await index.close()
  },
)
