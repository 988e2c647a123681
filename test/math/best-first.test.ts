import { expect, test } from 'vitest'
import { bestFirst } from '../../src/math/heap.js'
import { SeededRandom, withSeed } from '../support/seed.js'

test('places come in the order of a full sort', () => {
  withSeed('best first', (seed) => {
    const random = new SeededRandom(seed)
    for (let run = 0; run < 200; run++) {
      const values = Array.from({ length: random.int(40) }, () => random.int(12))
      const sorted = values.map((_, place) => place).sort((a, b) => values[b]! - values[a]! || a - b)
      expect([...bestFirst(values)], `run ${run}, seed ${seed}`).toEqual(sorted)
    }
  })
})
