import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Freshdex, type WorkloadOptions, type WriteReport } from 'freshdex'
import { afterEach, describe, expect, test } from 'vitest'
import type { BatchMeasure } from '../../src/engine.js'
import {
  afterWrite,
  MeasuredShare,
  type ShareState,
  SMALLEST_SHARE,
  WHOLE_SHARE,
} from '../../src/refresh/measured-share.js'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, page, START } from './orchard.js'

/** Writes whose measuring takes `fixed` whatever is measured, and `whole` more for all queries, of 1000 each. */
function written(from: ShareState, writes: number, { fixed = 0, whole = 0, maxOverhead = 0.05, epochUs = 0 }) {
  let state = from
  const shares: number[] = []
  for (let write = 0; write < writes; write++) {
    const cost = { indexUs: 1000, measureUs: fixed + whole * state.share }
    state = afterWrite(state, cost, { maxOverhead, epochUs })
    shares.push(state.share)
  }
  return { state, shares }
}

describe('the share of the shifts that are measured', () => {
  test('stays whole below the limit, and does not move before there is evidence', () => {
    expect(new Set(written(WHOLE_SHARE, 500, { whole: 45 }).shares)).toEqual(new Set([1]))
    const { shares } = written(WHOLE_SHARE, 8, { whole: 500 })
    expect(shares.slice(0, 7)).toEqual(Array(7).fill(1))
    expect(shares[7]).toBe(0.25)
  })

  test.each([
    { fixed: 0, whole: 200 },
    { fixed: 20, whole: 100 },
    { fixed: 10, whole: 3000 },
    { fixed: 45, whole: 400 },
  ])('comes to where the limit is kept: $fixed + $whole', ({ fixed, whole }) => {
    const { state, shares } = written(WHOLE_SHARE, 1000, { fixed, whole })
    const used = fixed + whole * state.share
    expect(used).toBeLessThanOrEqual(50 * 1.05)
    expect(used).toBeGreaterThan(50 * 0.65)
    // It has come to rest.
    expect(new Set(shares.slice(-100)).size).toBe(1)
  })

  test.each([
    { fixed: 0, whole: 200 },
    { fixed: 20, whole: 100 },
    { fixed: 35, whole: 30 },
    { fixed: 30, whole: 60 },
  ])('keeps the limit over a whole life, the dear beginning included: $fixed + $whole', ({ fixed, whole }) => {
    let state = WHOLE_SHARE
    const all = { indexUs: 0, measureUs: 0 }
    for (let write = 0; write < 250; write++) {
      const cost = { indexUs: 1000, measureUs: fixed + whole * state.share }
      all.indexUs += cost.indexUs
      all.measureUs += cost.measureUs
      state = afterWrite(state, cost, { maxOverhead: 0.05, epochUs: 50_000 })
    }
    expect(all.measureUs / all.indexUs).toBeLessThanOrEqual(0.05)
  })

  test('never falls to nothing, however little is allowed', () => {
    expect(written(WHOLE_SHARE, 1000, { fixed: 100, whole: 100 }).state.share).toBe(SMALLEST_SHARE)
    expect(written(WHOLE_SHARE, 1000, { whole: 100, maxOverhead: 1e-9 }).state.share).toBe(SMALLEST_SHARE)
  })

  test('rises when measuring has become cheap, once what was saved pays for a fit of all curves', () => {
    const low = { ...WHOLE_SHARE, share: 0.1 }
    expect(written(low, 500, { whole: 40 }).state.share).toBe(1)
    // 50 of 1000 are allowed and 4 are taken: 46 are saved by every write.
    const { shares } = written(low, 500, { whole: 40, epochUs: 4600 })
    expect(shares.findIndex((share) => share > 0.1)).toBe(99)
    expect(shares[99]).toBe(0.2)
    expect(new Set(written(low, 500, { whole: 40, epochUs: 1e9 }).shares)).toEqual(new Set([0.1]))
  })

  test('does not rise for a little slack', () => {
    expect(new Set(written({ ...WHOLE_SHARE, share: 0.5 }, 500, { whole: 80 }).shares)).toEqual(new Set([0.5]))
  })

  test('follows a workload that has become dear, after long silence', () => {
    const { state } = written(WHOLE_SHARE, 5000, { whole: 20 })
    const { shares } = written(state, 200, { whole: 200 })
    expect(shares.at(-1)).toBeLessThan(0.3)
  })
})

