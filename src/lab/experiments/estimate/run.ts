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
import type { Experiment } from '../../frame/experiment.js'
import { folderName, readFolderQueries } from '../../worlds/folder-tables.js'
import { readWeekHistory } from '../../worlds/page-versions.js'
import { type ComparisonProgress, compareGains, type ScoringComparison } from './gain-comparison.js'
import { type EstimateResult, estimateReport } from './report.js'
import { standardTokens } from './standard-tokens.js'

export interface EstimateSpec {
  /** A snapshot folder with a queries.tsv. */
  readonly data: string
  readonly scorings: readonly ScoringModel[]
  /** So many queries of queries.tsv, the first ones. */
  readonly queries: number
  /** Pieces of a score-rank curve, from 1 to 8. */
  readonly pieces: number
  /** The number of weeks to replay, at most. */
  readonly weeks: number
}

export interface EstimateRow {
  /** Pages of the first week. */
  readonly pages: number
  /** Weeks that were replayed. */
  readonly weeks: number
  /** Queries that have a word. */
  readonly queries: number
  readonly scorings: Readonly<Partial<Record<ScoringModel, ScoringComparison>>>
}

/** All of the experiment is one task. */
export type EstimateTask = Readonly<Record<string, never>>

export const estimate: Experiment<EstimateSpec, EstimateSpec, EstimateTask, EstimateRow, EstimateResult> = {
  name: 'estimate',
  check: checkEstimateSpec,
  tasks: () => [{}],
  run: (spec, _, tell) => {
    // Weeks under one scoring come after those under another.
    const { scorings } = spec
    const onWeek = ({ scoring, done, total }: ComparisonProgress) =>
      tell((scorings.indexOf(scoring) + done / total) / scorings.length)
    return runEstimate(spec, onWeek)
  },
  conclude: (spec, _, [row]) => ({ spec, data: folderName(spec.data), found: row! }),
  report: estimateReport,
  json: ({ spec, data, found }) => ({ data, pieces: spec.pieces, ...found }),
}

function checkEstimateSpec({ queries, pieces, weeks }: EstimateSpec): void {
  numberOption('queries', queries, 1, { min: 1, integer: true })
  numberOption('pieces', pieces, 3, { min: 1, max: 8, integer: true })
  numberOption('weeks', weeks, 1, { min: 1, integer: true })
}

/** FreshdexError for files that are missing or damaged, RangeError for a world in which no page changes. */
export async function runEstimate(
  spec: EstimateSpec,
  onProgress: (progress: ComparisonProgress) => void = () => {},
): Promise<EstimateRow> {
  checkEstimateSpec(spec)
  const { data, scorings, queries, pieces, weeks } = spec
  const history = await readWeekHistory(data)
  const asked = (await readFolderQueries(data)).slice(0, queries)
  const counted = asked.filter(({ query }) => standardTokens(query).length > 0)
  if (counted.length === 0) throw new RangeError('no query of the workload has a word')
  if (!history.weeks.slice(1, weeks + 1).some(({ replaced }) => replaced.length > 0))
    throw new RangeError('no page of the world changes: there is no gain to estimate')
  const comparisons: Partial<Record<ScoringModel, ScoringComparison>> = {}
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
