/** What curves say for people: which queries make a stake, how well a curve fits, and whose scores a write moved. */
import { Freshdex, type ShiftBatch } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../../storage/temporary-folder.js'
import { DAY_MS, OPTIONS, openOrchard, type Page, page, QUERIES, START, url } from '../orchard.js'

const AT = START + DAY_MS
const queriesOf = (index: Freshdex<Page>, nth: number) => index.refresh.explain(url(nth), { at: AT })!.stakeQueries

/** An orchard with so many pages that curves are no exact lists. */
async function openLarge(folder: ':memory:' | (string & {}) = ':memory:', workload = OPTIONS.workload) {
  const index = await openOrchard(folder, { ...(workload && { workload }) })
  const more = Array.from({ length: 300 }, (_, nth) => ({ ...page(nth % 37), url: `/more/${nth}` }))
  await index.write({ put: more }, { at: START })
  await index.refresh.fit()
  return index
}

describe('the queries that make a stake', () => {
  test('are those that find the page, with rank, weight and share, before it has ever changed', async () => {
    await using index = await openOrchard()
    // Page 0 has every word, and only page 1 is shorter.
    expect(queriesOf(index, 0).map(({ query, rank1 }) => [query, rank1])).toEqual([
      ['apple plum', 1],
      ['pear', 1],
      ['apple', 2],
    ])
    expect(queriesOf(index, 0).reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
    for (const { query, weight } of queriesOf(index, 0)) expect(new Map(QUERIES).get(query as string)).toBe(weight)
    expect(queriesOf(index, 7)).toEqual([{ query: 'apple', weight: 4, rank1: expect.any(Number), share: 1 }])
    await index.write({ put: [{ ...page(7), body: 'nothing' }] }, { at: AT })
    expect(queriesOf(index, 7)).toEqual([])
  })

  test('follow what is learnt, and are eight at most, the largest first', async () => {
    await using index = await openOrchard()
    for (let nth = 0; nth < 11; nth++) index.workload.record(`filler${nth}`, { count: nth + 1, at: START })
    expect(queriesOf(index, 11).map(({ query }) => query)).toEqual(['apple'])
    await index.refresh.next({ budget: 1, at: AT, waitMs: 60_000 })
    const queries = queriesOf(index, 11)
    expect(queries).toHaveLength(8)
    expect(queries.map(({ share }) => share)).toEqual(queries.map(({ share }) => share).toSorted((a, b) => b - a))
    // The page is the only one that has filler10.
    expect(queries[0]).toMatchObject({ query: 'filler10', weight: 11, rank1: 1 })
  })

  test('are named by readers, and by a process that has not written yet, from the curves that are kept', async () => {
    const folder = newPath()
    const index = await openLarge(folder)
    const expected = [0, 3, 8].map((nth) => queriesOf(index, nth))
    expect(expected.flat().length).toBeGreaterThan(5)
    await using reader = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true })
    expect([0, 3, 8].map((nth) => queriesOf(reader, nth))).not.toContainEqual([])
    await index.close()
    await reader.catchUp()
    expect([0, 3, 8].map((nth) => queriesOf(reader, nth))).toEqual(expected)
    const curve = reader.refresh.curve('apple')
    await using reopened = await Freshdex.open<Page>(folder, OPTIONS)
    expect([0, 3, 8].map((nth) => queriesOf(reopened, nth))).toEqual(expected)
    expect(reopened.refresh.curve('apple')).toEqual(curve)
    expect(reopened.stats().measurement).toMatchObject({ fits: 0, epoch: 0 })

    // The writer goes on, and so does the reader.
    await reopened.write({ put: [{ ...page(3), body: 'nothing' }] }, { at: AT })
    await reader.catchUp()
    expect(queriesOf(reader, 3)).toEqual([])
    expect(queriesOf(reader, 8)).toEqual(queriesOf(reopened, 8))
  })

  test('have no text where none is kept', async () => {
    await using index = await openOrchard(':memory:', { workload: { ...OPTIONS.workload, privacy: 'hash' } })
    const queries = queriesOf(index, 0)
    expect(queries.length).toBeGreaterThan(0)
    for (const { query, weight } of queries) expect([query, weight > 0]).toEqual([undefined, true])
  })
})

