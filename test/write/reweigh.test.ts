import { rmSync } from 'node:fs'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { afterAll, describe, expect, test } from 'vitest'
import { DAY_MS, OPTIONS, type Options, openOrchard, page, START, url, writeListening } from '../refresh/orchard.js'
import { makeTemporaryFolder } from '../support/temporary-root.js'

const root = makeTemporaryFolder('reweigh')
let folders = 0
const newPath = () => path.join(root, String(folders++))
afterAll(() => rmSync(root, { recursive: true }))

const WEIGHTED: Options = { scoring: { weight: 'links', beta: 0.5 } }

const stakeOf = (index: Freshdex<never> | Awaited<ReturnType<typeof openOrchard>>, nth: number) =>
  index.refresh.explain(url(nth), { at: START + DAY_MS })?.stake as number

describe('a write of the same text with another weight', () => {
  test('is a refresh that found nothing new: scores and stakes move, gains and changes do not', async () => {
    for (const folder of [':memory:', newPath()]) {
      await using index = await openOrchard(folder, WEIGHTED)
      await index.write({ put: [page(4, 'quince')] }, { at: START + DAY_MS })
      const before = index.refresh.explain(url(4), { at: START + DAY_MS })
      expect(before).toMatchObject({ changes: 1, lastOutcome: 'changed' })
      const scoreBefore = index.search('pear').hits.find(({ key }) => key === url(4))?.score as number

      const heavier = { ...page(4, 'quince'), links: 40 }
      const { report, shifts } = await writeListening(index, { put: [heavier] }, START + 2 * DAY_MS)
      expect(report).toMatchObject({ unchanged: 1, replaced: 0, gains: [] })
      expect(shifts.length).toBeGreaterThan(0)
      const after = index.refresh.explain(url(4), { at: START + 2 * DAY_MS })
      expect(after).toMatchObject({ changes: 1, refreshes: 2, lastOutcome: 'same', refreshedAt: START + 2 * DAY_MS })
      expect(after?.queries).toEqual(before?.queries)
      expect(after?.queries.length).toBeGreaterThan(0)
      expect(after?.stake).toBeGreaterThan((before?.stake as number) * 2)
      const scoreAfter = index.search('pear').hits.find(({ key }) => key === url(4))?.score as number
      expect(scoreAfter - scoreBefore).toBeCloseTo(18, 4)
    }
  })
})

