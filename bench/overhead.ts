/**
 * What does measuring cost? Figure 2 of User-centric crawling: batches of 1 to 50 MB of page revisions ('refresh') and of new pages ('bulk')
 * are written to indexes in folders, one without measurement, one that measures by whole queries and one by single words. Each batch goes to
 * all of them in turn, and who is first changes from batch to batch.
 *
 * A batch is X MB of text in writes of up to 500 pages; a page comes once in a write. Time is that of the awaited writes on the wall.
 * Before a batch, all upkeep and fits are done. New pages are removed again when they have been timed. A ratio is (with - without) /
 * without; medians are over runs and sizes.
 *
 * Claim: measuring by whole queries adds no more than 8% to refreshes, the paper's own figure.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Bench, BenchRequest } from './bench.js'
import { TERMS, type Terms } from './exact-workload.js'
import {
  type BatchCost,
  CONTENDERS,
  type Contender,
  type Contenders,
  costOf,
  openContender,
  settle,
} from './measuring-cost.js'
import { medianOf } from './percentiles.js'
import { drawPlot } from './plot-parts.js'
import { refitShare } from './refit-share.js'
import { NewPages, RevisionStream } from './revision-stream.js'
import { type CountedQuery, type History, type Page, readCountedQueries, readHistory } from './snapshot-data.js'

const SIZES_MB: readonly number[] = [1, 2, 5, 10, 20, 50]
const KINDS = ['refresh', 'bulk'] as const
type Kind = (typeof KINDS)[number]
const MOST = 0.08
const PAPER = { from: 0.07, to: 0.08, label: 'User-centric crawling, in Lucene' }
const HOUR_MS = 3_600_000

export const overhead: Bench = {
  name: 'overhead',
  question: 'What does measuring add to the time of writes?',
  options: {
    runs: { kind: 'count', default: 7, help: 'passes over all batch sizes after a first that warms up' },
    queries: { kind: 'count', default: 3000, help: 'the most frequent ones, as the workload' },
  },

  async run(request) {
    const history = await readHistory(request.folder)
    const counted = (await readCountedQueries(request.folder)).slice(0, request.count('queries'))
    const work = mkdtempSync(path.join(tmpdir(), 'freshdex-overhead-'))
    try {
      const samples = await playAll(request, work, history, counted)
      request.progress('the whole history')
      const shares = {
        full: await refitShare(path.join(work, 'replay'), history, counted, 'full'),
        single: await refitShare(path.join(work, 'replay'), history, counted, 'single'),
      }
      const result = { ...summary(samples), curveRefitShare: shares, normShiftShare: shares.full.normShiftShare }
      return {
        result,
        isClaimKept: result.refresh.medianRatio <= MOST,
        plot: plotOf(request.dataset, samples),
      }
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  },
}

/** One batch, written to all. */
interface Sample {
  readonly kind: Kind
  readonly sizeMB: number
  readonly pages: number
  readonly costs: Readonly<Record<Contender, BatchCost>>
}

async function playAll(
  request: BenchRequest,
  work: string,
  history: History,
  counted: readonly CountedQuery[],
): Promise<Sample[]> {
  const stream = new RevisionStream(history)
  const fresh = new NewPages(stream.first)
  const contenders = {} as Record<Contender, Contenders[Contender]>
  for (const contender of CONTENDERS)
    contenders[contender] = await openContender(work, contender, stream.first, counted)
  const samples: Sample[] = []
  let turn = 0
  for (let run = 0; run <= request.count('runs'); run++) {
    request.progress(run === 0 ? 'warming up' : `run ${run} of ${request.count('runs')}`)
    for (const sizeMB of SIZES_MB) {
      for (const kind of KINDS) {
        const writes = (kind === 'refresh' ? stream : fresh).take(sizeMB * 1e6)
        const costs = await playBatch(contenders, kind, writes, turn++)
        if (run > 0) samples.push({ kind, sizeMB, pages: writes.flat().length, costs })
      }
    }
  }
  for (const contender of CONTENDERS) await contenders[contender].close()
  return samples
}

