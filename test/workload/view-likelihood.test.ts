import { describe, expect, it } from 'vitest'
import { DEFAULT_VIEW, HEAD_RANKS, powerView, sampleView } from '../../src/workload/view-likelihood.js'

describe('the likelihood of a view', () => {
  it('falls with the power 3/2 of the rank unless told otherwise', () => {
    expect([1, 4, 100].map(DEFAULT_VIEW)).toEqual([1, 1 / 8, 1 / 1000].map((value) => expect.closeTo(value, 15)))
    for (const exponent of [0, -1])
      expect(() => powerView(exponent)).toThrow(/view must be a finite number from 0 to 100, above 0/)
  })

  it('is sampled at every rank of the head and each doubling of the tail', () => {
    const { head, tail } = sampleView(DEFAULT_VIEW)
    expect(head.length).toBe(HEAD_RANKS)
    head.forEach((value, at) => {
      expect(value).toBe(DEFAULT_VIEW(at + 1))
    })
    const ranks = [...tail].filter((_, at) => at % 2 === 0)
    expect(ranks).toEqual(Array.from({ length: 21 }, (_, at) => 2 ** (11 + at)))
    expect([...tail].filter((_, at) => at % 2 === 1)).toEqual(ranks.map(DEFAULT_VIEW))
  })

  it('may be a step', () => {
    const { head, tail } = sampleView((rank1) => (rank1 <= 10 ? 1 : 0))
    expect(head.reduce((sum, value) => sum + value, 0)).toBe(10)
    expect(tail.at(-1)).toBe(0)
  })

  it.each<[string, (rank1: number) => unknown, string]>([
    ['rises', (rank1) => (rank1 < 7 ? 1 : 2), 'view(7) must be at most that of the rank before, 1, received 2'],
    ['rises late', (rank1) => (rank1 < 5000 ? 1 : 2), 'view(8192) must be at most'],
    ['is negative', (rank1) => 3 - rank1, 'view(4) must be a finite number of at least 0, received -1'],
    ['is infinite', () => Number.POSITIVE_INFINITY, 'view(1) must be a finite number'],
    ['is not a number', () => Number.NaN, 'view(1) must be a finite number of at least 0, received NaN'],
    ['is text', () => '1', 'view(1) must be a finite number of at least 0, received "1"'],
    ['is nothing', () => 0, 'view(1) must be above 0, received 0'],
  ])('is refused when it %s', (_, view, message) => {
    expect(() => sampleView(view as (rank1: number) => number)).toThrow(message)
  })

  it('must be a function', () => {
    expect(() => sampleView(1.5 as never)).toThrow(TypeError)
  })
})
