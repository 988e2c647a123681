/** Schedules: how often, when and by which crawler each page is crawled in a period. */
import { numberOption, positive, requireList, requireNumbers, requireObject } from '../base/checks.js'
import { describe } from '../base/describe.js'
import type { UpdateLaw } from '../change/update-law.js'
import { allocate } from './allocation.js'
import { apportion } from './allocation-bounds.js'
import { type IdealCrawls, idealCrawls, type Phasing } from './ideal-times.js'
import { makeRestrictedTimetable } from './restricted-timetable.js'
import { firstSlotFrom } from './slot-network.js'
import { crawlerSlots, type Slots } from './slots.js'
import { StalenessTable } from './staleness-table.js'
import { makeTimetable } from './timetable.js'

export interface PageToCrawl {
  readonly law: UpdateLaw
  /** The cost of a stale copy. Default 1. */
  readonly weight?: number
  /** The fewest and the most crawls in the period. */
  readonly minimum?: number
  readonly maximum?: number
  /** The part of the period in which crawls begin. */
  readonly window?: { readonly from: number; readonly until: number }
}

export interface ScheduleOptions {
  readonly period: number
  /** How many crawls each crawler can make in a period. */
  readonly capacities: readonly number[]
  /** The number of all crawls. Default: as many as the crawlers can make. */
  readonly crawls?: number
  readonly phasing?: Phasing
}

export interface Schedule {
  /** The number of crawls of each page. */
  readonly crawls: Uint32Array
  /** The share of the period for which the copy of each page is stale. */
  readonly staleness: Float64Array
  /** The weighted mean over all pages. */
  readonly meanStaleness: number
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
 * factor, so that there are as many slots as crawls.
 */
export function makeSchedule(pages: readonly PageToCrawl[], options: ScheduleOptions): Schedule {
  for (const [at, page] of requireList('pages', pages).entries()) {
    const { window } = requireObject(`pages[${at}]`, page)
    if (window !== undefined) requireObject(`the window of page ${at}`, window)
  }
  const { phasing = 'phased' } = requireObject('options', options)
  requireNumbers('capacities', options.capacities)
  const period = positive('period', options.period)
  const { table, slots, capacities, crawls } = fitCrawls(pages, options)
  const ideal = intoWindows(pages, table, idealCrawls(table, crawls, phasing))
  const windows = crawlWindows(pages, ideal, period)
  const made = windows.size === 0 ? makeTimetable(ideal, slots) : makeRestrictedTimetable(ideal, slots, { windows })
  const staleness = Float64Array.from(crawls, (count, page) => table.staleness(page, count))
  const weights = pages.reduce((sum, { weight = 1 }) => sum + weight, 0)
  const meanStaleness = weights > 0 ? table.objective(crawls) / weights : 0
  return { crawls, staleness, meanStaleness, ideal, slots, made, capacities }
}

/**
 * The number of useful crawls depends on the last slot, as pages with known update times do, and the last slot depends
 * on the number of crawls. So the number is lowered until all crawls are useful.
 */
function fitCrawls(pages: readonly PageToCrawl[], { period, capacities, crawls }: ScheduleOptions) {
  const capacity = capacities.reduce((sum, one) => sum + one, 0)
  const minimums = pages.map(({ minimum = 0 }) => minimum)
  for (let wanted = wantedCrawls(crawls, capacity); ; ) {
    const used = wanted === capacity ? [...capacities] : [...apportion(capacities, wanted)]
    const slots = crawlerSlots(used, period)
    const table = new StalenessTable(
      pages.map(({ law }) => law),
      { period, weights: pages.map(({ weight = 1 }) => weight), latestCrawl: slots.times.at(-1) ?? 0 },
    )
    const maximums = pages.map(({ maximum = Number.POSITIVE_INFINITY, window }, page) => {
      const useful = Math.min(table.usefulCrawls(page), slotsWithin(slots, window))
      return Math.min(maximum, Math.max(minimums[page]!, useful))
    })
    const usable = maximums.reduce((sum, most) => sum + most, 0)
    if (usable >= wanted) {
      return { table, slots, capacities: used, crawls: allocate(table, { crawls: wanted, minimums, maximums }) }
    }
    wanted = usable
  }
}

function slotsWithin({ times }: Slots, window: PageToCrawl['window']): number {
  if (window === undefined) return Number.POSITIVE_INFINITY
  let count = 0
  for (let slot = firstSlotFrom(times, window.from); times[slot]! <= window.until; slot++) count++
  return count
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

function crawlWindows(pages: readonly PageToCrawl[], ideal: IdealCrawls, period: number) {
  for (const [page, { window }] of pages.entries()) {
    if (window === undefined || (window.from >= 0 && window.from <= window.until && window.until <= period)) continue
    throw new RangeError(`the window of page ${page} must lie within [0, ${period}], received ${describe(window)}`)
  }
  const windows = new Map<number, { readonly from: number; readonly until: number }>()
  for (const [crawl, page] of ideal.pages.entries()) {
    const window = pages[page]!.window
    if (window !== undefined) windows.set(crawl, window)
  }
  return windows
}
