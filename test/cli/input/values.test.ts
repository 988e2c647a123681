import { describe, expect, it } from 'vitest'
import { isoTime, pagesOf, parseBudget, parseTime } from '../../../src/cli/input/values.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

describe('times on the command line', () => {
  it.each([
    ['0', 0],
    ['1794268800000', 1794268800000],
    ['2026-11-10', 1794268800000],
    ['2026-11-10T00:00', 1794268800000],
    ['2026-11-10T00:00Z', 1794268800000],
    ['2026-11-10T01:30:00+01:30', 1794268800000],
    ['2026-11-09T19:00:00.000-0500', 1794268800000],
    ['2026-11-10T00:00:01.25Z', 1794268801250],
    ['2024-02-29', 1709164800000],
    ['8640000000000000', 8.64e15],
  ])('takes %s', (text, ms) => {
    expect(parseTime(text)).toBe(ms)
  })

  it.each([
    ...['', ' ', 'now', 'tomorrow', '-1', '1.5', '1e3', '8640000000000001', '2026-11', '2026-13-01'],
    ...['2026-02-31', '2025-02-29', '2026-11-10 09:00', '2026-11-10T9:00Z', '2026-11-10T25:00Z', '2026-11-10T09:61Z'],
    ...['1969-12-31T23:59Z', '10 Nov 2026', '2026-11-10T00:00Zulu', ' 2026-11-10', '2026-11-10T', '２０２６'],
  ])('does not take %j', (text) => {
    expect(parseTime(text)).toBeUndefined()
  })

  it('takes a length of time for a moment so long ago', () => {
    const now = Date.UTC(2026, 10, 10)
    expect(parseTime('2d', now)).toBe(Date.UTC(2026, 10, 8))
    expect(parseTime('1.5h', now)).toBe(now - 5_400_000)
    expect(parseTime('-2d', now)).toBeUndefined()
    expect(parseTime('4000w', now)).toBeUndefined()
  })

  it('takes digits alone for milliseconds, also when they look like a year', () => {
    expect(parseTime('2026')).toBe(2026)
  })

  it('takes what it says', () =>
    withSeed('cli-time-text', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 1000; round++) {
        const ms = random.int(Date.UTC(9999, 11, 31))
        expect(parseTime(isoTime(ms))).toBe(ms)
      }
    }))
})

describe('budgets on the command line', () => {
  it.each([
    ['0', 50, 0],
    ['7', 50, 7],
    ['2%', 50, 1],
    ['2%', 51, 2],
    ['7%', 100, 7],
    ['0.1%', 3, 1],
    ['0%', 100, 0],
    ['100%', 1234, 1234],
    ['0.5%', 1442, 8],
  ])('%s of %i documents are %i pages', (text, documents, pages) => {
    expect(pagesOf(parseBudget(text)!, documents)).toBe(pages)
  })

  it.each(['', '%', '-1', '1.5', '101%', '2 %', '1e3', '99999999999999999'])('does not take %j', (text) => {
    expect(parseBudget(text)).toBeUndefined()
  })
})