describe('reweigh', () => {
  test('moves scores and stakes and leaves the history as it is, also after reopening', async () => {
    const folder = newPath()
    const index = await openOrchard(folder, WEIGHTED)
    const at = START + DAY_MS
    const before = index.refresh.explain(url(4), { at })
    expect(
      await index.reweigh(
        new Map([
          [url(4), 40],
          [url(5), 5],
        ]),
      ),
    ).toEqual({ reweighed: 1, unchanged: 1 })
    const after = index.refresh.explain(url(4), { at })
    const { stake, history, changes, refreshes, refreshedAt, lastOutcome } = after ?? {}
    expect({ history, changes, refreshes, refreshedAt, lastOutcome }).toEqual({
      history: before?.history,
      changes: 0,
      refreshes: 0,
      refreshedAt: START,
      lastOutcome: 'new',
    })
    expect(stake).toBeGreaterThan((before?.stake as number) * 2)
    expect(index.get(url(4))).toEqual({ ...page(4), links: 40 })
    const best = index.search('pear').hits[0]
    expect(best?.key).toBe(url(4))
    expect((await index.check()).faults).toEqual([])
    // Curves whose best answers moved are fitted anew beside it, and stakes follow them; close waits for that, too.
    await index.refresh.next({ budget: 0, waitMs: 60_000 })
    const settledStake = stakeOf(index, 4)
    expect(settledStake).toBeGreaterThan((before?.stake as number) * 2)
    await index.close()

    await using reopened = await Freshdex.open<ReturnType<typeof page>>(folder, { ...OPTIONS, ...WEIGHTED })
    expect(reopened.get(url(4))).toEqual({ ...page(4), links: 40 })
    expect(reopened.search('pear').hits[0]).toMatchObject({ key: url(4), score: best?.score })
    expect(reopened.refresh.explain(url(4), { at })?.stake).toBe(settledStake)
    // The weight that reweigh gave is the one that a later write is compared with.
    expect(await reopened.write({ put: [{ ...page(4), links: 40 }] }, { at })).toMatchObject({
      unchanged: 1,
      gains: [],
    })
  })

  test('gives the stakes that a write of the same weights gives', async () => {
    await using written = await openOrchard(':memory:', WEIGHTED)
    await using reweighed = await openOrchard(':memory:', WEIGHTED)
    // So many pages that no curve is fitted anew meanwhile.
    const more = Array.from({ length: 200 }, (_, nth) => ({ ...page(nth % 40), url: `/more/${nth}` }))
    for (const index of [written, reweighed]) {
      await index.write({ put: more }, { at: START })
      await index.refresh.fit()
    }
    await written.write({
      put: [
        { ...page(3), links: 9 },
        { ...page(6), links: 0 },
      ],
    })
    await reweighed.reweigh([
      [url(3), 9],
      [url(6), 0],
    ])
    for (const nth of [2, 3, 6]) expect(stakeOf(reweighed, nth)).toBeCloseTo(stakeOf(written, nth), 9)
  })

  test('changes stored documents only where they keep the weight', async () => {
    for (const store of [false, ['title'], ['title', 'links']] as const) {
      await using index = await openOrchard(newPath(), { ...WEIGHTED, store })
      const before = index.get(url(4))
      await index.reweigh([[url(4), 40]])
      const kept = store !== false && (store as readonly string[]).includes('links') ? { links: 40 } : {}
      expect(index.get(url(4))).toEqual({ ...before, ...kept })
      expect(index.search('pear').hits[0]?.key).toBe(url(4))
    }
  })

  test('of a document that a write before it brings, without waiting for that write', async () => {
    await using index = await openOrchard(':memory:', WEIGHTED)
    const writing = index.write({ put: [page(20)] })
    const reweighing = index.reweigh([[url(20), 100]])
    const closing = index.close()
    await writing
    expect(await reweighing).toEqual({ reweighed: 1, unchanged: 0 })
    await closing
  })

  test('refuses what makes no sense and does nothing then', async () => {
    const folder = newPath()
    const index = await openOrchard(folder, WEIGHTED)
    const refuse = async (weights: unknown, expected: object) =>
      expect(await index.reweigh(weights as never).catch((error: unknown) => error)).toMatchObject(expected)
    await refuse(
      [
        [url(4), 40],
        ['nowhere', 1],
      ],
      { name: 'RangeError', message: expect.stringContaining('"nowhere"') },
    )
    await refuse(
      [
        [url(4), 40],
        [url(5), -1],
      ],
      { name: 'RangeError', message: expect.stringContaining('links') },
    )
    await refuse([[url(4), '40']], { name: 'TypeError' })
    await refuse([url(4)], { name: 'TypeError', message: expect.stringContaining('[key, weight]') })
    await refuse(undefined, { name: 'TypeError' })
    await refuse(
      [
        [url(4), 40],
        [url(4), 41],
      ],
      { code: 'DUPLICATE_KEY' },
    )
    expect(await index.reweigh([])).toEqual({ reweighed: 0, unchanged: 0 })
    expect(index.get(url(4))).toEqual(page(4))

    await using reader = await Freshdex.open(folder, { readOnly: true })
    await expect(reader.reweigh([[url(4), 40]])).rejects.toMatchObject({ code: 'READ_ONLY' })
    await index.close()
    await using plain = await openOrchard()
    await expect(plain.reweigh([[url(4), 40]])).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    expect(stakeOf(plain, 4)).toBeGreaterThan(0)
  })
})
