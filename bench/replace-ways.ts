/** The two ways of replacing pages, timed over the changes of one week. */
import type { Freshdex, WriteReport } from 'freshdex'
import type { Page, Week } from './snapshot-data.js'
import { elapsed, wallUs } from './stopwatch.js'

export type Way = 'delta' | 'removeAndAdd'
export const WAYS: readonly Way[] = ['delta', 'removeAndAdd']

/** One write for all replaced pages of a week, or one for each. */
export type Mode = 'batch' | 'single'

export interface WeekCost {
  /** For all replaced pages of the week and the upkeep they caused. */
  readonly wallUs: number
  readonly cpuUs: number
  /** Of each write of its own; empty in batch mode. Upkeep of one page counts with the next. */
  readonly latencies: readonly number[]
  /** For added and removed pages, and upkeep that became due with them. */
  readonly othersWallUs: number
  readonly othersCpuUs: number
  readonly tokens: number
  readonly tokenized: number
  readonly postings: number
  readonly postingsWritten: number
  readonly rewritten: number
}

export async function applyWeek(index: Freshdex<Page>, way: Way, mode: Mode, week: Week): Promise<WeekCost> {
  const batches = mode === 'batch' ? [week.replaced] : week.replaced.map((page) => [page])
  const jobs = batches.filter(({ length }) => length > 0).map((put) => ({ put, remove: put.map(({ url }) => url) }))
  const reports: WriteReport[] = []
  const latencies: number[] = []
  const time = await elapsed(async () => {
    for (const job of jobs)
      latencies.push(await wallUs(async () => reports.push(...(await replacePages(index, way, job)))))
    if (jobs.length > 0) await index.write({})
  })
  const others = await elapsed(async () => {
    await index.write({ put: week.added, remove: week.gone })
    await index.write({})
  })
  const total = (count: (report: WriteReport) => number) => reports.reduce((sum, report) => sum + count(report), 0)
  return {
    ...time,
    latencies: mode === 'single' ? latencies : [],
    othersWallUs: others.wallUs,
    othersCpuUs: others.cpuUs,
    tokens: total(({ tokens }) => tokens.total),
    tokenized: total(({ tokens }) => tokens.tokenized),
    postings: total(({ postings }) => postings.total),
    postingsWritten: total(({ postings }) => postings.written),
    rewritten: total(({ rewritten }) => rewritten),
  }
}

interface Job {
  readonly put: readonly Page[]
  readonly remove: readonly string[]
}

async function replacePages(index: Freshdex<Page>, way: Way, { put, remove }: Job): Promise<WriteReport[]> {
  if (way === 'delta') return [await index.write({ put })]
  return [await index.write({ remove }), await index.write({ put })]
}
