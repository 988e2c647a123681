/**
 * What a refresh of a page is likely to find and to gain, whoever asks: a policy, a plan, or a review of what plans
 * have come to.
 *
 *   expected ΔQ_A = P(changed) · E[ΔQ_A if changed]
 *
 * - P(changed) follows from the chances of the page's rate of changes and its age, both on the clock of its section
 * (rate-model.ts), and from what signals say of it.
 * - The gain of a change follows from what the page has at stake and from what changes of its section gained
 * (gain-prior.ts), until its own changes have shown something
 *   else: documents change rarely, and what one change gained says little of the next.
 *
 * A gain is far from certain even if the change is: `spread` tells how far, for all pages alike.
 */

import { changeChance, type RateChances } from '../../change/rate-grid.js'
import { largeSections } from '../../change/sections.js'
import type { LedgerColumns } from '../../ledger/columns.js'
import type { DocumentSections } from '../../ledger/sections.js'
import { NO_TRUST } from '../../ledger/site-trust.js'
import type { LedgerView } from '../policies/policy.js'
import { gainPrior } from './gain-prior.js'
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
  /**
   * What changes of the page's section gain, by those of all pages with the same at stake: 1 where nothing is known of
   * it.
   */
  sectionFactor(doc: number): number
  /** What a change gains whatever the page has at stake, in parts of the typical stake. */
  readonly stakelessShare: number
  /** ΔQ_A to expect of a change. */
  gainIfChangedOf(columns: LedgerColumns, doc: number): number
  /** What signals, and their absence, say of the page. `chances`: of its rate. */
  newsOf(columns: LedgerColumns, doc: number, chances: RateChances): ChangeNews
}

export interface ChangeNews {
  /**
   * How likely a signal makes it that the page has changed, beyond what its age says: 0 without a signal, and for one
   * that is as often wrong as right.
   */
  readonly signalledChance: number
  /**
   * The part of its rate at which it changes otherwise: of such changes no signal is to be expected. 1 where none is to
   * be expected at all.
   */
  readonly unsignalledShare: number
}

const NO_NEWS: ChangeNews = { signalledChance: 0, unsignalledShare: 1 }

/** Pages that the distributions are learnt from, evenly out of all of them: more would say the same. */
const MAX_SAMPLE = 20_000
/** Pages that make a section. */
const SECTION_PAGES = 10
/** Changes of a page that count as much as what all pages say of it. */
const PRIOR_CHANGES = 100

/** Of changes that a site does not signal; no count makes it less. */
const LEAST_UNSIGNALLED = 1e-3

/** A model of the ledger as it is: take a new one when much has changed. */
export function gainModel(view: LedgerView): GainModel {
  const sample = sampledPages(view)
  const sections = sectionsOf(view, sample)
  const rates = rateModel(view.columns, sample, sections)
  const { expectedOf, sectionFactor, stakelessShare, spread } = gainPrior(view, sample, sections)
  const gainIfChangedOf = (columns: LedgerColumns, doc: number) =>
    (columns.sumDeltaQuality[doc]! + PRIOR_CHANGES * expectedOf(columns, doc)) / (columns.changes[doc]! + PRIOR_CHANGES)
  const newsOf = (columns: LedgerColumns, doc: number, chances: RateChances) =>
    newsBy(view, rates, columns, doc, chances)
  return {
    spread,
    rates,
    sectionFactor,
    stakelessShare,
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
 * A signal makes a change likelier by Bayes' rule, from the chance at the time of the first one on; one that is mostly
 * wrong makes it less likely. A site that signals a part of its changes leaves the others: in silence a page changes at
 * its rate times that part (Busa-Fekete et al., WWW 2025), so that silence never loses its force. The recall comes out
 * too high where signalled pages are refreshed first, and who believed it would never learn better: so that part is its
 * root.
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
  // ratio · before / (1 + (ratio - 1) · before) is the chance by Bayes' rule; this is what it adds to `before`, as part
  // of the rest.
  if (ratio >= 1) return { signalledChance: ((ratio - 1) * before) / (1 + (ratio - 1) * before), unsignalledShare }
  return { signalledChance: 0, unsignalledShare: Math.max(LEAST_UNSIGNALLED, unsignalledShare * ratio) }
}

/** Those that are large enough to be looked at. */
function sectionsOf({ sections }: LedgerView, sample: readonly number[]): DocumentSections {
  const large = largeSections(sections, sample.map(sections.of, sections), SECTION_PAGES)
  return { parents: large.parents, of: (doc) => large.numberOf(sections.of(doc)) }
}

/** Pages that are present, evenly out of all. */
function sampledPages({ columns, rows }: LedgerView): number[] {
  const step = Math.max(1, Math.ceil(rows / MAX_SAMPLE))
  const pages: number[] = []
  for (let doc = 0; doc < rows; doc += step) if (columns.present[doc] === 1) pages.push(doc)
  return pages
}
