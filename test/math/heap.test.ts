import { expect, it } from 'vitest'
import { bestFirst, FallingHeap } from '../../src/math/heap.js'
import { SeededRandom, withSeed } from '../support/seed.js'

it('a heap without entries has no top', () => {
  expect(new FallingHeap(new Uint32Array(), new Float64Array()).top).toBeUndefined()
})

it('the top is the block of the highest worth, then of the lowest document, however it falls', () => {
  withSeed('block heap', (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < 100; round++) {
      const blocks = random.between(1, 40)
      const twin = Array.from({ length: blocks }, (_, block) => ({ block, worth: random.int(8), doc: block * 10 }))
      const worths = Float64Array.from(twin, ({ worth }) => worth)
      const heap = new FallingHeap(
        Uint32Array.from(twin, ({ doc }) => doc),
        worths,
      )
      for (let step = 0; step < 100; step++) {
        const best = twin.toSorted((a, b) => b.worth - a.worth || a.doc - b.doc)[0] as (typeof twin)[number]
        expect([heap.topWorth, heap.top]).toEqual([best.worth, best.doc])
        best.worth -= random.int(3)
        best.doc = best.block * 10 + random.int(10)
        heap.lowerTop(best.worth, best.doc)
      }
    }
  })
})

it('places come in the order of a full sort', () => {
  withSeed('best first', (seed) => {
    const random = new SeededRandom(seed)
    for (let run = 0; run < 200; run++) {
      const values = Array.from({ length: random.int(40) }, () => random.int(12))
      const sorted = values.map((_, place) => place).sort((a, b) => values[b]! - values[a]! || a - b)
      expect([...bestFirst(values)], `run ${run}, seed ${seed}`).toEqual(sorted)
    }
  })
})