async function playBatch(contenders: Contenders, kind: Kind, writes: readonly Page[][], turn: number) {
  const costs = {} as Record<Contender, BatchCost>
  for (const at of CONTENDERS.keys()) {
    // Each of the three has been first, second and last after three batches of a kind.
    const contender = CONTENDERS[(at + (turn >> 1)) % CONTENDERS.length]!
    const index = contenders[contender]
    costs[contender] = await costOf(index, writes, turn * HOUR_MS)
    if (kind === 'bulk') for (const put of writes) await index.write({ remove: put.map(({ url }) => url) })
    await settle(index)
  }
  return costs
}

function summary(samples: readonly Sample[]) {
  const of = (kind: Kind) => samples.filter((sample) => sample.kind === kind)
  const overheads = (terms: Terms) => ({
    refresh: overheadOf(of('refresh'), terms),
    bulk: overheadOf(of('bulk'), terms),
  })
  const { refresh, bulk } = overheads('full')
  return {
    refresh,
    bulk,
    single: overheads('single'),
    bySize: Object.fromEntries(SIZES_MB.map((sizeMB) => [`${sizeMB} MB`, bySize(samples, sizeMB)])),
    microsecondsPerPage: { refresh: perPage(of('refresh')), bulk: perPage(of('bulk')) },
  }
}

function overheadOf(samples: readonly Sample[], terms: Terms) {
  const ratios = samples.map((sample) => wallRatio(sample, terms))
  const sorted = ratios.toSorted((a, b) => a - b)
  const quarter = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return {
    medianRatio: medianOf(ratios),
    spread: { p25: quarter(0.25), p75: quarter(0.75) },
    coreMedianRatio: medianOf(samples.map((sample) => coreRatio(sample, terms))),
    samples: samples.length,
  }
}

function bySize(samples: readonly Sample[], sizeMB: number) {
  const median = (kind: Kind, ratio: (sample: Sample, terms: Terms) => number, terms: Terms) =>
    medianOf(samples.filter((s) => s.kind === kind && s.sizeMB === sizeMB).map((sample) => ratio(sample, terms)))
  return {
    refresh: median('refresh', wallRatio, 'full'),
    refreshCore: median('refresh', coreRatio, 'full'),
    bulk: median('bulk', wallRatio, 'full'),
    bulkCore: median('bulk', coreRatio, 'full'),
    refreshSingle: median('refresh', wallRatio, 'single'),
    bulkSingle: median('bulk', wallRatio, 'single'),
  }
}

/** Over all batches of a kind: wall time of each contender, and what the core says measuring takes. */
function perPage(samples: readonly Sample[]) {
  const pages = samples.reduce((sum, sample) => sum + sample.pages, 0)
  const us = (contender: Contender, name: keyof BatchCost) =>
    (samples.reduce((sum, { costs }) => sum + costs[contender][name], 0) * 1000) / pages
  const wall = Object.fromEntries(CONTENDERS.map((contender) => [contender, us(contender, 'wallMs')]))
  const measuring = Object.fromEntries(TERMS.map((terms) => [terms, us(terms, 'measureMs')]))
  return { wall, measuring, indexing: us('without', 'indexMs') }
}

function wallRatio({ costs }: Sample, terms: Terms): number {
  return (costs[terms].wallMs - costs.without.wallMs) / costs.without.wallMs
}

function coreRatio({ costs }: Sample, terms: Terms): number {
  return costs[terms].measureMs / costs[terms].indexMs
}

function plotOf(dataset: string, samples: readonly Sample[]): string {
  const series = KINDS.map((kind) => ({
    name: kind === 'refresh' ? 'page revisions' : 'new pages',
    points: SIZES_MB.map((sizeMB) => ({ x: sizeMB, y: bySize(samples, sizeMB)[kind] })),
  }))
  return drawPlot({
    title: `Time that measuring adds to a batch, ${dataset}`,
    xLabel: 'batch, MB of text',
    yLabel: '(with - without) / without',
    x: { scale: 'log', ticks: SIZES_MB },
    y: { from: 0 },
    series,
    band: PAPER,
  })
}
