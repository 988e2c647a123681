import { type Command, InvalidArgumentError, Option } from 'commander'
import { makeSchedule, RATE_ESTIMATOR_NAMES, type RateEstimatorName, type Schedule } from '../../schedule/index.js'
import { addExamples, asUsage, integer, UsageError } from '../command.js'
import { STDIN, sourceName } from '../input/lines.js'
import { RECORD_FORMATS, type RecordFormat } from '../input/records.js'
import { type CrawledPage, readCrawledPages } from '../input/schedule-pages.js'
import { isoTime, SPAN_RULE, span, TIME_RULE, time } from '../input/values.js'
import { print, printJson, printLines } from '../output/output.js'
import {
  crawlRows,
  pageRows,
  pageTable,
  TIMETABLE_FORMATS,
  type TimetableFormat,
  timetableLines,
  timetableTable,
} from '../output/timetable.js'
import { count, percent, thousands } from '../output/wording.js'

interface ScheduleCommandOptions {
  readonly period: number
  readonly crawlers?: readonly number[]
  readonly crawls?: number
  readonly start?: number
  readonly input?: RecordFormat
  readonly output: TimetableFormat
  readonly unphased: boolean
  readonly estimator: RateEstimatorName
  readonly pages: boolean
  readonly json: boolean
}

const MAX_CRAWLS = 2 ** 31 - 1

export function addScheduleCommand(program: Command): void {
  const command = program
    .command('schedule')
    .description('how often, when and by which crawler each page is crawled, so that copies are stale least')
    .argument('[file]', 'pages, one a line, as JSON or CSV; -: standard input', STDIN)
    .option('--period <span>', `the time to plan for, again and again: ${SPAN_RULE}`, span, span('1d'))
    .option('--crawlers <n,n>', 'how many crawls each crawler can make in a period', capacities)
    .option('--crawls <n>', 'all crawls of a period (default: as many as the crawlers can)', integer(0, MAX_CRAWLS))
    .option('--start <time>', `when the period begins: ${TIME_RULE} (default: now)`, time)
    .addOption(
      new Option('--input <format>', 'of the file (default: csv for names that end so, else jsonl)').choices(
        RECORD_FORMATS,
      ),
    )
    .addOption(new Option('--output <format>', 'of the timetable').choices(TIMETABLE_FORMATS).default('table'))
    .option('--pages', 'how often each page is crawled, and how stale it is, instead of the timetable', false)
    .option('--unphased', 'aim at the multiples of period / (crawls + 1), many pages at the same moments', false)
    .addOption(
      new Option('--estimator <name>', 'how rates come from histories')
        .choices(RATE_ESTIMATOR_NAMES)
        .default('cho-garcia-molina'),
    )
    .option('--json', 'print one JSON document', false)
    .action(runScheduleCommand)
  addExamples(
    command,
    'freshdex schedule pages.jsonl --crawls 1000',
    'freshdex schedule pages.csv --period 7d --crawlers 500,500,200 --start 2026-11-16 --output csv',
    `printf '{"key":"/ferry","perDay":4}\\n{"key":"/inn","perDay":0.5}\\n' | freshdex schedule --crawls 6 --json`,
  )
}

async function runScheduleCommand(file: string, options: ScheduleCommandOptions): Promise<void> {
  const { period, json, output, estimator, start: startMs = Date.now() } = options
  const crawlers = capacitiesOf(options)
  if (json && output !== 'table') throw new UsageError('--json and --output exclude each other')
  if (options.pages && output !== 'table') throw new UsageError('--pages and --output exclude each other')
  const format = options.input ?? (file.endsWith('.csv') ? 'csv' : 'jsonl')
  const pages = await readCrawledPages(file, { format, periodMs: period, estimator })
  if (pages.length === 0) throw new Error(`there are no pages in ${sourceName(file)}`)
  const schedule = await asUsage(() =>
    makeSchedule(pages, {
      period,
      capacities: crawlers,
      ...(options.crawls === undefined ? {} : { crawls: options.crawls }),
      phasing: options.unphased ? 'unphased' : 'phased',
    }),
  )
  const keys = pages.map(({ key }) => key)
  const rows = () => crawlRows(schedule, keys, startMs)
  if (json) printJson(documentOf(schedule, pages, [...rows()], { periodMs: period, startMs }))
  else if (output !== 'table') await printLines(timetableLines(rows(), output))
  else {
    print(options.pages ? pageTable(pageRows(schedule, keys)) : timetableTable(rows()))
    print(summary(schedule, { asked: options.crawls ?? sum(crawlers), startMs }))
  }
}

function documentOf(
  schedule: Schedule,
  pages: readonly CrawledPage[],
  timetable: readonly object[],
  { periodMs, startMs }: { readonly periodMs: number; readonly startMs: number },
): object {
  const keys = pages.map(({ key }) => key)
  const { made, capacities, meanStaleness } = schedule
  const totals = { start: startMs, periodMs, crawls: made.length, crawlers: capacities, staleness: meanStaleness }
  return { ...totals, pages: pageRows(schedule, keys), timetable }
}

function summary(
  { made, crawls, meanStaleness, capacities }: Schedule,
  { asked, startMs }: { readonly asked: number; readonly startMs: number },
): string {
  const idle = asked - made.length
  const unused = idle === 0 ? '' : `; ${count(idle, 'more crawl')} would be of no use`
  const who = count(capacities.length, 'crawler')
  const what = `${count(made.length, 'crawl')} of ${count(crawls.length, 'page')} by ${who} from ${isoTime(startMs)} on`
  return `${what}: copies are stale ${percent(meanStaleness)} of the time${unused}`
}

function capacitiesOf({ crawlers, crawls }: ScheduleCommandOptions): readonly number[] {
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
