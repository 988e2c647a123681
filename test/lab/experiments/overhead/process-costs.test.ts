import { describe, expect, it } from 'vitest'
import {
  accountAgreement,
  busynessOf,
  differencesOf,
  quartilesOf,
} from '../../../../src/lab/experiments/overhead/process-costs.js'

describe('repeated measurements', () => {
  it('are told by their median and quartiles', () => {
    expect(quartilesOf([5, 1, 4, 2, 3])).toEqual({ median: 3, p25: 2, p75: 4 })
    expect(quartilesOf([7])).toEqual({ median: 7, p25: 7, p75: 7 })
  })

  it('differ run by run, so that a machine that slows down does not matter', () => {
    const differences = differencesOf([12, 24, 36], [10, 22, 34])
    expect(differences).toEqual([2, 2, 2])
    expect(quartilesOf(differences)).toEqual({ median: 2, p25: 2, p75: 2 })
  })
})

describe('a machine', () => {
  const calm = {
    ...{ cores: 2, loadBefore: 0.3, loads: [1, 1.2, 1.1] },
    ...{ steady: [100, 101, 102, 99, 100], differences: [10, 11, 12, 10, 11], limit: 12 },
  }

  it('that others leave alone is fit to tell', () => {
    expect(busynessOf(calm)).toEqual({
      ...{ isTooBusy: false, because: [], loadBefore: 0.3, loadDuring: 1.1 },
      steadySpread: expect.closeTo(1 / 100, 12),
    })
  })

  it.each([
    ['before', { loadBefore: 1.1 }],
    ['during', { loads: [1, 2.1, 3] }],
    ['should be the same', { steady: [100, 110, 120, 90, 100] }],
    ['wider than what is allowed', { differences: [0, 5, 11, 18, 25] }],
  ])('is too busy by its load average, by runs that differ, and where nothing can be told (%s)', (reason, given) => {
    const { isTooBusy, because } = busynessOf({ ...calm, ...given })
    expect(isTooBusy).toBe(true)
    expect(because).toEqual([expect.stringContaining(reason)])
  })
})

describe('two accounts of one cost', () => {
  it('agree within a tenth', () => {
    expect(accountAgreement(109, 100)).toEqual({ toldUs: 109, processUs: 100, ratio: 1.09, agrees: true })
    expect(accountAgreement(91, 100).agrees).toBe(true)
    expect(accountAgreement(89, 100).agrees).toBe(false)
    expect(accountAgreement(111, 100).agrees).toBe(false)
  })
})
