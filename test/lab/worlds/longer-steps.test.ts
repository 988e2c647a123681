import { describe, expect, it } from 'vitest'
import { withLongerSteps } from '../../../src/lab/worlds/open-world.js'
import type { WorldPage, WorldStep } from '../../../src/lab/worlds/world.js'
import { type SeededRandom, seededRandom, withSeed } from '../../support/seed.js'
import { worldOf } from '../quality/small-worlds.js'
import { allSteps, page, statesOf } from './world-reading.js'

/** Pages come, change, go and come back. */
function randomSteps(random: SeededRandom): WorldStep[] {
  const present = new Set<string>()
  return Array.from({ length: random.between(1, 14) }, (_, step) => {
    const versions: WorldPage[] = []
    const gone: string[] = []
    for (const url of ['/a', '/b', '/c', '/d']) {
      const change = random.int(4)
      if (change === 0 && present.delete(url)) gone.push(url)
      else if (change === 1 || (step === 0 && url === '/a')) {
        versions.push(page(url, `text ${random.int(3)}`))
        present.add(url)
      }
    }
    return { atMs: 1000 * step, versions, gone }
  })
}

describe('a world in longer steps', () => {
  it('is at each of its steps what the world was then', async () => {
    await withSeed('longer steps', async (seed) => {
      const random = seededRandom('longer steps', seed)
      for (let run = 0; run < 200; run++) {
        const steps = randomSteps(random)
        const length = random.between(1, 5)
        const longer = await allSteps(withLongerSteps(worldOf(steps), length))
        const isMeant = (_: unknown, at: number) => at % length === 0
        expect(statesOf(longer)).toEqual(statesOf(steps).filter(isMeant))
        expect(longer.map(({ atMs }) => atMs)).toEqual(steps.filter(isMeant).map(({ atMs }) => atMs))
        // Only what was there can be gone.
        const states = statesOf(longer)
        longer.forEach(({ gone }, at) => {
          expect(gone.filter((url) => !states[at - 1]?.has(url))).toEqual([])
        })
      }
    })
  })
})
