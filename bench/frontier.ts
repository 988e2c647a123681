/**
 * What does it cost to plan a cycle of a frontier? Generated pages and queries of words by Zipf's law: an index of documents, a workload, and frontiers of 10^4
 * pages up to a million. The first plan asks every query that it may; the next one knows their answers; a third comes after a write.
 *
 * Claim: plans name as many pages as asked for, and a page of the frontier takes at most 1,000 bytes.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type FoundPage, Freshdex } from 'freshdex'
import type { Bench, BenchRequest } from './bench.js'
import { uniform } from './random-numbers.js'

const SIZES = [10_000, 100_000, 1_000_000]
const WORDS = 20_000
const BATCH = 10_000
const MAX_BYTES = 1000
const SEED = 20_260_101

interface Page {
  url: string
  body: string
}

export const frontier: Bench = {
  name: 'frontier',
  question: 'What does it cost to say which pages to fetch first, of those never fetched?',
  isGenerated: true,
  options: {
    documents: { kind: 'count', default: 20_000, help: 'documents of the index' },
    queries: { kind: 'count', default: 100_000, help: 'queries of the workload' },
    pages: { kind: 'count', default: 1_000_000, help: 'pages of the largest frontier' },
    budget: { kind: 'count', default: 1000, help: 'pages asked for' },
  },

  async run(request) {
    const sizes = [...SIZES.filter((size) => size < request.count('pages')), request.count('pages')]
    const answers: (readonly [string, Measured])[] = []
    for (const pages of sizes) answers.push([`${pages} pages`, await measure(request, pages)])
    const [smallest, largest] = [answers[0]![1], answers.at(-1)![1]]
    const result = {
      pages: Object.fromEntries(answers),
      growth: {
        pages: sizes.at(-1)! / sizes[0]!,
        nextMs: largest.nextMs / smallest.nextMs,
        bytesPerPage: largest.bytesPerPage / smallest.bytesPerPage,
      },
    }
    const isClaimKept = answers.every(
      ([, { named, bytesPerPage, asked }]) => named === asked && bytesPerPage <= MAX_BYTES,
    )
    return { result, isClaimKept }
  },
}

type Measured = Awaited<ReturnType<typeof measure>>

async function measure(request: BenchRequest, pages: number) {
  request.progress(`${pages} pages`)
  const random = uniform(SEED)
  const word = () => `w${Math.floor(WORDS ** random())}`
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const queries = request.count('queries')
  await using index = await Freshdex.open<Page>(':memory:', {
    key: 'url',
    fields: { body: {} },
    workload: { learn: false, maxQueries: 2 * queries },
  })
  const documents = request.count('documents')
  await inBatches(
    documents,
    (nth) => ({ url: `/document/${nth}`, body: words(60) }),
    (put) => index.write({ put }),
  )
  await index.workload.load(
    Array.from({ length: queries }, () => [words(1 + Math.floor(3 * random())), 1 + Math.floor(10 * random())]),
  )
  const added = await timed(() =>
    inBatches(
      pages,
      (nth): FoundPage => ({
        url: `https://host${nth % 1000}.example/${word()}/${word()}-${nth}`,
        anchors: Array.from({ length: Math.floor(3 * random()) }, () => words(3)),
        inlinks: Math.floor(1000 ** random()),
      }),
      (portion) => index.frontier.add(portion),
    ),
  )
  const budget = request.count('budget')
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const first = await timed(() => index.frontier.next({ budget }))
  delay.enable()
  const again = await timed(() => index.frontier.next({ budget }))
  delay.disable()
  await index.write({ put: first.value.map(({ url }) => ({ url, body: words(60) })) })
  const afterWrite = await timed(() => index.frontier.next({ budget }))
  const explained = await timed(() => index.frontier.explain(afterWrite.value[0]!.url))
  const plan = await timed(() => index.plan({ budget }))
  const { memoryBytes } = index.stats().frontier
  return {
    addUsPerPage: (1000 * added.ms) / pages,
    firstNextMs: first.ms,
    nextMs: again.ms,
    longestPauseMs: delay.max / 1e6,
    nextAfterWriteMs: afterWrite.ms,
    explainMs: explained.ms,
    planMs: plan.ms,
    bytesPerPage: memoryBytes / pages,
    withImpact: first.value.filter(({ impact }) => impact > 0).length,
    asked: Math.min(budget, pages),
    named: first.value.length,
  }
}

async function inBatches<Item>(count: number, make: (nth: number) => Item, take: (items: Item[]) => Promise<unknown>) {
  for (let from = 0; from < count; from += BATCH) {
    await take(Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => make(from + at)))
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const start = performance.now()
  const value = await work()
  return { value, ms: performance.now() - start }
}
