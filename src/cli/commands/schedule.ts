import { InvalidArgumentError } from 'commander'
import {
  FITTED_KINDS,
  makeSchedule,
  type PageToCrawl,
  RATE_ESTIMATOR_NAMES,
  type Schedule,
  type ScheduleStart,
  timetableRows,
} from '../../schedule/index.js'
import { command } from '../command.js'
import { withLearnt } from '../index-access.js'
import { STDIN, sourceName } from '../input/lines.js'
import { RECORD_FORMATS } from '../input/records.js'
import { readCrawledPages } from '../input/schedule-pages.js'
import { isoTime, parseSpan, SPAN_RULE } from '../input/values.js'
import { flagOf } from '../option-words.js'
import {
  argument,
  asUsage,
  choice,
  flag,
  folder,
  grouped,
  integer,
  type OptionValues,
  oneOrMore,
  optional,
  span,
  timeOf,
  UsageError,
  withDefault,
} from '../options.js'
import { showBefore } from '../output/clock.js'
import type { Outcome } from '../output/output.js'
import { pageRows, pageTable, TIMETABLE_FORMATS, timetableLines, timetableTable } from '../output/timetable.js'
import { count, percent, thousands } from '../output/wording.js'

const MAX_CRAWLS = 2 ** 31 - 1

const FITS = [...FITTED_KINDS, 'best'] as const

const OPTIONS = {
  period: withDefault('<span>', `the time to plan for, again and again: ${SPAN_RULE}`, span('1d'), span),
  crawlers: optional('<n,n>', 'how many crawls each crawler can make in a period', capacities),
  crawls: optional('<n>', 'all crawls of a period (default: as many as the crawlers can)', integer(0, MAX_CRAWLS)),
  start: timeOf('when the period begins'),
  input: choice('<format>', 'of the file (default: csv for names that end so, else jsonl)', RECORD_FORMATS),
  output: choice('<format>', 'of the timetable', TIMETABLE_FORMATS, 'table'),
  pages: flag('how often each page is crawled, and how stale it is, instead of the timetable'),
  unphased: flag('aim at the multiples of period / (crawls + 1), many pages at the same moments'),
  freshStart: flag('plan one period that begins with the last crawls, instead of one that is repeated'),
  fit: choice('<law>', 'which law histories have; best: the likeliest by the criterion of Akaike', FITS, 'poisson'),
  estimator: choice('<name>', 'how rates come from histories', RATE_ESTIMATOR_NAMES, 'cho-garcia-molina'),
  ...grouped('For the documents of an index:', {
    from: optional('<dir>', 'plan refreshes of the documents of this index, by what it knows of their changes', folder),
    laws: optional(
      '<law,law>',
      `the laws that are fitted (default: all but the last): ${FITTED_KINDS.join(', ')}`,
      oneOrMore(FITTED_KINDS),
    ),
    updateTimes: optional('<span,span>', 'when documents may change in a period, such as 9h,17.5h', spans),
    weight: choice('<what>', 'what a stale copy costs', ['stake', 'none'], 'stake'),
    min: withDefault('<n>', 'the fewest refreshes of each document in a period', 0, integer(0, MAX_CRAWLS)),
  }),
}

type Options = OptionValues<typeof OPTIONS>

export const schedule = command({
  name: 'schedule',
  summary: 'how often, when and by which crawler each page is crawled, so that copies are stale least',
  args: [argument('[file]', 'pages, one a line, as JSON or CSV; -: standard input', STDIN)],
  options: OPTIONS,
  examples: [
    'freshdex schedule pages.jsonl --crawls 1000',
    'freshdex schedule pages.csv --period 7d --crawlers 500,500,200 --start 2026-11-16 --output csv',
    'freshdex schedule --from pages.idx --crawls 500 --period 7d --output tsv > crontab.tsv',
    `printf '{"key":"/ferry","perDay":4}\\n{"key":"/inn","perDay":0.5}\\n' | freshdex schedule --crawls 6 --json`,
  ],
  async run([file], options) {
    const { period, json, output, start: startMs = Date.now() } = options
    const crawlers = capacitiesOf(options)
    if (json && output !== 'table') throw new UsageError('--json and --output exclude each other')
    if (options.pages && output !== 'table') throw new UsageError('--pages and --output exclude each other')
    const limits = { capacities: crawlers, ...(options.crawls === undefined ? {} : { crawls: options.crawls }) }
    const asked = options.crawls ?? sum(crawlers)
    const start = options.freshStart ? ('fresh' as const) : ('repeated' as const)
    const shown = { ...options, start, startMs, asked }
    if (options.from !== undefined) {
      if (file !== STDIN) throw new UsageError('--from and a file of pages exclude each other')
      const { updateTimes, laws, weight, min } = options
      const schedule = await withLearnt(options.from, (index) =>
        index.refresh.schedule({
          ...{ ...limits, periodMs: period, at: startMs, start, weight, minimum: min },
          ...(laws === undefined ? {} : { laws }),
          ...(updateTimes === undefined ? {} : { updateTimesMs: updateTimes }),
        }),
      )
      return outcomeOf(schedule, schedule.keys, { ...shown, fitted: schedule.pages })
    }
    const own = (['laws', 'updateTimes'] as const).find((name) => options[name] !== undefined)
    if (own !== undefined) throw new UsageError(`${flagOf(own)} is for documents of an index: give --from as well`)
    const format = options.input ?? (file.endsWith('.csv') ? 'csv' : 'jsonl')
    const { fit, estimator } = options
    const pages = await readCrawledPages(file, {
      ...{ format, periodMs: period, crawlers: crawlers.length, estimator, fit, startMs },
    })
    if (pages.length === 0) throw new Error(`there are no pages in ${sourceName(file)}`)
    showBefore(`planning the crawls of ${count(pages.length, 'page')}`)
    const phasing = options.unphased ? ('unphased' as const) : ('phased' as const)
    const schedule = await asUsage(() => makeSchedule(pages, { period, ...limits, start, phasing }))
    return outcomeOf(
      schedule,
      pages.map(({ key }) => key),
      shown,
    )
  },
})

