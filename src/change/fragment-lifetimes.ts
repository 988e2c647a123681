/**
 * How long the fragments of a page live, from snapshots at equal distances (Recrawl scheduling based on information longevity, sections 3.2
 * and 3.3). Whatever was there in the first or in the last snapshot is left out: nobody knows how long it lived.
 */
import { type ShingleSet, shingleDifference } from './shingles.js'

export interface FragmentLifetimes {
  /** For each life of a fragment the number of snapshots in a row that had it. One that comes back lives again. */
  readonly lifetimes: number[]
  /** For each life the number of updates of the page that it outlived; in a region that scrolls, one less than the items that it holds. */
  readonly survivedUpdates: number[]
  /** The mean lifetime; undefined where there is none. */
  readonly longevity: number | undefined
  /** K, the most common number of updates with which a fragment goes: 1 is churn. Of equally common ones the smallest. */
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
