/**
 * What a change of a page is expected to gain before its own changes have shown anything: by what the page has at
 * stake, in the same way for all pages, and by what changes of its section have gained so far, against what was
 * expected of them (section-gains.ts).
 */

import { type SectionGain, sectionGainFactors } from '../../change/sections.js'
import { type LedgerColumns, recentAt, recentCount } from '../../ledger/columns.js'
import type { DocumentSections } from '../../ledger/sections.js'
import type { LedgerView } from '../policies/policy.js'

export interface GainPrior {
  /** ΔQ_A to expect of a change, above 0. */
  expectedOf(columns: LedgerColumns, doc: number): number
  /** What changes of the page's section gain, by those of all pages with the same at stake. */
  sectionFactor(doc: number): number
  /** What a change gains whatever the page has at stake, in parts of the typical stake. */
  readonly stakelessShare: number
  /** Of gains by what was expected of them: E[w²] / E[w]², at least 1. */
  readonly spread: number
}

/**
 * The part of the mean stake that a change of a page with that stake gains, before any was seen, as on real histories
 * (docs/lab-frontier.md); worth so many changes.
 */
const FIRST_GAIN_SHARE = 0.02
const FIRST_CHANGES = 3
/** Before any gain was seen; worth so many gains. */
const FIRST_SPREAD = 10
const FIRST_GAINS = 3
/** No gain is taken for more than so many times what was expected of it. */
const MAX_SURPRISE = 1e4
/**
 * What a change gains whatever the page has at stake, in parts of the typical stake, at least: a page that is in no
 * answer today may come to be in one. Measured, as the next: see docs/policies.md.
 */
const LEAST_STAKELESS_SHARE = 0.14
/** Gains grow less than stakes: a page that is first in many answers mostly stays there. */
const STAKE_POWER = 0.85

/** By the pages of a sample. */
export function gainPrior(view: LedgerView, sample: readonly number[], sections: DocumentSections): GainPrior {
  const { columns } = view
  const stakelessShare = stakelessShareOf(view)
  const stakeOf = weighedStake(view, stakelessShare * evennessOf(view, sample))
  const shareByStake = gainShare(view, sample, stakeOf)
  // Without a workload nothing gains anything, which says nothing of sections.
  const factors =
    view.totals.sumStake > 0
      ? sectionGainFactors(
          sections,
          sectionGains(columns, sample, sections, (doc) => shareByStake * stakeOf(columns, doc)),
        )
      : new Float64Array(sections.parents.length).fill(1)
  const sectionFactor = (doc: number) => factors[sections.of(doc)]!
  const share = gainShare(view, sample, (of, doc) => sectionFactor(doc) * stakeOf(of, doc))
  const expectedOf = (of: LedgerColumns, doc: number) => share * sectionFactor(doc) * stakeOf(of, doc)
  return {
    expectedOf,
    sectionFactor,
    stakelessShare,
    spread: spreadOf(columns, sample, (doc) => expectedOf(columns, doc)),
  }
}

type StakeOf = (columns: LedgerColumns, doc: number) => number

/**
 * What is open may be answered by any page, whatever it has at stake. If it is little, it mostly asks for what no page
 * of the site will ever have; the more it is, the more of it is news. So the part counts once more.
 */
function stakelessShareOf({ openShare }: LedgerView): number {
  return Math.max(LEAST_STAKELESS_SHARE, openShare ** 2)
}

/**
 * The typical stake, by the mean one: 1 if all pages have the same, less the fewer have most. Where a few pages are
 * worth nearly all, as where inlinks decide, the mean is that of no page. Typical is the square of the mean root; by
 * the mean it is at least 1 / pages, when one page has everything.
 */
function evennessOf({ columns, totals: { pages, sumStake } }: LedgerView, sample: readonly number[]): number {
  if (sample.length === 0 || sumStake === 0) return 1
  const sumRoots = sample.reduce((sum, doc) => sum + Math.sqrt(columns.stake[doc]!), 0)
  const evenness = (sumRoots / sample.length) ** 2 / (sumStake / pages)
  // Of a sample of the pages alone it may be outside of its bounds.
  return Math.min(1, Math.max(1 / pages, evenness))
}

/**
 * What a page has at stake, as its gains grow with it: in units of ΔQ_A, above 0. `base`: the stakeless part, by the
 * mean stake.
 */
function weighedStake({ totals: { pages, sumStake } }: LedgerView, base: number): StakeOf {
  // Without a workload nothing is at stake, and all pages count alike.
  if (pages === 0 || sumStake === 0) return () => 1
  const mean = sumStake / pages
  return (columns, doc) => mean * (base + (1 - base) * (columns.stake[doc]! / mean) ** STAKE_POWER)
}

/** The part of it that changes have gained. */
function gainShare({ columns, totals }: LedgerView, sample: readonly number[], stakeOf: StakeOf): number {
  const first = FIRST_CHANGES * (totals.pages > 0 && totals.sumStake > 0 ? totals.sumStake / totals.pages : 1)
  let gains = FIRST_GAIN_SHARE * first
  let stakes = first
  for (const doc of sample) {
    gains += columns.sumDeltaQuality[doc]!
    stakes += Math.min(columns.changes[doc]!, columns.rated[doc]!) * stakeOf(columns, doc)
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

/** What each of the page's last changes gained, by what is expected of one. */
function surprisesOf(columns: LedgerColumns, doc: number, expected: number): number[] {
  const surprises: number[] = []
  for (let back = recentCount(columns, doc) - 1; back >= 0; back--)
    if (((columns.changeBits[doc]! >>> back) & 1) === 1)
      surprises.push(Math.min(MAX_SURPRISE, columns.recentDeltaQuality[recentAt(columns, doc, back)]! / expected))
  return surprises
}
