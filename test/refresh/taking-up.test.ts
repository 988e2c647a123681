/** Learning is cheap: new queries get curves within the epoch, weights need none, and an opening fits nothing again. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { Freshdex, type OpenOptions } from 'freshdex'
import { afterAll, describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-root.js'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, page, QUERIES, START, url } from './orchard.js'

const root = makeTemporaryFolder('taking-up')
let folders = 0
const newPath = () => path.join(root, String(folders++))
afterAll(() => rmSync(root, { recursive: true }))

const AT = START + DAY_MS
const open = (folder: string, options: Partial<OpenOptions<Page>> = {}) =>
  Freshdex.open<Page>(folder, { ...OPTIONS, ...options })
const stakesOf = (index: Freshdex<Page>) => PAGES.map(({ url }) => index.refresh.explain(url, { at: AT })?.stake ?? 0)
/** `next` takes over what has been learnt. */
const learn = (index: Freshdex<Page>) => index.refresh.next({ budget: 1, at: AT, waitMs: 60_000 })

/** An orchard of so many pages that a few changed ones leave all curves as they are. */
async function openLarge(folder: ':memory:' | (string & {}), more: readonly string[] = []): Promise<Freshdex<Page>> {
  const index = await openOrchard(folder)
  const put = Array.from({ length: 200 }, (_, nth) => ({ ...page(nth % 40), url: `/more/${nth}` }))
  await index.write({ put }, { at: START })
  for (const query of more) index.workload.record(query, { count: 0.2, at: START })
  await index.refresh.fit()
  return index
}

/** Shares of stakes: what is left of the unit, in which weights are. */
function expectSameStakes(index: Freshdex<Page>, twin: Freshdex<Page>, precision = 0.051): void {
  const [stakes, expected] = [stakesOf(index), stakesOf(twin)]
  expected.forEach((stake, nth) => {
    expect(Math.abs(stake - (stakes[nth] as number)), `page ${nth}`).toBeLessThanOrEqual(precision * stake + 1e-9)
  })
}

describe('what has been learnt is taken up', () => {
  test('by curves of the new queries alone, in the same epoch, with the stakes of a fit of everything', async () => {
    await using index = await openOrchard()
    await using twin = await openOrchard()
    const before = index.stats().measurement
    expect(before).toMatchObject({ fits: 1, curves: QUERIES.length, epoch: 1 })
    for (const each of [index, twin]) {
      each.workload.record('plum', { count: 40, at: START })
      each.workload.record('pear plum', { count: 3, at: START })
      each.workload.record('pear', { count: 50, at: START })
    }
    expect((await learn(index)).learntShare).toBe(1)
    expect(index.stats().measurement).toMatchObject({ fits: 2, curves: before.curves + 2, epoch: 1, queries: 6 })
    await twin.refresh.fit()
    expect(twin.stats().measurement).toMatchObject({ epoch: 2, curves: before.curves + 6 })
    expectSameStakes(index, twin)
    expect((await index.check()).ok).toBe(true)
  })

  test('when it was recorded while a fit was about to begin, whenever that was', async () => {
    // Each round comes a little later, from before the fit has read the workload to after it has begun.
    for (let turns = 0; turns < 12; turns++) {
      await using index = await openOrchard()
      const fitted = index.refresh.fit()
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      index.workload.record('plum', { count: 5, at: START })
      await fitted
      expect((await learn(index)).learntShare, `after ${turns} turns`).toBe(1)
    }
  })

  test('without any fit when queries are only asked more often', async () => {
    await using index = await openOrchard()
    await using twin = await openOrchard()
    for (const each of [index, twin]) each.workload.record('pear', { count: 100, at: START })
    await learn(index)
    expect(index.stats().measurement).toMatchObject({ fits: 1, curves: QUERIES.length })
    await twin.refresh.fit()
    expectSameStakes(index, twin)
  })

  test('beside writes, and a write that comes meanwhile is measured', async () => {
    await using index = await openOrchard()
    index.workload.record('plum', { count: 40, at: START })
    await index.write({ put: [page(2, 'once')] }, { at: AT })
    await index.write({ put: [page(2, 'twice')] }, { at: AT })
    expect((await learn(index)).learntShare).toBe(1)
    expect(index.stats().measurement).toMatchObject({ epoch: 1, curves: QUERIES.length + 1 })
    // Page 3 has "plum", and loses it.
    const { gains } = await index.write({ put: [{ ...page(3), body: 'nothing' }] }, { at: AT + DAY_MS })
    expect(gains.map(({ key }) => key)).toEqual([url(3)])
    expect(index.refresh.explain(url(3))?.queries.map(({ query }) => query)).toContain('plum')
  })

  test('also when everything has decayed for long', async () => {
    const workload = { learn: false, halfLifeMs: 30 * DAY_MS }
    const weigh = async (index: Freshdex<Page>, nowMs: number) => {
      await index.workload.record('plum', { count: 4, at: nowMs })
    }
    let clockMs = Date.now()
    const now = () => clockMs
    await using index = await openOrchard(':memory:', { workload, now })
    await using twin = await openOrchard(':memory:', { workload, now })
    for (const nowMs of [Date.now() + 60 * DAY_MS, Date.now() + 61 * DAY_MS, Date.now() + 400 * DAY_MS]) {
      clockMs = nowMs
      for (const each of [index, twin]) await weigh(each, nowMs)
      expect((await learn(index)).learntShare).toBe(1)
      await twin.refresh.fit()
      expectSameStakes(index, twin)
    }
    expect(index.stats().measurement).toMatchObject({ epoch: 1, curves: QUERIES.length + 1 })
  })

  test('and what is gone from the workload is gone from the stakes', async () => {
    await using index = await openOrchard(':memory:')
    index.workload.clear()
    index.workload.record('plum', { at: START })
    await learn(index)
    const stakes = stakesOf(index)
    PAGES.forEach(({ body }, nth) => {
      if (body.includes('plum')) expect(stakes[nth]).toBeGreaterThan(0)
      else expect(stakes[nth]).toBe(0)
    })
    expect(index.stats().measurement).toMatchObject({ epoch: 1, queries: 1 })
  })
})

