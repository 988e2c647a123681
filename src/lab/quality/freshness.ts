/**
 * Freshness and age of a repository (Cho and Garcia-Molina, Synchronizing a database to improve freshness, SIGMOD 2000). Only pages of
 * which there is a copy count.
 */
import type { CopyColumns } from './repository-quality.js'
import { NO_VERSION } from './timeline.js'

/** Of a page that has a copy: the world has the same. */
export function isFresh({ local, live }: CopyColumns, page: number): boolean {
  return local[page] === live[page]
}

/** The share of copies that are fresh; 1 without any copy. */
export function freshness(copies: CopyColumns): number {
  return meanOverCopies(copies, 1, (page) => (isFresh(copies, page) ? 1 : 0))
}

/** Mean time for which copies have been stale, 0 for fresh ones: counted from the first change that a copy lacks. */
export function meanAgeMs(copies: CopyColumns, nowMs: number): number {
  return meanOverCopies(copies, 0, (page) => (isFresh(copies, page) ? 0 : nowMs - copies.staleSinceMs[page]!))
}

/** `ofNone`: the mean when there is no copy. */
export function meanOverCopies(copies: CopyColumns, ofNone: number, judge: (page: number) => number): number {
  let [sum, count] = [0, 0]
  copies.local.forEach((version, page) => {
    if (version === NO_VERSION) return
    sum += judge(page)
    count++
  })
  return count === 0 ? ofNone : sum / count
}
