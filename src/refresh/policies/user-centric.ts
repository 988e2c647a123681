/**
 * The policy of User-centric crawling, section 6, as published: P(p, t) = mean over past refreshes of ΔQ_A / interval,
 * times the time since the last refresh. A page whose whole history is one measured gain of 0 has priority 0 for ever.
 *
 * The paper has no rule for a page that was downloaded only once. Here such a page has the mean rate of all refreshes.
 *
 * State: 20 bytes a page; with `window` 60, with `decayed` 20.
 */
import { type LedgerColumns, recentAt, recentCount } from '../../ledger/column-arrays.js'
import type { LedgerTotals } from '../../ledger/totals.js'
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
  formula: 'mean over refreshes of (deltaQuality / interval) * age',
  columns: ['refreshedMs', 'rated', 'sumRate'],
})

/** The rate of a page without history while no refresh of any page has gained anything. It only has to be above 0. */
const UNKNOWN_RATE = 1e-12

type MeanRate = (columns: LedgerColumns, doc: number) => number

export function userCentric({ window, decayed = false }: UserCentricOptions = {}): Policy {
  const meanRate: MeanRate = window !== undefined ? meanOfLast(window) : decayed ? decayedMean : meanOfAll
  /** ΔQ_A per millisecond. */
  const rateOf = (columns: LedgerColumns, doc: number, totals: LedgerTotals): number => {
    if (columns.rated[doc]! > 0) return meanRate(columns, doc)
    return totals.sumRate > 0 && totals.rated > 0 ? totals.sumRate / totals.rated : UNKNOWN_RATE
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
        refreshes: columns.rated[doc]!,
      },
    }),
  }
}

function meanOfAll(columns: LedgerColumns, doc: number): number {
  return columns.sumRate[doc]! / columns.rated[doc]!
}

function decayedMean(columns: LedgerColumns, doc: number): number {
  return columns.decayedRate[doc]! / columns.decayedWeight[doc]!
}

function meanOfLast(window: number): MeanRate {
  return (columns, doc) => {
    const count = Math.min(window, recentCount(columns, doc))
    let sum = 0
    for (let back = 0; back < count; back++) {
      const at = recentAt(columns, doc, back)
      sum += columns.recentDeltaQuality[at]! / (columns.recentIntervalSeconds[at]! * 1000)
    }
    return sum / count
  }
}
