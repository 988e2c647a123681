/**
 * Indexes in folders that take the same batches in turn: one without measurement, one for each way of measuring, and
 * one that does not even sketch what changes, which all others do.
 */
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { WEEK_MS } from '../../../base/time.js'
import { Freshdex, type Overhead } from '../../../index.js'
import { inBatches, pageOptions, recordQueries } from '../../choosers/measured-index.js'
import type { AskedQuery } from '../../worlds/generated-text.js'
import type { WeekHistory } from '../../worlds/page-versions.js'
import type { WorldPage } from '../../worlds/world.js'
import type { Terms } from '../estimate/exact-answers.js'

export const OVERHEAD_KINDS = ['refresh', 'bulk'] as const
export type OverheadKind = (typeof OVERHEAD_KINDS)[number]

export type Contender = 'unsketched' | 'without' | Terms
export const CONTENDERS: readonly Contender[] = ['unsketched', 'without', 'full', 'single']
export type Contenders = Readonly<Record<Contender, Freshdex<WorldPage>>>

const LOAD_PAGES = 500

/** What one batch cost. */
export interface BatchCost {
  readonly wallMs: number
  /** CPU time, as the index reports it. */
  readonly indexUs: number
  readonly measureUs: number
  readonly ledgerUs: number
}

/** Opens an index with the pages given, and the workload fitted. */
export async function openContender(
  folder: string,
  contender: Contender,
  pages: readonly WorldPage[],
  counted: readonly AskedQuery[],
): Promise<Freshdex<WorldPage>> {
  const isMeasured = contender === 'full' || contender === 'single'
  const measured = { learn: false, maxQueries: counted.length, halfLifeMs: Number.POSITIVE_INFINITY }
  const index = await Freshdex.open<WorldPage>(path.join(folder, contender), {
    ...pageOptions('standard'),
    durability: 'process',
    workload: isMeasured ? { ...measured, terms: contender } : false,
    changeProfiles: contender !== 'unsketched',
  })
  for (const put of inBatches(pages, LOAD_PAGES)) await index.write({ put }, { at: 0 })
  if (isMeasured) recordQueries(index, counted)
  await settle(index)
  return index
}

/** Nothing goes on behind the writes any more, and curves are new. */
export async function settle(index: Freshdex<WorldPage>): Promise<void> {
  await index.refresh.fit()
  await index.write({})
}

/** The awaited writes, one after another. Upkeep that one of them causes holds up the next, and counts then. */
export async function costOf(
  index: Freshdex<WorldPage>,
  writes: readonly WorldPage[][],
  atMs: number,
): Promise<BatchCost> {
  const overheads: Overhead[] = []
  const start = performance.now()
  for (const put of writes) overheads.push((await index.write({ put }, { at: atMs })).overhead)
  const wallMs = performance.now() - start
  const sum = (name: keyof Overhead) => overheads.reduce((total, overhead) => total + overhead[name], 0)
  return { wallMs, indexUs: sum('indexUs'), measureUs: sum('measureUs'), ledgerUs: sum('ledgerUs') }
}

const WRITE_PAGES = 500

export interface RefitShare {
  /** (measureUs + fitUs) / indexUs. */
  readonly withFits: number
  /** fitUs / indexUs. */
  readonly fitsAlone: number
  readonly measureAlone: number
  readonly indexUs: number
  readonly fits: number
  readonly curves: number
  readonly shifts: number
  readonly normShiftShare: number
}

/**
 * Writes a whole history week by week to one measured index: what its measuring and its fits by themselves take,
 * beside indexing.
 */
export async function refitShare(
  folder: string,
  { weeks }: WeekHistory,
  counted: readonly AskedQuery[],
  terms: Terms,
): Promise<RefitShare> {
  const index = await openContender(folder, terms, weeks[0]!.added, counted)
  const before = index.stats().measurement
  for (const [number, { added, replaced, gone }] of weeks.entries()) {
    if (number === 0) continue
    const batches: WorldPage[][] = [...inBatches([...added, ...replaced], WRITE_PAGES)]
    for (const put of batches) await index.write({ put }, { at: number * WEEK_MS })
    if (gone.length > 0) await index.write({ remove: gone }, { at: number * WEEK_MS })
  }
  const share = shareOf(before, index.stats().measurement)
  await index.close()
  return share
}

type Totals = ReturnType<Freshdex<WorldPage>['stats']>['measurement']

function shareOf(before: Totals, after: Totals): RefitShare {
  const [indexUs, measureUs, fitUs] = [
    after.indexUs - before.indexUs,
    after.measureUs - before.measureUs,
    after.fitUs - before.fitUs,
  ]
  const shifts = after.shifts - before.shifts
  return {
    withFits: (measureUs + fitUs) / indexUs,
    fitsAlone: fitUs / indexUs,
    measureAlone: measureUs / indexUs,
    indexUs,
    fits: after.fits - before.fits,
    curves: after.curves - before.curves,
    shifts,
    normShiftShare: (after.normShifts - before.normShifts) / shifts,
  }
}
