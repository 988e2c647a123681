/**
 * What a refresh of a page is likely to find and to gain, whoever asks: a policy, a plan, or a review of what plans have come to.
 *
 *   expected ΔQ_A = P(changed) · E[ΔQ_A if changed]
 *
 * - P(changed) follows from the chances of the page's rate of changes and its age, both on the clock of its section (rate-model.ts), and from what signals say of it.
 * - The gain of a change follows from what the page has at stake, in the same way for all pages, until its own changes have shown something
 *   else: documents change rarely, and what one change gained says little of the next.
 *
 * A gain is far from certain even if the change is: `spread` tells how far, for all pages alike.
 */
import { changeChance, type RateChances } from '../change/rates/rate-grid.js'
import { type LedgerColumns, recentAt, recentCount } from './ledger-columns.js'
import { type LedgerView, NO_TRUST } from './policy.js'
import { type RateModel, rateModel } from './rate-model.js'

export interface ExpectedGain {
  /** From 0 to 1: that the page is no more as its copy, signals included. */
  readonly changeChance: number
  /** ΔQ_A to expect then. */
  readonly gainIfChanged: number
  /** E[w²] / E[w]² of the gain w if changed, at least 1. */
  readonly spread: number
}

export interface GainModel {
  /** That of all pages. */
  readonly spread: number
  gainOf(columns: LedgerColumns, doc: number, atMs: number): ExpectedGain
  readonly rates: RateModel
  /** ΔQ_A to expect of a change. */
  gainIfChangedOf(columns: LedgerColumns, doc: number): number
  /** What signals, and their absence, say of the page. `chances`: of its rate. */
  newsOf(columns: LedgerColumns, doc: number, chances: RateChances): ChangeNews
}

export interface ChangeNews {
  /** How likely a signal makes it that the page has changed, beyond what its age says: 0 without a signal, and for one that is as often wrong as right. */
  readonly signalledChance: number
  /** The part of its rate at which it changes otherwise: of such changes no signal is to be expected. 1 where none is to be expected at all. */
  readonly unsignalledShare: number
}

const NO_NEWS: ChangeNews = { signalledChance: 0, unsignalledShare: 1 }

/** Pages that the distributions are learnt from, evenly out of all of them: more would say the same. */
const MAX_SAMPLE = 20_000
/** The part of the mean stake that a change of a page with that stake gains, before any was seen, as on real histories (docs/lab-frontier.md); worth so many changes. */
const FIRST_GAIN_SHARE = 0.02
const FIRST_CHANGES = 3
/** Before any gain was seen; worth so many gains. */
const FIRST_SPREAD = 10
const FIRST_GAINS = 3
/** No gain is taken for more than so many times what was expected of it. */
const MAX_SURPRISE = 1e4
/** The part of a page's gain that does not depend on its stake: a page in no answer today may come to be in one by a change. */
const STAKELESS_SHARE = 0.02
/** Gains grow less than stakes: a page that is first in many answers mostly stays there. Measured: see docs/policies.md. */
const STAKE_POWER = 0.85
/** Changes of a page that count as much as what all pages say of it. */
const PRIOR_CHANGES = 100

/** Of changes that a site does not signal; no count makes it less. */
const LEAST_UNSIGNALLED = 1e-3

/** A model of the ledger as it is: take a new one when much has changed. */
export function gainModel(view: LedgerView): GainModel {
  const sample = sampledPages(view)
  const rates = rateModel(view, sample)
  const { stakeOf, gainShare, spread } = gainPrior(view, sample)
  const gainIfChangedOf = (columns: LedgerColumns, doc: number) => {
    const expected = gainShare * stakeOf(columns, doc)
    return (columns.sumDeltaQuality[doc]! + PRIOR_CHANGES * expected) / (columns.changes[doc]! + PRIOR_CHANGES)
  }
  const newsOf = (columns: LedgerColumns, doc: number, chances: RateChances) =>
    newsBy(view, rates, columns, doc, chances)
  return {
    spread,
    rates,
    gainIfChangedOf,
    newsOf,
    gainOf: (columns, doc, atMs) => {
      const chances = rates.chancesOf(columns, doc)
      const { signalledChance, unsignalledShare } = newsOf(columns, doc, chances)
      const unheard = changeChance(chances, unsignalledShare * rates.ageMs(columns, doc, atMs))
      return {
        changeChance: signalledChance + (1 - signalledChance) * unheard,
        gainIfChanged: gainIfChangedOf(columns, doc),
        spread,
      }
    },
  }
}

