/** The inputs of policies that split one bandwidth into refresh rates: importance and change rates of the pages. */
import { DAY_MS } from '../../base/time.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import type { LedgerTotals } from '../../ledger/totals.js'
import type { PageRates } from '../../math/harmonic-rates.js'
import { changePrior, meanIntervalMs, shrunkChangeRate } from './page-rates.js'

export interface RateOptions {
  /** The importance of a page: 'stake' (the default), its value at stake, or 'none': all pages alike. */
  readonly weight?: 'none' | 'stake' | undefined
  /** Refreshes of all pages together. Default: as many as there were so far. */
  readonly refreshesPerDay?: number | undefined
}

/** The part of a page's importance that does not depend on its stake: a change may bring any page into an answer. */
const STAKELESS_SHARE = 0.05

/** The importance of a page by its stake: above 0, and 1 in the mean of all pages. */
export function stakeImportance(stake: number, meanStake: number): number {
  return STAKELESS_SHARE + (1 - STAKELESS_SHARE) * (stake / meanStake)
}

export interface RateInputs {
  /** Above 0, and 1 in the mean of all pages. */
  importanceOf(columns: LedgerColumns, doc: number): number
  /** Changes per millisecond, above 0. */
  changeRateOf(columns: LedgerColumns, doc: number): number
  /** Refreshes of all pages together, per millisecond. */
  readonly bandwidthPerMs: number
  /** Changes per millisecond of a page about which nothing else is known. */
  readonly meanChangeRate: number
  /** The refresh rate that every page would have if all had the same, per millisecond. */
  readonly meanRefreshRate: number
}

/** The inputs by totals. Those of the totals asked about last are kept. */
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
  const isWeighted = weight === 'stake' && meanStake > 0
  return {
    importanceOf: (columns, doc) => (isWeighted ? stakeImportance(columns.stake[doc]!, meanStake) : 1),
    changeRateOf: (columns, doc) => shrunkChangeRate(columns, doc, prior),
    bandwidthPerMs,
    meanChangeRate: prior.ratePerMs,
    meanRefreshRate: bandwidthPerMs / pages,
  }
}

/** Importance and change rates of the pages that are present and wanted, in the order of their numbers. */
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
