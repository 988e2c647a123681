/** The pages of a schedule, as records: how each changes, what it weighs, how often and when it may be crawled. */

import { choiceOption, numberOption, readOptions } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import { DAY_MS } from '../../base/time.js'
import type { Key } from '../../index.js'
import {
  embarrassmentWeight,
  estimateRate,
  FITTED_KINDS,
  type FittedKind,
  fitLaws,
  type PageToCrawl,
  ParetoLaw,
  PoissonLaw,
  QuasiDeterministicLaw,
  type RateEstimatorName,
  type UpdateLaw,
  type VisitHistory,
  WeibullLaw,
} from '../../schedule/index.js'
import { withProgress } from '../output/progress.js'
import { type RecordFormat, type RecordLine, recordLines } from './records.js'
import { parseSpan, parseTime, SPAN_RULE, TIME_RULE } from './values.js'

export interface CrawledPage extends PageToCrawl {
  readonly key: Key
}

export interface PageReading {
  readonly format: RecordFormat
  readonly periodMs: number
  /** How many there are. */
  readonly crawlers: number
  readonly estimator: RateEstimatorName
  /** The law of pages that have a history: one of them, or the best. */
  readonly fit: FittedKind | 'best'
  /** When the period begins. */
  readonly startMs: number
}

/** Progress is shown every so many pages. */
const PAGES_PER_UPDATE = 1000
const LAW_FIELDS = ['law', 'perDay', 'history', 'shape', 'scale', 'times', 'probabilities', 'startStale'] as const
const OTHER_FIELDS = [
  ...(['key', 'weight', 'incorrect', 'clicks', 'returned', 'min', 'max', 'from', 'until'] as const),
  ...(['lastCrawl', 'forbidden', 'fixed', 'crawlers'] as const),
] as const

type Fields = { readonly [Name in (typeof LAW_FIELDS)[number] | (typeof OTHER_FIELDS)[number]]?: unknown }

/** All pages of a file; LineRefused for the first line that is no page. */
export async function readCrawledPages(file: string, reading: PageReading): Promise<CrawledPage[]> {
  const pages: CrawledPage[] = []
  const keys = new Set<Key>()
  await withProgress(undefined, 'pages', async (update) => {
    for await (const line of recordLines(file, reading.format)) {
      const page = readPage(line, reading)
      if (keys.has(page.key)) throw line.refuse(`the key ${describe(page.key)} has come before`)
      keys.add(page.key)
      pages.push(page)
      if (pages.length % PAGES_PER_UPDATE === 0) update({ part: 0, things: pages.length })
    }
  })
  return pages
}

function readPage({ record, refuse }: RecordLine, reading: PageReading): CrawledPage {
  try {
    return pageOf(readOptions('page', record, [...OTHER_FIELDS, ...LAW_FIELDS]), reading)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw refuse(error.message)
    throw error
  }
}

function pageOf(fields: Fields, reading: PageReading): CrawledPage {
  const { key, from, until } = fields
  if (typeof key !== 'string' && typeof key !== 'number') {
    throw new TypeError(`key must be a string or a number, received ${describe(key)}`)
  }
  const hasWindow = from !== undefined || until !== undefined
  const window = { from: spanMs('from', from ?? 0), until: spanMs('until', until ?? reading.periodMs) }
  return {
    key,
    law: lawOf(fields, reading),
    weight: weightOf(fields),
    ...boundsOf(fields),
    ...(hasWindow ? { window: checkedWindow(window, reading.periodMs) } : {}),
    ...restrictionsOf(fields, reading),
    ...(fields.lastCrawl === undefined ? {} : { lastCrawl: lastCrawlOf(fields.lastCrawl, reading) }),
  }
}

