/**
 * How good are the estimates of ΔQ_A on real revisions? Every week curves are fitted anew and the week's changes
 * written as one batch; what the index says each page gained is compared with the exact value: numerator of Eq. 6 of
 * User-centric crawling, from whole answer lists under the same statistics, the scores of other pages as they are. The
 * exact side counts words and computes scores by itself.
 *
 * Pages compared are replaced ones: all that the data set calls changed. Some of them gain nothing by either count;
 * `gainsOnly` leaves these out.
 */

import { numberOption } from '../../../base/checks.js'
import type { ScoringModel } from '../../../index.js'
import { readFolderQueries } from '../../worlds/folder-tables.js'
import { readWeekHistory } from '../../worlds/page-versions.js'
import { compareGains, type GainComparison } from './gain-comparison.js'
import { standardTokens } from './standard-tokens.js'

export interface EstimateSpec {
  /** A snapshot folder with a queries.tsv. */
  readonly data: string
  readonly scorings: readonly ScoringModel[]
  /** So many queries of queries.tsv, the first ones. */
  readonly queries: number
  /** Of a score-rank curve. */
  readonly pieces: number
  /** To replay, at most. */
  readonly weeks: number
}

export interface EstimateResult {
  /** Of the first week. */
  readonly pages: number
  /** That were replayed. */
  readonly weeks: number
  /** That have a word. */
  readonly queries: number
  readonly scorings: Readonly<Partial<Record<ScoringModel, GainComparison>>>
}

/** FreshdexError for files that are missing or damaged, RangeError for a world in which no page changes. */
export async function runEstimate(
  { data, scorings, queries, pieces, weeks }: EstimateSpec,
  onProgress: (progress: ComparisonProgress) => void = () => {},
): Promise<EstimateResult> {
  numberOption('pieces', pieces, 3, { min: 1, max: 8, integer: true })
  const history = await readWeekHistory(data)
  const asked = (await readFolderQueries(data)).slice(0, queries)
  const counted = asked.filter(({ query }) => standardTokens(query).length > 0)
  if (counted.length === 0) throw new RangeError('no query of the workload has a word')
  if (!history.weeks.slice(1, weeks + 1).some(({ replaced }) => replaced.length > 0))
    throw new RangeError('no page of the world changes: there is no gain to estimate')
  const comparisons: Partial<Record<ScoringModel, GainComparison>> = {}
  for (const scoring of scorings) {
    comparisons[scoring] = await compareGains(history, counted, scoring, { pieces, weeks, onProgress })
  }
  return {
    pages: history.weeks[0]!.added.length,
    weeks: Math.min(history.weeks.length - 1, weeks),
    queries: counted.length,
    scorings: comparisons,
  }
}

export interface ComparisonOptions {
  /** Of a score-rank curve, at most 8. */
  readonly pieces: number
  /** To replay, at most. */
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
