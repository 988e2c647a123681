/**
 * Searches as somebody types against the naive twin: the two queries that a text stands for are written down here from
 * docs/search-model.md, and the twin answers each.
 */
import { Freshdex, FreshdexError } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { nearlyEqual } from '../model/comparison.js'
import { CONFIGURATIONS, type Configuration } from '../model/configurations.js'
import { type NaiveDocument, NaiveIndex } from '../model/naive-index.js'
import { expectedHits, typed } from '../model/typed-queries.js'
import { inventText, inventWord } from '../support/corpus.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const NAMES = ['one field, bm25', 'an analyzer of the user, two fields', 'english, whose words have plurals']
const WITH_STOP_WORDS = 'english, whose stop words leave holes'

describe.each([...NAMES, WITH_STOP_WORDS])('a search as somebody types: %s', (name) => {
  it('agrees with the twin', async () => {
    await withSeed(`as you type: ${name}`, async (seed) => {
      const random = new SeededRandom(seed)
      const configuration = CONFIGURATIONS.map((make) => make(random)).find(
        (made) => made.name === name,
      ) as Configuration
      const index = await Freshdex.open<NaiveDocument>(':memory:', configuration.options)
      const twin = new NaiveIndex(configuration.twin)
      const put = Array.from({ length: 150 }, (_, id) => documentOf(random, configuration, id))
      await index.write({ put })
      for (const document of put) twin.put(document)
      for (let round = 0; round < rounds(400, 4000); round++) {
        const words = Array.from({ length: random.between(1, 3) }, () =>
          typed(random, inventWord(random, configuration.shape)),
        )
        const isDone = random.chance(0.2)
        const operator = random.chance(0.7) ? 'and' : 'or'
        const text = words.join(' ') + (isDone ? ' ' : '')
        const expected = expectedHits(twin, words, isDone, operator)
        const limit = random.pick([1, 5, 1000])
        const offset = random.pick([0, 0, 3])
        const answer = index.search(text, { asYouType: true, operator, limit, offset, countUpTo: Infinity })
        const what = `${JSON.stringify(text)} ${operator}`
        expect(answer.total, what).toBe(expected.length)
        expect(answer.isTotalExact, what).toBe(true)
        const page = expected.slice(offset, offset + limit)
        expect(
          answer.hits.map(({ score }) => score),
          what,
        ).toHaveLength(page.length)
        for (const [at, { key, score }] of answer.hits.entries()) {
          expect(nearlyEqual(score, page[at]?.score as number), `${what} at ${at}`).toBe(true)
          const twins = expected.filter((hit) => nearlyEqual(hit.score, score) && hit.tier === page[at]?.tier)
          expect(
            twins.map((hit) => hit.key),
            `${what} at ${at}`,
          ).toContain(key)
        }
        const few = index.search(text, { asYouType: true, operator, limit: 2, countUpTo: 3 })
        expect(
          few.isTotalExact ? few.total === expected.length : few.total < expected.length && few.total >= 3,
          what,
        ).toBe(true)
        expect(
          few.hits.map(({ score }) => score),
          what,
        ).toEqual(
          index
            .search(text, { asYouType: true, operator, limit: 1000 })
            .hits.slice(0, 2)
            .map(({ score }) => score),
        )
      }
      await index.close()
    })
  })
})

function documentOf(random: SeededRandom, { twin, shape, lines }: Configuration, id: number): NaiveDocument {
  const texts = twin.fields.map(({ name }, nth) => [name, inventText(random, shape, lines[nth] ?? 1)] as const)
  return { id, ...Object.fromEntries(texts) }
}

describe('searches as somebody types', () => {
  const open = () =>
    Freshdex.open<{ id: number; title: string; body: string }>(':memory:', {
      key: 'id',
      fields: { title: { boost: 2 }, body: {} },
      analyzer: 'english',
      synonyms: [['car', 'auto']],
    })
  const put = [
    { id: 1, title: 'Kubernetes policies', body: 'network policy of a node.js cluster, wi-fi and the auto' },
    { id: 2, title: 'Kuberntes cluster', body: 'storage' },
    { id: 3, title: 'Ferry times', body: 'the theory of ferries' },
  ]
  const keys = [
    ['kube', [1, 2]],
    ['kubernetes', [1, 2]],
    ['kubernets', [1, 2]],
    ['-kube ferr', [3]],
    ['kubernetes -storage', [1]],
    ['title:kub', [1, 2]],
    ['body:kub', []],
    ['ferry (tim', [3]],
    ['ferry "the theor', []],
    ['polices "network policy"', [1]],
    ['node.j', [1]],
    ['wi-f', [1]],
    ['wi-fi^2', [1]],
    ['car', [1]],
    ['ferry the', [3]],
    ['the', [3]],
    ['the ', []],
    ['ferr tim', [3]],
    ['', []],
    ['  ', []],
  ] as const

  it.each(keys)('finds for %j', async (text, expected) => {
    const index = await open()
    await index.write({ put })
    expect(index.search(text, { asYouType: true }).hits.map(({ key }) => key)).toEqual(expected)
    const found = await index.searchAsync(text, { asYouType: true })
    expect(found.hits.map(({ key }) => key)).toEqual(expected)
    await index.close()
  })

  it('marks, explains, pins and stops', async () => {
    const index = await open()
    await index.write({ put })
    const [first] = index.search('polic', { asYouType: true, snippet: true, explain: true }).hits
    expect(first?.snippet?.html).toContain('<mark>')
    expect(first?.explain?.terms.map(({ kind }) => kind)).toContain('prefix')
    expect(index.search('kube', { asYouType: true, pinned: [3] }).hits.map(({ key }) => key)).toEqual([3, 1, 2])
    const scored = index.search('kubernetes', { asYouType: true, maxScored: 1 })
    expect([scored.partial, scored.total]).toEqual([true, 1])
    expect(index.search('kubernetes', { asYouType: true, maxScored: 2 }).partial).toBe(false)
    await index.close()
  })

  it('takes text only', async () => {
    const index = await open()
    expect(() => index.search({ word: 'a' }, { asYouType: true })).toThrow(
      new TypeError("asYouType needs the query as text, received { word: 'a' }"),
    )
    expect(() => index.search('a', { asYouType: 'yes' as never })).toThrow(TypeError)
    expect(() => index.search('a'.repeat(70_000), { asYouType: true })).toThrow(FreshdexError)
    await index.close()
  })

  it('teaches nothing without a session, and what was typed at last with one', async () => {
    let nowMs = Date.now()
    const index = await Freshdex.open<{ id: number; title: string; body: string }>(':memory:', {
      key: 'id',
      fields: { title: {}, body: {} },
      now: () => nowMs,
    })
    await index.write({ put })
    for (const text of ['k', 'ku', 'kub', 'kube']) index.search(text, { asYouType: true })
    expect(index.workload.queries()).toEqual([])
    for (const text of ['f', 'fe', 'ferry']) index.search(text, { asYouType: true, session: 'ann' })
    nowMs += 10_000
    expect(index.workload.queries().map(({ query }) => query)).toEqual(['ferry'])
    await index.close()
  })
})
