/**
 * Figure 2 of User-centric crawling: running time against the number of updated pages, plain and measuring. Revisions
 * of a site go to an index with everything on and to one without a prioritizer, in folders of one process; who is first
 * changes from batch to batch. Time is the CPU time of all threads, until nothing goes on behind the writes any more:
 * fits that fall due are in it.
 *
 * Claim: none. The plot has the paper's mark, 7.5% beyond plain.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import type { Bench } from './bench.js'
import { drawPlot, medianOf, RevisionStream } from './experiment-parts.js'
import { collectGarbage } from './memory.js'
import { type Contender, contenderOptions, load } from './overhead-contenders.js'
import { cpuUs, untilIdle } from './process-cpu.js'
import { type Page, readCountedQueries, readHistory } from './snapshot-data.js'

const PAGES: readonly number[] = [250, 500, 1000, 2000, 3000, 4000, 5000]
/** Section 5.3 of the paper: 7 to 8%, in Lucene. */
const PAPER_SHARE = 0.075
const SIDES = ['bare', 'on'] as const satisfies readonly Contender[]
const HOUR_MS = 3_600_000

export const runningTime: Bench = {
  name: 'running-time',
  question: 'How does the running time grow with the number of updated pages, plain and measuring?',
  options: {
    runs: { kind: 'count', default: 7, help: 'passes over all numbers of pages after a first that warms up' },
    queries: { kind: 'count', default: 3000, help: 'the most frequent ones, as the workload' },
  },

  async run(request) {
    const stream = new RevisionStream(await readHistory(request.folder))
    const queries = (await readCountedQueries(request.folder)).slice(0, request.count('queries'))
    const work = mkdtempSync(path.join(tmpdir(), 'freshdex-running-time-'))
    const times = new Map(PAGES.map((pages) => [pages, { bare: [] as number[], on: [] as number[] }]))
    try {
      const indexes = {} as Record<(typeof SIDES)[number], Freshdex<Page>>
      for (const side of SIDES) {
        const options = contenderOptions(side, queries.length, { learns: false })
        indexes[side] = await Freshdex.open<Page>(path.join(work, side), options)
        await load(indexes[side], side, stream.first, queries)
      }
      await indexes.on.refresh.fit()
      let turn = 0
      for (let run = 0; run <= request.count('runs'); run++) {
        if (run > 0) request.progress(`run ${run} of ${request.count('runs')}`)
        for (const pages of PAGES) {
          const writes = stream.takePages(pages)
          for (const side of turn++ % 2 === 0 ? SIDES : SIDES.toReversed()) {
            const cpuMs = await cpuMsOf(indexes[side], writes, turn * HOUR_MS)
            if (run > 0) times.get(pages)![side].push(cpuMs)
          }
        }
      }
      for (const side of SIDES) await indexes[side].close()
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
    const cpuMs = Object.fromEntries([...times].map(([pages, { bare, on }]) => [`${pages} pages`, pointOf(bare, on)]))
    return { result: { paperShare: PAPER_SHARE, cpuMs }, isClaimKept: true, plot: plotOf(request.dataset, times) }
  },
}

async function cpuMsOf(index: Freshdex<Page>, writes: readonly Page[][], at: number): Promise<number> {
  await untilIdle()
  collectGarbage()
  const begin = cpuUs()
  for (const put of writes) await index.write({ put }, { at })
  await untilIdle()
  return (cpuUs() - begin) / 1000
}

function pointOf(bare: readonly number[], on: readonly number[]) {
  const share = medianOf(on.map((cpuMs, run) => cpuMs / bare[run]! - 1))
  return { plain: medianOf(bare), measuring: medianOf(on), share }
}

type Times = ReadonlyMap<number, Readonly<Record<(typeof SIDES)[number], readonly number[]>>>

function plotOf(dataset: string, times: Times): string {
  const line = (timeOf: (of: Readonly<Record<(typeof SIDES)[number], readonly number[]>>) => number) =>
    [...times].map(([pages, of]) => ({ x: pages, y: timeOf(of) / 1000 }))
  return drawPlot({
    title: `Running time of updates, ${dataset}`,
    xLabel: 'updated pages',
    yLabel: 'CPU seconds',
    x: { from: 0, ticks: [0, 1000, 2000, 3000, 4000, 5000] },
    y: { from: 0 },
    series: [
      { name: 'plain', points: line(({ bare }) => medianOf(bare)) },
      { name: 'measuring', points: line(({ on }) => medianOf(on)) },
      { name: 'plain + 7.5%, as the paper', points: line(({ bare }) => (1 + PAPER_SHARE) * medianOf(bare)) },
    ],
  })
}
