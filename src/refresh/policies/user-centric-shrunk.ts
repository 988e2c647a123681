/**
 * User-centric crawling with shrunk rates: (sum of ΔQ_A + prior rate · tau0) / (sum of intervals + tau0). A page is
 * taken to be like others until its own history is long enough to say otherwise. A measured gain of 0 makes its
 * refreshes rarer, but does not end them.
 *
 * The prior rate is the mean gain per time of all pages. By default it is in proportion to the page's value at stake,
 * because a page that is viewed more can lose more. This orders pages about which nothing else is known.
 *
 * State: 36 bytes a page.
 */
import { DAY_MS } from '../../base/time.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import { type LedgerTotals, measuredIntervalMs } from '../../ledger/totals.js'
import { stakeImportance } from '../model/rate-inputs.js'
import { ageMs, type Policy, policyCard } from './policy.js'

export interface UserCentricShrunkOptions {
  /** 'stake': the prior rate is in proportion to the page's stake; 'mean': it is the same for all pages. */
  readonly prior?: 'stake' | 'mean' | undefined
  /** The prior weighs as much as watching the page for this long. Default: the mean interval between refreshes. */
  readonly priorMs?: number | undefined
}

export const userCentricShrunkCard = policyCard({
  name: 'user-centric-shrunk',
  purpose: 'most quality of the answers won back, by what refreshes of the page have gained and its stake',
  paper: 'Pandey and Olston, User-centric web crawling (WWW 2005), with rates shrunk to the value at stake',
  formula: '(sum of deltaQuality + prior rate * tau) / (sum of measured intervals + tau) * age',
  columns: ['refreshedMs', 'rated', 'unmeasured', 'sumDeltaQuality', 'sumIntervalMs', 'stake'],
})

/** The prior's weight before the first interval is known. */
const FIRST_PRIOR_MS = 7 * DAY_MS
/** The share of its stake that a page loses per millisecond, while no gain of any page is known. */
const FIRST_LOSS_PER_MS = 0.01 / DAY_MS

interface Prior {
  /** The prior rate of a page with the mean stake, in ΔQ_A per millisecond. */
  readonly meanRatePerMs: number
  readonly tau0Ms: number
  /** 0 where the stake does not count. */
  readonly meanStake: number
}

export function userCentricShrunk({ prior: kind = 'stake', priorMs }: UserCentricShrunkOptions = {}): Policy {
  const priorFrom = (totals: LedgerTotals): Prior => {
    const { pages, rated, sumDeltaQuality, sumIntervalMs, sumStake } = totals
    const meanStake = pages > 0 ? sumStake / pages : 0
    const measuredMs = measuredIntervalMs(totals)
    const firstRate = FIRST_LOSS_PER_MS * (meanStake > 0 ? meanStake : 1)
    return {
      meanRatePerMs: sumDeltaQuality > 0 && measuredMs > 0 ? sumDeltaQuality / measuredMs : firstRate,
      tau0Ms: priorMs ?? (rated > 0 && sumIntervalMs > 0 ? sumIntervalMs / rated : FIRST_PRIOR_MS),
      meanStake: kind === 'stake' ? meanStake : 0,
    }
  }
  const rateOf = (columns: LedgerColumns, doc: number, totals: LedgerTotals): number => {
    const prior = priorFrom(totals)
    const gain = columns.sumDeltaQuality[doc]! + priorRate(prior, columns.stake[doc]!) * prior.tau0Ms
    return gain / (watchedMs(columns, doc) + prior.tau0Ms)
  }
  return {
    name: userCentricShrunkCard.name,
    usesTotals: true,
    priorityOfGain: (deltaQuality) => deltaQuality,
    priority: (columns, doc, atMs, totals) => rateOf(columns, doc, totals) * ageMs(columns, doc, atMs),
    growthPerMs: (columns, doc, _atMs, totals) => rateOf(columns, doc, totals),
    explain: (columns, doc, atMs, totals) => {
      const prior = priorFrom(totals)
      return {
        formula: '(sumDeltaQuality + priorRatePerMs * tau0Ms) / (sumIntervalMs + tau0Ms) * ageMs',
        terms: {
          sumDeltaQuality: columns.sumDeltaQuality[doc]!,
          sumIntervalMs: watchedMs(columns, doc),
          priorRatePerMs: priorRate(prior, columns.stake[doc]!),
          tau0Ms: prior.tau0Ms,
          ageMs: ageMs(columns, doc, atMs),
          stake: columns.stake[doc]!,
          meanStake: prior.meanStake,
        },
      }
    },
  }
}

/** How long the page was watched by refreshes whose gain is known. */
function watchedMs(columns: LedgerColumns, doc: number): number {
  const [rated, unmeasured] = [columns.rated[doc]!, columns.unmeasured[doc]!]
  return measuredIntervalMs({ rated, unmeasured, sumIntervalMs: columns.sumIntervalMs[doc]! })
}

/** The mean of all pages' prior rates is the mean rate, whatever their stakes. */
function priorRate({ meanRatePerMs, meanStake }: Prior, stake: number): number {
  if (meanStake === 0) return meanRatePerMs
  return meanRatePerMs * stakeImportance(stake, meanStake)
}
