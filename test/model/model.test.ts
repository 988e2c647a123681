/**
 * Does any sequence of operations agree with the naive twin? Random batches, snapshots and queries go through the
 * public API and through the twin; the answers must not differ anywhere. FRESHDEX_LONG=1 runs
 * many more of them.
 */
import { describe, expect, test } from 'vitest'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { CONFIGURATIONS, type Configuration } from './configurations.js'
import { type Budget, ModelRun } from './model-run.js'

const LEAST = rounds(6_000, 200_000)
const RUNS_EACH = 2
const TIMEOUT_MS = rounds(300_000, 3_000_000)

/** Each run a little over its share, so that the sum is reached however the last steps fall. */
const SHARE = Math.ceil((LEAST * 1.02) / (CONFIGURATIONS.length * RUNS_EACH))

/** Small and large collections in turn: small ones meet empty lists and lone documents, large ones long lists. */
const BUDGETS: readonly Budget[] = [
  { operations: SHARE, queries: SHARE, fewestDocuments: 20, mostDocuments: 80, largestBatch: 30 },
  { operations: SHARE, queries: SHARE, fewestDocuments: 100, mostDocuments: 400, largestBatch: 120 },
]

describe('the index and its naive twin agree', () => {
  const done = { operations: 0, queries: 0 }

  for (const configure of CONFIGURATIONS) {
    const { name } = configure(new SeededRandom(0))
    for (let run = 0; run < RUNS_EACH; run++) {
      test(`${name}, run ${run + 1}`, { timeout: TIMEOUT_MS }, async () => {
        const label = `model ${name} ${run}`
        const result = await withSeed(label, (seed) => play(seed, configure, BUDGETS[run % BUDGETS.length] as Budget))
        done.operations += result.operations
        done.queries += result.queries
      })
    }
  }

  test('over enough operations and queries', () => {
    expect(done.operations).toBeGreaterThanOrEqual(LEAST)
    expect(done.queries).toBeGreaterThanOrEqual(LEAST)
  })
})

describe('the state of an index does not depend on its history', () => {
  for (const configure of CONFIGURATIONS) {
    const { name, twin } = configure(new SeededRandom(0))
    // Which words were ever written for a token is history, and prefix and fuzzy words depend on it.
    if (twin.written !== undefined) continue
    test(`edited and built anew give the same scores: ${name}`, { timeout: TIMEOUT_MS }, async () => {
      const budget = {
        operations: rounds(200, 4_000),
        queries: 0,
        fewestDocuments: 40,
        mostDocuments: 160,
        largestBatch: 40,
      }
      await withSeed(`history ${name}`, (seed) => play(seed, configure, budget, rounds(150, 5_000)))
    })
  }
})

async function play(
  seed: number,
  configure: (random: SeededRandom) => Configuration,
  budget: Budget,
  freshQueries = 0,
): Promise<{ operations: number; queries: number }> {
  const random = new SeededRandom(seed)
  const run = await ModelRun.open(random, configure(random), budget)
  try {
    await run.play()
    if (freshQueries > 0) await run.compareWithFresh(freshQueries)
  } finally {
    await run.close()
  }
  return { operations: run.operations, queries: run.queries }
}
