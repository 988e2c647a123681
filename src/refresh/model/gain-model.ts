/**
 * What a refresh of a page is likely to find and to gain. Policies, plans and reviews use the same model.
 *
 *   expected ΔQ_A = P(changed) · E[ΔQ_A if changed]
 *
 * - P(changed) follows from the chances of the page's change rate and from its age, both on the clock of its section
 *   (rate-model.ts), and from signals.
 * - The gain of a change follows from the page's stake and from what changes in its section have gained
 *   (gain-prior.ts), until the page's own changes say otherwise. Documents change rarely, and the gain of one change
 *   says little about the next.
 *
 * A gain is uncertain even when a change is certain: `spread` tells by how much, for all pages alike.
 */
import { finish, type Steps } from '../../base/turns.js'
import { GridOutlook, newOutlookSums } from '../../change/grid-outlook.js'
import { changeChance, type RateChances } from '../../change/rate-grid.js'
import { type LargeSections, largeSections, numberIn } from '../../change/sections.js'
import { type LedgerColumns, measuredChanges } from '../../ledger/column-arrays.js'
import type { DocumentSections } from '../../ledger/sections.js'
import { NO_TRUST } from '../../ledger/site-trust.js'
import { drawAt } from '../../math/draws.js'
import type { LedgerView } from '../policies/policy.js'
import { type GainPriorData, gainPriorOf, learnGains } from './gain-prior.js'
import { learnRates, type RateModel, type RateModelData, rateModelOf } from './rate-model.js'

export interface ExpectedGain {
  /** The probability that the page differs from its copy, given its signals: 0 to 1. */
  readonly changeChance: number
  /** The expected ΔQ_A of a refresh that finds the page changed. */
  readonly gainIfChanged: number
  /** E[w²] / E[w]² of the gain w if changed, at least 1. */
  readonly spread: number
}

/** What refreshing pages now is expected to gain together. */
export interface GainAtMoment {
  /** E[ΔQ_A]. */
  deltaQuality: number
  /** By how much that grows, per millisecond on the plain clock. */
  growthPerMs: number
}

export interface GainModel {
  /** What the model was made of. */
  readonly data: GainModelData
  /** The spread of gains, one for all pages: see ExpectedGain. */
  readonly spread: number
  gainOf(columns: LedgerColumns, doc: number, atMs: number): ExpectedGain
  /** Adds the expected gain of a page to a sum, without an allocation. */
  addGain(columns: LedgerColumns, doc: number, atMs: number, into: GainAtMoment): void
  readonly rates: RateModel
  /**
   * What a change in the page's section gains, relative to a change of any page with the same stake; 1 where nothing is
   * known of the section.
   */
  sectionFactor(doc: number): number
  /** The part of a gain that does not depend on the page's stake, as a share of the typical stake. */
  readonly stakelessShare: number
  /** The expected ΔQ_A of a change. */
  gainIfChangedOf(columns: LedgerColumns, doc: number): number
  /** What signals, and their absence, say about the page. `chances` are those of its change rate. */
  signalEvidenceOf(columns: LedgerColumns, doc: number, chances: RateChances): SignalEvidence
}

export interface SignalEvidence {
  /**
   * The probability of a change that signals add to what the page's age says: 0 without a signal, and for signals that
   * are wrong as often as right.
   */
  readonly signalledChance: number
  /** The share of the page's changes that no signal announces; 1 where no signals are to be expected. */
  readonly unsignalledShare: number
}

const NO_EVIDENCE: SignalEvidence = { signalledChance: 0, unsignalledShare: 1 }

/** Pages that the distributions are learnt from, spread evenly over all pages. More pages would add little. */
const MAX_SAMPLE = 20_000
/** Any number: the same ledger has the same sample every time. */
const SAMPLE_SEED = 1
/** The fewest pages of a section that is looked at on its own. */
const SECTION_PAGES = 10
/** The prior gain of a page weighs as much as this many of its own changes. */
const PRIOR_CHANGES = 100
/** The smallest share of changes that a site is believed not to signal. */
const LEAST_UNSIGNALLED = 1e-3

/** A view of the ledger with its gain model, which is made when it is first asked for and then shared by all. */
export interface ModelledView extends LedgerView {
  gains(): GainModel
}

/** `data`: that of the model, if it was learnt elsewhere. */
export function withModel(view: LedgerView, data?: GainModelData): ModelledView {
  let model: GainModel | undefined
  return {
    ...view,
    gains: () => {
      model ??= data === undefined ? gainModel(view) : gainModelOf(data, view)
      return model
    },
  }
}

/** The model as plain data, which can be sent to another thread. */
export interface GainModelData {
  readonly sections: Pick<LargeSections, 'parents' | 'numbers'>
  readonly rates: RateModelData
  readonly gains: GainPriorData
}

/** A model of the ledger as it is now. It does not follow later changes. */
export function gainModel(view: LedgerView): GainModel {
  return gainModelOf(learnGainModel(view), view)
}

/** Learns from at most `most` pages, spread evenly over all. */
export function learnGainModel(view: LedgerView, most: number = MAX_SAMPLE): GainModelData {
  return finish(learningGainModel(view, most))
}

