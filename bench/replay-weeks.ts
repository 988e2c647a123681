/**
 * One data set replayed into a folder, a write for each week: what that takes in CPU time of the process. Week 0 and
 * the first fit come before; closing belongs to it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import { WEEK_MS } from './experiment-parts.js'
import { collectGarbage } from './memory.js'
import { AccountSum, type AccountUs } from './overhead-account.js'
import { type Contender, contenderOptions, load } from './overhead-contenders.js'
import { cpuUs, untilIdle } from './process-cpu.js'
import { uniform } from './random-numbers.js'
import type { CountedQuery, Page, Week } from './snapshot-data.js'

export interface WeeksSpec {
  readonly contender: Contender
  /** The first one is complete. */
  readonly weeks: readonly Week[]
  readonly queries: readonly CountedQuery[]
  /** Between two weeks, drawn by how often queries are asked; 0: none. */
  readonly searches: number
}

export interface WeeksCost {
  /** Of the writes, what goes on behind them, and closing. */
  readonly cpuUs: number
  /** Of it, closing. */
  readonly closeUs: number
  /** Of it, at least: waiting until nothing goes on, which is the replay's and not the index's. */
  readonly waitUs: number
  /** Of the searches between them. */
  readonly searchUs: number
  /** The first fit, by itself. */
  readonly firstFitUs: number
  /** Fits after the first one. */
  readonly fits: number
  readonly account: AccountUs
}

const SEED = 20_260_101
/** Of which the mean is taken. */
const WAITS = 20

export async function replayWeeks({ contender, weeks, queries, searches }: WeeksSpec): Promise<WeeksCost> {
  const folder = mkdtempSync(path.join(tmpdir(), 'freshdex-replay-'))
  try {
    const options = contenderOptions(contender, queries.length, { learns: searches > 0 })
    const index = await Freshdex.open<Page>(path.join(folder, 'index'), options)
    await load(index, contender, weeks[0]!.added, queries)
    await index.write({})
    await untilIdle()
    const beforeFit = cpuUs()
    if (contender === 'on') await index.refresh.fit()
    const firstFitUs = cpuUs() - beforeFit
    // Its report tells of the first fit, which is not to be in that of the first week.
    await index.write({})
    const draw = drawnQueries(queries)
    const account = new AccountSum()
    const fitsBefore = fitsOf(index, contender)
    let searchUs = 0
    await untilIdle()
    collectGarbage()
    const waitUs = (await idleWaitUs()) * (weeks.length - 1)
    const begin = cpuUs()
    for (const [at, { added, replaced, gone }] of weeks.entries()) {
      if (at === 0) continue
      if (searches > 0) {
        const beforeSearches = cpuUs()
        for (let search = 0; search < searches; search++) index.search(draw(), { limit: 10 })
        searchUs += cpuUs() - beforeSearches
      }
      const { overhead } = await index.write({ put: [...added, ...replaced], remove: gone }, { at: at * WEEK_MS })
      account.add(overhead)
      await untilIdle()
    }
    const fits = fitsOf(index, contender) - fitsBefore
    const beforeClose = cpuUs()
    await index.close()
    const end = cpuUs()
    const times = { cpuUs: end - begin - searchUs, closeUs: end - beforeClose, waitUs, searchUs, firstFitUs }
    return { ...times, fits, account: account.sums }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What it takes to find that nothing goes on. */
async function idleWaitUs(): Promise<number> {
  const begin = cpuUs()
  for (let wait = 0; wait < WAITS; wait++) await untilIdle()
  return (cpuUs() - begin) / WAITS
}

function fitsOf(index: Freshdex<Page>, contender: Contender): number {
  return contender === 'on' ? index.stats().measurement.fits : 0
}

/** As people ask: often what is asked often. The same for every contender. */
function drawnQueries(queries: readonly CountedQuery[]): () => string {
  const random = uniform(SEED)
  const ends: number[] = []
  for (const { count } of queries) ends.push((ends.at(-1) ?? 0) + count)
  return () => {
    const drawn = random() * ends.at(-1)!
    let [low, high] = [0, ends.length - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (ends[middle]! <= drawn) low = middle + 1
      else high = middle
    }
    return queries[low]!.query
  }
}
