/** A timetable as rows, for crawlers that read one. */
import { requireList, requireObject } from '../base/checks.js'
import type { Schedule } from './schedule.js'

export interface TimetableRow<PageKey = string | number> {
  /** When the crawl begins, in milliseconds since 1970. */
  readonly at: number
  /** Counts from 1. */
  readonly crawler: number
  readonly key: PageKey
  /** When the crawl would best be made if no other took its place. */
  readonly ideal: number
}

/** The crawls that are made, in the order of time. The times of the schedule are milliseconds from `startMs` on. */
export function* timetableRows<PageKey>(
  schedule: Pick<Schedule, 'made' | 'slots' | 'ideal'>,
  keys: readonly PageKey[],
  startMs: number,
): Generator<TimetableRow<PageKey>> {
  const { made, slots, ideal } = requireObject('schedule', schedule)
  requireList('schedule.made', made)
  requireList('keys', keys)
  for (const [slot, crawl] of made.entries()) {
    yield {
      at: Math.round(startMs + slots.times[slot]!),
      crawler: slots.crawlers[slot]! + 1,
      key: keys[ideal.pages[crawl]!]!,
      ideal: Math.round(startMs + ideal.times[crawl]!),
    }
  }
}
