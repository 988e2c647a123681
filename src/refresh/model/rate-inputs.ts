/**
 * What policies go by that give every page a rate of refreshes out of one bandwidth: importance, rate of changes, and
 * the bandwidth.
 */

import { DAY_MS } from '../../base/time.js'
import type { LedgerColumns } from '../../ledger/columns.js'
import type { LedgerTotals } from '../../ledger/totals.js'
import type { PageRates } from '../../math/harmonic-rates.js'
import { changePrior, meanIntervalMs, shrunkChangeRate } from './page-rates.js'

export interface RateOptions {
  /** What a page counts: its value at stake, unless told 'none', all pages alike. */
  readonly weight?: 'none' | 'stake' | undefined
  /** Of all pages together; as many as there were so far unless told. */
  readonly refreshesPerDay?: number | undefined
}

/**
 * The part of a page's importance that does not depend on its stake: a page in no answer today may come to be in one by
 * a change.
 */
const STAKELESS_SHARE = 0.05

export interface RateInputs {
  /** 1 in the mean; above 0. */
  importanceOf(columns: LedgerColumns, doc: number): number
  /** Changes per millisecond, above 0. */
  changeRateOf(columns: LedgerColumns, doc: number): number
  /** Refreshes of all pages together, per millisecond. */
  readonly bandwidthPerMs: number
  /** Changes per millisecond of a page of which nothing else is known. */
  readonly meanChangeRate: number
  /** Of a page, if all had the same. */
  readonly meanRefreshRate: number
}

/** Of one set of totals after the other, each found once. */
export function rateInputsBy(options: RateOptions): (totals: LedgerTotals) => RateInputs {
  let known: { readonly totals: LedgerTotals; readonly inputs: RateInputs } | undefined
  return (totals) => {
    if (known?.totals !== totals) known = { totals, inputs: rateInputs(totals, options) }
    return known.inputs
  }
}

function rateInputs(totals: LedgerTotals, { weight = 'stake', refreshesPerDay }: RateOptions): RateInputs {
  const prior = changePrior(totals)
  const pages = Math.max(1, totals.pages)
  const meanStake = totals.sumStake / pages
  const bandwidthPerMs = refreshesPerDay === undefined ? pages / meanIntervalMs(totals) : refreshesPerDay / DAY_MS
  const counts = weight === 'stake' && meanStake > 0
  return {
    importanceOf: (columns, doc) =>
      counts ? STAKELESS_SHARE + (1 - STAKELESS_SHARE) * (columns.stake[doc]! / meanStake) : 1,
    changeRateOf: (columns, doc) => shrunkChangeRate(columns, doc, prior),
    bandwidthPerMs,
    meanChangeRate: prior.ratePerMs,
    meanRefreshRate: bandwidthPerMs / pages,
  }
}

/** Of the pages that are present and wanted, in the order of their numbers. */
export function pageRates(
  columns: LedgerColumns,
  rows: number,
  inputs: RateInputs,
  isWanted: (doc: number) => boolean = () => true,
): PageRates {
  const importance = new Float64Array(rows)
  const changeRates = new Float64Array(rows)
  let count = 0
  for (let doc = 0; doc < rows; doc++) {
    if (columns.present[doc] !== 1 || !isWanted(doc)) continue
    importance[count] = inputs.importanceOf(columns, doc)
    changeRates[count] = inputs.changeRateOf(columns, doc)
    count++
  }
  return { importance: importance.subarray(0, count), changeRates: changeRates.subarray(0, count) }
}
