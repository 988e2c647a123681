/** Fields with analyzers of their own, against indexes of one field each. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Analyzer, Freshdex, type Query } from 'freshdex'
import { afterAll, describe, expect, it } from 'vitest'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  id: number
  title: string
  body: string
  tags: string
}

const root = mkdtempSync(path.join(tmpdir(), 'freshdex-fields-'))

afterAll(() => rmSync(root, { recursive: true, force: true }))

const capitals: Analyzer = {
  name: 'capitals',
  version: '1',
  analyze: (text) => (text.match(/\p{L}+/gu) ?? []).map((word) => word.toUpperCase()),
  normalize: (word) => word.toUpperCase(),
}

const FIELDS = {
  title: { analyzer: 'standard' },
  body: { boost: 2 },
  tags: { analyzer: capitals, boost: 0.5 },
} as const
const OPTIONS = { key: 'id', fields: FIELDS, analyzer: 'english' } as const
const WORDS = [
  'policy',
  'policies',
  'Zürich',
  'zurich',
  'the',
  'of',
  'running',
  'runs',
  'run',
  'wi-fi',
  'x9',
  'ferries',
]

describe('fields with analyzers of their own', () => {
  it('answer as an index for each of them does', async () => {
    await withSeed('field analyzers', async (seed) => {
      const random = new SeededRandom(seed)
      const text = () => Array.from({ length: random.between(0, 6) }, () => random.pick(WORDS)).join(' ')
      const put = Array.from({ length: 120 }, (_, id): Page => ({ id, title: text(), body: text(), tags: text() }))
      const index = await Freshdex.open<Page>(':memory:', OPTIONS)
      await index.write({ put })
      const alone = {
        title: await Freshdex.open<Page>(':memory:', { key: 'id', fields: { title: {} } }),
        body: await Freshdex.open<Page>(':memory:', { key: 'id', fields: { body: { boost: 2 } }, analyzer: 'english' }),
        tags: await Freshdex.open<Page>(':memory:', {
          key: 'id',
          fields: { tags: { boost: 0.5 } },
          analyzer: capitals,
        }),
      }
      for (const one of Object.values(alone)) await one.write({ put })
      const all = { limit: 1000, countUpTo: Number.POSITIVE_INFINITY, learn: false } as const
      const scoresOf = (query: Query, name: keyof typeof alone) =>
        new Map(alone[name].search(query, all).hits.map(({ key, score }) => [key, score]))
      for (let round = 0; round < rounds(300, 3000); round++) {
        const query = leafOf(random)
        const parts = (['title', 'body', 'tags'] as const).map((name) => scoresOf(query, name))
        const isStopWord = !('prefix' in query) && /^(the|of)( (the|of))*$/.test(Object.values(query)[0] as string)
        const expected = new Map<unknown, number>()
        if (!isStopWord)
          for (const scores of parts)
            for (const [key, score] of scores) expected.set(key, (expected.get(key) ?? 0) + score)
        const { hits } = index.search(query, all)
        expect(hits.map(({ key }) => key).sort(), JSON.stringify(query)).toEqual([...expected.keys()].sort())
        for (const { key, score } of hits) expect(score).toBeCloseTo(expected.get(key) as number, 9)
        const name = random.pick(['title', 'body', 'tags'] as const)
        const inOne = index.search({ ...query, field: name }, all).hits
        expect(inOne.map(({ key }) => key).sort()).toEqual([...scoresOf(query, name).keys()].sort())
        expect(index.search(query, { ...all, fields: [name] }).total).toBe(inOne.length)
      }
      expect((await index.check()).ok).toBe(true)
      for (const one of [index, ...Object.values(alone)]) await one.close()
    })
  })

  function leafOf(random: SeededRandom) {
    const word = random.pick(WORDS)
    const way = random.next()
    if (way < 0.4) return { word }
    if (way < 0.6) return { phrase: `${word} ${random.pick(WORDS)}` }
    if (way < 0.8) return { prefix: word.slice(0, random.between(1, 4)) }
    return { fuzzy: `${word.slice(0, 3)}${word.slice(4)}a`.slice(0, 9), edits: random.chance(0.5) ? 1 : 2 } as const
  }

  it('leave stop words of one of them out of the query', async () => {
    const index = await Freshdex.open<Page>(':memory:', OPTIONS)
    await index.write({ put: [{ id: 1, title: 'The policies', body: 'of the ferry', tags: 'x' }] })
    expect(index.search('the policy').total).toBe(0)
    expect(index.search('the policies').total).toBe(1)
    expect(index.search('the ferries').total).toBe(1)
    expect(index.search('title:the').total).toBe(1)
    expect(index.search('the').total).toBe(0)
    expect(index.search('body:the').total).toBe(0)
    expect(index.search('polic*', { snippet: true }).hits[0]?.snippet?.html).toBe('The <mark>policies</mark>')
    expect(index.search('ferries', { snippet: true }).hits[0]?.snippet?.html).toBe('of the <mark>ferry</mark>')
    expect(index.suggest('fer', { kinds: ['word'] }).map(({ text }) => text)).toEqual(['ferry'])
    await index.close()
  })

  it('are kept with the index', async () => {
    const folder = path.join(root, 'kept.idx')
    const fields = { title: { analyzer: 'standard' }, body: {} } as const
    const put = [{ id: 1, title: 'The policies', body: 'policies', tags: '' }]
    const first = await Freshdex.open<Page>(folder, { key: 'id', fields, analyzer: 'english' })
    await first.write({ put })
    expect(first.stats().fieldAnalyzers).toEqual({ title: { name: 'standard', version: '1', foldAccents: true } })
    await first.close()
    // Said again, left out for the field, left out altogether, and read by another process.
    for (const options of [
      { key: 'id', fields, analyzer: 'english' },
      { key: 'id', fields: { title: {}, body: {} } },
      {},
      { readOnly: true },
    ] as const) {
      const again = await Freshdex.open<Page>(folder, options as object)
      expect(again.search('title:policy').total).toBe(0)
      expect(again.search('body:policy').total).toBe(1)
      expect(again.search('title:the').total).toBe(1)
      await again.close()
    }
    for (const wrong of [
      { title: { analyzer: 'english' }, body: {} },
      { title: {}, body: { analyzer: 'standard' } },
    ] as const)
      await expect(Freshdex.open<Page>(folder, { key: 'id', fields: wrong })).rejects.toMatchObject({
        code: 'MISMATCH',
      })
    const grown = await Freshdex.open<Page>(folder, {
      key: 'id',
      fields: { ...fields, tags: { analyzer: 'standard' } },
    })
    await grown.reindexing
    await grown.write({ put: [{ id: 2, title: '', body: '', tags: 'ferries' }] })
    expect(grown.search('tags:ferries').total).toBe(1)
    expect(grown.search('tags:ferry').total).toBe(0)
    expect((await grown.check()).ok).toBe(true)
    await grown.close()
    const last = await Freshdex.open<Page>(folder)
    expect(Object.keys(last.stats().fieldAnalyzers ?? {})).toEqual(['title', 'tags'])
    await last.close()
  })

  it('are checked', async () => {
    const open = (title: unknown) => Freshdex.open(':memory:', { key: 'id', fields: { title } } as never)
    await expect(open({ analyzer: 'klingon' })).rejects.toThrow('fields.title.analyzer must be')
    await expect(open({ analyzer: {} })).rejects.toThrow('fields.title.analyzer.name')
    await expect(open({ analyser: 'english' })).rejects.toThrow('analyser')
  })
})

describe('analyze', () => {
  it('gives tokens, positions and places of a field', async () => {
    const index = await Freshdex.open<Page>(':memory:', OPTIONS)
    expect(index.analyze('The 😀 policies')).toEqual([
      { token: 'the', position: 0, start: 0, end: 3 },
      { token: 'policies', position: 1, start: 7, end: 15 },
    ])
    expect(index.analyze('The 😀 policies', 'body')).toEqual([{ token: 'polici', position: 1, start: 7, end: 15 }])
    expect(index.analyze('日本語', 'body')).toEqual([
      { token: '日本', position: 0, start: 0, end: 2 },
      { token: '本語', position: 1, start: 1, end: 3 },
    ])
    expect(index.analyze('a b', 'tags')).toEqual([
      { token: 'A', position: 0 },
      { token: 'B', position: 1 },
    ])
    expect(index.analyze('')).toEqual([])
    const snapshot = index.snapshot()
    expect(snapshot.analyze('runs', 'body')[0]?.token).toBe('run')
    snapshot.close()
    expect(() => index.analyze(5 as never)).toThrow('analyze needs a text, received 5')
    expect(() => index.analyze('a', 'name' as never)).toThrow('analyze needs a field of the index')
    await index.close()
  })
})
