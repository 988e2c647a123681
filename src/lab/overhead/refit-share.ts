/** A whole history written week by week to one measured index: what its measuring and its fits by themselves take, beside indexing. */
import { WEEK_MS } from '../../base/time.js'
import type { Freshdex } from '../../index.js'
import type { Terms } from '../estimate/exact-workload.js'
import type { AskedQuery } from '../generated-workload.js'
import { inBatches } from '../page-index.js'
import type { WorldPage } from '../world.js'
import type { WeekHistory } from '../worlds/week-history.js'
import { openContender } from './measuring-cost.js'

const WRITE_PAGES = 500

export interface RefitShare {
  /** (measureMs + fitMs) / indexMs. */
  readonly withFits: number
  /** fitMs / indexMs. */
  readonly fitsAlone: number
  readonly measureAlone: number
  readonly indexMs: number
  readonly fits: number
  readonly curves: number
  readonly shifts: number
  readonly normShiftShare: number
}

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
  const [indexMs, measureMs, fitMs] = [
    after.indexMs - before.indexMs,
    after.measureMs - before.measureMs,
    after.fitMs - before.fitMs,
  ]
  const shifts = after.shifts - before.shifts
  return {
    withFits: (measureMs + fitMs) / indexMs,
    fitsAlone: fitMs / indexMs,
    measureAlone: measureMs / indexMs,
    indexMs,
    fits: after.fits - before.fits,
    curves: after.curves - before.curves,
    shifts,
    normShiftShare: (after.normShifts - before.normShifts) / shifts,
  }
}
