/**
 * The gain model of the ledger as it is now, and the frozen view of the ledger that models and policies are made of.
 */
import type { Steps } from '../../base/turns.js'
import type { ReadableLedger } from '../../ledger/ledger.js'
import { openShare } from '../../ledger/questions.js'
import { hasTrustMoved, NO_TRUST, type SiteTrust } from '../../ledger/site-trust.js'
import { haveMoved, type LedgerTotals } from '../../ledger/totals.js'
import { ageMs, type LedgerView } from '../policies/policy.js'
import {
  type ExpectedGain,
  type GainModel,
  type GainModelData,
  learnGainModel,
  learningGainModel,
  type ModelledView,
  withModel,
} from './gain-model.js'

/**
 * What refreshes of the pages of one ledger are expected to gain. A review compares refreshes with the model by which
 * they were last planned. Where nobody asks what to refresh, there is no such model, and writes need not make one.
 */
export class CurrentModel {
  readonly #ledger: ReadableLedger
  #frozen: FrozenView | undefined
  #lastPlanned: GainModel | undefined

  constructor(ledger: ReadableLedger) {
    this.#ledger = ledger
  }

  /** The view that the model is made of. A policy that judges by the same view judges by the same model. */
  get frozen(): FrozenView {
    this.#frozen ??= new FrozenView(this.#ledger)
    return this.#frozen
  }

  /** The gain expected by a model of the ledger as it is, apart from small moves of its totals. */
  expected(doc: number, atMs: number): ExpectedGain {
    return this.#newest().gainOf(this.#ledger.columns, doc, atMs)
  }

  /** Grows when a model is made anew. */
  get version(): number {
    return this.frozen.follow(EVERYTHING)
  }

  /** The view of the model of that version. */
  get view(): ModelledView {
    return this.frozen.view
  }

  /** How far gains scatter around what is expected, for all pages alike: see ExpectedGain. */
  get spread(): number {
    return this.#newest().spread
  }

  /** How fast the clock of the page's section has run since the last refresh; 1 is the speed of the plain clock. */
  sectionPace(doc: number, atMs: number): number {
    const { columns } = this.#ledger
    const plainMs = ageMs(columns, doc, atMs)
    return plainMs === 0 ? 1 : this.#newest().rates.ageMs(columns, doc, atMs) / plainMs
  }

  /** What a change in the page's section gains, relative to a change of any page with the same stake. */
  sectionFactor(doc: number): number {
    return this.#newest().sectionFactor(doc)
  }

  /**
   * From now on, refreshes are reviewed against what is expected of them now. While nothing is at stake, no gain can be
   * expected or measured, and there is nothing to review.
   */
  rememberForReview(): void {
    const newest = this.#newest()
    this.#lastPlanned = this.frozen.totals.sumStake > 0 ? newest : undefined
  }

  /** Whether anybody has planned refreshes. */
  get isPlanned(): boolean {
    return this.#lastPlanned !== undefined
  }

  /** The gain that was expected when refreshes were last planned; undefined when nobody has planned any. */
  asLastPlanned(doc: number, atMs: number): ExpectedGain | undefined {
    return this.#lastPlanned?.gainOf(this.#ledger.columns, doc, atMs)
  }

  #newest(): GainModel {
    this.frozen.follow(EVERYTHING)
    return this.frozen.view.gains()
  }
}

/** The relative change of totals or trust from which on the view is taken anew. */
const MOVED_SHARE = 0.02
/**
 * The number of new visits from which on the view is taken anew, as a share of all visits, or of the number of pages if
 * that is less. Bursts of changes show in the latest visits.
 */
const VISITED_SHARE = 0.05

/** Which moves of the ledger make a view out of date. */
export interface Follows {
  readonly totals: boolean
  /** Trust in signals, and clusters. */
  readonly groups: boolean
  /** What the latest visits have found. */
  readonly visits: boolean
}

export interface FrozenParts {
  readonly totals: LedgerTotals
  readonly openShare: number
  readonly trust: SiteTrust
}

