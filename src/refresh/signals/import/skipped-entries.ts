/** What could not be used of a file, by reason. */
import type { DateFault } from './published-date.js'

export type SkipReason =
  | DateFault
  | 'date in the future'
  | 'no URL'
  | 'URL not understood'
  | 'heard before the last refresh'
  | 'no ETag or Last-Modified'
  | 'no earlier ETag to compare with'
  | 'status that says nothing of the page'

export interface SkippedEntries {
  readonly reason: SkipReason
  readonly count: number
  /** The first of them. */
  readonly example: string
}

const MAX_EXAMPLE_UNITS = 300

export class SkipTally {
  readonly #byReason = new Map<SkipReason, { count: number; example: string }>()

  add(reason: SkipReason, ...example: readonly (string | number | undefined)[]): void {
    const known = this.#byReason.get(reason)
    if (known !== undefined) known.count++
    else {
      const text = example.filter((part) => part !== undefined && part !== '').join(' ')
      this.#byReason.set(reason, { count: 1, example: text.slice(0, MAX_EXAMPLE_UNITS) })
    }
  }

  /** The most frequent first. */
  list(): SkippedEntries[] {
    const skipped = Array.from(this.#byReason, ([reason, { count, example }]) => ({ reason, count, example }))
    return skipped.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
  }
}
