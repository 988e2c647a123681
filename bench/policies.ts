/**
 * What does each policy cost, in bytes of a page and in time? Ledgers of 10^4, 10^5 and 10^6 pages, half of which never
 * change, with histories, profiles, stakes and signals. The first question judges all pages, and prepares the policy
 * for them; then an hour passes, a hundredth of the pages is refreshed, and the question is asked again.
 *
 * Claim: the answers are those of judging and sorting all pages.
 */
import type { Bench, BenchRequest } from './bench.js'
import { bestBySorting, isSameAnswer } from './full-sort.js'
import { type Ledger, loadPlanner, type Planner, type PolicyName } from './library-parts.js'
import { medianOf } from './percentiles.js'
import { uniform } from './random-numbers.js'
import { refreshPages, watchedPages } from './watched-pages.js'

const SIZES = [10_000, 100_000, 1_000_000]
const HOUR_MS = 3_600_000
const CHANGED_SHARE = 0.01
const SEED = 20_260_102

interface Cost {
  readonly firstMs: number
  readonly againMs: number
  readonly againJudgedShare: number
  readonly differences: number
}

export const policies: Bench = {
  name: 'policies',
  question: 'What does each policy cost, in bytes of a page and in time?',
  isGenerated: true,
  options: {
    budget: { kind: 'count', default: 100, help: 'pages asked for' },
    rounds: { kind: 'count', default: 3, help: 'first questions, and questions again, of each policy; medians count' },
  },

  async run(request) {
    const planner = await loadPlanner()
    const costs = new Map<PolicyName, Map<number, Cost>>(planner.POLICY_NAMES.map((name) => [name, new Map()]))
    for (const pages of SIZES) {
      request.progress(`${pages} pages`)
      const { ledger, nowMs } = watchedPages(new planner.Ledger(), uniform(SEED), pages)
      for (const [name, bySize] of costs) bySize.set(pages, measure(request, planner, ledger, nowMs, name))
    }
    const result = { policies: planner.POLICY_CARDS.map((card) => ({ ...toRow(card, costs.get(card.name)!) })) }
    const isClaimKept = [...costs.values()].every((bySize) =>
      [...bySize.values()].every(({ differences }) => differences === 0),
    )
    return { result, isClaimKept }
  },
}

function toRow({ name, bytesPerPage }: Planner['POLICY_CARDS'][number], bySize: ReadonlyMap<number, Cost>) {
  const by = (value: (cost: Cost, pages: number) => number) =>
    Object.fromEntries([...bySize].map(([pages, cost]) => [String(pages), value(cost, pages)]))
  return {
    name,
    bytesPerPage,
    usPerPage: by(({ firstMs }, pages) => (1000 * firstMs) / pages),
    firstMs: by(({ firstMs }) => firstMs),
    againMs: by(({ againMs }) => againMs),
    againJudgedShare: by(({ againJudgedShare }) => againJudgedShare),
    differences: by(({ differences }) => differences),
  }
}

/** The ledger is the same for all policies, but for the refreshes in between. */
function measure(request: BenchRequest, planner: Planner, ledger: Ledger, nowMs: number, name: PolicyName): Cost {
  const random = uniform(SEED + 1)
  const budget = request.count('budget')
  const times = { first: [] as number[], again: [] as number[], shares: [] as number[] }
  let differences = 0
  for (let round = 0; round < request.count('rounds'); round++) {
    const first = timed(() => {
      const asked = new planner.PriorityBlocks(ledger, planner.createPolicy(name))
      planner.chooseRefreshes({ candidates: asked.top(nowMs), budget })
      return asked
    })
    const blocks = first.value
    times.first.push(first.ms)
    const atMs = nowMs + (round + 1) * HOUR_MS
    refreshPages(ledger, random, Math.round(CHANGED_SHARE * ledger.rows), atMs)
    const judgedBefore = blocks.judgedRows
    const again = timed(() => planner.chooseRefreshes({ candidates: blocks.top(atMs), budget }))
    times.again.push(again.ms)
    times.shares.push((blocks.judgedRows - judgedBefore) / ledger.rows)
    // Once is enough, and sorting takes longer than all the rest.
    if (round === 0) {
      const priorities = Float64Array.from({ length: ledger.rows }, (_, doc) => blocks.priority(doc, atMs))
      if (!isSameAnswer(again.value, bestBySorting(priorities, budget))) differences++
    }
    blocks.close()
  }
  return {
    firstMs: medianOf(times.first),
    againMs: medianOf(times.again),
    againJudgedShare: medianOf(times.shares),
    differences,
  }
}

/** CPU time of the process, garbage collection included: others may be at work on the machine. */
function timed<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const start = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(start)
  return { value, ms: (user + system) / 1000 }
}
