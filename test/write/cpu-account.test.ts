/** What writes cost: clocks that are told what to say, then those of an index. */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import type { Written } from '../../src/engine.js'
import { CpuAccount } from '../../src/write/cpu-account.js'
import { newPath } from '../storage/temporary-folder.js'

describe('an account by clocks that are told what to say', () => {
  const at = { threadUs: 0, writerUs: 0, indexUs: 0, ledgerUs: 0 }
  const clocks = {
    threadUs: () => at.threadUs,
    writerUs: () => at.writerUs,
    catalogUs: () => ({ indexUs: at.indexUs, ledgerUs: at.ledgerUs }),
  }
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
    expect(account.report(written(5, 0.25))).toEqual({
      ...{ indexUs: 10 + 85 + 40, measureUs: 8, fitUs: 0, ledgerUs: 20 + 7 + 50 },
      ...{ ratio: 85 / 135, skippedWeight: 0.25 },
    })
    account.fitted(300)
    account.timed('fit', spend(30))
    at.ledgerUs += 5
    at.writerUs += 20
    expect(account.report(written(0))).toEqual({
      ...{ indexUs: 10, measureUs: 3, fitUs: 330, ledgerUs: 12 },
      ...{ ratio: 345 / 10, skippedWeight: 0 },
    })
    expect(account.stats()).toEqual({
      ...{ indexUs: 145, measureUs: 11, fitUs: 330, ledgerUs: 89, ratio: 430 / 145, skippedWeight: 0.125 },
      ...{ shifts: 6, normShifts: 4 },
    })
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