/** Parts of the period without crawls, times with one, and crawlers, which count from 1. */
function restrictionsOf(
  { forbidden, fixed, crawlers }: Fields,
  { periodMs, crawlers: existing }: PageReading,
): Pick<PageToCrawl, 'forbidden' | 'fixed' | 'crawlers'> {
  const part = (value: unknown, at: number) => {
    const { from, until } = readOptions(`forbidden[${at}]`, value, ['from', 'until'])
    const span = { from: spanMs(`forbidden[${at}].from`, from), until: spanMs(`forbidden[${at}].until`, until) }
    if (span.from <= span.until && span.until <= periodMs) return span
    const rule = 'from before until, and until no later than the end of the period'
    throw new RangeError(`forbidden[${at}] must have ${rule}, received ${describe(value)}`)
  }
  const fixedTime = (value: unknown, at: number) => {
    const time = spanMs(`fixed[${at}]`, value)
    if (time < periodMs) return time
    throw new RangeError(`fixed[${at}] must be before the end of the period, received ${describe(value)}`)
  }
  const crawler = (value: unknown, at: number) =>
    numberOption(`crawlers[${at}]`, value, 1, { min: 1, max: existing, integer: true }) - 1
  return {
    ...(forbidden === undefined ? {} : { forbidden: listOf('forbidden', forbidden).map(part) }),
    ...(fixed === undefined ? {} : { fixed: listOf('fixed', fixed).map(fixedTime) }),
    ...(crawlers === undefined ? {} : { crawlers: listOf('crawlers', crawlers).map(crawler) }),
  }
}

/** Counted from the start of the period. */
function lastCrawlOf(value: unknown, { startMs }: PageReading): number {
  const atMs = momentOf('lastCrawl', value)
  if (atMs <= startMs) return atMs - startMs
  throw new RangeError(`lastCrawl must not be after the start of the period, received ${describe(value)}`)
}

function momentOf(name: string, value: unknown): number {
  const atMs = typeof value === 'number' ? value : parseTime(String(value))
  if (atMs !== undefined) return atMs
  throw new RangeError(`${name} must be ${TIME_RULE}, received ${describe(value)}`)
}

function boundsOf({ min, max }: Fields): { readonly minimum: number; readonly maximum: number } {
  const range = { min: 0, max: 2 ** 32 - 1, integer: true }
  const minimum = numberOption('min', min, 0, range)
  const maximum = numberOption('max', max, range.max, range)
  if (minimum > maximum) throw new RangeError(`min must not exceed max, received ${minimum} and ${maximum}`)
  return { minimum, maximum }
}

function checkedWindow(window: { readonly from: number; readonly until: number }, periodMs: number) {
  if (window.from <= window.until && window.until <= periodMs) return window
  throw new RangeError(`from and until must follow each other within the period of ${periodMs} ms`)
}

/** The law by which a page changes, with times in milliseconds. */
function lawOf(fields: Fields, reading: PageReading): UpdateLaw {
  const { periodMs } = reading
  const { law, perDay, history } = fields
  const given = [law, perDay, history].filter((value) => value !== undefined)
  if (law === undefined && given.length !== 1) throw new TypeError('a page must have one of law, perDay and history')
  if (history !== undefined) return fittedLaw(fields, reading)
  const shape = () => numberOf('shape', fields.shape)
  const scale = () => spanMs('scale', fields.scale)
  switch (law) {
    case undefined:
    case 'poisson':
      return poissonOf(numberOf('perDay', perDay) / DAY_MS, periodMs)
    case 'weibull':
      return new WeibullLaw({ shape: shape(), scale: scale() })
    case 'pareto':
      return new ParetoLaw({ shape: shape(), scale: scale() })
    case 'quasi-deterministic':
      return updateTimesOf(fields, periodMs)
    default:
      throw new RangeError(`law must be poisson, weibull, pareto or quasi-deterministic, received ${describe(law)}`)
  }
}

/**
 * The law of a page with a history: that of `law`, or of --fit. Where too few changes were seen to fit another law, it
 * is a Poisson law.
 */
function fittedLaw({ history, law, times }: Fields, { periodMs, estimator, fit, startMs }: PageReading): UpdateLaw {
  const { visits, firstMs } = visitsOf(history)
  const kind = law === undefined ? fit : choiceOption('law', law, fit, FITTED_KINDS)
  if (kind === 'quasi-deterministic' && times === undefined) {
    throw new TypeError('a quasi-deterministic law is fitted to a history and times: give times as well')
  }
  const timesMs = times === undefined ? [] : listOf('times', times).map((time, at) => spanMs(`times[${at}]`, time))
  const updateTimes = timesMs.length > 0 ? { periodMs, timesMs, startMs: firstMs - startMs } : undefined
  const kinds = kind === 'best' ? undefined : [kind]
  const options = { ...(kinds && { kinds }), ...(updateTimes && { updateTimes }) }
  const best = kind === 'poisson' ? undefined : fitLaws(visits, options)[0]
  if (best !== undefined && best.law.kind !== 'poisson') return best.law
  return poissonOf(ratePerMs(visits, estimator), periodMs)
}

