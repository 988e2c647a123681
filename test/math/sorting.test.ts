import { expect, it } from 'vitest'
import { finish } from '../../src/base/turns.js'
import { sorting } from '../../src/math/sorting.js'
import { SeededRandom, withSeed } from '../support/seed.js'

it('sorts as Array.sort does, and keeps the order of equals', () => {
  withSeed('sorting', (seed) => {
    const random = new SeededRandom(seed)
    for (const length of [0, 1, 2, 1023, 1024, 1025, 5000, 10_000]) {
      const items = Array.from({ length }, (_, nth) => ({ nth, value: random.int(50) }))
      const compare = (a: { value: number }, b: { value: number }) => a.value - b.value
      expect(finish(sorting(items, compare))).toEqual(items.toSorted(compare))
    }
  })
})
