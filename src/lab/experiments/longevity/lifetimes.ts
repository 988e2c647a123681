/**
 * How long fragments live, and whether the generative model says so (Information longevity, sections 3.2 and 3.3,
 * Figures 3 and 5).
 *
 * Snapshots show at most one update of a page per step, so the model is taken in steps: with each a page is updated
 * with its change frequency p, and a fragment goes with the K-th update after it came, P(lifetime = L) = C(L - 1, K -
 * 1) p^K (1 - p)^(L - K). A life of L steps that neither begins with the first snapshot nor ends with the last of S has
 * S - 1 - L places: the model is weighted by them, or it would expect long lives that cannot be seen.
 */

import { type ShingleSet, shingleDifference } from '../../../change/sketches.js'
import { fragmentsByStep, type PageFragments } from './fragment-histories.js'

export interface LongevityPoint {
  /** Share of steps at which the page is not what it was. */
  readonly changeFrequency: number
  /** Mean lifetime of its fragments, in steps. */
  readonly longevity: number
}

const ITEM_GROUPS = ['K = 1', 'K = 2', 'K > 2'] as const
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
  /** The share of the lives that ended with the first update after they began. */
  readonly churnShare: number | null
  /** The share of the fragments of the first step that are there at every step. */
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

/**
 * How long the fragments of a page live, from snapshots at equal distances (Recrawl scheduling based on information
 * longevity, sections 3.2 and 3.3). Whatever was there in the first or in the last snapshot is left out: nobody knows
 * how long it lived.
 */
export interface FragmentLifetimes {
  /** For each life of a fragment the number of snapshots in a row that had it. One that comes back lives again. */
  readonly lifetimes: number[]
  /**
   * For each life the number of updates of the page that it outlived; in a region that scrolls, one less than the items
   * that it holds.
   */
  readonly survivedUpdates: number[]
  /** The mean lifetime; undefined where there is none. */
  readonly longevity: number | undefined
  /**
   * K, the most common number of updates with which a fragment goes: 1 is churn. Of equally common ones the smallest.
   */
  readonly dominantItems: number | undefined
  /** The share of the snapshots but the first that differ from the one before; 0 where there is only one. */
  readonly changeFrequency: number
}

interface Life {
  readonly from: number
  to: number
}

export function fragmentLifetimes(snapshots: readonly ShingleSet[]): FragmentLifetimes {
  const updatesUntil = countUpdates(snapshots)
  const lifetimes: number[] = []
  const survivedUpdates: number[] = []
  for (const lives of livesOf(snapshots).values()) {
    if (lives[0]!.from === 0 || lives.at(-1)!.to === snapshots.length - 1) continue
    for (const { from, to } of lives) {
      lifetimes.push(to - from + 1)
      survivedUpdates.push(updatesUntil[to]! - updatesUntil[from]!)
    }
  }
  const survived = mostCommon(survivedUpdates)
  const sum = lifetimes.reduce((total, lifetime) => total + lifetime, 0)
  return {
    lifetimes,
    survivedUpdates,
    longevity: lifetimes.length === 0 ? undefined : sum / lifetimes.length,
    dominantItems: survived === undefined ? undefined : survived + 1,
    changeFrequency: snapshots.length < 2 ? 0 : updatesUntil.at(-1)! / (snapshots.length - 1),
  }
}

/** By fragment, in order of time. */
function livesOf(snapshots: readonly ShingleSet[]): Map<bigint, Life[]> {
  const lives = new Map<bigint, Life[]>()
  for (const [at, shingles] of snapshots.entries()) {
    for (const shingle of shingles) {
      const known = lives.get(shingle)
      const last = known?.at(-1)
      if (last !== undefined && last.to === at - 1) last.to = at
      else if (known !== undefined) known.push({ from: at, to: at })
      else lives.set(shingle, [{ from: at, to: at }])
    }
  }
  return lives
}

/** For each snapshot how many until it, itself included, differ from the one before. */
function countUpdates(snapshots: readonly ShingleSet[]): number[] {
  let updates = 0
  return snapshots.map((shingles, at) => {
    if (at > 0 && shingleDifference(snapshots[at - 1]!, shingles) > 0) updates++
    return updates
  })
}

function mostCommon(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [most] = [...counts].sort(([a, countA], [b, countB]) => countB - countA || a - b)
  return most?.[0]
}