describe('a curve', () => {
  test('comes with its knots and, for answers of today, fitted ranks beside exact ones', async () => {
    await using index = await openLarge()
    const curve = index.refresh.curve('apple')!
    const { hits, total } = index.search('apple', { limit: 1000 })
    expect(curve).toMatchObject({ query: 'apple', listSize: total })
    expect(curve.knots).toHaveLength(4)
    expect(curve.knots[0]!.rank1).toBe(1)
    expect(curve.knots.at(-1)!.rank1).toBeCloseTo(total, 3)
    for (const [at, { rank1, score }] of curve.knots.entries()) {
      if (at === 0) continue
      expect(rank1).toBeGreaterThan(curve.knots[at - 1]!.rank1)
      expect(score).toBeLessThan(curve.knots[at - 1]!.score)
    }
    expect(curve.ranks.map(({ exactRank1 }) => exactRank1)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 40, 80, 160],
      total,
    ])
    const scores = new Map(hits.map(({ key, score }) => [key, score]))
    for (const { key, score, fittedRank1 } of curve.ranks) {
      expect(score).toBeCloseTo(scores.get(key)!, 4)
      expect(fittedRank1).toBeGreaterThanOrEqual(1)
      expect(fittedRank1).toBeLessThanOrEqual(total)
    }
    // It is no exact list, and yet near enough to tell the top from the rest.
    expect(curve.ranks[0]!.fittedRank1).toBeLessThan(10)
    expect(curve.ranks.at(-1)!.fittedRank1).toBeGreaterThan(total / 2)
  })

  test('of a short list is the list, and there is none of a query that nobody asks', async () => {
    await using index = await openOrchard()
    index.workload.record('filler10', { at: START })
    await index.refresh.fit()
    const curve = index.refresh.curve('filler10')!
    expect(curve).toMatchObject({ listSize: 1, knots: [{ rank1: 1 }] })
    expect(curve.ranks).toEqual([{ key: url(11), score: curve.knots[0]!.score, fittedRank1: 1, exactRank1: 1 }])
    // Asked for, and answered by no page.
    expect(index.refresh.curve('quince')).toEqual({ query: 'quince', listSize: 0, knots: [], ranks: [] })
    for (const query of ['plum', 'apple pear', '', 'apple OR pear'])
      expect(index.refresh.curve(query), query).toBeUndefined()
    await using unmeasured = await Freshdex.open<Page>(':memory:', { ...OPTIONS, workload: false })
    expect(unmeasured.refresh.curve('apple')).toBeUndefined()
  })
})

describe('shifts', () => {
  const told = async (index: Freshdex<Page>, work: () => Promise<unknown>): Promise<ShiftBatch> => {
    let batch: ShiftBatch | undefined
    const stop = index.onShifts((shifts) => {
      batch = shifts
    })
    await work()
    await Promise.resolve()
    stop()
    return batch as ShiftBatch
  }

  test('bring along the keys of their documents and the texts of their queries', async () => {
    await using index = await openOrchard()
    const batch = { put: [{ ...page(7), body: 'quince' }, page(8)], remove: [url(3)] }
    const { documents, queries, keys, texts } = await told(index, () => index.write(batch))
    const named = Array.from(documents, (doc, at) => [keys.get(doc), texts.get(queries[at] as number)].join(' '))
    expect(named.sort()).toEqual(
      [`${url(3)} apple`, `${url(3)} apple plum`, `${url(7)} apple`, `${url(7)} quince`].sort(),
    )
    // Page 8 was put as it is.
    expect([...keys.values()].sort()).toEqual([url(3), url(7)].sort())
  })

  test('name queries by the hashes of their words where no texts are kept', async () => {
    await using index = await openOrchard(':memory:', { workload: { ...OPTIONS.workload, privacy: 'hash' } })
    const { texts } = await told(index, () => index.write({ put: [{ ...page(7), body: 'pear' }] }))
    expect(texts.size).toBe(2)
    for (const text of texts.values()) expect(text).toMatch(/^[0-9a-f]{16}$/)
  })
})
