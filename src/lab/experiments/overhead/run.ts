/**
 * What does measuring cost? Figure 2 of User-centric crawling: batches of page revisions ('refresh') and of new pages
 * ('bulk') are written to indexes in folders, one without measurement, one that measures by whole queries and one by
 * single words. All three sketch what changes; a fourth, without measurement either, does not, which tells what that
 * costs. Each batch goes to all of them in turn, and who is first changes from batch to batch.
 *
 * A batch is X MB of text in writes of up to 500 pages; a page comes once in a write. Time is that of the awaited
 * writes on the wall. Before a batch, all upkeep and fits are done. New pages are removed again when they have been
 * timed. A ratio is (with - without) / without; medians are over runs and sizes.
 */
import path from 'node:path'
import { numberOption } from '../../../base/checks.js'
import { HOUR_MS } from '../../../base/time.js'
import { medianOf } from '../../../math/quantiles.js'
import type { Experiment } from '../../frame/experiment.js'
import { folderName, readFolderQueries } from '../../worlds/folder-tables.js'
import type { AskedQuery } from '../../worlds/generated-text.js'
import { readWeekHistory, textBytes, type WeekHistory } from '../../worlds/page-versions.js'
import type { WorldPage } from '../../worlds/world.js'
import { TERMS, type Terms } from '../estimate/exact-answers.js'
import {
  type BatchCost,
  CONTENDERS,
  type Contender,
  type Contenders,
  costOf,
  OVERHEAD_KINDS,
  type OverheadKind,
  openContender,
  type RefitShare,
  refitShare,
  settle,
} from './costs.js'
import { type OverheadResult, overheadReport } from './report.js'
import { NewPages, RevisionStream } from './revision-stream.js'

export interface OverheadSpec {
  /** A snapshot folder with a queries.tsv. */
  readonly data: string
  /** So many queries of queries.tsv, the first ones. */
  readonly queries: number
  /** Passes over all batch sizes after a first that warms up. */
  readonly runs: number
  /** Sizes of batches, in millions of bytes of text. */
  readonly sizesMB: readonly number[]
  /** An empty folder for the indexes; what is left in it is for the caller to remove. */
  readonly workFolder: string
}

export interface OverheadProgress {
  /** Batches that are done. */
  readonly done: number
  readonly total: number
}

export type OverheadRow = Awaited<ReturnType<typeof runOverhead>>

/** All of the experiment is one task: what runs beside a write would change its time. */
export type OverheadTask = Readonly<Record<string, never>>

export const overhead: Experiment<OverheadSpec, OverheadSpec, OverheadTask, OverheadRow, OverheadResult> = {
  name: 'overhead',
  check: checkOverheadSpec,
  tasks: () => [{}],
  run: (spec, _, tell) => runOverhead(spec, ({ done, total }) => tell(done / total)),
  conclude: (spec, _, [row]) => ({ spec, data: folderName(spec.data), found: row! }),
  report: overheadReport,
  json: ({ spec: { queries, runs }, data, found }) => ({ data, queries, runs, ...found }),
}

function checkOverheadSpec({ queries, runs, sizesMB }: OverheadSpec): void {
  numberOption('queries', queries, 1, { min: 1, integer: true })
  numberOption('runs', runs, 1, { min: 1, integer: true })
  for (const sizeMB of sizesMB) numberOption('sizesMB', sizeMB, 1, { min: 0, aboveMin: true })
}

/** FreshdexError for files that are missing or damaged, RangeError for a world without a revision. */
export async function runOverhead(spec: OverheadSpec, onProgress: (progress: OverheadProgress) => void = () => {}) {
  checkOverheadSpec(spec)
  const history = await readWeekHistory(spec.data)
  const counted = (await readFolderQueries(spec.data)).slice(0, spec.queries)
  requireRevisions(history)
  const samples = await playAll(spec, history, counted, onProgress)
  const replayed = path.join(spec.workFolder, 'replay')
  const curveRefitShare: Readonly<Record<Terms, RefitShare>> = {
    full: await refitShare(replayed, history, counted, 'full'),
    single: await refitShare(replayed, history, counted, 'single'),
  }
  return {
    ...summary(samples, spec.sizesMB),
    curveRefitShare,
    normShiftShare: curveRefitShare.full.normShiftShare,
  }
}

/** Streams without end must hold something. */
function requireRevisions({ weeks }: WeekHistory): void {
  const bytes = (pages: readonly (readonly WorldPage[])[]) => pages.reduce((sum, some) => sum + textBytes(some), 0)
  if (bytes(weeks.map(({ replaced }) => replaced)) === 0)
    throw new RangeError('no page of the world changes: there is no revision to write')
  if (bytes(weeks.map(({ added }) => added)) === 0)
    throw new RangeError('no page of the world has a text when it is new')
}

/** One batch, written to all. */
interface Sample {
  readonly kind: OverheadKind
  readonly sizeMB: number
  readonly pages: number
  readonly costs: Readonly<Record<Contender, BatchCost>>
}

