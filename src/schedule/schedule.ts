/** Schedules: how often, when and by which crawler each page is crawled in a period. */
import { numberOption, positive, requireList, requireNumbers, requireObject } from '../base/checks.js'
import { describe } from '../base/describe.js'
import type { UpdateLaw } from '../change/update-law.js'
import { allocate } from './allocation.js'
import { apportion } from './allocation-bounds.js'
import { type IdealCrawls, idealCrawls, type Phasing } from './ideal-times.js'
import type { TimeSpan } from './page-restrictions.js'
import { checkPage, countSlots, crawlRestrictions, isRestricted, withFixedTimes } from './page-restrictions.js'
import { makeRestrictedTimetable } from './restricted-timetable.js'
import { NO_CRAWL } from './slot-network.js'
import { crawlerSlots, type Slots } from './slots.js'
import { type ScheduleStart, StalenessTable } from './staleness-table.js'
import { makeTimetable } from './timetable.js'
import { timetableStaleness } from './timetable-staleness.js'

export interface PageToCrawl {
  readonly law: UpdateLaw
  /** The cost of a stale copy. Default 1. */
  readonly weight?: number
  /** The fewest and the most crawls in the period. */
  readonly minimum?: number
  readonly maximum?: number
  /**
   * When the page was crawled last, counted from the start of the period: at most 0. Default: right at the start where
   * the period is not repeated.
   */
  readonly lastCrawl?: number
  /** The part of the period in which crawls begin. */
  readonly window?: TimeSpan
  /** Parts of the period in which no crawl begins. */
  readonly forbidden?: readonly TimeSpan[]
  /** Times at which the page is crawled whatever is best: each in the first slot from then on that is left. */
  readonly fixed?: readonly number[]
  /** The crawlers that may crawl the page, by their places among `capacities`. Default: all. */
  readonly crawlers?: readonly number[]
}

export interface ScheduleOptions {
  readonly period: number
  /**
   * 'repeated', the default: the period comes again and again, and staleness is that of the long run. 'fresh': one
   * period, which begins with the copies of the last crawls.
   */
  readonly start?: ScheduleStart
  /** How many crawls each crawler can make in a period. */
  readonly capacities: readonly number[]
  /** The number of all crawls. Default: as many as the crawlers can make. */
  readonly crawls?: number
  readonly phasing?: Phasing
}

export interface Schedule {
  /** The number of crawls of each page. */
  readonly crawls: Uint32Array
  /**
   * The share of the period for which the copy of each page is stale under this timetable. A page without crawls is
   * stale for ever, 1, where the period is repeated and the page ever changes.
   */
  readonly staleness: Float64Array
  /** The weighted mean over all pages. */
  readonly meanStaleness: number
  /** The same mean if each crawl could be made at its best time, whatever the others do. */
  readonly idealStaleness: number
  /** The ideal time of each crawl. */
  readonly ideal: IdealCrawls
  readonly slots: Slots
  /** The crawl of each slot. */
  readonly made: Uint32Array
  /** How many crawls each crawler makes. */
  readonly capacities: readonly number[]
}

/**
 * How often, when and by which crawler each page is crawled in a period ("Optimal crawling strategies", both parts in
 * one). Crawls that no page can use are not made. Crawlers that have less to do go slower, all by the same
 * factor, so that there are as many slots as crawls; where pages are restricted, they pause instead.
 */
