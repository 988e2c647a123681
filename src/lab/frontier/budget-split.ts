/**
 * One budget for pages never fetched and for copies that may be old, in one currency: what a fetch is expected to add to the quality of the answers, ΔQ_A,
 * times how long it lasts.
 *
 * - A new page adds its gain (new-page-gains.ts) until the replay ends.
 * - A refresh brings E[U(rate, age)] · stake · the share of a stake that a change costs (greedy-poisson.ts). That share is learned from the own refreshes, for all
 *   pages together: single pages change too seldom.
 *
 * Both are what a fetch is worth against none, so that one price parts the fetches that are made from those that are not.
 */
import { topValues } from '../../frontier/top-values.js'
import { greedyPosterior } from '../choosers/greedy-poisson.js'
import type { Judge } from '../choosers/judged-chooser.js'
import { RatePosterior } from '../choosers/rate-posterior.js'
import { allowanceOf, type Chooser, type RefreshOutcome } from '../quality/replay.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import { NO_VERSION } from '../quality/timeline.js'
import type { NewPageGains } from './new-page-gains.js'

/** `fixed`: a share for new pages. `joint`: whoever is expected to bring most. `oracle`: whoever does gain most now, which nobody can know. */
export const SPLIT_PLANS = ['fixed', 'joint', 'oracle'] as const

export type SplitPlan = (typeof SPLIT_PLANS)[number]

export interface BudgetSplitOptions {
  readonly plan: SplitPlan
  /** Fetches per step. */
  readonly budget: number
  /** Of the budget, in a fixed plan; what one side cannot use, the other gets. */
  readonly newShare: number
  /** When the replay ends. */
  readonly endMs: number
}

/** Before any change was seen: of documentation it is a few hundredths. As heavy as this many refreshes of pages with much at stake. */
const FIRST_LOSS_SHARE = 0.02
const FIRST_REFRESHES = 20

export class BudgetSplit implements Chooser {
  readonly #gains: NewPageGains
  readonly #options: BudgetSplitOptions
  readonly #posterior: RatePosterior
  readonly #judge: Judge
  #state!: RepositoryQuality
  #refreshedMs = new Float64Array()
  #stakes: Float64Array = new Float64Array()
  /** Of refreshes that found a change: ΔQ_A, and what was at stake. */
  #losses = 0
  #staked = 0
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
    const stakes = state.stakes()
    const sum = stakes.reduce((total, stake) => total + stake, 0)
    const squares = stakes.reduce((total, stake) => total + stake * stake, 0)
    this.#staked = sum === 0 ? 0 : (FIRST_REFRESHES * squares) / sum
    this.#losses = FIRST_LOSS_SHARE * this.#staked
  }

  next(step: number, budget: number): number[] {
    this.#judge.beginStep?.(step)
    this.#stakes = this.#state.stakes()
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
    if (outcome.kind === 'added') this.#newPages++
    else this.#refreshes++
    this.#judge.observe?.(page, outcome, this.#ageMs(page))
    if (outcome.kind === 'changed' || outcome.kind === 'gone') {
      this.#losses += Math.max(0, outcome.deltaQuality)
      this.#staked += this.#stakes[page]!
    }
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
    const lossShare = this.#staked === 0 ? 0 : this.#losses / this.#staked
    // The step itself counts: its quality is taken after the fetches.
    const leftMs = this.#options.endMs - this.#state.atMs
    const utilities = this.#utilities(known).map((utility) => utility * lossShare)
    const gains = this.#gains.expected(this.#state, unfetched).map((gain) => gain * leftMs)
    return best([...known, ...unfetched], [...utilities, ...gains], budget)
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