describe('an opening', () => {
  test('fits nothing that was fitted: a write is measured by the curves that were kept', async () => {
    const folder = newPath()
    const index = await openLarge(folder)
    const twin = await openLarge(':memory:')
    await index.close()
    for (let round = 0; round < 3; round++) {
      const reopened = await open(folder)
      const at = AT + round * DAY_MS
      // Long, so that it comes in where few look, and leaves curves as they are.
      const changed = page(7 + round, `plum pear ${'longer '.repeat(40)} ${round}`)
      const { gains } = await reopened.write({ put: [changed] }, { at })
      const expected = await twin.write({ put: [changed] }, { at })
      if (round === 0) expect(gains).toEqual(expected.gains)
      // An opening looks at what the changes did to statistics; the twin does not, after so few of them.
      const [gain, expectedGain] = [gains[0]!, expected.gains[0]!]
      expect(gain.key).toBe(expectedGain.key)
      expect(Math.abs(gain.deltaQuality / expectedGain.deltaQuality - 1)).toBeLessThan(0.05)
      expect(reopened.stats().measurement).toMatchObject({ fits: 0, curves: 0, queries: 4 })
      expectSameStakes(reopened, twin)
      expect((await reopened.check()).faults).toEqual([])
      await reopened.close()
    }
    await twin.close()
  })

  test('fits only the queries that have come since', async () => {
    const folder = newPath()
    await (await openOrchard(folder)).close()
    const recorder = await open(folder)
    recorder.workload.record('plum', { count: 5, at: START })
    await recorder.close()
    const reopened = await open(folder)
    expect((await learn(reopened)).learntShare).toBe(1)
    expect(reopened.stats().measurement).toMatchObject({ fits: 1, curves: 1, epoch: 1, queries: 5 })
    await reopened.close()
    await using again = await open(folder)
    await again.write({ put: [page(1, 'more')] }, { at: AT })
    expect(again.stats().measurement).toMatchObject({ fits: 0, curves: 0, queries: 5 })
    expect((await learn(again)).learntShare).toBe(1)
  })

  test('asked for advice only, goes on with the curves that are kept and fits nothing when all is known', async () => {
    const folder = newPath()
    await (await openOrchard(folder)).close()
    await using reopened = await open(folder)
    expect(await learn(reopened)).toMatchObject({ learntShare: 1, basis: 'learnt' })
    expect(reopened.stats().measurement).toMatchObject({ fits: 0, curves: 0, epoch: 1, queries: 4 })
  })

  test('by another scoring, other pieces or another view, or of damaged rows, fits anew', async () => {
    const folder = newPath()
    await (await openOrchard(folder)).close()
    const fitsWith = async (options: Partial<OpenOptions<Page>>) => {
      await using index = await open(folder, options)
      await index.write({ put: [page(1, `${folders++}`)] }, { at: AT })
      return index.stats().measurement.curves
    }
    expect(await fitsWith({})).toBe(0)
    expect(await fitsWith({ workload: { ...OPTIONS.workload, pieces: 2 } })).toBe(QUERIES.length)
    expect(await fitsWith({ workload: { ...OPTIONS.workload, pieces: 2 } })).toBe(0)
    expect(await fitsWith({ workload: { ...OPTIONS.workload, view: 1 } })).toBe(QUERIES.length)
    expect(await fitsWith({ scoring: { model: 'bm25', k1: 2 } })).toBe(QUERIES.length)
    expect(await fitsWith({ scoring: { model: 'bm25', k1: 2 } })).toBe(0)

    const { default: Database } = await import('better-sqlite3')
    const change = (sql: string) => {
      const db = new Database(path.join(folder, 'catalog.db'))
      db.exec(sql)
      db.close()
    }
    const faultsOf = async () => {
      await using index = await open(folder)
      return (await index.check()).faults.map(({ invariant }) => invariant)
    }
    // The last byte is one of the last curve, the first one is in the number of curves.
    change("UPDATE curves SET bytes = substr(bytes, 1, length(bytes) - 1) || x'5a'")
    expect(await faultsOf()).toEqual(['L6'])
    // Stakes would have the part of that query twice if it alone were fitted.
    expect(await fitsWith({ scoring: { model: 'bm25', k1: 2 } })).toBe(QUERIES.length)
    change("UPDATE curves SET bytes = x'77' || substr(bytes, 2)")
    expect(await faultsOf()).toEqual(['L6'])
    expect(await fitsWith({ scoring: { model: 'bm25', k1: 2 } })).toBe(QUERIES.length)
    change("UPDATE curve_state SET state = x'0011'")
    expect(await faultsOf()).toEqual(['L6'])
    expect(await fitsWith({ scoring: { model: 'bm25', k1: 2 } })).toBe(QUERIES.length)
    change('DELETE FROM curves')
    expect(await fitsWith({ scoring: { model: 'bm25', k1: 2 } })).toBe(QUERIES.length)
    expect(await faultsOf()).toEqual([])
  })

  test('leaves a little of queries that are gone in the stakes, and fits anew before it is much', async () => {
    const folder = newPath()
    const light = ['page 3', 'page 5', 'page 7', 'page 9']
    const index = await openLarge(folder, light)
    await index.close()
    const { default: Database } = await import('better-sqlite3')
    const curves: number[] = []
    for (const query of light) {
      const db = new Database(path.join(folder, 'catalog.db'))
      db.prepare('DELETE FROM queries WHERE name = ?').run(query)
      db.close()
      await using reopened = await open(folder)
      await reopened.write({ put: [page(1, query)] }, { at: AT })
      curves.push(reopened.stats().measurement.curves)
    }
    // Each has 0.2 of about 10.6 parts of the weight.
    expect(curves).toEqual([0, 0, 5, 0])
  })

  test('of hashed queries and of single words goes on with its curves, too', async () => {
    for (const workload of [
      { ...OPTIONS.workload, privacy: 'hash' as const },
      { ...OPTIONS.workload, terms: 'single' as const },
    ]) {
      const folder = newPath()
      const index = await openOrchard(folder, { workload })
      const fitted = index.stats().measurement.curves
      await index.close()
      await using reopened = await open(folder, { workload })
      await reopened.write({ put: [{ ...page(7), body: 'quince' }] }, { at: AT })
      expect(reopened.stats().measurement).toMatchObject({ fits: 0, curves: 0, queries: fitted })
      expect((await learn(reopened)).learntShare).toBe(1)
    }
  })

  test('goes on with a copy of the index, and a salvaged index begins anew', async () => {
    const folder = newPath()
    const copy = newPath()
    const index = await openOrchard(folder)
    await index.close()
    const saved = await open(folder)
    await saved.backup(copy)
    await saved.close()
    await using reopened = await open(copy)
    await reopened.write({ put: [page(1, 'more')] }, { at: AT })
    expect(reopened.stats().measurement).toMatchObject({ fits: 0, curves: 0, queries: 4 })
  })
})