export function makeSchedule(pages: readonly PageToCrawl[], options: ScheduleOptions): Schedule {
  for (const [at, page] of requireList('pages', pages).entries()) {
    const { window } = requireObject(`pages[${at}]`, page)
    if (window !== undefined) requireObject(`the window of page ${at}`, window)
  }
  const { phasing = 'phased' } = requireObject('options', options)
  requireNumbers('capacities', options.capacities)
  positive('period', options.period)
  for (const [page, restricted] of pages.entries()) checkPage(page, restricted, options)
  const fitted = fitCrawls(pages, options)
  const { table, crawls } = fitted
  const ideal = withFixedTimes(pages, intoWindows(pages, table, idealCrawls(table, crawls, phasing)))
  const restrictions = crawlRestrictions(pages, ideal, fitted.slots)
  const { made, slots, capacities } =
    restrictions === undefined
      ? { ...fitted, made: makeTimetable(ideal, fitted.slots) }
      : usedSlots(fitted, makeRestrictedTimetable(ideal, fitted.slots, restrictions))
  const staleness = timetableStaleness(table, { times: slots.times, made, pages: ideal.pages })
  const weights = pages.reduce((sum, { weight = 1 }) => sum + weight, 0)
  const mean = (sum: number) => (weights > 0 ? sum / weights : 0)
  const meanStaleness = mean(staleness.reduce((sum, share, page) => sum + share * table.weight(page), 0))
  const idealStaleness = mean(table.objective(crawls))
  return { crawls, staleness, meanStaleness, idealStaleness, ideal, slots, made, capacities }
}

/**
 * The number of useful crawls depends on the last slot, as pages with known update times do, and the last slot depends
 * on the number of crawls. So the number is lowered until all crawls are useful.
 */
function fitCrawls(pages: readonly PageToCrawl[], { period, start, capacities, crawls }: ScheduleOptions) {
  const capacity = capacities.reduce((sum, one) => sum + one, 0)
  const minimums = pages.map(({ minimum = 0, fixed = [] }) => Math.max(minimum, fixed.length))
  const staysFast = pages.some(isRestricted)
  for (let wanted = wantedCrawls(crawls, capacity); ; ) {
    const used = wanted === capacity || staysFast ? [...capacities] : [...apportion(capacities, wanted)]
    const slots = crawlerSlots(used, period)
    const table = new StalenessTable(
      pages.map(({ law }) => law),
      {
        period,
        start: start ?? 'repeated',
        weights: pages.map(({ weight = 1 }) => weight),
        lastCrawls: pages.map(({ lastCrawl = 0 }) => lastCrawl),
        latestCrawl: slots.times.at(-1) ?? 0,
      },
    )
    const maximums = pages.map((own, page) => {
      const { maximum = Number.POSITIVE_INFINITY } = own
      const useful = Math.min(table.usefulCrawls(page), isRestricted(own) ? countSlots(slots, own) : capacity)
      return Math.min(maximum, Math.max(minimums[page]!, useful))
    })
    const usable = maximums.reduce((sum, most) => sum + most, 0)
    if (usable >= wanted) {
      return { table, slots, capacities: used, crawls: allocate(table, { crawls: wanted, minimums, maximums }) }
    }
    wanted = usable
  }
}

/** Without the slots in which crawlers pause. */
function usedSlots({ slots, capacities }: { slots: Slots; capacities: readonly number[] }, all: Uint32Array) {
  const used = Uint32Array.from(all.keys()).filter((slot) => all[slot] !== NO_CRAWL)
  const crawlers = used.map((slot) => slots.crawlers[slot]!)
  const counts = capacities.map(() => 0)
  for (const crawler of crawlers) counts[crawler]!++
  const times = Float64Array.from(used, (slot) => slots.times[slot]!)
  return { made: used.map((slot) => all[slot]!), slots: { times, crawlers }, capacities: counts }
}

function wantedCrawls(crawls: number | undefined, capacity: number): number {
  const wanted = numberOption('crawls', crawls, capacity, { min: 0, integer: true })
  if (wanted <= capacity) return wanted
  throw new RangeError(`crawls must be no more than the crawlers can make, ${capacity}, received ${describe(crawls)}`)
}

/** Crawls whose times are free are spread over the window of their page instead of the period. */
function intoWindows(pages: readonly PageToCrawl[], table: StalenessTable, ideal: IdealCrawls): IdealCrawls {
  const times = ideal.times.map((time, crawl) => {
    const page = ideal.pages[crawl]!
    const window = pages[page]!.window
    if (window === undefined || table.hasUpdateTimes(page)) return time
    return window.from + (time * (window.until - window.from)) / table.period
  })
  return { ...ideal, times }
}