/** A model that was learnt elsewhere, and what was frozen with it. */
export interface GivenModel extends FrozenParts {
  readonly data: GainModelData
}

/** Pages that a model is learnt from where there is no time for more. */
const QUICK_SAMPLE = 500

/** What the gain model follows, and a policy that shares it. */
export const EVERYTHING: Follows = { totals: true, groups: true, visits: true }

/**
 * What policies and models know of all pages together, as it was at some moment: totals, the open share of the
 * workload, and the trust in signals. A move of any of these changes priorities everywhere. So they are frozen, and
 * taken anew only when one of them has moved noticeably, when pages were clustered anew, or after many visits.
 */
export class FrozenView {
  readonly #ledger: ReadableLedger
  #totals: LedgerTotals
  #openShare: number
  #trust: SiteTrust
  #groupings: number
  /** The version of the ledger that was last compared with the frozen one. */
  #comparedVersion: number
  #view: ModelledView | undefined
  #version = 0
  #isElsewhere = false

  constructor(ledger: ReadableLedger) {
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

  /** All that is frozen beside the rows. */
  get parts(): FrozenParts {
    return { totals: this.#totals, openShare: this.#openShare, trust: this.#trust }
  }

  /**
   * From now on the view is what another thread made of the ledger, and is taken anew when that thread has a newer one.
   * Until it has one, the view is that of a small sample, so that nobody waits for it.
   */
  followElsewhere(): void {
    this.#isElsewhere = true
  }

  /** What another thread made of the ledger. */
  give({ totals, openShare: share, trust, data }: GivenModel): void {
    this.#totals = totals
    this.#openShare = share
    this.#trust = trust
    this.#view = withModel(this.#frozenView(), data)
    this.#version++
  }

  #quickView(): ModelledView {
    const view = this.#frozenView()
    return withModel(view, learnGainModel(view, QUICK_SAMPLE))
  }

  #frozenView(): LedgerView {
    const { columns, rows, sections } = this.#ledger
    const trust = this.#trust.size === 0 ? NO_TRUST : this.#trust
    return { columns, rows, sections, totals: this.#totals, openShare: this.#openShare, trust }
  }

  /** The frozen values, with the rows of the ledger as they are when it is first asked for. */
  get view(): ModelledView {
    this.#view ??= this.#isElsewhere ? this.#quickView() : withModel(this.#frozenView())
    return this.#view
  }

  /** Makes the model of the view in steps, so that whoever asks for it first need not wait for all of it. */
  *learning(): Steps<void> {
    const view = this.#frozenView()
    this.#view = withModel(view, yield* learningGainModel(view))
  }

  /** Whether something that is followed has moved since it was frozen. */
  isMoved(follows: Follows): boolean {
    const { trust, groupings, questions } = this.#ledger
    const totals = this.#ledger.totals()
    return (
      (follows.totals && haveMoved(this.#totals, totals, MOVED_SHARE)) ||
      (follows.totals && Math.abs(openShare(questions) - this.#openShare) > MOVED_SHARE) ||
      (follows.groups && (groupings !== this.#groupings || hasTrustMoved(this.#trust, trust, MOVED_SHARE))) ||
      (follows.visits && totals.rated - this.#totals.rated > VISITED_SHARE * Math.min(totals.rated, totals.pages))
    )
  }

  /**
   * Takes everything anew if something that is followed has moved. Returns how often that has happened: when the number
   * is another one than before, what was prepared with the view must be prepared again.
   */
  follow(follows: Follows): number {
    const { version, trust, groupings, questions } = this.#ledger
    if (version === this.#comparedVersion || this.#isElsewhere) return this.#version
    this.#comparedVersion = version
    if (!this.isMoved(follows)) return this.#version
    this.#groupings = groupings
    this.#totals = this.#ledger.totals()
    this.#openShare = openShare(questions)
    this.#trust = trust.frozen()
    this.#view = undefined
    return ++this.#version
  }
}