/** A Poisson law has a rate above 0; a page that never changes has a law without possible updates. */
function poissonOf(rate: number, periodMs: number): UpdateLaw {
  if (rate === 0) return new QuasiDeterministicLaw({ period: periodMs, times: [], probabilities: [] })
  return new PoissonLaw({ rate })
}

function updateTimesOf({ times, probabilities, startStale }: Fields, periodMs: number): QuasiDeterministicLaw {
  return new QuasiDeterministicLaw({
    period: periodMs,
    times: listOf('times', times).map((time, at) => spanMs(`times[${at}]`, time)),
    probabilities: listOf('probabilities', probabilities).map((value, at) => numberOf(`probabilities[${at}]`, value)),
    ...(startStale === undefined ? {} : { startStale: numberOf('startStale', startStale) }),
  })
}

/**
 * Changes per millisecond. A page may change even if no visit has seen a change: it counts as half a change in all the
 * time that it was watched.
 */
function ratePerMs(history: VisitHistory, estimator: RateEstimatorName): number {
  const totalMs = history.reduce((sum, { intervalMs }) => sum + intervalMs, 0)
  const rate = estimateRate(history, estimator)
  if (rate === Number.POSITIVE_INFINITY) {
    throw new RangeError(`${estimator} has no rate for a history in which every visit saw a change`)
  }
  return Math.max(rate, 0.5 / totalMs)
}

/** Visits with the time since the one before. Of the first visit only the time counts: it has none before it. */
function visitsOf(history: unknown): { readonly visits: VisitHistory; readonly firstMs: number } {
  const looks = listOf('history', history).map((visit, at) => {
    const { at: when, changed } = readOptions(`history[${at}]`, visit, ['at', 'changed'])
    const atMs = momentOf(`history[${at}].at`, when)
    if (typeof changed !== 'boolean') {
      throw new TypeError(`history[${at}].changed must be true or false, received ${describe(changed)}`)
    }
    return { atMs, changed }
  })
  if (looks.length < 2) throw new RangeError(`history must have at least two visits, received ${looks.length}`)
  const visits = looks.slice(1).map(({ atMs, changed }, nth) => {
    const intervalMs = atMs - looks[nth]!.atMs
    if (intervalMs > 0) return { intervalMs, changed }
    throw new RangeError(`history must be in the order of time, history[${nth + 1}] is not after the one before`)
  })
  return { visits, firstMs: looks[0]!.atMs }
}

function weightOf({ weight, incorrect, clicks, returned }: Fields): number {
  const factors = [incorrect, clicks, returned].filter((value) => value !== undefined).length
  if (factors === 0) return weight === undefined ? 1 : numberOf('weight', weight)
  if (incorrect === undefined || returned === undefined || weight !== undefined) {
    throw new TypeError('a page must have either weight or incorrect, clicks and returned')
  }
  const rows = (name: string, value: unknown) =>
    listOf(name, value).map((row, j) =>
      listOf(`${name}[${j}]`, row).map((cell, k) => numberOf(`${name}[${j}][${k}]`, cell)),
    )
  return embarrassmentWeight({
    incorrect: numberOf('incorrect', incorrect),
    ...(clicks === undefined ? {} : { clicks: rows('clicks', clicks) }),
    returned: rows('returned', returned),
  })
}

function numberOf(name: string, value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0) || value === Number.POSITIVE_INFINITY) {
    throw new RangeError(`${name} must be a finite number of at least 0, received ${describe(value)}`)
  }
  return value
}

function listOf(name: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be a list, received ${describe(value)}`)
  return value
}

/** A number of milliseconds, or a length of time such as `7d`. */
function spanMs(name: string, value: unknown): number {
  if (typeof value === 'number') return numberOf(name, value)
  const ms = typeof value === 'string' ? parseSpan(value) : undefined
  if (ms !== undefined) return ms
  throw new RangeError(`${name} must be ${SPAN_RULE}, or milliseconds, received ${describe(value)}`)
}
