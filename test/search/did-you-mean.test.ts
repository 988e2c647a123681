/** Other texts for texts that find little: each finds more, and is one that the rule names. */
import { Freshdex } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { inventText, inventWord, Vocabulary } from '../support/corpus.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  id: number
  title: string
  body: string
}

const OPTIONS = { key: 'id', fields: { title: { boost: 2 }, body: {} }, analyzer: 'english' } as const
const PAGES: Page[] = [
  { id: 1, title: 'Kubernetes policies', body: 'network policy of a cluster' },
  { id: 2, title: 'Kubernetes storage', body: 'persistent volumes in a cluster' },
  { id: 3, title: 'Zürich ferry', body: 'the ferry crosses the lake' },
  { id: 4, title: 'Kubernetes network', body: 'network storage' },
  { id: 5, title: 'Fairy tales', body: 'of the lake' },
]

async function opened(privacy: 'text' | 'hash' = 'text'): Promise<Freshdex<Page>> {
  const index = await Freshdex.open<Page>(':memory:', { ...OPTIONS, workload: { privacy } })
  await index.write({ put: PAGES })
  return index
}

const options = { didYouMean: true } as const

describe('didYouMean', () => {
  it.each([
    ['kuberntes', 'kubernetes'],
    ['Kuberntes  stroage', 'kubernetes  storage'],
    ['persistemt volume', 'persistent volume'],
    // Another spelling of the same stem.
    ['persistant volume', undefined],
    ['title:kubernetse', 'title:kubernetes'],
    ['"kubernetes stroage"', '"kubernetes storage"'],
    ['kubernetes', undefined],
    // Nothing is like it.
    ['zxqwv', undefined],
    // Too short for a typo.
    ['lke', undefined],
    // What is left to the operators.
    ['kuberntes*', undefined],
    ['kuberntes~', undefined],
    ['', undefined],
  ])('for %j is %j', async (text, expected) => {
    const index = await opened()
    expect(index.search(text, options).didYouMean).toBe(expected)
    expect((await index.searchAsync(text, options)).didYouMean).toBe(expected)
    const snapshot = index.snapshot()
    expect(snapshot.search(text, options).didYouMean).toBe(expected)
    expect('didYouMean' in index.search(text)).toBe(false)
    expect('didYouMean' in index.search(text, options)).toBe(expected !== undefined)
    snapshot.close()
    await index.close()
  })

  it('comes from queries before it comes from words, as far as they are told', async () => {
    for (const privacy of ['text', 'hash'] as const) {
      const index = await opened(privacy)
      index.workload.record('Kubernetes network', { count: 9 })
      index.workload.record('kubernetes nothing', { count: 99 })
      expect(index.search('kuberntes network', { ...options, learn: false }).didYouMean).toBe(
        privacy === 'text' ? 'Kubernetes network' : 'kubernetes network',
      )
      expect(index.search('kuberntes network', { ...options, limit: 1, docs: true }).didYouMean).toBeDefined()
      await index.close()
    }
  })

  it('replaces a word that few have by one that more have', async () => {
    const index = await opened()
    expect(index.search('farry', options).didYouMean).toBe('fairy')
    expect(index.search({ word: 'kuberntes' }, options).didYouMean).toBeUndefined()
    expect(index.search('kuberntes', { ...options, fields: ['body'] }).didYouMean).toBeUndefined()
    expect(index.search('kubernetes netwrok', { ...options, operator: 'or' }).didYouMean).toBeUndefined()
    expect(() => index.search('a', { didYouMean: 'yes' as never })).toThrow(TypeError)
    await index.close()
  })

  it('always finds more', async () => {
    await withSeed('did you mean', async (seed) => {
      const random = new SeededRandom(seed)
      const shape = { vocabulary: new Vocabulary(random, 300) }
      const index = await Freshdex.open<Page>(':memory:', { key: 'id', fields: { title: {}, body: {} } })
      const put = Array.from({ length: 100 }, (_, id) => ({
        id,
        title: inventWord(random, shape),
        body: inventText(random, shape, 3),
      }))
      await index.write({ put })
      let told = 0
      for (let round = 0; round < rounds(400, 4000); round++) {
        const words = Array.from({ length: random.between(1, 3) }, () => {
          const points = [...inventWord(random, shape)]
          if (random.chance(0.6))
            points.splice(random.between(1, points.length), random.between(0, 1), random.pick(['a', 'x']))
          return points.join('')
        })
        const text = words.join(' ')
        const { total, didYouMean } = index.search(text, { ...options, learn: false })
        if (didYouMean === undefined) continue
        told++
        expect(total, text).toBeLessThan(3)
        expect(index.search(didYouMean, { learn: false }).total, `${text} → ${didYouMean}`).toBeGreaterThan(total)
      }
      expect(told).toBeGreaterThan(20)
      await index.close()
    })
  })
})
