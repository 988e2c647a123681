/**
 * The weeks of a site, each valued exactly and measured by indexes: some with fresh curves, one that is left to itself.
 */

import { WEEK_MS } from '../../../base/time.js'
import type { Freshdex, ScoringModel } from '../../../index.js'
import type { AskedQuery } from '../../worlds/generated-text.js'
import type { Week, WeekHistory } from '../../worlds/page-versions.js'
import type { WorldPage } from '../../worlds/world.js'
import { type Agreement, agreementOf } from './agreement.js'
import { type ExactAnswers, type ExactShift, exactWorkload, openMeasured, TERMS, type Terms } from './exact-answers.js'
import { ExactSite, type PageChange } from './numbered-pages.js'
import { compareUnaided, type UnaidedComparison } from './unaided-agreement.js'
import { UnaidedIndex } from './unaided-index.js'

/** The gain of one replaced page in one week. */
interface Gain {
  readonly measured: Readonly<Record<Terms, number>>
  readonly exact: Readonly<Record<Terms, number>>
  /** By whole queries, without any call of fit(). */
  readonly unaided: number
  readonly weeksSinceEpoch: number
  readonly exactOfDoubled: number
}

export interface ComparisonOptions {
  /** Pieces of a score-rank curve, from 1 to 8. */
  readonly pieces: number
  /** The number of weeks to replay, at most. */
  readonly weeks: number
  /** Told before every week. */
  readonly onProgress: (progress: ComparisonProgress) => void
}

/** Weeks under one scoring. */
export interface ComparisonProgress {
  readonly scoring: ScoringModel
  readonly done: number
  readonly total: number
}

export interface ScoringComparison {
  readonly single: Agreement
  readonly full: Agreement
  /** Single-term estimates against the exact values of whole queries: what the paper's workload loses. */
  readonly singleAgainstMultiTerm: Agreement
  /** Whole queries, measured by the curves of an index that is left to itself. */
  readonly unaided: UnaidedComparison
  /** Both sides have to see the same ones. */
  readonly shifts: Readonly<Record<Terms, { readonly measured: number; readonly exact: number }>>
}

export async function compareGains(
  { weeks }: WeekHistory,
  counted: readonly AskedQuery[],
  scoring: ScoringModel,
  { pieces, weeks: mostWeeks, onProgress }: ComparisonOptions,
): Promise<ScoringComparison> {
  const site = new ExactSite(exactWorkload(counted))
  const opened = (terms: Terms) => openMeasured(weeks[0]!, counted, { terms, scoring, pieces })
  const indexes: Indexes = { full: await opened('full'), single: await opened('single') }
  const unaided = await UnaidedIndex.begin(await opened('full'))
  site.pages.apply(site.pages.changesOf(weeks[0]!))
  const gains: Gain[] = []
  const exactShifts = { full: 0, single: 0 }
  const last = Math.min(weeks.length - 1, mostWeeks)
  for (let number = 1; number <= last; number++) {
    onProgress({ scoring, done: number - 1, total: last })
    for (const terms of TERMS) await indexes[terms].refresh.fit()
    const answers = site.freeze(scoring, [...Object.values(indexes), unaided.index])
    const changes = site.pages.changesOf(weeks[number]!)
    unaided.enterWeek(number, site.frequencies())
    const [week, at] = [weeks[number]!, number * WEEK_MS]
    const measured = {
      full: await writeWeek(indexes.full, week, at),
      single: await writeWeek(indexes.single, week, at),
      unaided: await writeWeek(unaided.index, week, at),
    }
    for (const change of changes) {
      const { exact, exactOfDoubled } = exactGains(answers, change, exactShifts, unaided)
      if (change.before === undefined || change.after === undefined) continue
      const gainBy = (index: keyof typeof measured) => measured[index].get(change.url) ?? 0
      gains.push({
        measured: { full: gainBy('full'), single: gainBy('single') },
        exact,
        unaided: gainBy('unaided'),
        weeksSinceEpoch: unaided.weeksSinceEpoch,
        exactOfDoubled,
      })
    }
    await unaided.leaveWeek()
    site.pages.apply(changes)
  }
  const shifts = await closeBoth(indexes, exactShifts)
  const unaidedGains = gains.map(({ measured, exact, ...gain }) => ({
    ...gain,
    exact: exact.full,
    refitted: measured.full,
  }))
  const unaidedComparison = compareUnaided(unaidedGains, unaided.ownFits)
  await unaided.index.close()
  const agreement = (from: Terms, to: Terms) =>
    agreementOf(gains.map(({ measured, exact }) => ({ estimate: measured[from], exact: exact[to] })))
  return {
    single: agreement('single', 'single'),
    full: agreement('full', 'full'),
    singleAgainstMultiTerm: agreement('single', 'full'),
    unaided: unaidedComparison,
    shifts,
  }
}

type Indexes = Readonly<Record<Terms, Freshdex<WorldPage>>>

/** What the index says each page gained. */
async function writeWeek(
  index: Freshdex<WorldPage>,
  { added, replaced, gone }: Week,
  at: number,
): Promise<ReadonlyMap<string, number>> {
  const { gains } = await index.write({ put: [...added, ...replaced], remove: gone }, { at })
  return new Map(gains.map(({ key, deltaQuality }) => [key as string, deltaQuality]))
}

function exactGains(
  answers: Readonly<Record<Terms, ExactAnswers>>,
  change: PageChange,
  shifts: Record<Terms, number>,
  unaided: UnaidedIndex,
) {
  const moved = { full: answers.full.shiftsOf(change), single: answers.single.shiftsOf(change) }
  for (const terms of TERMS) shifts[terms] += moved[terms].length
  const doubled = moved.full.filter(({ query }) => unaided.hasDoubled(query))
  return {
    exact: { full: gainOf(moved.full), single: gainOf(moved.single) },
    exactOfDoubled: gainOf(doubled),
  }
}

function gainOf(shifts: readonly ExactShift[]): number {
  return shifts.reduce((sum, { deltaQuality }) => sum + deltaQuality, 0)
}

async function closeBoth(indexes: Indexes, exactShifts: Readonly<Record<Terms, number>>) {
  const shifts = {} as Record<Terms, { measured: number; exact: number }>
  for (const terms of TERMS) {
    shifts[terms] = { measured: indexes[terms].stats().measurement.shifts, exact: exactShifts[terms] }
    await indexes[terms].close()
  }
  return shifts
}