/**
 * A signal makes a change likelier by Bayes' rule, from the chance at the time of the first one on; one that is mostly wrong makes it less likely. A site that signals a part of
 * its changes leaves the others: in silence a page changes at its rate times that part (Busa-Fekete et al., WWW 2025), so that silence never loses its force. The recall comes out
 * too high where signalled pages are refreshed first, and who believed it would never learn better: so that part is its root.
 */
function newsBy(
  { trust }: LedgerView,
  rates: RateModel,
  columns: LedgerColumns,
  doc: number,
  chances: RateChances,
): ChangeNews {
  const site = columns.site[doc]!
  if (trust === NO_TRUST || site === 0) return NO_NEWS
  const unsignalledShare = Math.max(LEAST_UNSIGNALLED, Math.sqrt(1 - trust.recall(site)))
  if (columns.signals[doc] === 0) return { signalledChance: 0, unsignalledShare }
  const ratio = trust.likelihoodRatio(site, columns.signalKinds[doc]!)
  const before = changeChance(chances, rates.ageMs(columns, doc, columns.signalMs[doc]!))
  // ratio · before / (1 + (ratio - 1) · before) is the chance by Bayes' rule; this is what it adds to `before`, as part of the rest.
  if (ratio >= 1) return { signalledChance: ((ratio - 1) * before) / (1 + (ratio - 1) * before), unsignalledShare }
  return { signalledChance: 0, unsignalledShare: Math.max(LEAST_UNSIGNALLED, unsignalledShare * ratio) }
}

interface GainPrior {
  /** In units of ΔQ_A, above 0 unless no page has any. */
  stakeOf(columns: LedgerColumns, doc: number): number
  /** The part of it that a change gains. */
  readonly gainShare: number
  readonly spread: number
}

function gainPrior(view: LedgerView, sample: readonly number[]): GainPrior {
  const { pages, sumStake } = view.totals
  // Without a workload nothing is at stake, and all pages count alike.
  const meanStake = pages > 0 && sumStake > 0 ? sumStake / pages : 1
  const counts = sumStake > 0
  const stakeOf = (columns: LedgerColumns, doc: number) =>
    counts
      ? meanStake * (STAKELESS_SHARE + (1 - STAKELESS_SHARE) * (columns.stake[doc]! / meanStake) ** STAKE_POWER)
      : meanStake
  let gains = FIRST_GAIN_SHARE * FIRST_CHANGES * meanStake
  let stakes = FIRST_CHANGES * meanStake
  const { columns } = view
  for (const doc of sample) {
    gains += columns.sumDeltaQuality[doc]!
    stakes += Math.min(columns.changes[doc]!, columns.rated[doc]!) * stakeOf(columns, doc)
  }
  const gainShare = gains / stakes
  return { stakeOf, gainShare, spread: spreadOf(columns, sample, (doc) => gainShare * stakeOf(columns, doc)) }
}

/** Of gains by what was expected of them: E[w²] / E[w]². */
function spreadOf(columns: LedgerColumns, sample: readonly number[], expectedOf: (doc: number) => number): number {
  let count = FIRST_GAINS
  let sum = FIRST_GAINS
  let squares = FIRST_GAINS * FIRST_SPREAD
  for (const doc of sample) {
    const expected = expectedOf(doc)
    for (let back = recentCount(columns, doc) - 1; back >= 0; back--) {
      if (((columns.changeBits[doc]! >>> back) & 1) === 0) continue
      const gain = Math.min(MAX_SURPRISE, columns.recentDeltaQuality[recentAt(columns, doc, back)]! / expected)
      count++
      sum += gain
      squares += gain * gain
    }
  }
  return Math.max(1, (squares * count) / (sum * sum))
}

/** Pages that are present, evenly out of all. */
function sampledPages({ columns, rows }: LedgerView): number[] {
  const step = Math.max(1, Math.ceil(rows / MAX_SAMPLE))
  const pages: number[] = []
  for (let doc = 0; doc < rows; doc += step) if (columns.present[doc] === 1) pages.push(doc)
  return pages
}
