/** What refreshes were expected to gain and what they gained, day by day. */

import { describe } from '../../base/describe.js'
import type { Step } from '../../base/step.js'
import { DAY_MS } from '../../base/time.js'
import { type GainSum, NO_GAIN, withGain } from '../model/gain-interval.js'
import type { ExpectedGain } from '../model/gain-model.js'

export interface StoredReviewDay {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly refreshes: number
  readonly changes: number
  readonly expectedChanges: number
  readonly expectedDeltaQuality: number
  /** The variance of the expected gain: see gain-interval.ts. */
  readonly variance: number
  readonly deltaQuality: number
}

export interface ReviewCommit {
  /** Whether `days` replaces the whole table, because it holds damaged rows. */
  readonly isAll: boolean
  readonly days: readonly StoredReviewDay[]
  /** Earlier days are deleted. */
  readonly firstDay: number
}

/** How many days are kept. */
const MAX_DAYS = 800
/** The last day that a Date can hold. */
const MAX_DAY = 1e8

/** The days of reviews: what refreshes were expected to gain, and what they gained. */
export class ReviewDays {
  #days = new Map<number, StoredReviewDay>()
  /** The catalog holds damaged rows, and the next step writes all days anew. */
  #isDamaged = false
  /** The days that this step has changed, as they were before it. */
  #before = new Map<number, StoredReviewDay | undefined>()

  load(rows: readonly (readonly unknown[])[]): void {
    const { days, faults } = validReviewDays(rows)
    for (const row of days) this.#days.set(row.day, row)
    this.#isDamaged = faults.length > 0
  }

  /** All days in the order of time. */
  days(): StoredReviewDay[] {
    return [...this.#days.values()].sort((a, b) => a.day - b.day)
  }

  /** Adds a refresh: what was expected of it, and what it found. */
  add(atMs: number, expected: ExpectedGain, isChanged: boolean, deltaQuality: number): void {
    const day = Math.floor(atMs / DAY_MS)
    const known = this.#days.get(day)
    if (!this.#before.has(day)) this.#before.set(day, known)
    const row = known ?? emptyDay(day)
    const sum: GainSum = { mean: row.expectedDeltaQuality, variance: row.variance }
    const { mean, variance } = withGain(sum, expected)
    this.#days.set(day, {
      day,
      refreshes: row.refreshes + 1,
      changes: row.changes + (isChanged ? 1 : 0),
      expectedChanges: row.expectedChanges + expected.changeChance,
      expectedDeltaQuality: mean,
      variance,
      deltaQuality: row.deltaQuality + deltaQuality,
    })
  }

  /** Ends a step: returns what has changed since the last one. */
  step(): Step<ReviewCommit | undefined> {
    const before = this.#before
    this.#before = new Map()
    if (before.size === 0) return { rows: undefined, undo: () => {} }
    const dropped = this.#dropOldest()
    const isAll = this.#isDamaged
    this.#isDamaged = false
    const days = isAll ? this.days() : [...before.keys()].flatMap((day) => this.#days.get(day) ?? [])
    return {
      rows: {
        isAll,
        days,
        firstDay: [...this.#days.keys()].reduce((first, day) => Math.min(first, day), Number.POSITIVE_INFINITY),
      },
      undo: () => {
        this.#isDamaged = isAll
        for (const row of dropped) this.#days.set(row.day, row)
        for (const [day, row] of before) {
          if (row === undefined) this.#days.delete(day)
          else this.#days.set(day, row)
        }
      },
    }
  }

  #dropOldest(): StoredReviewDay[] {
    const surplus = this.#days.size - MAX_DAYS
    if (surplus <= 0) return []
    const dropped = this.days().slice(0, surplus)
    for (const { day } of dropped) this.#days.delete(day)
    return dropped
  }
}

function emptyDay(day: number): StoredReviewDay {
  const { mean, variance } = NO_GAIN
  return { day, refreshes: 0, changes: 0, expectedChanges: 0, expectedDeltaQuality: mean, variance, deltaQuality: 0 }
}

export interface ValidReviewDays {
  readonly days: readonly StoredReviewDay[]
  /** What is wrong with the other rows, in words. */
  readonly faults: readonly string[]
}

/** Days as the catalog gives them back. A row that makes no sense is passed over. */
export function validReviewDays(rows: readonly (readonly unknown[])[]): ValidReviewDays {
  const days: StoredReviewDay[] = []
  const faults: string[] = []
  for (const values of rows) {
    const row = reviewDayOf(values)
    if (row === undefined) faults.push(`the review of day ${describe(values[0])} is damaged`)
    else days.push(row)
  }
  return { days, faults }
}

/** A sum of probabilities may exceed their number a little. */
const ROUNDING = 1 + 1e-9

function reviewDayOf([day, ...amounts]: readonly unknown[]): StoredReviewDay | undefined {
  if (!Number.isInteger(day) || Math.abs(day as number) > MAX_DAY) return undefined
  if (!amounts.every((amount) => typeof amount === 'number' && amount >= 0 && amount < Number.MAX_VALUE))
    return undefined
  const [refreshes, changes, expectedChanges, expectedDeltaQuality, variance, deltaQuality] = amounts as [
    ...[number, number, number],
    ...[number, number, number],
  ]
  if (!Number.isSafeInteger(refreshes) || !Number.isSafeInteger(changes) || changes > refreshes) return undefined
  if (expectedChanges > refreshes * ROUNDING) return undefined
  return { day: day as number, refreshes, changes, expectedChanges, expectedDeltaQuality, variance, deltaQuality }
}
