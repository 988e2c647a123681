/**
 * What does it cost to plan a cycle of a frontier, and to put documents into clusters? Generated pages and queries of
 * words by Zipf's law: an index of documents, a workload, and frontiers of 10^4 pages up to a million. The first plan
 * asks all queries that it looks at; the next one knows their answers; then a hundredth of new pages is added; then the
 * pages of the first plan are written, so that answers change and something is learnt.
 *
 * Claim: plans name as many pages as asked for, and a page of the frontier takes at most 1,000 bytes.
 */
import type { Bench } from './bench.js'
import { measureClusters } from './cluster-cost.js'
import { type FrontierCost, measureFrontier } from './frontier-plan.js'
import { type FrontierParts, loadFrontierParts } from './library-parts.js'
import { heldBytes } from './memory.js'

const SIZES = [10_000, 100_000, 1_000_000]
const MAX_BYTES = 1000

export const frontier: Bench = {
  name: 'frontier',
  question:
    'What does it cost to say which pages to fetch first, of those never fetched, and to put documents into clusters?',
  isGenerated: true,
  options: {
    documents: { kind: 'count', default: 20_000, help: 'documents of the index' },
    queries: { kind: 'count', default: 100_000, help: 'queries of the workload' },
    pages: { kind: 'count', default: 1_000_000, help: 'pages of the largest frontier' },
    budget: { kind: 'count', default: 1000, help: 'pages asked for' },
    clustered: { kind: 'count', default: 100_000, help: 'documents put into clusters' },
  },

  async run(request) {
    const parts = await loadFrontierParts()
    const largest = request.count('pages')
    const sizes = [...SIZES.filter((size) => size < largest), largest]
    const costs: (readonly [string, FrontierCost])[] = []
    for (const pages of sizes) costs.push([`${pages} pages`, await measureFrontier(request, pages)])
    request.progress(`${request.count('clustered')} documents into clusters`)
    const result = {
      pages: Object.fromEntries(costs),
      growth: growthOf(costs[0]![1], costs.at(-1)![1], largest / sizes[0]!),
      sketchBytes: await sketchBytes(parts, request.count('queries')),
      clusters: await measureClusters(parts, request.count('clustered')),
    }
    const isClaimKept = costs.every(
      ([, { named, asked, heldBytesPerPage, countedBytesPerPage }]) =>
        named === asked && Math.max(heldBytesPerPage, countedBytesPerPage) <= MAX_BYTES,
    )
    return { result, isClaimKept }
  },
}

function growthOf(smallest: FrontierCost, largest: FrontierCost, pages: number) {
  const growth = (value: (cost: FrontierCost) => number) => value(largest) / value(smallest)
  return {
    pages,
    addUsPerPage: growth((cost) => cost.addUsPerPage),
    firstPlanMs: growth((cost) => cost.firstPlanMs),
    againMs: growth((cost) => cost.againMs),
    afterNewMs: growth((cost) => cost.afterNewMs),
    afterWriteMs: growth((cost) => cost.afterWriteMs),
    heldBytesPerPage: growth((cost) => cost.heldBytesPerPage),
  }
}

/** Of a query with the pages that a cycle keeps of it, and with twice as many for a sketch that lasts. */
async function sketchBytes({ QuerySketches }: FrontierParts, queries: number) {
  const bytesOf = async (keptRanks: number) => {
    const before = await heldBytes()
    const sketches = new QuerySketches(new Float32Array(queries), { keptRanks, refill: () => {} })
    const held = (await heldBytes()) - before
    return { ranks: sketches.keptRanks, counted: sketches.memoryBytes / queries, held: held / queries }
  }
  return { ofCycle: await bytesOf(10), lasting: await bytesOf(20) }
}
