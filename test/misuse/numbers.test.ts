/**
 * Boosts and weights at the edge of what a double can hold: a score may be infinite, it is never NaN and never breaks a
 * call.
 */
import { Freshdex, type OpenOptions, type Query } from 'freshdex'
import { describe, expect, test } from 'vitest'

interface Row {
  id: number
  body: string
  links: number
}

const HUGE = Number.MAX_VALUE
const ROWS = Array.from({ length: 40 }, (_, id): Row => ({ id, body: `fox ${'dog '.repeat(id % 4)}`, links: HUGE }))

describe.each<[string, Partial<OpenOptions<Row>>, Query]>([
  ['a sum of weights', { scoring: { weight: 'links', beta: 2 } }, 'fox'],
  ['a product of boosts', { fields: { body: { boost: HUGE } } }, { word: 'dog', boost: HUGE }],
  ['a sum of boosts', {}, { or: ['fox', 'dog', 'fox'].map((word) => ({ word, boost: HUGE })) }],
  [
    'boosts times an alpha of zero',
    { ...zeroShares(), fields: { body: { boost: HUGE } } },
    { word: 'dog', boost: HUGE },
  ],
  [
    'a boost of zero beside a huge one',
    { fields: { body: { boost: HUGE } } },
    { or: ['fox', { word: 'dog', boost: 0 }] },
  ],
  ['the largest k1', { scoring: { k1: HUGE } }, 'fox dog'],
  ['k1 and b of zero', { scoring: { k1: 0, b: 0 } }, 'fox dog'],
  ['the smallest boost', { fields: { body: { boost: Number.MIN_VALUE } } }, 'fox dog'],
  ['negative zero', { fields: { body: { boost: -0 } } }, { word: 'dog', boost: -0 }],
])('%s', (_, options, query) => {
  async function open() {
    const index = await Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} }, ...options })
    await index.write({ put: ROWS })
    return index
  }

  test('gives scores that are numbers, in order', async () => {
    const index = await open()
    const { hits, total } = index.search(query, { limit: 100 })
    expect(hits.length).toBe(total)
    expect(total).toBeGreaterThan(0)
    for (const [at, { score }] of hits.entries()) {
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(hits[at - 1]?.score ?? Number.POSITIVE_INFINITY)
    }
    await index.close()
  })

  test('can be explained', async () => {
    const index = await open()
    for (const { score, explain } of index.search(query, { explain: true }).hits) expect(explain?.score).toBe(score)
    await index.close()
  })
})

function zeroShares(): Partial<OpenOptions<Row>> {
  return { scoring: { weight: 'links', alpha: 0, beta: 0 } }
}
