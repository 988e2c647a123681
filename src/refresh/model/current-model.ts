import type { Ledger } from '../../ledger/ledger.js'
import { openShare } from '../../ledger/questions.js'
import { hasTrustMoved, NO_TRUST, type SiteTrust } from '../../ledger/site-trust.js'
import { haveMoved, type LedgerTotals } from '../../ledger/totals.js'
import { ageMs, type LedgerView } from '../policies/policy.js'
import { type ExpectedGain, type GainModel, gainModel } from './gain-model.js'

/**
 * What refreshes of the pages of one ledger are expected to gain. Who refreshes is compared with the model of the last
 * plan: that is what was promised. Where nobody asks what to refresh, nothing is promised, and no model is made beside
 * writes.
 */
export class GainDesk {
  readonly #ledger: Ledger
  #frozen: FrozenView | undefined
  #model: GainModel | undefined
  #promise: GainModel | undefined

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** By a model of the ledger as it is, but for small moves of its totals. */
  expected(doc: number, atMs: number): ExpectedGain {
    return this.#newest().gainOf(this.#ledger.columns, doc, atMs)
  }

  /** How far gains are from what is expected of them, for all pages alike: see ExpectedGain. */
  get spread(): number {
    return this.#newest().spread
  }

  /**
   * How fast the clock of the page's section has run since its last refresh, by all others; 1 for a page that was
   * refreshed just now.
   */
  sectionPace(doc: number, atMs: number): number {
    const { columns } = this.#ledger
    const plainMs = ageMs(columns, doc, atMs)
    return plainMs === 0 ? 1 : this.#newest().rates.ageMs(columns, doc, atMs) / plainMs
  }

  /** What changes of the page's section gain, by those of all pages with the same at stake. */
  sectionFactor(doc: number): number {
    return this.#newest().sectionFactor(doc)
  }

  /** From now on refreshes are compared with what is expected of them now. */
  promise(): void {
    this.#promise = this.#newest()
  }

  /** By what was promised; undefined when nothing was. */
  promised(doc: number, atMs: number): ExpectedGain | undefined {
    return this.#promise?.gainOf(this.#ledger.columns, doc, atMs)
  }

  #newest(): GainModel {
    if (this.#frozen === undefined || this.#frozen.follow({ totals: true, groups: true, visits: true }))
      this.#model = undefined
    this.#frozen ??= new FrozenView(this.#ledger)
    this.#model ??= gainModel(this.#frozen.view)
    return this.#model
  }
}

/**
 * What policies and models know of all pages at once, as it was at some moment: totals, how much of what people ask is
 * open, and how far signals are trusted. Priorities that depend on them change everywhere at once, so all are frozen,
 * and taken anew only when one of them has moved, when pages were clustered anew, or when many visits have come in.
 */

/** By how much of themselves totals or trust may move. */
const MOVED_SHARE = 0.02
/**
 * How many visits there may be since, as part of all visits, or of one to each page if that is less: bursts of changes
 * are seen by the latest ones.
 */
const VISITED_SHARE = 0.05

export interface FollowedParts {
  readonly totals: boolean
  /** Trust in signals, and clusters. */
  readonly groups: boolean
  /** What the latest visits have found. */
  readonly visits: boolean
}

export class FrozenView {
  readonly #ledger: Ledger
  #totals: LedgerTotals
  #openShare: number
  #trust: SiteTrust
  #groupings: number
  /** The version of the ledger that was last compared with what is frozen. */
  #comparedVersion: number

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#totals = ledger.totals()
    this.#openShare = openShare(ledger.questions)
    this.#trust = ledger.trust.frozen()
    this.#groupings = ledger.groupings
    this.#comparedVersion = ledger.version
  }

  get totals(): LedgerTotals {
    return this.#totals
  }

  /** With the rows of the ledger as they are now. */
  get view(): LedgerView {
    const { columns, rows, sections } = this.#ledger
    const trust = this.#trust.size === 0 ? NO_TRUST : this.#trust
    return { columns, rows, sections, totals: this.#totals, openShare: this.#openShare, trust }
  }

  /**
   * Takes everything anew if one of the parts has moved; true if so, and what was prepared with the view has to be
   * prepared again.
   */
  follow(parts: FollowedParts): boolean {
    const { version, trust, groupings, questions } = this.#ledger
    if (version === this.#comparedVersion) return false
    this.#comparedVersion = version
    const totals = this.#ledger.totals()
    const isMoved =
      (parts.totals && haveMoved(this.#totals, totals, MOVED_SHARE)) ||
      (parts.totals && Math.abs(openShare(questions) - this.#openShare) > MOVED_SHARE) ||
      (parts.groups && (groupings !== this.#groupings || hasTrustMoved(this.#trust, trust, MOVED_SHARE))) ||
      (parts.visits && totals.rated - this.#totals.rated > VISITED_SHARE * Math.min(totals.rated, totals.pages))
    if (!isMoved) return false
    this.#groupings = groupings
    this.#totals = totals
    this.#openShare = openShare(questions)
    this.#trust = trust.frozen()
    return true
  }
}
