import { describe, expect, it } from 'vitest'
import { Randomness } from '../../../src/lab/worlds/randomness.js'

describe('the randomness of a generated world', () => {
  it('stays in its ranges', () => {
    const random = new Randomness(1)
    const seen = new Set<number>()
    for (let draw = 0; draw < 2000; draw++) {
      const next = random.next()
      expect(next >= 0 && next < 1).toBe(true)
      seen.add(random.between(3, 5))
      expect([1, 2, 3]).toContain(random.pickEarly([1, 2, 3]))
    }
    expect([...seen].sort()).toEqual([3, 4, 5])
  })

  it('prefers early items where asked to', () => {
    const random = new Randomness(2)
    const counts = [0, 0, 0, 0]
    for (let draw = 0; draw < 4000; draw++) counts[random.pickEarly([0, 1, 2, 3])]!++
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
    expect(counts[3]).toBeGreaterThan(0)
  })

  it('samples every set of items alike, and never more than there are', () => {
    const random = new Randomness(3)
    const counts = new Map<string, number>()
    for (let draw = 0; draw < 6000; draw++) {
      const pair = random.sample([0, 1, 2, 3], 2).sort().join()
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual(['0,1', '0,2', '0,3', '1,2', '1,3', '2,3'])
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
    expect(random.sample([0, 1, 2], 5).sort()).toEqual([0, 1, 2])
  })
})
