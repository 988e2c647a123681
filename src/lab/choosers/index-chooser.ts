/**
 * The policies of the product, as users get them: an index in memory holds the copies, knows the workload, measures every write
 * and says what to refresh next. Nothing else tells it anything but, in the mode for it, signals of changes.
 */
import type { PolicyName } from '../../index.js'
import type { RefreshOutcome, WaitingChooser } from '../quality/replay.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import { NO_VERSION } from '../quality/timeline.js'
import type { ChangeSignals } from './change-signals.js'
import type { MeasuredIndex } from './measured-index.js'

export class IndexChooser implements WaitingChooser {
  readonly #index: MeasuredIndex
  readonly #policy: PolicyName
  readonly #signals: ChangeSignals | undefined
  readonly #refreshed: number[] = []
  #state: RepositoryQuality | undefined

  /** `index`: as of the first step. */
  constructor(index: MeasuredIndex, policy: PolicyName, signals?: ChangeSignals) {
    this.#index = index
    this.#policy = policy
    this.#signals = signals
  }

  start(state: RepositoryQuality): void {
    this.#state = state
  }

  /** Pages that the index does not have come first, as a crawler fetches what it finds. */
  next(step: number, budget: number): number[] {
    this.#signals?.take(step)
    const fresh = this.#newPages().slice(0, budget)
    return [...fresh, ...this.#best(budget - fresh.length)]
  }

  observe(page: number, _outcome: RefreshOutcome): void {
    this.#refreshed.push(page)
    this.#signals?.refreshed(page)
  }

  async settled(): Promise<void> {
    await this.#index.advance()
    await this.#index.refresh(this.#refreshed.splice(0))
  }

  #best(budget: number): number[] {
    if (budget === 0) return []
    const { atMs } = this.#state!
    const signals = this.#signals
    if (signals === undefined) return this.#bestThenOldest(budget, atMs)
    return this.#index
      .next(this.#state!.copies.local.length, atMs, this.#policy)
      .map(({ page, priority }) => ({ page, priority: priority * signals.changeChance(page) }))
      .filter(({ priority }) => priority > 0)
      .sort((a, b) => b.priority - a.priority || a.page - b.page)
      .slice(0, budget)
      .map(({ page }) => page)
  }

  /** Of pages that the policy gives no priority at all, the oldest copies: the budget is there. */
  #bestThenOldest(budget: number, atMs: number): number[] {
    const best = this.#index.next(budget, atMs, this.#policy).filter(({ priority }) => priority > 0)
    const oldest = best.length === budget ? [] : this.#index.next(budget, atMs, 'oldest-first')
    return [...new Set([...best, ...oldest].map(({ page }) => page))].slice(0, budget)
  }

  #newPages(): number[] {
    const { local, live } = this.#state!.copies
    return Array.from(local.keys()).filter((page) => local[page] === NO_VERSION && live[page] !== NO_VERSION)
  }
}
