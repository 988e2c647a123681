/**
 * Boosts, weights and counts at the edge of what is taken: scores and gains are finite, and no call fails because of
 * them, now or later. What is beyond the edge is refused where it comes in.
 */
import { Freshdex, type OpenOptions, type Query, type WorkloadOptions } from 'freshdex'
import { describe, expect, test } from 'vitest'

interface Row {
  id: number
  body: string
  links: number
}

const HUGE = 1e12
const BOOST = 1e6
const HOUR_MS = 3_600_000
const ROWS = Array.from({ length: 40 }, (_, id): Row => ({ id, body: `fox ${'dog '.repeat(id % 4)}`, links: HUGE }))

describe.each<[string, Partial<OpenOptions<Row>>, Query]>([
  ['a sum of weights', { scoring: { weight: 'links', beta: 2 } }, 'fox'],
  ['a product of boosts', { fields: { body: { boost: BOOST } } }, { word: 'dog', boost: BOOST }],
  ['a sum of boosts', {}, { or: ['fox', 'dog', 'fox'].map((word) => ({ word, boost: BOOST })) }],
  [
    'boosts times an alpha of zero',
    { ...zeroShares(), fields: { body: { boost: BOOST } } },
    { word: 'dog', boost: BOOST },
  ],
  [
    'a boost of zero beside a huge one',
    { fields: { body: { boost: BOOST } } },
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
      expect(Number.isFinite(score)).toBe(true)
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

function openWith(workload: WorkloadOptions) {
  return Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} }, workload })
}

describe('an index with the largest numbers that are taken', () => {
  test('measures, suggests, plans, and is written on', async () => {
    let nowMs = Date.UTC(2026, 0, 1)
    const index = await Freshdex.open<Row>(':memory:', {
      key: 'id',
      fields: { body: { boost: BOOST } },
      scoring: { weight: 'links', alpha: HUGE, beta: HUGE },
      workload: { view: (rank1) => BOOST / rank1 },
      now: () => nowMs,
    })
    const put = (body: string) => index.write({ put: ROWS.map((row) => ({ ...row, body: `${row.body} ${body}` })) })
    await put('ferry')
    for (const query of ['fox', 'dog', 'ferry', 'boat']) index.workload.record(query, { count: HUGE })
    for (let nth = 0; nth < 1200; nth++) index.workload.record('fox', { count: HUGE })
    await index.frontier.add(['/a', '/b'].map((url) => ({ url, inlinks: HUGE, anchors: ['fox boat'] })))
    for (const body of ['boat', 'ferry boat', 'nothing', 'fox fox']) {
      nowMs += 24 * HOUR_MS
      const { gains } = await put(body)
      for (const { deltaQuality } of gains) expect(Number.isFinite(deltaQuality)).toBe(true)
    }
    const { pages } = await index.refresh.next({ budget: 50, minIntervalMs: 0 })
    for (const page of pages) {
      const { priority, stake, expectedGain } = page
      expect([priority, stake, expectedGain].every(Number.isFinite)).toBe(true)
    }
    for (const suggestion of await index.frontier.next({ budget: 2 })) {
      const numbers = Object.values(suggestion).filter((value) => typeof value === 'number')
      expect(numbers.filter((value) => !Number.isFinite(value))).toEqual([])
    }
    expect(Number.isFinite((await index.plan({ budget: 10 })).expectedGain)).toBe(true)
    await index.close()
  })

  test.each<[string, (index: Freshdex<Row>) => unknown]>([
    ['a count of a query', (index) => index.workload.record('fox', { count: 1e40 })],
    ['counts of queries', (index) => index.workload.load([['fox', 1e40]])],
    ['a weight', (index) => index.write({ put: [{ id: 1, body: 'fox', links: 1e40 }] })],
    ['another weight', (index) => index.reweigh([[1, 1e40]])],
    ['a boost', (index) => index.search({ word: 'fox', boost: 1e40 })],
    ['inlinks', (index) => index.frontier.add([{ url: '/a', inlinks: 1e40 }])],
    ['a boost of a field', () => Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: { boost: 1e40 } } })],
    ['k1', () => Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} }, scoring: { k1: 1e40 } })],
    ['a likelihood of views that never falls', () => openWith({ view: 0 })],
    ['a likelihood of views that is the same', () => openWith({ view: () => 1 })],
    [
      'a likelihood of views',
      () => Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} }, workload: { view: () => 1e40 } }),
    ],
  ])('%s beyond them is refused', async (_, act) => {
    const index = await Freshdex.open<Row>(':memory:', {
      key: 'id',
      fields: { body: {} },
      scoring: { weight: 'links' },
    })
    await index.write({ put: ROWS })
    await expect((async () => act(index))()).rejects.toThrow(RangeError)
    await index.write({ put: [{ id: 1, body: 'fox again', links: 1 }] })
    await index.close()
  })

  test.each([1e-9, 0.001, 100, (rank1: number) => (rank1 > 1 ? 0 : 1)])('view %s fits and measures', async (view) => {
    const index = await Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} }, workload: { view } })
    await index.write({ put: ROWS })
    for (const query of ['fox', 'dog']) index.workload.record(query)
    await index.refresh.fit()
    const { gains } = await index.write({ put: ROWS.slice(5).map((row) => ({ ...row, body: 'dog dog dog' })) })
    for (const { deltaQuality } of gains) expect(deltaQuality).toBeGreaterThanOrEqual(0)
    expect((await index.refresh.next({ budget: 5, minIntervalMs: 0 })).pages.length).toBe(5)
    expect(index.refresh.curve('fox')).toBeDefined()
    await index.close()
  })
})
