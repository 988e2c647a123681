/** Uniform refreshing and round robin: one page after the other, and then again from the first. */
import type { Chooser } from '../quality/replay.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import { Randomness } from '../worlds/randomness.js'
import { type Judge, knownPages, VisitHistories } from './judged.js'

/**
 * Every page at the same rate (Cho and Garcia-Molina, Synchronizing a database to improve freshness, SIGMOD 2000,
 * "uniform allocation"), in an order that says nothing of the pages.
 */
export function uniform(pages: number, seed: number): Chooser {
  return new Cycle(shuffledPages(pages, seed))
}

/** In the order of first sight. */
export function roundRobin(pages: number): Chooser {
  return new Cycle(Array.from({ length: pages }, (_, page) => page))
}

/** All pages in random order. */
function shuffledPages(pages: number, seed: number): number[] {
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

/** Pages by chance, each as likely as any other at every step. */
export function randomPages(seed: number): Judge {
  const random = new Randomness(seed)
  // Above 0: nobody is left out for having drawn the lowest number.
  return { priority: () => 1 - random.next() }
}

/**
 * Sees the live pages and takes those whose refresh adds most to the quality of the answers, each by itself. What
 * nobody can do.
 */
export function oracle(): Judge {
  let state: RepositoryQuality | undefined
  return {
    start: (given) => {
      state = given
    },
    priority: (page) => state!.deltaQuality(page),
  }
}

/**
 * The pages that changed most often when they were visited ("Freq" of Tan and Mitra, Clustering-based incremental web
 * crawling, section 6.5).
 */
export function mostFrequent(pages: number): Judge {
  const histories = new VisitHistories(pages)
  return {
    priority: (page) => histories.frequency(page),
    observe: (page, { kind }) => histories.note(page, kind !== 'same'),
  }
}

/** Nutch's db.fetch.schedule.adaptive.inc_rate and dec_rate. */
const GROWTH = 0.4
const SHRINKAGE = 0.2
/** Shortest and longest interval, by the first one: a minute and a year by 30 days, in Nutch. */
const LEAST = 1 / (30 * 24 * 60)
const MOST = 365 / 30

/**
 * Intervals that adapt, as the AdaptiveFetchSchedule of Apache Nutch has them: a page found changed is due after a
 * shorter interval, one found the same after a longer one. Not followed is the shift of its due times towards the
 * times of changes, which a crawler knows only from the server.
 *
 * Nutch fetches what is due. So that all policies do equally much, the pages longest due in proportion to their
 * intervals are taken here, whether the budget is less or more than is due; only the proportions of intervals matter
 * then.
 */
export function adaptiveInterval(pages: number): Judge {
  /** By page, in the unit of the first interval, which is the same for all. */
  const intervals = new Float64Array(pages).fill(1)
  return {
    priority: (page, ageMs) => ageMs / intervals[page]!,
    observe: (page, { kind }) => {
      const factor = kind === 'same' ? 1 + GROWTH : 1 - SHRINKAGE
      intervals[page] = Math.min(MOST, Math.max(LEAST, intervals[page]! * factor))
    },
  }
}
