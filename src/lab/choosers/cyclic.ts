/** Uniform refreshing and round robin: one page after the other, and then again from the first. */

import type { Chooser } from '../quality/replay.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import { Randomness } from '../randomness.js'
import { knownPages } from './judged-chooser.js'

/**
 * Every page at the same rate (Cho and Garcia-Molina, Synchronizing a database to improve freshness, SIGMOD 2000, "uniform
 * allocation"), in an order that says nothing of the pages.
 */
export function uniform(pages: number, seed: number): Chooser {
  return new Cycle(shuffledPages(pages, seed))
}

/** In the order of first sight. */
export function roundRobin(pages: number): Chooser {
  return new Cycle(Array.from({ length: pages }, (_, page) => page))
}

/** All pages in random order. */
export function shuffledPages(pages: number, seed: number): number[] {
  const random = new Randomness(seed)
  const order = Array.from({ length: pages }, (_, page) => page)
  for (let last = pages - 1; last > 0; last--) {
    const other = random.between(0, last)
    const page = order[other]!
    order[other] = order[last]!
    order[last] = page
  }
  return order
}

class Cycle implements Chooser {
  readonly #order: readonly number[]
  #state: RepositoryQuality | undefined
  #at = 0

  constructor(order: readonly number[]) {
    this.#order = order
  }

  start(state: RepositoryQuality): void {
    this.#state = state
  }

  /** Pages that are not there yet, or no more, are passed over. */
  next(_step: number, budget: number): number[] {
    const known = new Set(knownPages(this.#state!))
    const chosen: number[] = []
    for (let looks = 0; looks < this.#order.length && chosen.length < budget; looks++) {
      const page = this.#order[this.#at]!
      this.#at = (this.#at + 1) % this.#order.length
      if (known.has(page)) chosen.push(page)
    }
    return chosen
  }

  observe(): void {}
}
