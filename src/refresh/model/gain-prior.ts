/**
 * The expected gain of a change before the page's own changes have shown anything. It follows from the page's stake, in
 * the same way for all pages, and from what changes in its section have gained relative to what was expected of them
 * (change/sections.ts).
 */
import type { Steps } from '../../base/turns.js'
import { type SectionGain, sectionGainFactors } from '../../change/sections.js'
import { type LedgerColumns, measuredChanges, recentAt, recentCount } from '../../ledger/column-arrays.js'
import type { DocumentSections } from '../../ledger/sections.js'
import type { LedgerView } from '../policies/policy.js'

export interface GainPrior {
  /** The expected ΔQ_A of a change, above 0. */
  expectedOf(columns: LedgerColumns, doc: number): number
  /** What a change in the page's section gains, relative to a change of any page with the same stake. */
  sectionFactor(doc: number): number
  /** The part of a gain that does not depend on the page's stake, as a share of the typical stake. */
  readonly stakelessShare: number
  /** E[w²] / E[w]² of gains w relative to what was expected of them, at least 1. */
  readonly spread: number
}

/**
 * The share of its stake that a change of the mean page gains, as on real histories (docs/lab-frontier.md). This prior
 * weighs as much as FIRST_CHANGES changes.
 */
const FIRST_GAIN_SHARE = 0.02
const FIRST_CHANGES = 3
/** The prior spread, which weighs as much as FIRST_GAINS gains. */
const FIRST_SPREAD = 10
const FIRST_GAINS = 3
/** The largest ratio of a gain to what was expected of it; larger ones are cut. */
const MAX_SURPRISE = 1e4
/**
 * The least part of a gain that does not depend on the page's stake, as a share of the typical stake: a page that is in
 * no answer today may get into one. This and the next constant were measured: see docs/lab-policies.md.
 */
const LEAST_STAKELESS_SHARE = 0.14
/** Gains grow less than stakes: a page that is first in many answers mostly stays first. */
const STAKE_POWER = 0.85

/** The prior as plain data, which can be sent to another thread. */
export interface GainPriorData {
  /** The share of the weighed stake that a change gains. */
  readonly share: number
  readonly stakes: StakeScale
  /** By section. */
  readonly factors: Float64Array
  readonly stakelessShare: number
  readonly spread: number
}

/** Learns the prior from the pages of a sample, in steps. */
export function* learnGains(
  view: LedgerView,
  sample: readonly number[],
  sections: DocumentSections,
): Steps<GainPriorData> {
  const { columns } = view
  const stakelessShare = stakelessShareOf(view)
  const stakes = stakeScale(view, stakelessShare * evennessOf(view, sample))
  const stakeOf = weighedStake(stakes)
  yield
  const shareByStake = gainShare(view, sample, stakeOf)
  yield
  // Without a workload no change gains anything, which says nothing about sections.
  const factors =
    view.totals.sumStake > 0
      ? sectionGainFactors(
          sections,
          sectionGains(columns, sample, sections, (doc) => shareByStake * stakeOf(columns, doc)),
        )
      : new Float64Array(sections.parents.length).fill(1)
  yield
  const share = gainShare(view, sample, (of, doc) => factors[sections.of(doc)]! * stakeOf(of, doc))
  yield
  const learnt = { share, stakes, factors, stakelessShare }
  const { expectedOf } = gainPriorOf({ ...learnt, spread: 1 }, sections)
  return { ...learnt, spread: spreadOf(columns, sample, (doc) => expectedOf(columns, doc)) }
}

/** The prior that this is the data of. `sections`: those that it was learnt with. */
export function gainPriorOf(data: GainPriorData, sections: DocumentSections): GainPrior {
  const { share, stakes, factors, stakelessShare, spread } = data
  const stakeOf = weighedStake(stakes)
  const sectionFactor = (doc: number) => factors[sections.of(doc)]!
  return {
    expectedOf: (columns, doc) => share * sectionFactor(doc) * stakeOf(columns, doc),
    sectionFactor,
    stakelessShare,
    spread,
  }
}