interface Shown extends Pick<Options, 'period' | 'output' | 'pages'> {
  readonly startMs: number
  readonly start: ScheduleStart
  /** The pages of an index, with what was fitted to them. */
  readonly fitted?: readonly PageToCrawl[]
  /** Crawls that could be made. */
  readonly asked: number
}

/** A timetable may have millions of rows: they are made as they are printed. */
function outcomeOf(schedule: Schedule, keys: readonly (string | number)[], shown: Shown): Outcome {
  const { period: periodMs, output, startMs } = shown
  const rows = () => timetableRows(schedule, keys, startMs)
  return {
    get json() {
      const { made, capacities, meanStaleness } = schedule
      const totals = { start: startMs, periodMs, crawls: made.length, crawlers: capacities, staleness: meanStaleness }
      const { idealStaleness } = schedule
      return { ...totals, idealStaleness, pages: pageRows(schedule, keys, shown.fitted), timetable: [...rows()] }
    },
    get text() {
      if (output !== 'table') return timetableLines(rows(), output)
      const table = shown.pages ? pageTable(pageRows(schedule, keys, shown.fitted)) : timetableTable(rows())
      return `${table}\n${summary(schedule, shown)}`
    },
  }
}

function summary(schedule: Schedule, { asked, startMs, start }: Shown): string {
  const { made, crawls, staleness, meanStaleness, capacities } = schedule
  const idle = asked - made.length
  const unused = idle === 0 ? '' : `; ${count(idle, 'more crawl')} would be of no use`
  const who = count(capacities.length, 'crawler')
  const what = `${count(made.length, 'crawl')} of ${count(crawls.length, 'page')} by ${who} from ${isoTime(startMs)} on`
  const left = crawls.reduce((sum, made, page) => sum + (made === 0 && staleness[page] === 1 ? 1 : 0), 0)
  const never =
    start === 'fresh' || left === 0
      ? ''
      : `; ${count(left, 'page')} ${left === 1 ? 'is' : 'are'} never crawled: a longer --period has room for more`
  return `${what}: copies are stale ${percent(meanStaleness)} of the time${unused}${never}`
}

/** How many crawls each crawler can make; one crawler makes all of them unless told. */
function capacitiesOf({ crawlers, crawls }: Options): readonly number[] {
  if (crawlers === undefined && crawls === undefined) throw new UsageError('schedule needs --crawls or --crawlers')
  const given = crawlers ?? [crawls as number]
  if (crawls !== undefined && crawls > sum(given)) {
    throw new UsageError(`--crawls must be no more than the crawlers can make, ${thousands(sum(given))}`)
  }
  return given
}

function capacities(text: string): readonly number[] {
  const parts = text.split(',')
  const isRight = parts.every((part) => /^\d{1,10}$/.test(part)) && sum(parts.map(Number)) <= MAX_CRAWLS
  if (!isRight) throw new InvalidArgumentError('It must be whole numbers with commas between them.')
  return parts.map(Number)
}

/** `9h,17.5h`, ascending. */
function spans(text: string): readonly number[] {
  const lengths = text.split(',').map((part) => (part === '0' ? 0 : parseSpan(part)))
  if (lengths.every((ms, at) => ms !== undefined && (at === 0 || ms > (lengths[at - 1] ?? 0)))) {
    return lengths as number[]
  }
  throw new InvalidArgumentError(`It must be lengths of time with commas between them, ascending: ${SPAN_RULE}.`)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
