/** What writes do to the answers of the workload: which score shifts they cause, and what these are worth. */
import { Freshdex, type ShiftBatch } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import {
  DAY_MS,
  OPTIONS,
  openOrchard,
  PAGES,
  type Page,
  page,
  QUERIES,
  START,
  shiftsOf,
  url,
  writeListening,
} from './orchard.js'

const queriesOf = (shifts: readonly { readonly query: string }[]) => shifts.map(({ query }) => query)

describe('a write', () => {
  test('with the same text emits no shifts', async () => {
    await using index = await openOrchard()
    const { report, shifts } = await writeListening(index, { put: [...PAGES] })
    expect(shifts).toEqual([])
    expect(report).toMatchObject({ unchanged: PAGES.length, gains: [] })
    expect(index.stats().measurement.shifts).toBe(0)
  })

  test('of many pages into a folder shifts and gains what it does in memory', async () => {
    await using inMemory = await openOrchard()
    await using onDisk = await openOrchard(newPath())
    const put = Array.from({ length: 40 }, (_, nth) => page(nth * 2, nth % 3 === 0 ? 'quince' : ''))
    const wanted = await writeListening(inMemory, { put, remove: [url(3), url(5)] })
    expect(wanted.report.gains.length).toBeGreaterThan(8)
    const found = await writeListening(onDisk, { put, remove: [url(3), url(5)] })
    expect(found.shifts).toEqual(wanted.shifts)
    expect(found.report.gains).toEqual(wanted.report.gains)
    expect(found.report.overhead.measureUs).toBeGreaterThan(0)
  })

  test('of a page gone: one shift to 0 per matching query', async () => {
    await using index = await openOrchard()
    const { report, shifts } = await writeListening(index, { remove: [url(6)] })
    expect(queriesOf(shifts)).toEqual(['apple', 'apple plum', 'pear'])
    for (const shift of shifts) expect(shift).toMatchObject({ url: url(6), after: 0 })
    expect(shifts.filter(({ before }) => !(before > 0))).toEqual([])
    // It held ranks that others deserve.
    expect(report.gains.map(({ key }) => key)).toEqual([url(6)])
    expect(await shiftsOf(index, { remove: [url(6)] })).toEqual([])
  })

  test('of a page that appears: one shift from 0 per matching query', async () => {
    await using index = await openOrchard()
    const { report, shifts } = await writeListening(index, { put: [{ url: 'new', title: 'quince', body: 'pear' }] })
    expect(shifts).toEqual([
      { url: 'new', query: 'pear', before: 0, after: expect.any(Number) },
      { url: 'new', query: 'quince', before: 0, after: expect.any(Number) },
    ])
    expect(report.gains).toEqual([{ key: 'new', deltaQuality: expect.any(Number) }])
  })

  test('whose only change is a length: shifts of unchanged words by the norm alone', async () => {
    await using index = await openOrchard()
    const shifts = await shiftsOf(index, { put: [page(0, 'another')] })
    expect(queriesOf(shifts)).toEqual(['apple', 'apple plum', 'pear'])
    for (const { before, after } of shifts) expect(after).toBeLessThan(before)
    expect(index.stats().measurement).toMatchObject({ shifts: 3, normShifts: 3 })
  })

  test('of a word that nobody asks for, the length the same: none', async () => {
    await using index = await openOrchard()
    const changed = { ...page(5), body: page(5).body.replace('filler3', 'other') }
    const { report, shifts } = await writeListening(index, { put: [changed] })
    expect(report.replaced).toBe(1)
    expect(shifts).toEqual([])
  })

  test('of a weight alone: shifts where weights are part of scores', async () => {
    const heavier = { ...page(4), links: 40 }
    await using plain = await openOrchard()
    expect(await shiftsOf(plain, { put: [heavier] })).toEqual([])
    await using weighted = await openOrchard(':memory:', { scoring: { weight: 'links', beta: 0.5 } })
    const shifts = await shiftsOf(weighted, { put: [heavier] })
    expect(queriesOf(shifts)).toEqual(['apple', 'pear'])
    for (const { before, after } of shifts) expect(after - before).toBeCloseTo(18, 4)
  })

  test('tells its shifts by the numbers and ids of the SQL tables', async () => {
    const { default: Database } = await import('better-sqlite3')
    const folder = newPath()
    const index = await openOrchard(folder)
    let batch: ShiftBatch | undefined
    index.onShifts((shifts) => {
      batch = shifts
    })
    await index.write({ put: [{ ...page(7), body: 'quince' }] })
    await index.close()
    const db = new Database(`${folder}/catalog.db`, { readonly: true })
    const keyOf = db.prepare('SELECT key FROM documents WHERE doc = ?').pluck()
    const nameOf = db.prepare('SELECT name FROM queries WHERE id = ?').pluck()
    const { documents, queries } = batch as ShiftBatch
    expect(Array.from(documents, (number) => keyOf.get(number))).toEqual([url(7), url(7)])
    expect(Array.from(queries, (id) => nameOf.get(id)).sort()).toEqual(['apple', 'quince'])
    db.close()
  })
})

