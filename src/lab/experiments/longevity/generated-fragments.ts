/**
 * Pages by the generative model of "Recrawl scheduling based on information longevity", section 3.3: a page is a set of
 * regions. Static ones never change; an update of a churn region replaces all of it; an update of a scroll region adds
 * an item and pushes out the oldest of K. Updates are Poisson. Fragments are numbers by chance: texts would say no
 * more, and are a hundred times slower.
 */

import { numberOption } from '../../../base/checks.js'
import { Randomness, streamSeed } from '../../worlds/randomness.js'
import type { FragmentChange, FragmentWorld, PageFragments } from './fragment-histories.js'

interface Range {
  readonly low: number
  readonly high: number
}

/** A region that moves. */
export interface RegionKind {
  /** Its part of the fragments of its page, evenly on a logarithmic scale. */
  readonly share: Range
  /** Updates per step, evenly on a logarithmic scale. */
  readonly updates: Range
  /** K, each as likely as the others: 1 is churn, more is scroll. */
  readonly items: readonly number[]
}

export interface PageKind {
  /** The share of all pages that are of this kind. */
  readonly share: number
  /** None: the page never changes. */
  readonly regions: readonly RegionKind[]
}

export interface FragmentMix {
  /** Fragments of a page, evenly on a logarithmic scale. */
  readonly fragments: Range
  /** Their shares come to 1. */
  readonly pages: readonly PageKind[]
}

const FRAGMENTS = { low: 60, high: 400 }
/**
 * Lists of what is new: most of their page, updated at least once between two steps, with items that stay for a while.
 */
const FEED = { share: { low: 0.4, high: 0.8 }, updates: { low: 1, high: 4 }, items: [5, 10, 20] }

/**
 * As the two data sets of the paper, as far as it describes them; docs/lab-longevity.md says what is known and what is
 * ours.
 */
export const FRAGMENT_MIXES = {
  'high-quality': {
    fragments: FRAGMENTS,
    pages: [
      { share: 0.5, regions: [] },
      {
        share: 0.45,
        regions: [{ share: { low: 0.05, high: 0.25 }, updates: { low: 1 / 50, high: 6 }, items: [1] }],
      },
      { share: 0.05, regions: [FEED] },
    ],
  },
  random: {
    fragments: FRAGMENTS,
    pages: [
      { share: 0.35, regions: [] },
      {
        share: 0.55,
        regions: [{ share: { low: 0.1, high: 0.6 }, updates: { low: 1 / 50, high: 30 }, items: [1] }],
      },
      { share: 0.1, regions: [FEED] },
    ],
  },
} as const satisfies Record<string, FragmentMix>

export type FragmentMixName = keyof typeof FRAGMENT_MIXES

export interface GeneratedFragmentOptions {
  readonly seed: number
  readonly pages: number
  readonly steps: number
  readonly stepMs: number
  readonly mix: FragmentMix
}

/** Every page lives by itself: the same number is the same page in a larger world. */
export function generatedFragments({ seed, pages, steps, stepMs, mix }: GeneratedFragmentOptions): FragmentWorld {
  numberOption('pages', pages, 1, { min: 1, max: 10_000_000, integer: true })
  numberOption('steps', steps, 2, { min: 2, max: 10_000, integer: true })
  numberOption('stepMs', stepMs, 1, { min: 0, aboveMin: true })
  return {
    atMs: Float64Array.from({ length: steps }, (_, step) => step * stepMs),
    pages: {
      *[Symbol.iterator]() {
        for (let page = 0; page < pages; page++)
          yield tellPage(new Randomness(streamSeed(seed, 'fragments', page)), mix, steps)
      },
    },
  }
}

function tellPage(random: Randomness, mix: FragmentMix, steps: number): PageFragments {
  const count = Math.round(logBetween(mix.fragments, random))
  const regions = drawKind(random, mix).regions.map((kind) => drawRegion(random, kind, count))
  const moving = regions.reduce((sum, region) => sum + region.size, 0)
  const fixed = drawFragments(random, Math.max(0, count - moving))
  const whole = () => sortedSet(fixed, regions)
  const told: FragmentChange[] = [{ step: 0, fragments: whole() }]
  for (let step = 1; step < steps && regions.length > 0; step++) {
    // Every region is asked, whatever the others did.
    if (regions.map((region) => region.pass()).some((isChanged) => isChanged)) told.push({ step, fragments: whole() })
  }
  return told
}

function drawKind(random: Randomness, { pages }: FragmentMix): PageKind {
  let left = random.next()
  const found = pages.find(({ share }) => {
    left -= share
    return left < 0
  })
  return found ?? pages.at(-1)!
}

function drawRegion(random: Randomness, { share, updates, items }: RegionKind, count: number): MovingRegion {
  const capacity = random.pick(items)
  const itemSize = Math.max(1, Math.round((count * logBetween(share, random)) / capacity))
  return new MovingRegion(random, capacity, itemSize, logBetween(updates, random))
}

/** Holds so many items, of one size; an update adds one in place of the oldest. One item is churn. */
class MovingRegion {
  readonly #random: Randomness
  readonly #itemSize: number
  readonly #updatesPerStep: number
  readonly #capacity: number
  /** Oldest first. */
  #items: (readonly bigint[])[]
  /** Steps until the next update. */
  #wait: number

  constructor(random: Randomness, items: number, itemSize: number, updatesPerStep: number) {
    this.#random = random
    this.#capacity = items
    this.#itemSize = itemSize
    this.#updatesPerStep = updatesPerStep
    this.#items = Array.from({ length: items }, () => drawFragments(random, itemSize))
    this.#wait = this.#drawWait()
  }

  get size(): number {
    return this.#capacity * this.#itemSize
  }

  get items(): readonly (readonly bigint[])[] {
    return this.#items
  }

  /** A step; whether there was an update. */
  pass(): boolean {
    let updates = 0
    for (; this.#wait <= 1; updates++) this.#wait += this.#drawWait()
    this.#wait -= 1
    // What comes and goes between two steps is never seen.
    const added = Array.from({ length: Math.min(updates, this.#capacity) }, () =>
      drawFragments(this.#random, this.#itemSize),
    )
    this.#items = [...this.#items, ...added].slice(-this.#capacity)
    return updates > 0
  }

  #drawWait(): number {
    return -Math.log1p(-this.#random.next()) / this.#updatesPerStep
  }
}

function drawFragments(random: Randomness, count: number): bigint[] {
  return Array.from({ length: count }, () => (draw32(random) << 32n) | draw32(random))
}

function draw32(random: Randomness): bigint {
  return BigInt(random.next() * 2 ** 32)
}

function sortedSet(fixed: readonly bigint[], regions: readonly MovingRegion[]): BigUint64Array {
  return BigUint64Array.from([...fixed, ...regions.flatMap(({ items }) => items.flat())]).sort()
}

function logBetween({ low, high }: Range, random: Randomness): number {
  return low * (high / low) ** random.next()
}
