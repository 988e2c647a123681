/**
 * The policies of the product, as users get them: an index in memory holds the copies, knows the workload, measures
 * every write and says what to refresh next. Nothing else tells it anything but, in the mode for it, signals of
 * changes, which it weighs by itself.
 */
import type { PolicyChoice } from '../../index.js'
import type { RefreshOutcome, WaitingChooser } from '../quality/replay.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import { NO_VERSION } from '../quality/timeline.js'
import type { ChangeSignals } from './change-signals.js'
import type { MeasuredIndex } from './measured-index.js'

export interface IndexChooserOptions {
  readonly policy: PolicyChoice
  readonly signals?: ChangeSignals | undefined
  /** Pages are clustered, by this seed, before the first step and after so many others; never unless told. */
  readonly clusters?: { readonly everySteps: number; readonly seed: number } | undefined
}

export class IndexChooser implements WaitingChooser {
  readonly #index: MeasuredIndex
  readonly #options: IndexChooserOptions
  readonly #refreshed: number[] = []
  /** What to refresh at this step. */
  #chosen: readonly number[] = []
  #state: RepositoryQuality | undefined

  /** `index`: as of the first step. */
  constructor(index: MeasuredIndex, options: IndexChooserOptions) {
    this.#index = index
    this.#options = options
  }

  start(state: RepositoryQuality): void {
    this.#state = state
  }

  async begun(step: number, budget: number): Promise<void> {
    const { signals, clusters } = this.#options
    const { atMs, copies } = this.#state!
    await this.#index.asked(step, this.#state!.timeline)
    if (clusters !== undefined && (step - 1) % clusters.everySteps === 0)
      await this.#index.buildClusters(clusters.seed, atMs)
    // Nobody hears of pages that the index does not have.
    const signalled = signals?.take(step).filter((page) => copies.local[page] !== NO_VERSION) ?? []
    if (signalled.length > 0) await this.#index.signal(signalled, atMs)
    this.#chosen = await this.#choose(budget)
  }

  next(): readonly number[] {
    return this.#chosen
  }

  observe(page: number, _outcome: RefreshOutcome): void {
    this.#refreshed.push(page)
  }

  async settled(): Promise<void> {
    await this.#index.advance()
    await this.#index.refresh(this.#refreshed.splice(0))
  }

  /** Pages that the index does not have come first, as a crawler fetches what it finds. */
  async #choose(budget: number): Promise<number[]> {
    const fresh = this.#newPages().slice(0, budget)
    const rest = budget - fresh.length
    return rest === 0 ? fresh : [...fresh, ...(await this.#index.next(rest, this.#state!.atMs, this.#options.policy))]
  }

  #newPages(): number[] {
    const { local, live } = this.#state!.copies
    return Array.from(local.keys()).filter((page) => local[page] === NO_VERSION && live[page] !== NO_VERSION)
  }
}
