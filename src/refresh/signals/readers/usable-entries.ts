/**
 * Which entries of a file can be used, and why the others cannot. `atMs` is when the file was fetched; later dates
 * cannot be true.
 */

import type { Probe } from './header-log.js'
import { type DateFault, readDate } from './published-date.js'
import { isAnswer, isGone, type PageProbe } from './verdicts.js'

/** The latest valid date, in milliseconds since 1970; undefined if there is none, which is counted as skipped. */
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

/** Undefined for a probe that says nothing about the page, which is counted as skipped. */
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

/** Why an entry of a file could not be used. */
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
  /** The first such entry. */
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