describe('no shifts come from', () => {
  test('searching, compaction, checks and snapshots', async () => {
    await using index = await openOrchard(newPath())
    const told: ShiftBatch[] = []
    index.onShifts((shifts) => told.push(shifts))
    index.search('apple pear', { refresh: true })
    index.snapshot().close()
    await index.compact()
    expect(await index.check()).toMatchObject({ ok: true })
    await index.refresh.fit()
    await index.refresh.next({ budget: 5 })
    await Promise.resolve()
    expect(told).toEqual([])
    expect(index.stats().measurement.shifts).toBe(0)
  })

  test('an observed 304', async () => {
    await using index = await openOrchard(newPath())
    const told: ShiftBatch[] = []
    index.onShifts((shifts) => told.push(shifts))
    await index.refresh.observe(url(2), { outcome: 'same' })
    await Promise.resolve()
    expect(told).toEqual([])
    expect(index.refresh.explain(url(2))).toMatchObject({ lastOutcome: 'same', lastDeltaQuality: 0, queries: [] })
  })

  test('flushing, reopening and replaying the log', async () => {
    const folder = newPath()
    // A flush after every write.
    const index = await openOrchard(folder, { upkeep: { logBytes: 1 } })
    await index.write({ put: [page(0, 'another')] })
    const { shifts } = index.stats().measurement
    expect(shifts).toBe(3)
    await index.write({})
    await index.close()
    // Without a flush: the log is replayed.
    const replaying = await Freshdex.open<Page>(folder, OPTIONS)
    await replaying.write({ put: [page(1, 'another')] })
    await replaying.close()
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    const told: ShiftBatch[] = []
    again.onShifts((batch) => told.push(batch))
    await again.write({ put: [...PAGES.slice(2)] })
    await Promise.resolve()
    expect(told).toEqual([])
    expect(again.stats().measurement.shifts).toBe(0)
  })
})

describe('listeners', () => {
  test('that stopped are not told, and others go on', async () => {
    await using index = await openOrchard()
    const told: string[] = []
    const stopFirst = index.onShifts(() => told.push('first'))
    index.onShifts(() => told.push('second'))
    await index.write({ put: [page(0, 'a')] })
    stopFirst()
    stopFirst()
    await index.write({ put: [page(0, 'a b')] })
    await Promise.resolve()
    expect(told).toEqual(['first', 'second', 'second'])
  })

  test('are told by a workload that comes after another was cleared', async () => {
    await using index = await openOrchard()
    const told: ShiftBatch[] = []
    index.onShifts((batch) => told.push(batch))
    index.workload.clear()
    await index.write({ put: [page(0, 'a')] })
    await index.write({ put: [page(0, 'a b')] })
    told.length = 0
    index.workload.record('apple')
    await index.write({ put: [page(0, 'a b c')] })
    await Promise.resolve()
    expect(told).toHaveLength(1)
  })

  test('are not paid for when there are none', async () => {
    await using index = await openOrchard()
    // Measured all the same, but no shift comes out of the core: whoever listens later is not told of the past.
    await index.write({ put: [page(0, 'a')] })
    expect(index.stats().measurement.shifts).toBe(3)
    const told: ShiftBatch[] = []
    index.onShifts((batch) => told.push(batch))
    await index.write({})
    await Promise.resolve()
    expect(told).toEqual([])
  })

  test('must be functions', async () => {
    await using index = await openOrchard()
    expect(() => index.onShifts('loudly' as never)).toThrow(TypeError)
  })
})

describe('a fit that is asked for', () => {
  test('does not wait for one that a write began', async () => {
    await using index = await openOrchard()
    const { epoch } = index.stats().measurement
    // So much of it is new that a fit begins behind it, and goes on beside what follows.
    const writing = index.write({ put: Array.from({ length: 30 }, (_, nth) => page(nth + 20)) })
    await Promise.all([writing, index.refresh.fit(), index.refresh.fit()])
    expect(index.stats().measurement).toMatchObject({ failure: undefined })
    expect(index.stats().measurement.epoch).toBeGreaterThan(epoch + 1)
    await index.write({ put: [page(0, 'another')] })
    expect(index.refresh.explain(url(0))?.stake).toBeGreaterThan(0)
  })

  test('finds what a fit found that a write began, which did not look at the workload again', async () => {
    const texts = Array.from({ length: 60 }, (_, nth) => page(nth + 20, nth % 5 === 0 ? 'quince' : ''))
    const settled = async (asks: boolean) => {
      const index = await openOrchard()
      await index.write({ put: texts }, { at: START + DAY_MS })
      if (asks) await index.refresh.fit()
      // A turn that comes behind the fit.
      while (index.stats().measurement.epoch < 2) await index.write({})
      const looks = QUERIES.map(([query]) => index.refresh.curve(query))
      const stakes = texts.map((text) => index.refresh.explain(text.url)?.stake)
      await index.close()
      return { looks, stakes }
    }
    const [begun, asked] = [await settled(false), await settled(true)]
    expect(begun.looks).toEqual(asked.looks)
    begun.stakes.forEach((stake, nth) => {
      expect(stake).toBeCloseTo(asked.stakes[nth] as number, 6)
    })
  })

  test('is nothing where there is nothing to measure', async () => {
    await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
    await index.refresh.fit()
    index.workload.record('apple')
    await index.refresh.fit()
    expect(index.stats().measurement).toMatchObject({ epoch: 0, fits: 0 })
  })
})
