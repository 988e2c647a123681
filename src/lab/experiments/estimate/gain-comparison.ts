/** The weeks of a site, each measured by indexes with fresh curves and valued exactly. */

import { WEEK_MS } from '../../../base/time.js'
import type { Freshdex, ScoringModel } from '../../../index.js'
import { spearman } from '../../report/statistics.js'
import type { AskedQuery } from '../../worlds/generated-text.js'
import type { Week, WeekHistory } from '../../worlds/page-versions.js'
import type { WorldPage } from '../../worlds/world.js'
import { type ExactAnswers, exactWorkload, openMeasured, TERMS, type Terms } from './exact-answers.js'
import { ExactSite, type PageChange } from './numbered-pages.js'

const TOP_SHARE = 0.1

/** The gain of one replaced page in one week. */
interface Gain {
  readonly measured: Readonly<Record<Terms, number>>
  readonly exact: Readonly<Record<Terms, number>>
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
  /** Both sides have to see the same ones. */
  readonly shifts: Readonly<Record<Terms, { readonly measured: number; readonly exact: number }>>
}

/** Over every (page, week) in which a page changed. */
interface Agreement {
  readonly pageSpearman: number
  readonly top10pctOverlap: number
  readonly wMAPE: number
  readonly pages: number
  /** The stricter view: only those with either value above 0. */
  readonly gainsOnly: { readonly pages: number; readonly pageSpearman: number; readonly top10pctOverlap: number }
}

export async function compareGains(
  { weeks }: WeekHistory,
  counted: readonly AskedQuery[],
  scoring: ScoringModel,
  { pieces, weeks: mostWeeks, onProgress }: ComparisonOptions,
): Promise<ScoringComparison> {
  const site = new ExactSite(exactWorkload(counted))
  const indexes: Indexes = {
    full: await openMeasured(weeks[0]!, counted, { terms: 'full', scoring, pieces }),
    single: await openMeasured(weeks[0]!, counted, { terms: 'single', scoring, pieces }),
  }
  site.pages.apply(site.pages.changesOf(weeks[0]!))
  const gains: Gain[] = []
  const exactShifts = { full: 0, single: 0 }
  const last = Math.min(weeks.length - 1, mostWeeks)
  for (let number = 1; number <= last; number++) {
    onProgress({ scoring, done: number - 1, total: last })
    for (const terms of TERMS) await indexes[terms].refresh.fit()
    const answers = site.freeze(scoring, Object.values(indexes))
    const changes = site.pages.changesOf(weeks[number]!)
    const measured = await writeWeek(indexes, weeks[number]!, number * WEEK_MS)
    for (const change of changes) {
      const exact = exactGains(answers, change, exactShifts)
      if (change.before === undefined || change.after === undefined) continue
      gains.push({ measured: gainsOf(measured, change), exact })
    }
    site.pages.apply(changes)
  }
  const shifts = await closeBoth(indexes, exactShifts)
  const agreement = (from: Terms, to: Terms) =>
    agreementOf(gains.map(({ measured, exact }) => ({ estimate: measured[from], exact: exact[to] })))
  return {
    single: agreement('single', 'single'),
    full: agreement('full', 'full'),
    singleAgainstMultiTerm: agreement('single', 'full'),
    shifts,
  }
}

type Indexes = Readonly<Record<Terms, Freshdex<WorldPage>>>

async function writeWeek(indexes: Indexes, { added, replaced, gone }: Week, at: number) {
  const measured = {} as Record<Terms, Map<string, number>>
  for (const terms of TERMS) {
    const { gains } = await indexes[terms].write({ put: [...added, ...replaced], remove: gone }, { at })
    measured[terms] = new Map(gains.map(({ key, deltaQuality }) => [key as string, deltaQuality]))
  }
  return measured
}

function gainsOf(measured: Readonly<Record<Terms, ReadonlyMap<string, number>>>, { url }: PageChange) {
  return { full: measured.full.get(url) ?? 0, single: measured.single.get(url) ?? 0 }
}

function exactGains(
  answers: Readonly<Record<Terms, ExactAnswers>>,
  change: PageChange,
  shifts: Record<Terms, number>,
): Record<Terms, number> {
  const gainOf = (terms: Terms) => {
    const moved = answers[terms].shiftsOf(change)
    shifts[terms] += moved.length
    return moved.reduce((sum, { deltaQuality }) => sum + deltaQuality, 0)
  }
  return { full: gainOf('full'), single: gainOf('single') }
}

async function closeBoth(indexes: Indexes, exactShifts: Readonly<Record<Terms, number>>) {
  const shifts = {} as Record<Terms, { measured: number; exact: number }>
  for (const terms of TERMS) {
    shifts[terms] = { measured: indexes[terms].stats().measurement.shifts, exact: exactShifts[terms] }
    await indexes[terms].close()
  }
  return shifts
}

function agreementOf(changed: readonly Pair[]): Agreement {
  const gains = changed.filter(({ estimate, exact }) => estimate > 0 || exact > 0)
  return {
    pageSpearman: pairSpearman(changed),
    top10pctOverlap: topOverlap(changed, TOP_SHARE),
    wMAPE: relativeDifference(changed),
    pages: changed.length,
    gainsOnly: {
      pages: gains.length,
      pageSpearman: pairSpearman(gains),
      top10pctOverlap: topOverlap(gains, TOP_SHARE),
    },
  }
}

/** How well estimates agree with exact values, pair by pair. */
export interface Pair {
  readonly estimate: number
  readonly exact: number
}

/** The rank correlation of the pairs. */
export function pairSpearman(pairs: readonly Pair[]): number {
  return spearman(
    pairs.map(({ estimate }) => estimate),
    pairs.map(({ exact }) => exact),
  )
}

/** The part of the `share` best by exact value that are also among as many best by estimate. */
export function topOverlap(pairs: readonly Pair[], share: number): number {
  const count = Math.max(1, Math.round(pairs.length * share))
  const best = (value: (pair: Pair) => number) =>
    [...pairs.keys()].sort((a, b) => value(pairs[b]!) - value(pairs[a]!) || a - b).slice(0, count)
  const estimated = new Set(best(({ estimate }) => estimate))
  return best(({ exact }) => exact).filter((at) => estimated.has(at)).length / count
}

/** The sum of all errors against the sum of all exact values (wMAPE). */
export function relativeDifference(pairs: readonly Pair[]): number {
  let [wrong, total] = [0, 0]
  for (const { estimate, exact } of pairs) {
    wrong += Math.abs(estimate - exact)
    total += exact
  }
  return wrong / total
}