describe('what the core is told', () => {
  const measure = (measuredShare: number | undefined) => ({ measuredShare }) as BatchMeasure
  const told = (maxOverhead: number | undefined) => {
    const shares: number[] = []
    const share = new MeasuredShare({ measureShare: async (to) => void shares.push(to) }, maxOverhead)
    return { shares, share }
  }

  test('is nothing without a limit, unless another process had one', async () => {
    const { share, shares } = told(undefined)
    await share.afterWrite(measure(1), { indexUs: 1e5, measureUs: 1e6 })
    await share.afterWrite(measure(undefined), { indexUs: 1e5, measureUs: 1e6 })
    expect(shares).toEqual([])
    await share.afterWrite(measure(0.3), { indexUs: 1, measureUs: 1 })
    expect(shares).toEqual([1])
  })

  test('goes on from what another process had, and is said again until the core has it', async () => {
    const { share, shares } = told(0.05)
    await share.afterWrite(measure(0.5), { indexUs: 1e5, measureUs: 1e4 })
    await share.afterWrite(measure(0.5), { indexUs: 1e5, measureUs: 1e4 })
    await share.afterWrite(measure(0.25), { indexUs: 1e5, measureUs: 5e3 })
    expect(shares.slice(0, 2)).toEqual([0.125, 0.125])
    // What the core has is within the limit by now, and what was overspent is still to be paid back.
    expect(shares[2]).toBeCloseTo(0.25 * 0.8 ** 2, 10)
  })

  test('does not count writes without curves', async () => {
    const { share, shares } = told(0.05)
    await share.afterWrite(measure(undefined), { indexUs: 1e5, measureUs: 1e5 })
    await share.afterWrite(measure(1), { indexUs: 1e5, measureUs: 4e3 })
    expect(shares).toEqual([])
  })

  test('may fail: the write does not', async () => {
    const share = new MeasuredShare({ measureShare: () => Promise.reject(new Error('closed')) }, 0.05)
    await share.afterWrite(measure(1), { indexUs: 1e5, measureUs: 1e5 })
  })
})

describe('an index with maxOverhead', () => {
  const folders: string[] = []
  const newFolder = () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'freshdex-share-'))
    folders.push(folder)
    return path.join(folder, 'index')
  }
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })
  const withLimit = (maxOverhead: number | undefined) => ({
    workload: { ...(OPTIONS.workload as WorkloadOptions), ...(maxOverhead === undefined ? {} : { maxOverhead }) },
  })
  /** The nth write of a life in which all pages change a little, some come and some go. */
  const batchOf = (nth: number) => ({
    put: [
      ...PAGES.map((_, at) => page(at, `plum pear${nth} quince`.slice(0, 4 + ((nth * 7 + at) % 9)))),
      page(100 + nth),
    ],
    remove: nth % 5 === 4 ? [page(100 + nth - 1).url] : [],
  })

  test('so large that nothing is left out measures what one without it does, bit for bit', async () => {
    const lives = await Promise.all(
      [undefined, 1e300].map(async (maxOverhead) => {
        const index = await openOrchard(':memory:', withLimit(maxOverhead))
        const told: unknown[] = []
        index.onShifts((batch) => told.push(batch))
        for (let nth = 0; nth < 40; nth++) {
          const report = await index.write(batchOf(nth), { at: START + (nth + 1) * DAY_MS })
          expect(report.overhead.skippedWeight).toBe(0)
          const { overhead: _, ...rest } = report
          told.push(rest)
          await index.refresh.fit()
        }
        const pages = [...PAGES, ...Array.from({ length: 40 }, (_, nth) => page(100 + nth))]
        told.push(pages.map(({ url }) => index.refresh.explain(url, { at: START + 50 * DAY_MS })))
        expect(index.stats().measurement.skippedWeight).toBe(0)
        expect((await index.check()).ok).toBe(true)
        await index.close()
        return told
      }),
    )
    expect(lives[1]).toEqual(lives[0])
  })

  /** Writes until a report says that something was left out. */
  async function untilSkipping(index: Awaited<ReturnType<typeof openOrchard>>): Promise<WriteReport> {
    for (let nth = 0; nth < 5000; nth++) {
      const report = await index.write(batchOf(nth))
      if (report.overhead.skippedWeight > 0) return report
    }
    throw new Error('nothing was ever left out')
  }

  test('leaves queries out where measuring takes more, says so, and the next process goes on', async () => {
    const folder = newFolder()
    const index = await openOrchard(folder, withLimit(1e-9))
    const report = await untilSkipping(index)
    expect(report.overhead.skippedWeight).toBeLessThan(1)
    expect(index.stats().measurement.skippedWeight).toBeGreaterThan(0)
    expect((await index.check()).ok).toBe(true)
    await index.close()

    // What was left out is known at once.
    const next = await Freshdex.open<Page>(folder, { ...OPTIONS, ...withLimit(1e-9) })
    const { skippedWeight } = (await next.write(batchOf(1))).overhead
    expect(skippedWeight).toBeGreaterThan(0)
    await next.close()

    // Without a limit everything is measured from the second write on, and all curves are fitted once.
    const whole = await Freshdex.open<Page>(folder, OPTIONS)
    expect((await whole.write(batchOf(2))).overhead.skippedWeight).toBeGreaterThan(0)
    expect((await whole.write(batchOf(3))).overhead.skippedWeight).toBe(0)
    const { epoch } = whole.stats().measurement
    for (let nth = 4; whole.stats().measurement.epoch === epoch && nth < 100; nth++) await whole.write(batchOf(nth))
    expect(whole.stats().measurement.epoch).toBe(epoch + 1)
    expect((await whole.check()).ok).toBe(true)
    await whole.close()
  })
})
