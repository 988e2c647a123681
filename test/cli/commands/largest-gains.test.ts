import { expect, it } from 'vitest'
import { LargestGains } from '../../../src/cli/commands/index.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

it('keeps the ten largest of all gains, as sorting them all would', () =>
  withSeed('cli-largest-gains', (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < 100; round++) {
      const gains = new LargestGains()
      const writes = Array.from({ length: random.int(8) }, (_, write) =>
        Array.from({ length: random.int(30) }, (_, nth) => ({
          key: `${write}/${nth}`,
          deltaQuality: random.next(),
        })).sort((a, b) => b.deltaQuality - a.deltaQuality),
      )
      for (const write of writes) gains.add(write)
      const all = writes.flat().sort((a, b) => b.deltaQuality - a.deltaQuality)
      expect(gains.list).toEqual(all.slice(0, 10))
    }
  }))
