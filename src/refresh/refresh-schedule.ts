/**
 * A timetable of refreshes from what an index knows of its documents: the laws by which they change are fitted to the
 * ledger, what is at stake is their weight, and the copies of today are taken over.
 */
import { choiceOption, numberOption, readOptions, requireNumbers } from '../base/checks.js'
import { describe } from '../base/describe.js'
import type { Key } from '../base/keys.js'
import { MAX_TIME_MS, type Time, timeOption, WEEK_MS } from '../base/time.js'
import { inTurns, type Pauses, type Steps } from '../base/turns.js'
import { FITTED_KINDS, type FittedKind } from '../change/law-fits.js'
import type { ReadableLedger } from '../ledger/ledger.js'
import type { PageToCrawl, Schedule } from '../schedule/schedule.js'
import type { ScheduleStart } from '../schedule/staleness-table.js'
import type { TimetableRow } from '../schedule/timetable-rows.js'
import { type PageLawOptions, pageLaw } from './model/page-laws.js'
import { changePrior } from './model/page-rates.js'
import type { LedgerPage } from './schedule/packed-pages.js'
import { scheduleOnThread } from './schedule/thread.js'

export interface RefreshScheduleOptions {
  /** How many refreshes there are in a period: one crawler makes them. */
  readonly crawls?: number
  /** The same for several crawlers, each with its own number. */
  readonly capacities?: readonly number[]
  /** The time to plan for. Default a week. */
  readonly periodMs?: number
  /** When the period begins. Default now. */
  readonly at?: Time
  /**
   * 'repeated', the default: the timetable is followed again and again. 'fresh': one period, from today's copies on.
   */
  readonly start?: ScheduleStart
  /**
   * The laws that documents may have. Default: 'poisson', 'weibull' and 'pareto', and with `updateTimesMs` the
   * fourth.
   */
  readonly laws?: readonly FittedKind[]
  /**
   * When documents may change in a period, ascending, counted from its start: for documents that are updated at known
   * times.
   */
  readonly updateTimesMs?: readonly number[]
  /** What a stale copy costs: 'stake', the default, its value at stake in today's answers; 'none': all alike. */
  readonly weight?: 'stake' | 'none'
  /** The fewest refreshes of each document in a period. Default 0. */
  readonly minimum?: number
}

/** A schedule whose times are milliseconds from `at` on. Page n of it is the document with the n-th key. */
export interface RefreshSchedule extends Schedule {
  readonly at: number
  readonly periodMs: number
  readonly start: ScheduleStart
  readonly keys: readonly Key[]
  /** What was known of the documents: laws, weights and ages. */
  readonly pages: readonly PageToCrawl[]
  /** 'none' also where nothing is at stake, because no query is known. */
  readonly weight: 'stake' | 'none'
  /** The refreshes, in the order of time. */
  rows(): Generator<TimetableRow<Key>>
}

const OPTIONS = [
  ...(['crawls', 'capacities', 'periodMs', 'at', 'start', 'laws', 'updateTimesMs', 'weight'] as const),
  'minimum',
] as const

const MAX_CRAWLS = 2 ** 31 - 1

/** TypeError or RangeError for options that are not valid. Laws and the start are looked at where they are used. */
export function readScheduleOptions(options: unknown, nowMs: number) {
  const given = readOptions('schedule', options, OPTIONS)
  const { crawls, capacities, laws, updateTimesMs } = given
  if (crawls === undefined && capacities === undefined) {
    throw new TypeError('schedule needs crawls or capacities: how many documents can be refreshed in a period')
  }
  if (crawls !== undefined) numberOption('crawls', crawls, 0, { min: 0, max: MAX_CRAWLS, integer: true })
  if (updateTimesMs !== undefined && laws !== undefined && !list('laws', laws).includes('quasi-deterministic')) {
    throw new TypeError("updateTimesMs are of use to 'quasi-deterministic' only, which laws leave out")
  }
  return {
    crawls: crawls as number | undefined,
    // A copy: it may be changed before it is used, or be something that no message can carry.
    capacities: capacities === undefined ? [crawls as number] : numbers('capacities', capacities),
    periodMs: numberOption('periodMs', given.periodMs, WEEK_MS, { min: 1, max: MAX_TIME_MS }),
    atMs: timeOption('at', given.at, nowMs),
    start: choiceOption<ScheduleStart>('start', given.start, 'repeated', ['repeated', 'fresh']),
    laws: laws === undefined ? undefined : list('laws', laws).map(lawKind),
    updateTimesMs: updateTimesMs === undefined ? undefined : (list('updateTimesMs', updateTimesMs) as number[]),
    weight: choiceOption<'stake' | 'none'>('weight', given.weight, 'stake', ['stake', 'none']),
    minimum: numberOption('minimum', given.minimum, 0, { min: 0, max: MAX_CRAWLS, integer: true }),
  }
}

