/** What a page says about when and by whom it may be crawled, and what follows for its crawls and the slots. */
import { describe } from '../base/describe.js'
import { FreshdexError } from '../base/errors.js'
import type { IdealCrawls } from './ideal-times.js'
import type { Restrictions } from './restricted-timetable.js'
import { firstSlotFrom } from './slot-network.js'
import type { Slots } from './slots.js'

/** A part of the period, with both ends. */
export interface TimeSpan {
  readonly from: number
  readonly until: number
}

export interface RestrictedPage {
  readonly window?: TimeSpan
  readonly forbidden?: readonly TimeSpan[]
  readonly fixed?: readonly number[]
  readonly crawlers?: readonly number[]
}

export function isRestricted({ window, forbidden, fixed, crawlers }: RestrictedPage): boolean {
  return (
    window !== undefined ||
    crawlers !== undefined ||
    (forbidden !== undefined && forbidden.length > 0) ||
    (fixed !== undefined && fixed.length > 0)
  )
}

/** RangeError for spans and times outside of the period, and for crawlers that are not there. */
export function checkPage(
  page: number,
  { window, forbidden = [], fixed = [], crawlers = [] }: RestrictedPage,
  { period, capacities }: { readonly period: number; readonly capacities: readonly number[] },
): void {
  const checkSpan = (name: string, span: TimeSpan) => {
    if (span.from >= 0 && span.from <= span.until && span.until <= period) return
    throw new RangeError(`${name} of page ${page} must lie within [0, ${period}], received ${describe(span)}`)
  }
  if (window !== undefined) checkSpan('the window', window)
  for (const span of forbidden) checkSpan('a forbidden part', span)
  for (const time of fixed) {
    if (time >= 0 && time < period) continue
    throw new RangeError(`a fixed time of page ${page} must lie within [0, ${period}), received ${describe(time)}`)
  }
  for (const crawler of crawlers) {
    if (Number.isInteger(crawler) && crawler >= 0 && crawler < capacities.length) continue
    throw new RangeError(
      `a crawler of page ${page} must be the place of one of ${capacities.length} crawlers, from 0, ` +
        `received ${describe(crawler)}`,
    )
  }
}

/** The slots in which crawls of the page may be made, as far as others leave them. */
export function countSlots(slots: Slots, page: RestrictedPage): number {
  let count = 0
  for (let slot = 0; slot < slots.times.length; slot++) if (mayHave(slots, slot, page)) count++
  return count
}

function mayHave({ times, crawlers }: Slots, slot: number, page: RestrictedPage): boolean {
  const time = times[slot]!
  const { window, forbidden = [], crawlers: own } = page
  return (
    (window === undefined || (time >= window.from && time <= window.until)) &&
    !forbidden.some(({ from, until }) => time >= from && time <= until) &&
    (own === undefined || own.includes(crawlers[slot]!))
  )
}

/** The crawl that is nearest to a fixed time gets that time, each for one. */
export function withFixedTimes(pages: readonly RestrictedPage[], ideal: IdealCrawls): IdealCrawls {
  if (!pages.some(({ fixed = [] }) => fixed.length > 0)) return ideal
  const times = ideal.times.slice()
  for (const [page, crawls] of crawlsOf(ideal)) {
    const left = new Set(crawls)
    for (const time of (pages[page]?.fixed ?? []).toSorted((a, b) => a - b)) {
      const nearest = nearestCrawl(ideal.times, left, time)
      left.delete(nearest)
      times[nearest] = time
    }
  }
  return { ...ideal, times }
}

/** REQUIRES: there is a crawl. */
function nearestCrawl(times: Float64Array, crawls: ReadonlySet<number>, time: number): number {
  let nearest = -1
  let distance = Number.POSITIVE_INFINITY
  for (const crawl of crawls) {
    const own = Math.abs(times[crawl]! - time)
    if (own >= distance) continue
    distance = own
    nearest = crawl
  }
  return nearest
}

function crawlsOf({ pages }: IdealCrawls): Map<number, number[]> {
  const byPage = new Map<number, number[]>()
  for (let crawl = 0; crawl < pages.length; crawl++) {
    const own = byPage.get(pages[crawl]!)
    if (own === undefined) byPage.set(pages[crawl]!, [crawl])
    else own.push(crawl)
  }
  return byPage
}

/**
 * Which slots crawls may have; undefined where every crawl may have every slot. INFEASIBLE where no slot is left for a
 * fixed time.
 */
export function crawlRestrictions(
  pages: readonly RestrictedPage[],
  ideal: IdealCrawls,
  slots: Slots,
): Restrictions | undefined {
  if (!pages.some(isRestricted)) return undefined
  const windows = new Map<number, TimeSpan>()
  const forbidden = new Map<number, ReadonlySet<number>>()
  const fixed = new Map<number, number>()
  const taken = new Set<number>()
  for (const [page, crawls] of crawlsOf(ideal)) {
    const own = pages[page]
    if (own === undefined || !isRestricted(own)) continue
    const fixedTimes = new Set(own.fixed ?? [])
    const without = ownForbiddenSlots(slots, own)
    for (const crawl of crawls) {
      if (fixedTimes.delete(ideal.times[crawl]!)) fixed.set(crawl, fixedSlot(slots, own, ideal.times[crawl]!, taken))
      else if (own.window !== undefined) windows.set(crawl, own.window)
      if (without.size > 0) forbidden.set(crawl, without)
    }
  }
  return { windows, forbidden, fixed }
}

/** Slots in the forbidden parts of the period, and those of other crawlers. */
function ownForbiddenSlots(slots: Slots, { forbidden, crawlers }: RestrictedPage): ReadonlySet<number> {
  const without = new Set<number>()
  if (forbidden === undefined && crawlers === undefined) return without
  const page = { ...(forbidden === undefined ? {} : { forbidden }), ...(crawlers === undefined ? {} : { crawlers }) }
  for (let slot = 0; slot < slots.times.length; slot++) if (!mayHave(slots, slot, page)) without.add(slot)
  return without
}

function fixedSlot(slots: Slots, page: RestrictedPage, time: number, taken: Set<number>): number {
  for (let slot = firstSlotFrom(slots.times, time); slot < slots.times.length; slot++) {
    if (taken.has(slot) || !mayHave(slots, slot, page)) continue
    taken.add(slot)
    return slot
  }
  throw new FreshdexError('INFEASIBLE', `no slot from ${time} on is left for a crawl that is fixed there`, {
    detail: { time },
  })
}
