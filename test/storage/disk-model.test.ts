/**
 * Does an index in a folder agree with the naive twin, whatever is done to it between two batches? FRESHDEX_LONG=1: for
 * many more steps.
 */
import { describe, expect, test } from 'vitest'
import { CONFIGURATIONS } from '../model/configurations.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { DiskRun } from './disk-run.js'
import { newPath } from './temporary-folder.js'

const SIZES = [
  { steps: rounds(70, 1_500), mostDocuments: 40, largestBatch: 8 },
  { steps: rounds(40, 800), mostDocuments: 300, largestBatch: 60 },
]

describe('the index in a folder and its naive twin agree', () => {
  const done: Record<string, number> = {}

  for (const configure of CONFIGURATIONS) {
    const { name } = configure(new SeededRandom(0))
    test.each(SIZES)(`${name}, $mostDocuments documents`, { timeout: rounds(300_000, 3_000_000) }, async (size) => {
      await withSeed(`disk model ${name} ${size.mostDocuments}`, async (seed) => {
        const random = new SeededRandom(seed)
        const run = await DiskRun.open(random, configure(random), { folder: newPath(), ...size })
        try {
          await run.play()
        } finally {
          await run.close()
        }
        for (const [what, count] of Object.entries(run.counts)) done[what] = (done[what] ?? 0) + count
      })
    })
  }

  test('over enough of everything', () => {
    console.log('disk model:', done)
    const few = Object.entries(done).filter(([, count]) => count < rounds(8, 200))
    expect(few).toEqual([])
  })
})
