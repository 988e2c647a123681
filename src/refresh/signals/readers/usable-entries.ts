/**
 * What of an entry says something, and why the rest does not. `atMs` is when it was heard: nobody knows what happens
 * later.
 */

import type { Probe } from './header-log.js'
import { type DateFault, readDate } from './published-date.js'
import { isAnswer, isGone, type PageProbe } from './verdicts.js'

/** The latest of the dates, in milliseconds since 1970; undefined, and counted among the skipped, if there is none. */
export function latestDate(
  url: string,
  dates: readonly string[],
  atMs: number,
  skipped: SkipTally,
): number | undefined {
  const read = dates.map(readDate)
  const known = read.filter((date) => typeof date === 'number')
  const valueMs = Math.max(...known)
  if (known.length > 0 && valueMs <= atMs) return valueMs
  const fault = read.find((date) => typeof date === 'string') ?? 'no date'
  if (known.length === 0) skipped.add(fault, url, dates[0])
  else skipped.add('date in the future', url, dates[read.indexOf(valueMs)])
  return undefined
}

/** Undefined, and counted among the skipped, for a probe that says nothing of the page. */
export function usableProbe(probe: Probe, atMs: number, skipped: SkipTally): PageProbe | undefined {
  const { url, at = atMs, status, etag } = probe
  if (typeof at === 'string' || at > atMs) {
    skipped.add(typeof at === 'string' ? at : 'date in the future', url, `line ${probe.line}`)
    return undefined
  }
  if (isGone(status)) return { atMs: at, status, etag: undefined, lastModifiedMs: undefined }
  if (!isAnswer(status)) {
    skipped.add('status that says nothing of the page', url, status)
    return undefined
  }
  const lastModifiedMs = usableTime(probe, at, skipped)
  if (etag !== undefined || lastModifiedMs !== undefined || status === 304)
    return { atMs: at, status, etag, lastModifiedMs }
  if (probe.lastModified === undefined) skipped.add('no ETag or Last-Modified', url)
  return undefined
}

function usableTime({ url, line, lastModified }: Probe, atMs: number, skipped: SkipTally): number | undefined {
  if (lastModified === undefined || (typeof lastModified === 'number' && lastModified <= atMs)) return lastModified
  skipped.add(typeof lastModified === 'string' ? lastModified : 'date in the future', url, `line ${line}`)
  return undefined
}

/** What could not be used of a file, by reason. */

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
