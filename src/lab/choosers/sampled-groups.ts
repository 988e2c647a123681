/**
 * Groups of pages, clusters or sites, by what samples of them show (src/clusters/cluster-sampling.ts). A sample is one
 * of the downloads of its step, so that looking whether its page has changed is no more than any download tells.
 */

import type { PageGroups } from '../../clusters/centroids.js'
import {
  type ChangeWeighting,
  changeProbability,
  packedChangeFrequency,
  withCycle,
} from '../../clusters/change-weights.js'
import { type DownloadOrder, type SamplingCyclePlan, sampleCycle } from '../experiments/clusters/cluster-sampling.js'
import { isFresh } from '../quality/freshness.js'
import type { Chooser, RefreshOutcome } from '../quality/replay.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import { VisitHistories } from './judged.js'

/** What is known of the pages when they are grouped. */
export interface VisitedPages {
  /** By page: the version of its copy. */
  readonly local: Int32Array
  /** By page: the version of the download before the last one; meaningful where the history has a cycle. */
  readonly before: Int32Array
  readonly histories: VisitHistories
}

export interface SampledGroupsOptions {
  readonly weighting: ChangeWeighting
  /** The share of the downloads for the pages visited longest ago. */
  readonly fairShare: number
  /** See SamplingCycleOptions. */
  readonly within?: DownloadOrder | undefined
  /** The groups of a step. */
  readonly groupsOf: (pages: VisitedPages) => PageGroups
}

/** For worlds whose pages are there at every step. */
export class SampledGroups implements Chooser {
  readonly #options: SampledGroupsOptions
  readonly #histories: VisitHistories
  readonly #before: Int32Array
  /** By page: the step of the last visit; 0 is the beginning, when all copies were made. */
  readonly #lastVisits: Float64Array
  #state: RepositoryQuality | undefined
  #groups: PageGroups | undefined

  constructor(pages: number, options: SampledGroupsOptions) {
    this.#options = options
    this.#histories = new VisitHistories(pages)
    this.#before = new Int32Array(pages)
    this.#lastVisits = new Float64Array(pages)
  }

  /** The groups of the last step. */
  get groups(): PageGroups | undefined {
    return this.#groups
  }

  start(state: RepositoryQuality): void {
    this.#state = state
  }

  next(step: number, budget: number): Uint32Array {
    const { local } = this.#state!.copies
    this.#groups = this.#options.groupsOf({ local, before: this.#before, histories: this.#histories })
    const { downloads } = this.#plan(this.#groups, step, budget)
    for (const page of downloads) this.#before[page] = local[page]!
    return downloads
  }

  observe(page: number, { step, kind }: RefreshOutcome): void {
    this.#histories.note(page, kind !== 'same')
    this.#lastVisits[page] = step
  }

  #plan(groups: PageGroups, step: number, budget: number): SamplingCyclePlan {
    const { weighting, fairShare, within = 'oldest' } = this.#options
    const probabilityOf = (page: number) => {
      const history = withCycle(this.#histories.of(page), !isFresh(this.#state!.copies, page))
      return changeProbability(packedChangeFrequency(history, weighting))
    }
    const cycle = sampleCycle(groups, { budget, lastVisits: this.#lastVisits, cycle: step - 1, fairShare, within })
    for (let sampling = cycle.next(); ; sampling = cycle.next(Array.from(sampling.value, probabilityOf)))
      if (sampling.done) return sampling.value
  }
}
