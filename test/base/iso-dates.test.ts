import { describe, expect, it } from 'vitest'
import { isoTimeMs } from '../../src/base/iso-dates.js'

describe('a date as text', () => {
  it.each<[string, number]>([
    ['1970', 0],
    ['2026', Date.UTC(2026, 0, 1)],
    ['2026-03', Date.UTC(2026, 2, 1)],
    ['2026-03-09', Date.UTC(2026, 2, 9)],
    ['2026-03-09T10:11', Date.UTC(2026, 2, 9, 10, 11)],
    ['2026-03-09 10:11:12', Date.UTC(2026, 2, 9, 10, 11, 12)],
    ['2026-03-09T10:11:12.5Z', Date.UTC(2026, 2, 9, 10, 11, 12, 500)],
    ['2026-03-09T10:11:12.123456789Z', Date.UTC(2026, 2, 9, 10, 11, 12, 123)],
    ['2026-03-09T10:11+02:00', Date.UTC(2026, 2, 9, 8, 11)],
    ['2026-03-09T10:11-0530', Date.UTC(2026, 2, 9, 15, 41)],
    ['2026-03-09T10:11:12+02', Date.UTC(2026, 2, 9, 8, 11, 12)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
    ['0001-01-01', -62135596800000],
    ['-000001-12-31', -62167305600000],
    ['1969-12-31T23:59:59.999', -1],
  ])('%s is a moment of UTC', (text, timeMs) => {
    expect(isoTimeMs(text)).toBe(timeMs)
  })

  it.each(['', '26', '2026-13', '2026-00', '2026-02-30', '2025-02-29', '1900-02-29', '2026-04-31', '2026-1-1'])(
    '%s is none',
    (text) => expect(isoTimeMs(text)).toBeUndefined(),
  )

  it.each(['2026-01-01T25:00', '2026-01-01T10:60', '2026-01-01T10', 'today', '2026-01-01x', ' 2026', '1/2/2026'])(
    '%s is none either',
    (text) => expect(isoTimeMs(text)).toBeUndefined(),
  )
})
