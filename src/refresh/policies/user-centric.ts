/**
 * The policy of User-centric crawling, section 6, as published: P(p, t) = mean over past refreshes of ΔQ_A / interval,
 * times the time since the last refresh. A page whose whole history is one measured gain of 0 has priority 0 for ever.
 *
 * The paper has no rule for a page that was downloaded only once. Here such a page has the mean rate of all refreshes,
 * and so does a page of which no refresh was measured.
 *
 * State: 24 bytes a page; with `window` 60, with `decayed` 16.
 */
import { type LedgerColumns, measuredCount, recentAt, recentCount } from '../../ledger/column-arrays.js'
import { type LedgerTotals, measuredRefreshes } from '../../ledger/totals.js'
import { ageMs, type Policy, policyCard } from './policy.js'

export interface UserCentricOptions {
  /** Average over the last refreshes only, from 1 to 6 of them. */
  readonly window?: number | undefined
  /** Average with less weight on older refreshes; the half-life is that of the ledger. Excludes `window`. */
  readonly decayed?: boolean | undefined
}

export const userCentricCard = policyCard({
  name: 'user-centric',
  purpose: 'as published: what refreshes of the page gained for the answers, per time',
  paper: 'Pandey and Olston, User-centric web crawling (WWW 2005), section 6',
  formula: 'mean over measured refreshes of (deltaQuality / interval) * age',
  columns: ['refreshedMs', 'rated', 'unmeasured', 'sumRate'],
})

/** The rate of a page without history while no refresh of any page has gained anything. It only has to be above 0. */
const UNKNOWN_RATE = 1e-12

/** Undefined for a page of which no refresh was measured. */
type MeanRate = (columns: LedgerColumns, doc: number) => number | undefined

export function userCentric({ window, decayed = false }: UserCentricOptions = {}): Policy {
  const meanRate: MeanRate = window !== undefined ? meanOfLast(window) : decayed ? decayedMean : meanOfAll
  /** ΔQ_A per millisecond. */
  const rateOf = (columns: LedgerColumns, doc: number, totals: LedgerTotals): number => {
    const own = meanRate(columns, doc)
    if (own !== undefined) return own
    const measured = measuredRefreshes(totals)
    return totals.sumRate > 0 && measured > 0 ? totals.sumRate / measured : UNKNOWN_RATE
  }
  return {
    name: userCentricCard.name,
    usesTotals: true,
    priority: (columns, doc, atMs, totals) => rateOf(columns, doc, totals) * ageMs(columns, doc, atMs),
    growthPerMs: (columns, doc, _atMs, totals) => rateOf(columns, doc, totals),
    explain: (columns, doc, atMs, totals) => ({
      formula: 'ratePerMs * ageMs',
      terms: {
        ratePerMs: rateOf(columns, doc, totals),
        ageMs: ageMs(columns, doc, atMs),
        refreshes: measuredCount(columns, doc),
      },
    }),
  }
}

function meanOfAll(columns: LedgerColumns, doc: number): number | undefined {
  const measured = measuredCount(columns, doc)
  return measured > 0 ? columns.sumRate[doc]! / measured : undefined
}

function decayedMean(columns: LedgerColumns, doc: number): number | undefined {
  const weight = columns.decayedWeight[doc]!
  return weight > 0 ? columns.decayedRate[doc]! / weight : undefined
}

function meanOfLast(window: number): MeanRate {
  return (columns, doc) => {
    const kept = recentCount(columns, doc)
    let sum = 0
    let count = 0
    for (let back = 0; back < kept && count < window; back++) {
      const at = recentAt(columns, doc, back)
      const gain = columns.recentDeltaQuality[at]!
      if (Number.isNaN(gain)) continue
      sum += gain / (columns.recentIntervalSeconds[at]! * 1000)
      count++
    }
    return count > 0 ? sum / count : undefined
  }
}
