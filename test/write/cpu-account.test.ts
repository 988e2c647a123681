/** What writes cost: clocks that are told what to say, then those of an index. */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import type { Written } from '../../src/engine.js'
import { besideOf, CpuAccount } from '../../src/write/cpu-account.js'
import { newPath } from '../storage/temporary-folder.js'

describe('an account by clocks that are told what to say', () => {
  const at = { threadUs: 0, writerUs: 0, indexUs: 0, ledgerUs: 0, othersUs: 0 }
  const clocks = {
    threadUs: () => at.threadUs,
    processUs: () => at.threadUs + at.writerUs + at.indexUs + at.ledgerUs + at.othersUs,
    writerUs: () => at.writerUs,
    catalogUs: () => ({
      ...{ indexUs: at.indexUs, ledgerUs: at.ledgerUs, threadUs: at.indexUs + at.ledgerUs },
      hereUs: { indexUs: 0, ledgerUs: 0 },
    }),
  }
  const isFitting = false
  const account = new CpuAccount(clocks)
  const spend = (us: number) => () => {
    at.threadUs += us
    return us
  }
  const written = (measureUs: number, skippedWeight?: number): Written =>
    ({
      prepared: { measureUs, sketchUs: 7 },
      measure: { measureUs: 1, shifts: 3, normShifts: 2, skippedWeight },
      published: { measureUs: 2 },
    }) as Written

  test('has every part, and what is between two reports in the second', () => {
    expect(account.timed('index', spend(10))).toBe(10)
    account.timed('ledger', spend(20))
    at.threadUs += 1000
    at.writerUs = 100
    at.indexUs = 40
    at.ledgerUs = 50
    // Of the writer's 100, 8 measured and 7 sketched.
    expect(account.report(written(5, 0.25), { isFitting })).toEqual({
      ...{ indexUs: 10 + 85 + 40, measureUs: 8, fitUs: 0, ledgerUs: 20 + 7 + 50 },
      ...{ ratio: 85 / 135, skippedWeight: 0.25 },
    })
    account.fitted(300)
    account.timed('fit', spend(30))
    at.ledgerUs += 5
    at.writerUs += 20
    expect(account.report(written(0), { isFitting })).toEqual({
      ...{ indexUs: 10, measureUs: 3, fitUs: 330, ledgerUs: 12 },
      ...{ ratio: 345 / 10, skippedWeight: 0 },
    })
    expect(account.stats()).toEqual({
      ...{ indexUs: 145, measureUs: 11, fitUs: 330, ledgerUs: 89, ratio: 430 / 145, skippedWeight: 0.125 },
      ...{ shifts: 6, normShifts: 4 },
    })
  })

  test('has its share of what other threads take, but not while a fit takes what is not known yet', () => {
    const reported = (isFitting: boolean) => account.report(written(0), { isFitting })
    reported(false)
    at.writerUs += 10
    account.timed('index', spend(60))
    account.timed('ledger', spend(20))
    at.threadUs += 120
    at.othersUs += 1000
    const during = reported(true)
    const after = reported(false)
    expect(during).toMatchObject({ indexUs: 60 + 10 - 3 - 7, ledgerUs: 27, fitUs: 0 })
    // 60 of 200 microseconds of the thread were for indexing, and 20 for the ledger.
    expect(after).toMatchObject({ indexUs: 300 - 10 + 0, ledgerUs: 100 + 7, fitUs: 0 })
    expect(reported(false).ledgerUs).toBe(7)
  })

  test('counts work that throws', () => {
    const before = account.stats().indexUs
    const failing = () => {
      spend(4)()
      throw new Error('no')
    }
    expect(() => account.timed('index', failing)).toThrow('no')
    expect(account.stats().indexUs).toBe(before + 4)
  })
})

describe('the share of other threads', () => {
  const nothing = { index: 0, ledger: 0, fit: 0 }
  const look = (loopUs: number, othersUs: number, here = nothing) => ({ loopUs, othersUs, here })

  test('is that of the thread which calls, part by part', () => {
    const now = look(1000, 500, { index: 400, ledger: 100, fit: 10 })
    expect(besideOf(nothing, look(0, 0), now)).toEqual({ index: 200, ledger: 50, fit: 5 })
    expect(besideOf({ index: 1, ledger: 2, fit: 3 }, look(0, 0), now)).toEqual({ index: 201, ledger: 52, fit: 8 })
  })

  test('is nothing where nothing is known, and never below', () => {
    const beside = { index: 1, ledger: 2, fit: 3 }
    const here = { index: 5, ledger: 5, fit: 5 }
    expect(besideOf(beside, look(10, 0), look(10, 500, here))).toEqual(beside)
    expect(besideOf(beside, look(0, 700), look(10, 600, here))).toEqual(beside)
    expect(besideOf(nothing, look(0, 0, here), look(10, 10))).toEqual(nothing)
    // Clocks are read one after another.
    expect(besideOf(nothing, look(0, 0), look(4, 10, here))).toEqual({ index: 10, ledger: 10, fit: 10 })
  })
})

describe.each([':memory:', 'a folder'])('the account of an index in %s', (place) => {
  test('has all parts, sums up, and is no more than the process took', async () => {
    const startUs = cpuUs()
    await using index = await Freshdex.open<Page>(place === ':memory:' ? place : newPath(), OPTIONS)
    const sums = { indexUs: 0, measureUs: 0, fitUs: 0, ledgerUs: 0 }
    const write = async (version: number) => {
      const { overhead } = await index.write({ put: Array.from({ length: 50 }, (_, nth) => page(nth, version)) })
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += overhead[name]
      return overhead
    }
    expect(await write(0)).toMatchObject({ measureUs: 0, fitUs: 0, skippedWeight: 0 })
    for (let nth = 0; nth < 20; nth++) index.workload.record(`word${nth} common`)
    await index.refresh.fit()
    const overhead = await write(1)
    for (const name of Object.keys(sums) as (keyof typeof sums)[])
      expect([name, overhead[name] > 0]).toEqual([name, true])
    const { measurement } = index.stats()
    expect(measurement.measureUs).toBeCloseTo(sums.measureUs)
    expect(measurement.fitUs).toBeCloseTo(sums.fitUs)
    // What came after the last report: the report itself, and work of other threads.
    expect(measurement.ledgerUs).toBeGreaterThanOrEqual(sums.ledgerUs)
    const { indexUs, measureUs, fitUs, ledgerUs, ratio } = measurement
    expect(ratio).toBeCloseTo((measureUs + fitUs + ledgerUs) / indexUs)
    // The clock of the process has ticks of its own.
    expect(indexUs + measureUs + fitUs + ledgerUs).toBeLessThan(cpuUs() - startUs + 20_000)
  })
})

interface Page {
  readonly url: string
  readonly body: string
}

const OPTIONS = { key: 'url', fields: { body: {} } } as const

function page(nth: number, version: number): Page {
  return { url: `/${nth}`, body: `common word${nth} and ${'other words '.repeat(nth % 7)} version${version}` }
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
