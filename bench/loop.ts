/**
 * Does the event loop stay free while a large load runs? Pages go into a folder in batches while searches run on the
 * same thread; the histogram of perf_hooks says how late timers came. The pages of the data set are repeated under
 * other addresses, each copy with its sentences rotated, until there are enough.
 *
 * An idle run comes first: what the machine and the timers themselves cost is part of every figure.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Durability, Freshdex } from 'freshdex'
import type { Bench } from './bench.js'
import { spreadOf } from './percentiles.js'
import { rotated } from './rotated-text.js'
import { inBatches, type Page, pageOptions, readFirstSnapshot, readQueries, textBytes } from './snapshot-data.js'

const IDLE_MS = 3000
const RESOLUTION_MS = 1
const LIMIT_MS = 20

export const loop: Bench = {
  name: 'loop',
  question: 'Does the event loop stay free while many pages are loaded into a folder and searched?',
  options: {
    pages: { kind: 'count', default: 100_000, help: 'pages to load' },
    batch: { kind: 'count', default: 500, help: 'pages in one write' },
    pause: { kind: 'count', default: 5, help: 'milliseconds between two searches' },
    durability: { kind: 'choice', choices: ['process', 'power'], default: 'process', help: 'what a write survives' },
  },

  async run(request) {
    const pages = repeated(await readFirstSnapshot(request.folder), request.count('pages'))
    const queries = (await readQueries(request.folder)).slice(0, 1000)
    request.progress('idle')
    const idle = await delaysDuring(() => sleep(IDLE_MS))

    const folder = mkdtempSync(path.join(tmpdir(), 'freshdex-loop-'))
    try {
      const index = await Freshdex.open<Page>(path.join(folder, 'index'), {
        ...pageOptions('standard'),
        durability: request.word<Durability>('durability'),
      })
      const writes: number[] = []
      const searches: number[] = []
      const searcher = setInterval(() => {
        const start = performance.now()
        index.search(queries[searches.length % queries.length] as string, { docs: true })
        searches.push((performance.now() - start) * 1000)
      }, request.count('pause'))
      const start = performance.now()
      const loading = await delaysDuring(async () => {
        for (const put of inBatches(pages, request.count('batch'))) {
          const begin = performance.now()
          await index.write({ put })
          writes.push(performance.now() - begin)
          if (writes.length % 20 === 0) request.progress(`${writes.length * put.length} pages`)
        }
      })
      const seconds = (performance.now() - start) / 1000
      clearInterval(searcher)
      const { documents, disk } = index.stats()
      await index.close()
      const megabytes = textBytes(pages) / 1e6
      const result = {
        documents,
        textMB: megabytes,
        seconds,
        megabytesPerSecond: megabytes / seconds,
        delayMs: { idle, loading },
        writeMs: spreadOf(writes),
        searches: searches.length,
        searchUs: spreadOf(searches),
        segments: disk?.segments,
        segmentBytes: disk?.segmentBytes,
      }
      return { result, isClaimKept: loading.p99 < LIMIT_MS }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function repeated(pages: readonly Page[], count: number): Page[] {
  return Array.from({ length: count }, (_, at) => {
    const page = pages[at % pages.length] as Page
    const copy = Math.floor(at / pages.length)
    return copy === 0 ? page : { url: `${page.url}?${copy}`, title: page.title, text: rotated(page.text, copy) }
  })
}

async function delaysDuring(work: () => Promise<unknown>) {
  const histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  await work()
  histogram.disable()
  const ms = (nanoseconds: number) => nanoseconds / 1e6
  return {
    mean: ms(histogram.mean),
    p50: ms(histogram.percentile(50)),
    p90: ms(histogram.percentile(90)),
    p99: ms(histogram.percentile(99)),
    max: ms(histogram.max),
  }
}
