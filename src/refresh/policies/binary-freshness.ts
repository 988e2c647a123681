/**
 * Refresh rates with the highest mean freshness, weighted by importance (Azar, Horvitz, Lubetzky, Peres and Shahaf,
 * Tractable near-optimal policies for crawling, PNAS 2018):
 *
 *   r = max(0, sqrt(μ d / L) - d), L so that all rates sum up to the bandwidth
 *
 * with μ the page's importance and d its change rate. The priority is r · age: 1 for a page that is due. A page that
 * changes too often for its importance is never refreshed, as published.
 *
 * d is the shrunk rate of page-rates.ts, since a page with an estimate of 0 would never be refreshed again. Of what the
 * policy knows about all pages, only L is kept. Until the policy is prepared, L is that of pages that are all alike.
 *
 * State: 29 bytes a page.
 */
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import type { LedgerTotals } from '../../ledger/totals.js'
import { binaryFreshnessRates } from '../../math/binary-freshness-rates.js'
import { pageRates, type RateInputs, type RateOptions, rateInputsBy } from '../model/rate-inputs.js'
import { ageMs, type LedgerView, type Policy, policyCard } from './policy.js'

export const binaryFreshnessCard = policyCard({
  name: 'binary-freshness',
  purpose: 'rates of refreshes for which most of what counts is fresh, at a given bandwidth',
  paper: 'Azar et al., Tractable near-optimal policies for crawling (PNAS 2018)',
  formula: 'r * age, r = max(0, sqrt(importance * d / L) - d), d the shrunk rate of changes, L from the bandwidth',
  columns: ['present', 'refreshedMs', 'changes', 'rated', 'sumIntervalMs', 'stake'],
})

export function binaryFreshness(options: RateOptions = {}): Policy {
  return judgingBy(options, meanMultiplier)
}

function judgingBy(options: RateOptions, multiplierOf: (inputs: RateInputs) => number): Policy {
  const inputsBy = rateInputsBy(options)
  const rateOf = (columns: LedgerColumns, doc: number, totals: LedgerTotals) => {
    const inputs = inputsBy(totals)
    return refreshRate(inputs.importanceOf(columns, doc), inputs.changeRateOf(columns, doc), multiplierOf(inputs))
  }
  return {
    name: binaryFreshnessCard.name,
    usesTotals: true,
    prepare: (view) => {
      const multiplier = solvedMultiplier(view, inputsBy(view.totals))
      return judgingBy(options, () => multiplier)
    },
    priority: (columns, doc, atMs, totals) => rateOf(columns, doc, totals) * ageMs(columns, doc, atMs),
    growthPerMs: (columns, doc, _atMs, totals) => rateOf(columns, doc, totals),
    explain: (columns, doc, atMs, totals) => {
      const inputs = inputsBy(totals)
      return {
        formula: 'Math.max(0, Math.sqrt(importance * changesPerMs / multiplier) - changesPerMs) * ageMs',
        terms: {
          importance: inputs.importanceOf(columns, doc),
          changesPerMs: inputs.changeRateOf(columns, doc),
          multiplier: multiplierOf(inputs),
          ageMs: ageMs(columns, doc, atMs),
          refreshesPerMs: rateOf(columns, doc, totals),
        },
      }
    },
  }
}

function refreshRate(importance: number, changeRate: number, multiplier: number): number {
  return Math.max(0, Math.sqrt((importance * changeRate) / multiplier) - changeRate)
}

/** The multiplier that gives the mean page the mean refresh rate. */
function meanMultiplier({ meanChangeRate, meanRefreshRate }: RateInputs): number {
  return meanChangeRate / (meanRefreshRate + meanChangeRate) ** 2
}

function solvedMultiplier({ columns, rows, totals }: LedgerView, inputs: RateInputs): number {
  if (totals.pages === 0) return meanMultiplier(inputs)
  const { importance, changeRates } = pageRates(columns, rows, inputs)
  return binaryFreshnessRates(importance, changeRates, inputs.bandwidthPerMs).multiplier
}