type StakeOf = (columns: LedgerColumns, doc: number) => number

/**
 * Open questions may be answered by any page, whatever its stake. If few questions are open, most of them ask for what
 * no page of the site will ever have; the more are open, the more of them are new. Hence the square of the open share.
 */
function stakelessShareOf({ openShare }: LedgerView): number {
  return Math.max(LEAST_STAKELESS_SHARE, openShare ** 2)
}

/**
 * Ratio of typical to mean stake, in [1 / pages, 1]. Low when a few pages hold most of it, as where inlinks decide:
 * then no page has anything like the mean. The typical stake is the square of the mean root.
 */
function evennessOf({ columns, totals: { pages, sumStake } }: LedgerView, sample: readonly number[]): number {
  if (sample.length === 0 || sumStake === 0) return 1
  const sumRoots = sample.reduce((sum, doc) => sum + Math.sqrt(columns.stake[doc]!), 0)
  const evenness = (sumRoots / sample.length) ** 2 / (sumStake / pages)
  // The ratio of a sample may leave the bounds.
  return Math.min(1, Math.max(1 / pages, evenness))
}

/** The scale on which gains grow with stakes. */
interface StakeScale {
  /** The mean stake of a page; 0 without a workload. */
  readonly mean: number
  /** The stakeless part, as a share of the mean stake. */
  readonly base: number
}

function stakeScale({ totals: { pages, sumStake } }: LedgerView, base: number): StakeScale {
  return { mean: pages === 0 ? 0 : sumStake / pages, base }
}

/** The stake of a page on that scale, in units of ΔQ_A, above 0. */
function weighedStake({ mean, base }: StakeScale): StakeOf {
  // Without a workload nothing is at stake, and all pages count alike.
  if (mean === 0) return () => 1
  return (columns, doc) => mean * (base + (1 - base) * (columns.stake[doc]! / mean) ** STAKE_POWER)
}

/** The share of the stakes, measured by `stakeOf`, that changes have gained. */
function gainShare({ columns, totals }: LedgerView, sample: readonly number[], stakeOf: StakeOf): number {
  const first = FIRST_CHANGES * (totals.pages > 0 && totals.sumStake > 0 ? totals.sumStake / totals.pages : 1)
  let gains = FIRST_GAIN_SHARE * first
  let stakes = first
  for (const doc of sample) {
    gains += columns.sumDeltaQuality[doc]!
    stakes += measuredChanges(columns, doc) * stakeOf(columns, doc)
  }
  return gains / stakes
}

function* sectionGains(
  columns: LedgerColumns,
  sample: readonly number[],
  sections: DocumentSections,
  expectedOf: (doc: number) => number,
): Generator<SectionGain> {
  for (const doc of sample) {
    const section = sections.of(doc)
    for (const surprise of surprisesOf(columns, doc, expectedOf(doc))) yield { section, surprise }
  }
}

function spreadOf(columns: LedgerColumns, sample: readonly number[], expectedOf: (doc: number) => number): number {
  let count = FIRST_GAINS
  let sum = FIRST_GAINS
  let squares = FIRST_GAINS * FIRST_SPREAD
  for (const doc of sample)
    for (const surprise of surprisesOf(columns, doc, expectedOf(doc))) {
      count++
      sum += surprise
      squares += surprise * surprise
    }
  return Math.max(1, (squares * count) / (sum * sum))
}

/** What each of the page's last changes gained, divided by what was expected of it. Unmeasured ones say nothing. */
function surprisesOf(columns: LedgerColumns, doc: number, expected: number): number[] {
  const surprises: number[] = []
  for (let back = recentCount(columns, doc) - 1; back >= 0; back--) {
    const gain = columns.recentDeltaQuality[recentAt(columns, doc, back)]!
    if (((columns.changeBits[doc]! >>> back) & 1) === 1 && !Number.isNaN(gain))
      surprises.push(Math.min(MAX_SURPRISE, gain / expected))
  }
  return surprises
}