/** The same in steps. */
export function* learningGainModel(view: LedgerView, most: number = MAX_SAMPLE): Steps<GainModelData> {
  const sample = sampledPages(view, most)
  yield
  const { parents, numbers } = largeSections(view.sections, sample.map(view.sections.of, view.sections), SECTION_PAGES)
  const sections = documentSections({ parents, numbers }, view.sections)
  yield
  const rates = yield* learnRates(view.columns, sample, sections)
  yield
  return { sections: { parents, numbers }, rates, gains: yield* learnGains(view, sample, sections) }
}

/** The model that this is the data of, for the ledger that it was learnt from. */
export function gainModelOf(data: GainModelData, view: Pick<LedgerView, 'sections' | 'trust'>): GainModel {
  const sections = documentSections(data.sections, view.sections)
  const rates = rateModelOf(data.rates, sections)
  const { expectedOf, sectionFactor, stakelessShare, spread } = gainPriorOf(data.gains, sections)
  const gainIfChangedOf = (columns: LedgerColumns, doc: number) =>
    (columns.sumDeltaQuality[doc]! + PRIOR_CHANGES * expectedOf(columns, doc)) /
    (measuredChanges(columns, doc) + PRIOR_CHANGES)
  const signalEvidenceOf = (columns: LedgerColumns, doc: number, chances: RateChances) =>
    evidenceBy(view, rates, columns, doc, chances)
  const sums = newOutlookSums()
  return {
    data,
    spread,
    rates,
    sectionFactor,
    stakelessShare,
    gainIfChangedOf,
    signalEvidenceOf,
    gainOf: (columns, doc, atMs) => {
      const chances = rates.chancesOf(columns, doc)
      const { signalledChance, unsignalledShare } = signalEvidenceOf(columns, doc, chances)
      CHANCES.chanceAt(chances, unsignalledShare * rates.ageMs(columns, doc, atMs), sums)
      return {
        changeChance: signalledChance + (1 - signalledChance) * sums.changeChance,
        gainIfChanged: gainIfChangedOf(columns, doc),
        spread,
      }
    },
    addGain: (columns, doc, atMs, into) => {
      const chances = rates.chancesOf(columns, doc)
      const { signalledChance, unsignalledShare } = signalEvidenceOf(columns, doc, chances)
      CHANCES.chanceAt(chances, unsignalledShare * rates.ageMs(columns, doc, atMs), sums)
      const gain = gainIfChangedOf(columns, doc)
      into.deltaQuality += gain * (signalledChance + (1 - signalledChance) * sums.changeChance)
      into.growthPerMs += gain * (1 - signalledChance) * unsignalledShare * sums.chanceGrowth
    },
  }
}

/** Chances do not depend on the number of parts. */
const CHANCES = new GridOutlook(1)

/**
 * Signals update the probability of a change by Bayes' rule, starting from the probability at the time of the first
 * signal. Signals that are mostly wrong make a change less likely. While a site that signals a share of its changes is
 * silent, a page changes at its rate times the remaining share (Busa-Fekete et al., WWW 2025), so silence never loses
 * its force. The measured recall is too high where signalled pages are refreshed first, and trusting it fully would
 * keep it so. Hence the root of the remaining share.
 */
function evidenceBy(
  { trust }: Pick<LedgerView, 'trust'>,
  rates: RateModel,
  columns: LedgerColumns,
  doc: number,
  chances: RateChances,
): SignalEvidence {
  const site = columns.site[doc]!
  if (trust === NO_TRUST || site === 0) return NO_EVIDENCE
  const unsignalledShare = Math.max(LEAST_UNSIGNALLED, Math.sqrt(1 - trust.recall(site)))
  if (columns.signals[doc] === 0) return { signalledChance: 0, unsignalledShare }
  const ratio = trust.likelihoodRatio(site, columns.signalKinds[doc]!)
  const before = changeChance(chances, rates.ageMs(columns, doc, columns.signalMs[doc]!))
  // By Bayes' rule the probability is ratio · before / (1 + (ratio - 1) · before). What follows is the part of
  // 1 - before that this adds to `before`.
  if (ratio >= 1) return { signalledChance: ((ratio - 1) * before) / (1 + (ratio - 1) * before), unsignalledShare }
  return { signalledChance: 0, unsignalledShare: Math.max(LEAST_UNSIGNALLED, unsignalledShare * ratio) }
}

/** The sections with at least SECTION_PAGES pages of the sample; smaller ones join the section around them. */
function documentSections(
  { parents, numbers }: GainModelData['sections'],
  sections: DocumentSections,
): DocumentSections {
  return { parents, of: (doc) => numberIn(numbers, sections, sections.of(doc)) }
}

/**
 * At most `most` pages that are present, spread evenly over all rows: one of each stretch of rows, drawn at random.
 * Every n-th row would not do, because pages of several hosts are often added in turn.
 */
function sampledPages({ columns, rows }: LedgerView, most: number): number[] {
  const step = Math.max(1, Math.ceil(rows / most))
  const pages: number[] = []
  for (let first = 0; first < rows; first += step) {
    const doc = first + Math.floor(drawAt(SAMPLE_SEED, first) * step)
    if (doc < rows && columns.present[doc] === 1) pages.push(doc)
  }
  return pages
}
