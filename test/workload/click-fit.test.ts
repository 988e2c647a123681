import { describe, expect, it } from 'vitest'
import { ClickCounts, fitView, MAX_CLICK_RANK } from '../../src/workload/view-likelihood.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const ranks = Array.from({ length: MAX_CLICK_RANK }, (_, at) => at + 1)

describe('clicks', () => {
  it('are counted by rank and kept', () => {
    const clicks = new ClickCounts()
    clicks.add(1)
    clicks.add(3, 2.5)
    clicks.add(3)
    clicks.add(MAX_CLICK_RANK + 1)
    expect(clicks.total).toBe(4.5)
    expect(clicks.counts.slice(0, 4)).toEqual(new Float64Array([1, 0, 3.5, 0]))
    const rows = clicks.rows()
    expect(rows).toEqual([
      { rank1: 1, count: 1 },
      { rank1: 3, count: 3.5 },
    ])
    const restored = new ClickCounts()
    restored.add(9)
    restored.restore(rows)
    expect(restored.rows()).toEqual(rows)
  })

  it.each<[number, number, string]>([
    [0, 1, 'rank1 must be an integer of at least 1, received 0'],
    [1.5, 1, 'rank1 must be an integer'],
    [1, 0, 'count must be a finite number from 0 to 1000000000000, above 0, received 0'],
  ])('at rank %d, %d times, are refused', (rank1, count, message) => {
    expect(() => new ClickCounts().add(rank1, count)).toThrow(message)
  })

  it('stay amounts, so that they can be restored', () => {
    const clicks = new ClickCounts()
    clicks.add(1, 1e12)
    clicks.add(1, 1e12)
    const restored = new ClickCounts()
    restored.restore(clicks.rows())
    expect(restored.counts[0]).toBe(1e12)
  })
})

describe('a fit', () => {
  it.each([0.5, 1, 1.5, 2, 3])('of exact shares finds the exponent %d and the share of rank 1', (exponent) => {
    const norm = ranks.reduce((sum, rank1) => sum + rank1 ** -exponent, 0)
    const fit = fitView(ranks.map((rank1) => (1e6 * rank1 ** -exponent) / norm))
    // A bin stands where its middle is on the log scale, which is a little off the law's own mean in it.
    expect(Math.abs((fit?.exponent as number) / exponent - 1)).toBeLessThan(0.02)
    expect((fit as { scale: number }).scale * norm).toBeCloseTo(1, 1)
    expect(fit?.view(4)).toBe(4 ** -(fit?.exponent as number))
  })

  it('of random clicks comes near the law they were drawn from', () => {
    withSeed('click fit', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 40; round++) {
        const exponent = 0.8 + random.next() * 1.2
        const clicks = new ClickCounts()
        for (let click = 0; click < 3000; click++) clicks.add(drawRank(random, exponent))
        expect(Math.abs((fitView(clicks.counts)?.exponent as number) - exponent)).toBeLessThan(0.2)
      }
    })
  })

  it('keeps the exponent between 0.1 and 5', () => {
    expect(fitView([10, 100, 1000])?.exponent).toBe(0.1)
    expect(fitView([1e9, 10, 1])?.exponent).toBe(5)
  })

  it.each<[string, number[]]>([
    ['no clicks', []],
    ['49 clicks', [40, 5, 4]],
    ['two ranks', [1000, 500, 0, 0]],
    ['ranks next to each other far down', [...ranks.slice(0, 27).map(() => 0), 20, 20, 20]],
  ])('is not made from %s', (_, clicks) => {
    expect(fitView(clicks)).toBeUndefined()
  })

  it('refuses counts that are none', () => {
    expect(() => fitView([50, -1, 50])).toThrow('clicks[1] must be a finite number of at least 0, received -1')
  })
})

function drawRank(random: SeededRandom, exponent: number): number {
  for (;;) {
    const rank1 = random.between(1, MAX_CLICK_RANK)
    if (random.chance(rank1 ** -exponent)) return rank1
  }
}