async function playAll(
  { workFolder, runs, sizesMB }: OverheadSpec,
  history: WeekHistory,
  counted: readonly AskedQuery[],
  onProgress: (progress: OverheadProgress) => void,
): Promise<Sample[]> {
  const stream = new RevisionStream(history)
  const fresh = new NewPages(stream.first)
  const contenders = {} as Record<Contender, Contenders[Contender]>
  for (const contender of CONTENDERS)
    contenders[contender] = await openContender(workFolder, contender, stream.first, counted)
  const samples: Sample[] = []
  const total = (runs + 1) * sizesMB.length * OVERHEAD_KINDS.length
  let turn = 0
  for (let run = 0; run <= runs; run++) {
    for (const sizeMB of sizesMB) {
      for (const kind of OVERHEAD_KINDS) {
        onProgress({ done: turn, total })
        const writes = (kind === 'refresh' ? stream : fresh).take(sizeMB * 1e6)
        const costs = await playBatch(contenders, kind, writes, turn++)
        if (run > 0) samples.push({ kind, sizeMB, pages: writes.flat().length, costs })
      }
    }
  }
  onProgress({ done: total, total })
  for (const contender of CONTENDERS) await contenders[contender].close()
  return samples
}

async function playBatch(
  contenders: Contenders,
  kind: OverheadKind,
  writes: readonly WorldPage[][],
  turn: number,
): Promise<Record<Contender, BatchCost>> {
  const costs = {} as Record<Contender, BatchCost>
  for (const at of CONTENDERS.keys()) {
    // After as many batches of a kind as there are contenders, each of them has been at every place.
    const contender = CONTENDERS[(at + (turn >> 1)) % CONTENDERS.length]!
    const index = contenders[contender]
    costs[contender] = await costOf(index, writes, turn * HOUR_MS)
    if (kind === 'bulk') for (const put of writes) await index.write({ remove: put.map(({ url }) => url) })
    await settle(index)
  }
  return costs
}

function summary(samples: readonly Sample[], sizesMB: readonly number[]) {
  const of = (kind: OverheadKind) => samples.filter((sample) => sample.kind === kind)
  const overheads = (comparison: Comparison) => ({
    refresh: overheadOf(of('refresh'), comparison),
    bulk: overheadOf(of('bulk'), comparison),
  })
  const { refresh, bulk } = overheads(MEASURING.full)
  return {
    refresh,
    bulk,
    single: overheads(MEASURING.single),
    sketching: { refresh: sketchingOf(of('refresh')), bulk: sketchingOf(of('bulk')) },
    bySize: Object.fromEntries(sizesMB.map((sizeMB) => [`${sizeMB} MB`, bySize(samples, sizeMB)])),
    microsecondsPerPage: { refresh: perPage(of('refresh')), bulk: perPage(of('bulk')) },
  }
}

/** Two contenders that differ in one thing, and the part of their accounts where that shows. */
interface Comparison {
  readonly with: Contender
  readonly without: Contender
  readonly part: 'measureUs' | 'ledgerUs'
}

const MEASURING: Readonly<Record<Terms, Comparison>> = {
  full: { with: 'full', without: 'without', part: 'measureUs' },
  single: { with: 'single', without: 'without', part: 'measureUs' },
}
const SKETCHING: Comparison = { with: 'without', without: 'unsketched', part: 'ledgerUs' }

function overheadOf(samples: readonly Sample[], comparison: Comparison) {
  const ratios = samples.map((sample) => wallRatio(sample, comparison))
  const sorted = ratios.toSorted((a, b) => a - b)
  const quarter = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return {
    medianRatio: medianOf(ratios),
    spread: { p25: quarter(0.25), p75: quarter(0.75) },
    coreMedianRatio: medianOf(samples.map((sample) => coreRatio(sample, comparison))),
    samples: samples.length,
  }
}

/** The same for sketching, and per page: wall time without and with it, and by how much the account grows. */
function sketchingOf(samples: readonly Sample[]) {
  const us = usPerPage(samples)
  return {
    ...overheadOf(samples, SKETCHING),
    withoutUs: us(SKETCHING.without, 'wallMs'),
    withUs: us(SKETCHING.with, 'wallMs'),
    coreUs: us(SKETCHING.with, SKETCHING.part) - us(SKETCHING.without, SKETCHING.part),
  }
}

function bySize(samples: readonly Sample[], sizeMB: number) {
  const median = (kind: OverheadKind, ratio: (sample: Sample, comparison: Comparison) => number, terms: Terms) => {
    const ofSize = samples.filter((sample) => sample.kind === kind && sample.sizeMB === sizeMB)
    return medianOf(ofSize.map((sample) => ratio(sample, MEASURING[terms])))
  }
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
  const us = usPerPage(samples)
  const wall = Object.fromEntries(CONTENDERS.map((contender) => [contender, us(contender, 'wallMs')]))
  const measuring = Object.fromEntries(TERMS.map((terms) => [terms, us(terms, 'measureUs')]))
  return { wall, measuring, indexing: us('without', 'indexUs') }
}

function usPerPage(samples: readonly Sample[]): (contender: Contender, name: keyof BatchCost) => number {
  const pages = samples.reduce((sum, sample) => sum + sample.pages, 0)
  const unitUs = (name: keyof BatchCost) => (name === 'wallMs' ? 1000 : 1)
  return (contender, name) =>
    (samples.reduce((sum, { costs }) => sum + costs[contender][name], 0) * unitUs(name)) / pages
}

function wallRatio({ costs }: Sample, comparison: Comparison): number {
  const withoutMs = costs[comparison.without].wallMs
  return (costs[comparison.with].wallMs - withoutMs) / withoutMs
}

function coreRatio({ costs }: Sample, comparison: Comparison): number {
  const before = costs[comparison.without][comparison.part]
  return (costs[comparison.with][comparison.part] - before) / costs[comparison.with].indexUs
}
