/** Searches on another thread: the same results, of the moment of the call, and ended by a signal. */
import { existsSync } from 'node:fs'
import { Freshdex, type Query } from 'freshdex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  id: number
  title: string
  body: string
}

const WORDS = ['salt', 'water', 'fish', 'ferry', 'harbour', 'market', 'salted', 'waters', 'ferries']
let index: Freshdex<Page>

beforeAll(async () => {
  index = await Freshdex.open<Page>(newPath(), { key: 'id', fields: { title: {}, body: {} } })
  const random = new SeededRandom(5)
  const text = (length: number) => Array.from({ length }, () => random.pick(WORDS)).join(' ')
  await index.load(Array.from({ length: 3000 }, (_, id) => ({ id, title: text(2), body: text(random.between(1, 30)) })))
})

afterAll(async () => {
  await index.close()
})

describe('searchAsync', () => {
  it('gives what search gives', async () => {
    await withSeed('search async', async (seed) => {
      const random = new SeededRandom(seed)
      const word = () => random.pick(WORDS)
      const asked: Promise<void>[] = []
      for (let round = 0; round < 200; round++) {
        const query: Query = random.pick([
          word(),
          `${word()} ${word()}`,
          `"${word()} ${word()}"`,
          `${word()} OR ${word()} -${word()}`,
          `${word().slice(0, 3)}*`,
          `title:${word()}`,
          { or: [{ fuzzy: word() }, word()] },
        ])
        const options = {
          limit: random.between(0, 20),
          offset: random.between(0, 5),
          countUpTo: random.pick([10, 1000, Number.POSITIVE_INFINITY]),
          docs: random.chance(0.3),
          explain: random.chance(0.3),
          snippet: random.chance(0.3),
          sort: random.chance(0.1) ? ('priority' as const) : ('score' as const),
          at: 1e12,
          learn: false,
        }
        const expected = { ...index.search(query, options) }
        const compare = async () => expect({ ...(await index.searchAsync(query, options)) }).toEqual(expected)
        asked.push(compare())
        if (asked.length === 20) await Promise.all(asked.splice(0))
      }
      await Promise.all(asked)
    })
  })

  it('sees the moment of the call, and its documents', async () => {
    const memory = await Freshdex.open<Page>(':memory:', { key: 'id', fields: { title: {}, body: {} } })
    for (const place of [memory, index]) {
      await place.write({ put: [{ id: 9999, title: 'unheard', body: 'pepper' }] })
      const searching = place.searchAsync('unheard', { docs: true })
      await place.write({ remove: [9999] })
      expect((await searching).hits[0]?.doc?.body).toBe('pepper')
      expect((await place.searchAsync('unheard')).total).toBe(0)
      const snapshot = place.snapshot()
      expect((await snapshot.searchAsync('salt')).total).toBe(snapshot.search('salt').total)
      snapshot.close()
      await expect(snapshot.searchAsync('salt')).rejects.toMatchObject({ code: 'CLOSED' })
    }
    await memory.close()
  })

  it('is learnt as a search is', async () => {
    const weight = () =>
      index.workload.queries({ limit: 100 }).find(({ query }) => query === 'harbour market')?.weight ?? 0
    await index.searchAsync('harbour market', { learn: false })
    expect(weight()).toBe(0)
    await index.searchAsync('harbour market')
    expect(weight()).toBeGreaterThan(0)
  })

  it('ends with its signal, and refuses what search refuses', async () => {
    const given = AbortSignal.abort(new Error('not now'))
    await expect(index.searchAsync('salt', { signal: given })).rejects.toThrow('not now')
    const ending = new AbortController()
    const searching = index.searchAsync({ not: 'salt' }, { signal: ending.signal, countUpTo: Number.POSITIVE_INFINITY })
    ending.abort(new Error('too late'))
    await expect(searching).rejects.toThrow('too late')
    await expect(index.searchAsync('salt', { signal: 5 } as never)).rejects.toThrow(TypeError)
    await expect(index.searchAsync('salt', { limits: 5 } as never)).rejects.toThrow('limits')
    await expect(index.searchAsync({ word: 5 } as never)).rejects.toThrow(TypeError)
    expect(() => index.search('salt', { signal: ending.signal } as never)).toThrow('signal')
  })

  it('is refused when the index is closed meanwhile, and holds nothing up', async () => {
    const memory = await Freshdex.open<Page>(':memory:', { key: 'id', fields: { title: {}, body: {} } })
    await memory.write({ put: [{ id: 1, title: 'salt', body: '' }] })
    const searching = memory.searchAsync('salt')
    const refused = expect(searching).rejects.toMatchObject({ code: 'CLOSED' })
    await memory.close()
    await refused
    await expect(memory.searchAsync('salt')).rejects.toMatchObject({ code: 'CLOSED' })
  })
})

describe('a signal', () => {
  const copy = newPath('copy')

  it('ends check, compact, backup and plan with its reason, and leaves the index as it is', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(index.check({ signal })).rejects.toThrow('enough')
    await expect(index.compact({ signal })).rejects.toThrow('enough')
    await expect(index.backup(copy, { signal })).rejects.toThrow('enough')
    await expect(index.plan({ budget: 3, signal })).rejects.toThrow('enough')
    for (const work of [
      (given: AbortSignal) => index.check({ signal: given }),
      (given: AbortSignal) => index.compact({ signal: given }),
      (given: AbortSignal) => index.backup(copy, { signal: given }),
      (given: AbortSignal) => index.plan({ budget: 3, signal: given }),
    ]) {
      const ending = new AbortController()
      const working = work(ending.signal)
      ending.abort(new Error('in the middle'))
      await expect(working).rejects.toThrow('in the middle')
      await expect(work({} as AbortSignal)).rejects.toThrow(TypeError)
    }
    expect(existsSync(copy)).toBe(false)
    expect(await index.check({ signal: new AbortController().signal })).toMatchObject({ ok: true })
    await index.compact({})
    expect((await index.backup(copy)).files).toBeGreaterThan(1)
  })

  it('orders more matches by priority than fit into a small result, as search does', async () => {
    await using many = await Freshdex.open<{ id: string; body: string }>(':memory:', {
      ...{ key: 'id', fields: { body: {} } },
      now: () => Date.UTC(2026, 10, 20),
    })
    const put = Array.from({ length: 20_000 }, (_, nth) => ({
      id: `a key of some length/${nth}`,
      body: `all w${nth % 97}`,
    }))
    await many.write({ put }, { at: Date.UTC(2026, 10, 1) })
    many.workload.record('w3', { count: 50 })
    await many.refresh.fit()
    await many.write({ put: put.slice(0, 300).map((page) => ({ ...page, body: `${page.body} w3 new` })) })
    for (const options of [{ limit: 50, offset: 7 }, { limit: 10_000 }]) {
      const asked = { ...options, sort: 'priority', learn: false } as const
      const expected = many.search('all', asked)
      let turns = 0
      const tick = setInterval(() => turns++, 1)
      const found = await many.searchAsync('all', asked)
      clearInterval(tick)
      expect(turns).toBeGreaterThan(0)
      expect(found.hits.map(({ key }) => key)).toEqual(expected.hits.map(({ key }) => key))
      expect(found.hits.map(({ score }) => score)).toEqual(expected.hits.map(({ score }) => score))
    }
  })
})
