/**
 * One budget for pages never fetched and for copies that may be old, in one currency: what a fetch is expected to add
 * to the quality of the answers, ΔQ_A, times how long it lasts.
 *
 * - A new page adds its gain (new-page-gains.ts) until the replay ends; what own first fetches gained says how far that
 * gain is to be believed.
 * - A refresh brings worth per utility (refresh-worth.ts) · stake · E[U(rate, age)] (greedy-poisson.ts), learned from
 * the own refreshes.
 *
 * Both are what a fetch is worth against none, so that one price parts the fetches that are made from those that are
 * not.
 */

import { GainCalibration } from '../../../frontier/impact/gain-calibration.js'
import { topValues } from '../../../math/heap.js'
import { greedyPosterior, RatePosterior } from '../../choosers/by-rate.js'
import type { Judge } from '../../choosers/judged.js'
import { allowanceOf, type Chooser, type RefreshOutcome } from '../../quality/replay.js'
import type { RepositoryQuality } from '../../quality/repository-quality.js'
import { NO_VERSION } from '../../quality/timeline.js'
import type { NewPageGains } from './new-page-gains.js'

/**
 * `fixed`: a share for new pages. `joint`: whoever is expected to bring most. `oracle`: whoever does gain most now,
 * which nobody can know.
 */
export const SPLIT_PLANS = ['fixed', 'joint', 'oracle'] as const

export type SplitPlan = (typeof SPLIT_PLANS)[number]

export interface BudgetSplitOptions {
  readonly plan: SplitPlan
  /** Fetches per step. */
  readonly budget: number
  /** The share of the budget for new pages, in a fixed plan; what one side cannot use, the other gets. */
  readonly newShare: number
  /** When the replay ends. */
  readonly endMs: number
}

export class BudgetSplit implements Chooser {
  readonly #gains: NewPageGains
  readonly #options: BudgetSplitOptions
  readonly #posterior: RatePosterior
  readonly #judge: Judge
  #state!: RepositoryQuality
  #refreshedMs = new Float64Array()
  /** By page, of those that may be chosen at this step: stake · E[U], or the gain expected before it is calibrated. */
  readonly #utilityOf = new Map<number, number>()
  readonly #gainOf = new Map<number, number>()
  readonly #worth = new RefreshWorth()
  readonly #calibration = new GainCalibration()
  #newPages = 0
  #refreshes = 0

  constructor(gains: NewPageGains, pages: number, options: BudgetSplitOptions) {
    this.#gains = gains
    this.#options = options
    this.#posterior = new RatePosterior(pages)
    this.#judge = greedyPosterior(this.#posterior)
  }

  /** Pages fetched for the first time, or again after they were gone. */
  get newPages(): number {
    return this.#newPages
  }

  get refreshes(): number {
    return this.#refreshes
  }

  start(state: RepositoryQuality): void {
    this.#state = state
    this.#judge.start?.(state)
    this.#refreshedMs = new Float64Array(state.copies.local.length).fill(state.atMs)
  }

  next(step: number, budget: number): number[] {
    this.#judge.beginStep?.(step)
    const { local, live } = this.#state.copies
    const known: number[] = []
    const unfetched: number[] = []
    local.forEach((version, page) => {
      if (version !== NO_VERSION) known.push(page)
      else if (live[page] !== NO_VERSION) unfetched.push(page)
    })
    switch (this.#options.plan) {
      case 'fixed':
        return this.#fixed(step, budget, known, unfetched)
      case 'joint':
        return this.#joint(budget, known, unfetched)
      case 'oracle': {
        const all = [...known, ...unfetched]
        return best(
          all,
          all.map((page) => this.#state.deltaQuality(page)),
          budget,
        )
      }
    }
  }

  observe(page: number, outcome: RefreshOutcome): void {
    const ageMs = this.#ageMs(page)
    // What rounding leaves below 0 is 0.
    const gain = Math.max(0, outcome.deltaQuality)
    const expected = this.#gainOf.get(page)
    const utility = this.#utilityOf.get(page)
    if (outcome.kind === 'added') this.#newPages++
    else this.#refreshes++
    if (expected !== undefined) this.#calibration.note(expected, gain)
    if (utility !== undefined) this.#worth.note(utility, gain, ageMs)
    this.#judge.observe?.(page, outcome, ageMs)
    this.#refreshedMs[page] = this.#state.atMs
  }

  #fixed(step: number, budget: number, known: readonly number[], unfetched: readonly number[]): number[] {
    const { newShare } = this.#options
    const wanted = allowanceOf(step, this.#options.budget * newShare)
    const forNew = Math.min(unfetched.length, Math.max(wanted, budget - known.length))
    const chosen = best(unfetched, this.#gains.expected(this.#state, unfetched), Math.min(forNew, budget))
    return [...chosen, ...best(known, this.#utilities(known), budget - chosen.length)]
  }

  #joint(budget: number, known: readonly number[], unfetched: readonly number[]): number[] {
    const utilities = this.#utilities(known)
    const gains = this.#gains.expected(this.#state, unfetched)
    note(this.#utilityOf, known, utilities)
    note(this.#gainOf, unfetched, gains)
    const perUtility = this.#worth.perUtility
    // The step itself counts: its quality is taken after the fetches.
    const leftMs = this.#options.endMs - this.#state.atMs
    return best(
      [...known, ...unfetched],
      [
        ...utilities.map((utility) => utility * perUtility),
        ...Array.from(gains, (gain) => gain * this.#calibration.of(gain).factor * leftMs),
      ],
      budget,
    )
  }

  #utilities(pages: readonly number[]): number[] {
    return pages.map((page) => this.#judge.priority(page, this.#ageMs(page)))
  }

  #ageMs(page: number): number {
    return this.#state.atMs - this.#refreshedMs[page]!
  }
}

function best(pages: readonly number[], values: ArrayLike<number>, count: number): number[] {
  return Array.from(topValues(values, count), (at) => pages[at]!)
}

function note(values: Map<number, number>, pages: readonly number[], of: ArrayLike<number>): void {
  values.clear()
  pages.forEach((page, at) => {
    values.set(page, of[at]!)
  })
}

/**
 * Before any refresh: of documentation, a change costs a few hundredths of what is at stake. As heavy as this many
 * refreshes.
 */
const FIRST_PER_UTILITY = 0.02
const FIRST_REFRESHES = 20

/**
 * What refreshes are worth, in ΔQ_A times time, by their utility, stake · E[U(rate, age)]. Utility orders refreshes
 * well but does not tell how much a page loses: one that has changed goes on losing. On our histories what all pages
 * lose together grows in proportion to the age of their copies, while the chance of a change comes near 1 and stays
 * there.
 *
 * A refresh that gains g at age t ends a loss that has grown from 0 to g, in the mean evenly: it is worth t D(t) - ∫ D
 * = g t / 2 (Olston and Pandey, WWW 2008, Eq. 4). What refreshes were worth together, as part of their utilities, is
 * what utility is worth.
 */
export class RefreshWorth {
  #refreshes = 0
  #utility = 0
  #worth = 0

  /** `gain`: ΔQ_A, at least 0. */
  note(utility: number, gain: number, ageMs: number): void {
    this.#refreshes++
    this.#utility += utility
    this.#worth += (gain * ageMs) / 2
  }

  get perUtility(): number {
    if (this.#utility === 0) return FIRST_PER_UTILITY
    const first = (FIRST_REFRESHES * this.#utility) / this.#refreshes
    return (this.#worth + FIRST_PER_UTILITY * first) / (this.#utility + first)
  }
}
