/**
 * Refresh rates that starve no page (Kolobov, Peres, Lu and Horvitz, Staying up to date with online content changes
 * using reinforcement learning for scheduling, NeurIPS 2019, "LambdaCrawl"): least Σ -μ ln(freshness) for the
 * bandwidth. With μ the page's importance and d its rate of changes,
 *
 *   r = (-d + sqrt(d² + 4 μ d / L)) / 2       refreshes per time of a page whose changes are not told,
 *   p = min(1, μ / (d L))                     the chance of a refresh after a signal, of a page whose site tells nearly all of its changes;
 *
 * one L for both, so that what they take of the bandwidth has the least cost. The priority is r · age, or p · signals:
 * 1 for a page that is due, where the paper throws dice. A site is taken to tell its changes when it did so of nine in
 * ten.
 *
 * d is the shrunk rate of ledger-rates.ts: with 0 a page would never be refreshed. Of all pages only L is kept; until
 * the policy is prepared, L is as if all pages were the mean one and no site told anything.
 *
 * State: 34 bytes a page.
 */

import type { LedgerColumns } from '../../ledger/columns.js'
import { NO_TRUST, type SignalTrust } from '../../ledger/site-trust.js'
import type { LedgerTotals } from '../../ledger/totals.js'
import { splitBandwidth } from '../../math/harmonic-rates.js'
import { pageRates, type RateInputs, type RateOptions, rateInputsBy } from '../model/rate-inputs.js'
import { ageMs, type LedgerView, type Policy, policyCard } from './policy.js'

export const lambdaCrawlCard = policyCard({
  name: 'lambda-crawl',
  purpose: 'rates of refreshes that starve no page, and refreshes on signal where a site tells its changes',
  paper: 'Kolobov et al., Staying up to date with online content changes (NeurIPS 2019)',
  formula:
    'r * age, r = (-d + sqrt(d^2 + 4 importance * d / L)) / 2; with complete signals min(1, importance / (d L)) * signals',
  columns: ['present', 'refreshedMs', 'changes', 'rated', 'sumIntervalMs', 'stake', 'site', 'signals'],
})

/** Of a site whose silence is taken to mean that nothing has changed. */
const COMPLETE_RECALL = 0.9
const NEARLY_NOTHING = 1e-9

export function lambdaCrawl(options: RateOptions = {}): Policy {
  return judgingBy(options, NO_TRUST, meanMultiplier)
}

function judgingBy(options: RateOptions, trust: SignalTrust, multiplierOf: (inputs: RateInputs) => number): Policy {
  const inputsBy = rateInputsBy(options)
  const termsOf = (columns: LedgerColumns, doc: number, totals: LedgerTotals) => {
    const inputs = inputsBy(totals)
    return [inputs.importanceOf(columns, doc), inputs.changeRateOf(columns, doc), multiplierOf(inputs)] as const
  }
  return {
    name: lambdaCrawlCard.name,
    usesTotals: true,
    prepare: (view) => {
      const multiplier = solvedMultiplier(view, inputsBy(view.totals))
      return judgingBy(options, view.trust, () => multiplier)
    },
    priority: (columns, doc, atMs, totals) =>
      isTold(columns, doc, trust)
        ? crawlChance(...termsOf(columns, doc, totals)) * columns.signals[doc]!
        : refreshRate(...termsOf(columns, doc, totals)) * ageMs(columns, doc, atMs),
    growthPerMs: (columns, doc, _atMs, totals) =>
      isTold(columns, doc, trust) ? 0 : refreshRate(...termsOf(columns, doc, totals)),
    explain: (columns, doc, atMs, totals) => {
      const [importance, changesPerMs, multiplier] = termsOf(columns, doc, totals)
      const shared = { importance, changesPerMs, multiplier }
      return isTold(columns, doc, trust)
        ? {
            formula: 'Math.min(1, importance / (changesPerMs * multiplier)) * signals',
            terms: { ...shared, signals: columns.signals[doc]! },
          }
        : {
            formula:
              '2 * importance / multiplier / (1 + Math.sqrt(1 + 4 * importance / multiplier / changesPerMs)) * ageMs',
            terms: { ...shared, ageMs: ageMs(columns, doc, atMs) },
          }
    },
  }
}

function isTold(columns: LedgerColumns, doc: number, trust: SignalTrust): boolean {
  return trust.recall(columns.site[doc]!) >= COMPLETE_RECALL
}

/** r, without the difference in it. */
function refreshRate(importance: number, changeRate: number, multiplier: number): number {
  const worth = importance / multiplier
  return (2 * worth) / (1 + Math.sqrt(1 + (4 * worth) / changeRate))
}

function crawlChance(importance: number, changeRate: number, multiplier: number): number {
  return Math.min(1, importance / (changeRate * multiplier))
}

/** Gives the mean page the mean rate. */
function meanMultiplier({ meanChangeRate, meanRefreshRate }: RateInputs): number {
  return meanChangeRate / (meanRefreshRate * (meanRefreshRate + meanChangeRate))
}

/**
 * Where signals are all there is to follow and the bandwidth is more than enough for them it would be 0: then nearly
 * so.
 */
function solvedMultiplier({ columns, rows, totals, trust }: LedgerView, inputs: RateInputs): number {
  const mean = meanMultiplier(inputs)
  if (totals.pages === 0) return mean
  const told = (doc: number) => isTold(columns, doc, trust)
  const { multiplier } = splitBandwidth(
    pageRates(columns, rows, inputs, (doc) => !told(doc)),
    pageRates(columns, rows, inputs, told),
    inputs.bandwidthPerMs,
  )
  return Math.max(multiplier, NEARLY_NOTHING * mean)
}
