/**
 * Refresh rates that starve no page (Kolobov, Peres, Lu and Horvitz, Staying up to date with online content changes
 * using reinforcement learning for scheduling, NeurIPS 2019, "LambdaCrawl"): the least Σ -μ ln(freshness) for the
 * bandwidth. With μ the page's importance and d its change rate,
 *
 *   r = (-d + sqrt(d² + 4 μ d / L)) / 2       refreshes per time of a page whose changes are not signalled,
 *   p = min(1, μ / (d L))                     probability of a refresh after a signal, of a page whose site signals
 *                                             nearly all of its changes.
 *
 * One multiplier L for both splits the bandwidth at the least cost. The priority is r · age, or p · signals: 1 for a
 * page that is due, where the paper draws at random. A site counts as complete when it has signalled nine in ten of its
 * changes.
 *
 * d is the shrunk rate of page-rates.ts, since with 0 a page would never be refreshed. Of what the policy knows about
 * all pages, only L is kept. Until the policy is prepared, L is that of pages that are all alike and send no signals.
 *
 * State: 34 bytes a page.
 */
import type { LedgerColumns } from '../../ledger/column-arrays.js'
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
    'r * age, r = (-d + sqrt(d^2 + 4 importance * d / L)) / 2; ' +
    'with complete signals min(1, importance / (d L)) * signals',
  columns: ['present', 'refreshedMs', 'changes', 'rated', 'sumIntervalMs', 'stake', 'site', 'signals'],
})

/** The recall from which on the silence of a site is taken to mean that nothing has changed. */
const COMPLETE_RECALL = 0.9
/** The smallest multiplier, as a share of the mean one. */
const LEAST_MULTIPLIER = 1e-9

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
    readsSignals: true,
    prepare: (view) => {
      const multiplier = solvedMultiplier(view, inputsBy(view.totals))
      return judgingBy(options, view.trust, () => multiplier)
    },
    priority: (columns, doc, atMs, totals) =>
      isSignalling(columns, doc, trust)
        ? crawlChance(...termsOf(columns, doc, totals)) * columns.signals[doc]!
        : refreshRate(...termsOf(columns, doc, totals)) * ageMs(columns, doc, atMs),
    growthPerMs: (columns, doc, _atMs, totals) =>
      isSignalling(columns, doc, trust) ? 0 : refreshRate(...termsOf(columns, doc, totals)),
    explain: (columns, doc, atMs, totals) => {
      const [importance, changesPerMs, multiplier] = termsOf(columns, doc, totals)
      const shared = { importance, changesPerMs, multiplier }
      return isSignalling(columns, doc, trust)
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

/** Whether the page's site signals nearly all of its changes. */
function isSignalling(columns: LedgerColumns, doc: number, trust: SignalTrust): boolean {
  return trust.recall(columns.site[doc]!) >= COMPLETE_RECALL
}

/** r in the form that subtracts no nearly equal numbers. */
function refreshRate(importance: number, changeRate: number, multiplier: number): number {
  const worth = importance / multiplier
  return (2 * worth) / (1 + Math.sqrt(1 + (4 * worth) / changeRate))
}

function crawlChance(importance: number, changeRate: number, multiplier: number): number {
  return Math.min(1, importance / (changeRate * multiplier))
}

/** The multiplier that gives the mean page the mean refresh rate. */
function meanMultiplier({ meanChangeRate, meanRefreshRate }: RateInputs): number {
  return meanChangeRate / (meanRefreshRate * (meanRefreshRate + meanChangeRate))
}

/**
 * L by the bandwidth. Where all pages are signalled and the bandwidth is more than enough, L is small rather than 0.
 */
function solvedMultiplier({ columns, rows, totals, trust }: LedgerView, inputs: RateInputs): number {
  const mean = meanMultiplier(inputs)
  if (totals.pages === 0) return mean
  const isSignalled = (doc: number) => isSignalling(columns, doc, trust)
  const { multiplier } = splitBandwidth(
    pageRates(columns, rows, inputs, (doc) => !isSignalled(doc)),
    pageRates(columns, rows, inputs, isSignalled),
    inputs.bandwidthPerMs,
  )
  return Math.max(multiplier, LEAST_MULTIPLIER * mean)
}
