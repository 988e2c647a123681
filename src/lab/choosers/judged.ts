/**
 * Chooses the pages to which a judge gives the highest priorities, as far as the budget goes; of equals the oldest
 * copies.
 */

import { type PackedHistory, packedChangeFrequency, withCycle } from '../../clusters/change-weights.js'
import type { Chooser, RefreshOutcome } from '../quality/replay.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import { NO_VERSION } from '../quality/timeline.js'
import type { ChangeSignals } from './change-signals.js'

/** What a policy is once budgets and ties are taken care of. */
export interface Judge {
  start?(state: RepositoryQuality): void
  /** Before pages are judged at a step. */
  beginStep?(step: number): void
  /** The higher the sooner; below 0: not at all. `ageMs`: since the last refresh. */
  priority(page: number, ageMs: number): number
  /** `ageMs`: what it was just before the refresh. */
  observe?(page: number, outcome: RefreshOutcome, ageMs: number): void
}

export interface JudgedOptions {
  /** Priorities are multiplied with the chance that the page has changed, by what the signals say. */
  readonly signals?: ChangeSignals | undefined
  /** A page without a copy comes before all others. That it is there is taken to be known. Default true. */
  readonly newPagesFirst?: boolean
  /** Pages of priority 0 are refreshed too when nobody else is left: the budget is there. Default true. */
  readonly spendsAll?: boolean
}

export function judgedChooser(judge: Judge, options: JudgedOptions = {}): Chooser {
  return new JudgedChooser(judge, options)
}

class JudgedChooser implements Chooser {
  readonly #judge: Judge
  readonly #options: JudgedOptions
  #state: RepositoryQuality | undefined
  #refreshedMs = new Float64Array()

  constructor(judge: Judge, options: JudgedOptions) {
    this.#judge = judge
    this.#options = options
  }

  start(state: RepositoryQuality): void {
    this.#state = state
    this.#refreshedMs = new Float64Array(state.copies.local.length).fill(state.atMs)
    this.#judge.start?.(state)
  }

  next(step: number, budget: number): number[] {
    const { signals, spendsAll = true } = this.#options
    signals?.take(step)
    this.#judge.beginStep?.(step)
    if (budget === 0) return []
    const priorities = this.#priorities()
    const age = (page: number) => this.#ageMs(page)
    return knownPages(this.#state!)
      .filter((page) => priorities[page]! > 0 || (spendsAll && priorities[page] === 0))
      .sort((a, b) => compareDescending(priorities[a]!, priorities[b]!) || age(b) - age(a) || a - b)
      .slice(0, budget)
  }

  observe(page: number, outcome: RefreshOutcome): void {
    this.#judge.observe?.(page, outcome, this.#ageMs(page))
    this.#refreshedMs[page] = this.#state!.atMs
    this.#options.signals?.refreshed(page)
  }

  #priorities(): Float64Array {
    const { signals, newPagesFirst = true } = this.#options
    const { copies } = this.#state!
    const priorities = new Float64Array(copies.local.length)
    for (const page of knownPages(this.#state!)) {
      if (newPagesFirst && copies.local[page] === NO_VERSION) priorities[page] = Number.POSITIVE_INFINITY
      else priorities[page] = this.#judge.priority(page, this.#ageMs(page)) * (signals?.changeChance(page) ?? 1)
    }
    return priorities
  }

  #ageMs(page: number): number {
    return this.#state!.atMs - this.#refreshedMs[page]!
  }
}

/** Those that are there or of which there is still a copy, ascending. */
export function knownPages({ copies }: RepositoryQuality): number[] {
  const pages: number[] = []
  copies.local.forEach((local, page) => {
    if (local !== NO_VERSION || copies.live[page] !== NO_VERSION) pages.push(page)
  })
  return pages
}

/** Also of infinite numbers, whose difference is none. */
function compareDescending(a: number, b: number): number {
  return a === b ? 0 : b > a ? 1 : -1
}

/**
 * In which of its visits a chooser found each page changed: what policies by clusters, sites and frequency learn from.
 */
export class VisitHistories {
  readonly #bits: Uint32Array
  readonly #cycles: Uint8Array

  constructor(pages: number) {
    this.#bits = new Uint32Array(pages)
    this.#cycles = new Uint8Array(pages)
  }

  of(page: number): PackedHistory {
    return { bits: this.#bits[page]!, cycles: this.#cycles[page]! }
  }

  note(page: number, changed: boolean): void {
    const { bits, cycles } = withCycle(this.of(page), changed)
    this.#bits[page] = bits
    this.#cycles[page] = cycles
  }

  /** The share of visits that found a change; 0 without any. */
  frequency(page: number): number {
    return packedChangeFrequency(this.of(page))
  }
}
