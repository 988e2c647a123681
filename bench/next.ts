/**
 * What does it cost to ask which pages to refresh next? Ledgers of 10^4, 10^5 and 10^6 pages with random pasts. In
 * every round an hour passes, a hundredth of the pages are refreshed, those chosen in the round before among them, and
 * the best are asked for. Beside it, in the same round: judging every page, and judging and sorting them all.
 *
 * Claim: the answers are those of the full sort, and history and profile of a page take at most 128 bytes of the ledger
 * each.
 */
import type { Bench, BenchRequest } from './bench.js'
import { bestBySorting, isSameAnswer } from './full-sort.js'
import {
  type Candidate,
  type Ledger,
  loadPlanner,
  type Planner,
  type PolicyName,
  type PriorityBlocks,
} from './library-parts.js'
import { medianOf, spreadOf } from './percentiles.js'
import { bell, uniform } from './random-numbers.js'

const SIZES = [10_000, 100_000, 1_000_000]
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = 20_000 * DAY_MS
const CHANGED_SHARE = 0.01
const MAX_BYTES = 128
const SEED = 20_260_101

export const next: Bench = {
  name: 'next',
  question: 'What does it cost to ask for the best pages to refresh, beside judging and sorting all of them?',
  isGenerated: true,
  options: {
    budget: { kind: 'count', default: 100, help: 'pages asked for' },
    rounds: { kind: 'count', default: 15, help: 'questions for each number of pages; medians count' },
    policy: {
      kind: 'choice',
      choices: ['user-centric-shrunk', 'user-centric', 'oldest-first'],
      default: 'user-centric-shrunk',
      help: 'what pages are judged by',
    },
  },

  async run(request) {
    const planner = await loadPlanner()
    const answers = SIZES.map((pages) => [`${pages} pages`, measure(request, planner, pages)] as const)
    const [smallest, largest] = [answers[0]![1], answers.at(-1)![1]]
    const result = {
      pages: Object.fromEntries(answers),
      growth: {
        pages: SIZES.at(-1)! / SIZES[0]!,
        nextMs: largest.nextMs / smallest.nextMs,
        sortAllMs: largest.sortAllMs / smallest.sortAllMs,
      },
    }
    const isClaimKept = answers.every(
      ([
        ,
        {
          differences,
          ledgerBytesPerPage: { history, profile },
        },
      ]) => {
        return differences === 0 && history <= MAX_BYTES && profile <= MAX_BYTES
      },
    )
    return { result, isClaimKept }
  },
}

function measure(request: BenchRequest, planner: Planner, pages: number) {
  request.progress(`${pages} pages`)
  const random = uniform(SEED)
  const ledger = randomPast(new planner.Ledger(), random, pages)
  const blocks = new planner.PriorityBlocks(ledger, planner.createPolicy(request.word<PolicyName>('policy')))
  const budget = request.count('budget')
  const times = { next: [] as number[], judge: [] as number[], sort: [] as number[], touch: [] as number[] }
  const shares: number[] = []
  let differences = 0
  const first = timed(() => planner.chooseRefreshes({ candidates: blocks.top(START_MS), budget }))
  let chosen = first.value
  for (let round = 1; round <= request.count('rounds'); round++) {
    const atMs = START_MS + round * HOUR_MS
    const touched = changedPages(random, pages, chosen)
    times.touch.push((timed(() => refreshAll(ledger, random, touched, atMs)).ms * 1000) / touched.length)
    const judgedBefore = blocks.judgedRows
    const { value, ms } = timed(() => planner.chooseRefreshes({ candidates: blocks.top(atMs), budget }))
    chosen = value
    times.next.push(ms)
    shares.push((blocks.judgedRows - judgedBefore) / pages)
    const judged = timed(() => judgeAll(blocks, ledger, atMs))
    const sorted = timed(() => bestBySorting(judged.value, budget))
    times.judge.push(judged.ms)
    times.sort.push(judged.ms + sorted.ms)
    if (!isSameAnswer(chosen, sorted.value)) differences++
  }
  blocks.close()
  const nextMs = medianOf(times.next)
  return {
    firstMs: first.ms,
    nextMs,
    nextP90Ms: spreadOf(times.next).p90,
    judgeAllMs: medianOf(times.judge),
    sortAllMs: medianOf(times.sort),
    timesFaster: medianOf(times.sort) / nextMs,
    judgedShare: medianOf(shares),
    judgedAll: shares.filter((share) => share >= 1).length,
    refreshUs: medianOf(times.touch),
    ledgerBytesPerPage: ledger.columnBytes,
    blockBytesPerPage: blocks.memoryBytes / pages,
    differences,
  }
}

/** Rates and stakes over several orders of magnitude; one to five refreshes of each page in the last months. */
function randomPast(ledger: Ledger, random: () => number, pages: number): Ledger {
  for (let doc = 0; doc < pages; doc++) {
    let atMs = START_MS - (100 + 100 * random()) * DAY_MS
    ledger.created(doc, atMs)
    ledger.setStake(doc, Math.exp(2 * bell(random)))
    for (let left = 1 + Math.floor(5 * random()); left > 0; left--) {
      atMs += ((START_MS - atMs) * random()) / left
      refresh(ledger, random, doc, atMs)
    }
  }
  return ledger
}

/** One in five refreshes finds a change, worth the more the longer it was waited for and the higher the stake. */
function refresh(ledger: Ledger, random: () => number, doc: number, atMs: number): void {
  const ageDays = (atMs - ledger.columns.refreshedMs[doc]!) / DAY_MS
  const isChanged = random() < 0.2
  const deltaQuality = isChanged ? ledger.columns.stake[doc]! * ageDays * Math.exp(bell(random)) : 0
  ledger.refreshed(doc, atMs, isChanged ? 'changed' : 'same', deltaQuality)
}

function refreshAll(ledger: Ledger, random: () => number, docs: readonly number[], atMs: number): void {
  for (const doc of docs) refresh(ledger, random, doc, atMs)
}

function changedPages(random: () => number, pages: number, chosen: readonly Candidate[]): number[] {
  const others = Math.max(0, Math.round(pages * CHANGED_SHARE) - chosen.length)
  return [...chosen.map(({ doc }) => doc), ...Array.from({ length: others }, () => Math.floor(pages * random()))]
}

function judgeAll(blocks: PriorityBlocks, ledger: Ledger, atMs: number): Float64Array {
  const priorities = new Float64Array(ledger.rows)
  for (let doc = 0; doc < priorities.length; doc++) priorities[doc] = blocks.priority(doc, atMs)
  return priorities
}

function timed<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const start = performance.now()
  const value = work()
  return { value, ms: performance.now() - start }
}
