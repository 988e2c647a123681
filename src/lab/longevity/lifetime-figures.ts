/**
 * How long fragments live, and whether the generative model says so (Information longevity, sections 3.2 and 3.3, Figures 3 and 5).
 *
 * Snapshots show at most one update of a page per step, so the model is taken in steps: with each a page is updated with its change frequency p, and a
 * fragment goes with the K-th update after it came, P(lifetime = L) = C(L - 1, K - 1) p^K (1 - p)^(L - K). A life of L steps that neither begins with
 * the first snapshot nor ends with the last of S has S - 1 - L places: the model is weighted by them, or it would expect long lives that cannot be seen.
 */
import { type FragmentLifetimes, fragmentLifetimes } from '../../change/fragment-lifetimes.js'
import type { ShingleSet } from '../../change/shingles.js'
import { fragmentsByStep, type PageFragments } from './page-fragments.js'

export interface LongevityPoint {
  /** Share of steps at which the page is not what it was. */
  readonly changeFrequency: number
  /** Mean lifetime of its fragments, in steps. */
  readonly longevity: number
}

export const ITEM_GROUPS = ['K = 1', 'K = 2', 'K > 2'] as const
export type ItemGroup = (typeof ITEM_GROUPS)[number]

/** Pages with the same dominant K. */
export interface LifetimeGroup {
  readonly group: ItemGroup
  readonly pages: number
  /** Lives of fragments. */
  readonly lives: number
  /** By steps from 1 on: which share of the lives is no longer. Empty without lives. */
  readonly actual: readonly number[]
  readonly modelled: readonly number[]
  /** The largest distance of the two; null without lives. */
  readonly largestGap: number | null
}

export interface LifetimeSummary {
  /** One for each page with a fragment that came and went. */
  readonly points: readonly LongevityPoint[]
  readonly groups: readonly LifetimeGroup[]
  /** Of the lives: those that ended with the first update after they began. */
  readonly churnShare: number | null
  /** Of the fragments of the first step: those that are there at every step. */
  readonly staticFragmentShare: number
}

export class LifetimeFigures {
  readonly #steps: number
  readonly #points: LongevityPoint[] = []
  readonly #groups: Readonly<Record<ItemGroup, GroupSums>>
  #lives = 0
  #churnLives = 0
  #firstFragments = 0
  #staticFragments = 0

  constructor(steps: number) {
    this.#steps = steps
    const empty = () => ({ pages: 0, lives: 0, actual: new Float64Array(steps), modelled: new Float64Array(steps) })
    this.#groups = { 'K = 1': empty(), 'K = 2': empty(), 'K > 2': empty() }
  }

  add(page: PageFragments): void {
    const lasting = inAll(page.map(({ fragments }) => fragments))
    this.#firstFragments += page[0]!.fragments.length
    this.#staticFragments += lasting.length
    if (page.length === 1) return
    // What is always there tells nothing of lifetimes, and is most of a page.
    const moving = page.map(({ step, fragments }) => ({ step, fragments: without(fragments, lasting) }))
    const found = fragmentLifetimes(fragmentsByStep(moving, this.#steps))
    if (found.longevity === undefined || found.dominantItems === undefined) return
    this.#points.push({ changeFrequency: found.changeFrequency, longevity: found.longevity })
    this.#lives += found.lifetimes.length
    this.#churnLives += found.survivedUpdates.filter((survived) => survived === 0).length
    const group = found.dominantItems > 2 ? 'K > 2' : found.dominantItems === 2 ? 'K = 2' : 'K = 1'
    addLives(this.#groups[group], found, this.#steps)
  }

  summary(): LifetimeSummary {
    return {
      points: this.#points,
      groups: ITEM_GROUPS.map((group) => groupOf(group, this.#groups[group])),
      churnShare: this.#lives === 0 ? null : this.#churnLives / this.#lives,
      staticFragmentShare: this.#firstFragments === 0 ? 1 : this.#staticFragments / this.#firstFragments,
    }
  }
}

interface GroupSums {
  pages: number
  lives: number
  /** By lifetime in steps. */
  readonly actual: Float64Array
  readonly modelled: Float64Array
}

function addLives(sums: GroupSums, { lifetimes, survivedUpdates, changeFrequency }: FragmentLifetimes, steps: number) {
  sums.pages++
  sums.lives += lifetimes.length
  for (const lifetime of lifetimes) sums.actual[lifetime]!++
  const livesByItems = new Map<number, number>()
  for (const survived of survivedUpdates) livesByItems.set(survived + 1, (livesByItems.get(survived + 1) ?? 0) + 1)
  for (const [items, lives] of livesByItems) {
    modelledLifetimes(items, changeFrequency, steps).forEach((share, lifetime) => {
      sums.modelled[lifetime]! += lives * share
    })
  }
}

/** By lifetime in steps, from 0 on: how likely it is, of those that can be seen in so many snapshots. */
export function modelledLifetimes(items: number, changeFrequency: number, snapshots: number): Float64Array {
  const shares = new Float64Array(snapshots)
  let chance = changeFrequency ** items
  let sum = 0
  for (let lifetime = items; lifetime < snapshots - 1; lifetime++) {
    shares[lifetime] = chance * (snapshots - 1 - lifetime)
    sum += shares[lifetime]!
    chance *= ((1 - changeFrequency) * lifetime) / (lifetime - items + 1)
  }
  return sum > 0 ? shares.map((share) => share / sum) : shares
}

function groupOf(group: ItemGroup, { pages, lives, actual, modelled }: GroupSums): LifetimeGroup {
  if (lives === 0) return { group, pages, lives, actual: [], modelled: [], largestGap: null }
  const [told, expected] = [cumulated(actual, lives), cumulated(modelled, lives)]
  const largestGap = told.reduce((gap, share, at) => Math.max(gap, Math.abs(share - expected[at]!)), 0)
  return { group, pages, lives, actual: told, modelled: expected, largestGap }
}

function cumulated(counts: Float64Array, total: number): number[] {
  let sum = 0
  return Array.from(counts.subarray(1), (count) => {
    sum += count
    return sum / total
  })
}

/** Ascending, as the sets. */
function inAll(sets: readonly ShingleSet[]): ShingleSet {
  return sets.slice(1).reduce((kept, set) => {
    let at = 0
    return kept.filter((one) => {
      while (at < set.length && set[at]! < one) at++
      return at < set.length && set[at] === one
    })
  }, sets[0]!)
}

function without(set: ShingleSet, lasting: ShingleSet): ShingleSet {
  let at = 0
  return set.filter((one) => {
    while (at < lasting.length && lasting[at]! < one) at++
    return at === lasting.length || lasting[at] !== one
  })
}
