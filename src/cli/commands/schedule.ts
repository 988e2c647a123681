import { InvalidArgumentError } from 'commander'
import { makeSchedule, RATE_ESTIMATOR_NAMES, type Schedule } from '../../schedule/index.js'
import { command } from '../command.js'
import { STDIN, sourceName } from '../input/lines.js'
import { RECORD_FORMATS } from '../input/records.js'
import { readCrawledPages } from '../input/schedule-pages.js'
import { isoTime, SPAN_RULE } from '../input/values.js'
import {
  argument,
  asUsage,
  choice,
  flag,
  integer,
  type OptionValues,
  optional,
  span,
  timeOf,
  UsageError,
  withDefault,
} from '../options.js'
import { showBefore } from '../output/clock.js'
import type { Outcome } from '../output/output.js'
import {
  crawlRows,
  pageRows,
  pageTable,
  TIMETABLE_FORMATS,
  timetableLines,
  timetableTable,
} from '../output/timetable.js'
import { count, percent, thousands } from '../output/wording.js'

const MAX_CRAWLS = 2 ** 31 - 1

const OPTIONS = {
  period: withDefault('<span>', `the time to plan for, again and again: ${SPAN_RULE}`, span('1d'), span),
  crawlers: optional('<n,n>', 'how many crawls each crawler can make in a period', capacities),
  crawls: optional('<n>', 'all crawls of a period (default: as many as the crawlers can)', integer(0, MAX_CRAWLS)),
  start: timeOf('when the period begins'),
  input: choice('<format>', 'of the file (default: csv for names that end so, else jsonl)', RECORD_FORMATS),
  output: choice('<format>', 'of the timetable', TIMETABLE_FORMATS, 'table'),
  pages: flag('how often each page is crawled, and how stale it is, instead of the timetable'),
  unphased: flag('aim at the multiples of period / (crawls + 1), many pages at the same moments'),
  estimator: choice('<name>', 'how rates come from histories', RATE_ESTIMATOR_NAMES, 'cho-garcia-molina'),
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
    `printf '{"key":"/ferry","perDay":4}\\n{"key":"/inn","perDay":0.5}\\n' | freshdex schedule --crawls 6 --json`,
  ],
  async run([file], options) {
    const { period, json, output, estimator, start: startMs = Date.now() } = options
    const crawlers = capacitiesOf(options)
    if (json && output !== 'table') throw new UsageError('--json and --output exclude each other')
    if (options.pages && output !== 'table') throw new UsageError('--pages and --output exclude each other')
    const format = options.input ?? (file.endsWith('.csv') ? 'csv' : 'jsonl')
    const pages = await readCrawledPages(file, { format, periodMs: period, estimator })
    if (pages.length === 0) throw new Error(`there are no pages in ${sourceName(file)}`)
    showBefore(`planning the crawls of ${count(pages.length, 'page')}`)
    const schedule = await asUsage(() =>
      makeSchedule(pages, {
        period,
        capacities: crawlers,
        ...(options.crawls === undefined ? {} : { crawls: options.crawls }),
        phasing: options.unphased ? 'unphased' : 'phased',
      }),
    )
    const asked = options.crawls ?? sum(crawlers)
    const keys = pages.map(({ key }) => key)
    return outcomeOf(schedule, keys, { ...options, startMs, asked })
  },
})

interface Shown extends Pick<Options, 'period' | 'output' | 'pages'> {
  readonly startMs: number
  /** Crawls that could be made. */
  readonly asked: number
}

/** A timetable may have millions of rows: they are made as they are printed. */
function outcomeOf(schedule: Schedule, keys: readonly (string | number)[], shown: Shown): Outcome {
  const { period: periodMs, output, startMs } = shown
  const rows = () => crawlRows(schedule, keys, startMs)
  return {
    get json() {
      const { made, capacities, meanStaleness } = schedule
      const totals = { start: startMs, periodMs, crawls: made.length, crawlers: capacities, staleness: meanStaleness }
      return { ...totals, pages: pageRows(schedule, keys), timetable: [...rows()] }
    },
    get text() {
      if (output !== 'table') return timetableLines(rows(), output)
      const table = shown.pages ? pageTable(pageRows(schedule, keys)) : timetableTable(rows())
      return `${table}\n${summary(schedule, shown)}`
    },
  }
}

function summary({ made, crawls, meanStaleness, capacities }: Schedule, { asked, startMs }: Shown): string {
  const idle = asked - made.length
  const unused = idle === 0 ? '' : `; ${count(idle, 'more crawl')} would be of no use`
  const who = count(capacities.length, 'crawler')
  const what = `${count(made.length, 'crawl')} of ${count(crawls.length, 'page')} by ${who} from ${isoTime(startMs)} on`
  return `${what}: copies are stale ${percent(meanStaleness)} of the time${unused}`
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
