/**
 * Do filters, sorts, facets, groups, boosts, cursors and expiry agree with a brute force over all documents, whatever
 * was written before, and after openings, new columns and a salvage? FRESHDEX_LONG=1 runs ten times as many.
 */
import { rmSync } from 'node:fs'
import { Freshdex, salvage } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { rounds } from '../support/rounds.js'
import { runSeed, SeededRandom, withSeed } from '../support/seed.js'
import { ColumnRun } from './column-run.js'
import type { NaiveDocument } from './naive-index.js'

const LEAST = rounds(20_000, 200_000)
const RUNS = [
  { where: 'memory', mostDocuments: 40 },
  { where: 'memory', mostDocuments: 200 },
  { where: 'folder', mostDocuments: 40 },
  { where: 'folder', mostDocuments: 150 },
] as const
const SHARE = Math.ceil(LEAST / RUNS.length)

describe('columns and their naive twin agree', () => {
  const done: Record<string, number> = {}

  test.each(RUNS)('$where, $mostDocuments documents', { timeout: rounds(300_000, 3_000_000) }, async (budget) => {
    await withSeed(`columns ${budget.where} ${budget.mostDocuments}`, async (seed) => {
      const path = budget.where === 'memory' ? ':memory:' : newPath()
      const run = new ColumnRun(new SeededRandom(seed), { ...budget, path, operations: SHARE, searches: SHARE })
      try {
        await run.play()
      } finally {
        await run.index?.close()
      }
      if (path !== ':memory:') await salvaged(path, run)
      for (const [what, count] of Object.entries(run.counts)) done[what] = (done[what] ?? 0) + count
    })
  })

  test('over enough of everything', () => {
    console.log(`columns, seed ${runSeed()}:`, done)
    expect(done.operations).toBeGreaterThanOrEqual(LEAST)
    expect(done.searches).toBeGreaterThanOrEqual(LEAST)
    expect(Object.entries(done).filter(([what, count]) => count < (what === 'newColumns' ? 3 : 6))).toEqual([])
  })
})

/** What a salvage brings back is found by its columns as before. */
async function salvaged(path: string, run: ColumnRun): Promise<void> {
  const target = newPath()
  const report = await salvage(path, target)
  expect(report.lost).toEqual([])
  const index = await Freshdex.open<NaiveDocument>(target, { workload: false, now: () => Date.UTC(2025, 0, 1) })
  try {
    await run.verify(index, 100)
  } finally {
    await index.close()
    rmSync(target, { recursive: true, force: true })
  }
}
