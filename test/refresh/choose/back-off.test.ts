import { expect, it } from 'vitest'
import { Ledger } from '../../../src/ledger/ledger.js'
import { DEFAULT_BACK_OFF, isWaiting, retryAtMs } from '../../../src/refresh/choose/next.js'

const HOUR_MS = 3_600_000

it('a page that failed waits twice as long each time, but no longer than a week', () => {
  const ledger = new Ledger()
  ledger.created(0, 0)
  expect(retryAtMs(ledger.columns, 0)).toBe(Number.NEGATIVE_INFINITY)
  const waits: number[] = []
  for (let atMs = 1000; waits.length < 12; atMs += HOUR_MS) {
    ledger.failed(0, atMs)
    waits.push((retryAtMs(ledger.columns, 0) - atMs) / HOUR_MS)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 168, 168, 168, 168])
  for (let attempt = 0; attempt < 2000; attempt++) ledger.failed(0, 0)
  expect(retryAtMs(ledger.columns, 0)).toBe(DEFAULT_BACK_OFF.maxMs)
})

it('a page waits until the moment of the retry, and not after a success', () => {
  const ledger = new Ledger()
  const backOff = { firstMs: 10, maxMs: 15 }
  ledger.created(0, 0)
  ledger.failed(0, 100)
  expect(isWaiting(ledger.columns, 0, 109, backOff)).toBe(true)
  expect(isWaiting(ledger.columns, 0, 110, backOff)).toBe(false)
  ledger.failed(0, 110)
  expect(isWaiting(ledger.columns, 0, 124, backOff)).toBe(true)
  expect(isWaiting(ledger.columns, 0, 125, backOff)).toBe(false)
  ledger.refreshed(0, 120, 'same', 0)
  expect(isWaiting(ledger.columns, 0, 120, backOff)).toBe(false)
})