export type ScheduleRequest = ReturnType<typeof readScheduleOptions>

function lawKind(kind: unknown, at: number): FittedKind {
  return choiceOption<FittedKind>(`laws[${at}]`, kind, 'poisson', FITTED_KINDS)
}

function numbers(name: string, value: unknown): readonly number[] {
  return requireNumbers(name, [...(list(name, value) as readonly number[])])
}

function list(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new TypeError(`${name} must be a list, received ${describe(value)}`)
}

/** The documents that may be refreshed, as pages of a schedule. */
export function* schedulePages(
  ledger: Pick<ReadableLedger, 'columns' | 'rows' | 'totals'>,
  { periodMs, atMs, laws, updateTimesMs, weight, minimum }: ScheduleRequest,
): Steps<{ readonly docs: number[]; readonly pages: LedgerPage[]; readonly weight: 'stake' | 'none' }> {
  const docs: number[] = []
  const pages: LedgerPage[] = []
  const totals = ledger.totals()
  const used = weight === 'stake' && totals.sumStake > 0 ? 'stake' : 'none'
  const options: PageLawOptions = {
    prior: changePrior(totals),
    kinds: laws,
    updates: updateTimesMs === undefined ? undefined : { periodMs, timesMs: updateTimesMs, startMs: atMs },
  }
  for (let doc = 0; doc < ledger.rows; doc++) {
    yield
    // A ledger that grows meanwhile has other arrays.
    const { columns } = ledger
    if (columns.present[doc] === 0) continue
    docs.push(doc)
    pages.push({
      law: pageLaw(columns, doc, options),
      weight: used === 'stake' ? columns.stake[doc]! : 1,
      lastCrawl: -Math.max(0, atMs - columns.refreshedMs[doc]!),
      ...(minimum === 0 ? {} : { minimum }),
    })
  }
  return { docs, pages, weight: used }
}

/**
 * So many pages and crawls together are scheduled at once, which takes some 10 ms: less than to start a thread, which
 * makes larger schedules.
 */
const MOST_AT_ONCE = 2000

export interface ScheduleTools {
  keyOf(doc: number): Key | undefined
  readonly pauses: Pauses
  /** Throws when nobody wants the timetable any more. */
  check(): void
  /** How many pages and crawls are scheduled without a thread. */
  readonly mostAtOnce?: number
}

/** The timetable. The mathematics of schedules is loaded by the first one. */
export async function makeRefreshSchedule(
  ledger: Pick<ReadableLedger, 'columns' | 'rows' | 'totals'>,
  request: ScheduleRequest,
  { keyOf, pauses, check, mostAtOnce = MOST_AT_ONCE }: ScheduleTools,
): Promise<RefreshSchedule> {
  const [{ makeSchedule }, { timetableRows }] = await Promise.all([
    import('../schedule/schedule.js'),
    import('../schedule/timetable-rows.js'),
  ])
  const { docs, pages, weight } = await inTurns(schedulePages(ledger, request), pauses, { perLook: 1 })
  const keys = await inTurns(takingKeys(docs, pages, keyOf), pauses)
  const { periodMs, atMs: at, start, crawls, capacities } = request
  const options = { period: periodMs, capacities, start, ...(crawls === undefined ? {} : { crawls }) }
  const isLarge = pages.length + capacities.reduce((sum, capacity) => sum + capacity, 0) > mostAtOnce
  const schedule = isLarge ? await scheduleOnThread(pages, options, { pauses, check }) : makeSchedule(pages, options)
  return {
    ...schedule,
    at,
    periodMs,
    start,
    keys,
    pages,
    weight,
    rows: () => timetableRows(schedule, keys, at),
  }
}

/** Takes documents that were removed a moment ago out of the pages, and gives the keys of the others. */
function* takingKeys(
  docs: readonly number[],
  pages: LedgerPage[],
  keyOf: (doc: number) => Key | undefined,
): Steps<Key[]> {
  const keys: Key[] = []
  for (let at = 0; at < docs.length; at++) {
    const key = keyOf(docs[at]!)
    if (key !== undefined) {
      pages[keys.length] = pages[at]!
      keys.push(key)
    }
    yield
  }
  pages.length = keys.length
  return keys
}
