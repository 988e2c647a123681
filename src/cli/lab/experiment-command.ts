/** Options that experiments share, and readers of their values. */

import { existsSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { LongevityProgress } from '../../lab/experiments/longevity/run.js'
import type { QualityProgress } from '../../lab/experiments/quality/input.js'
import { type FolderSpec, QUALITY_SCORINGS, type QualityScoring } from '../../lab/experiments/quality/spec.js'
import type { RunProgress } from '../../lab/frame/experiment.js'
import type { ResultFile } from '../../lab/frame/result-file.js'
import { htmlReport, type Report } from '../../lab/report/html.js'
import { folder, integer } from '../command.js'
import { warn as complain, EXIT_INTERRUPTED, print, printJson } from '../output/output.js'
import { type Progress, showProgress } from '../output/progress.js'
import { count } from '../output/wording.js'

/** Of a world that is replayed, and of the scores of its pages. */
export interface WorldOptions {
  readonly data: string
  readonly scoring: QualityScoring
  readonly queries: number
  readonly pages: 'always' | 'all'
  readonly seed: number
}

export interface LabOutputOptions {
  readonly report?: string
  readonly json: boolean
}

export interface RunOptions {
  readonly workers: number
  readonly resume?: string
}

const MOST_QUERIES = 1_000_000
const MOST_WORKERS = 256
export const DEFAULT_SEED = 1

/** Of every experiment with a world. */
export function addDataOptions(command: Command): Command {
  return addQueriesOption(command.addOption(dataOption().makeOptionMandatory()))
}

export function dataOption(): Option {
  const description = 'the folder of the world: pages, and a queries.tsv of what people ask'
  return new Option('--data <folder>', description).argParser(folder)
}

export function addQueriesOption(command: Command): Command {
  return command.option('--queries <n>', 'so many queries, the most frequent', integer(1, MOST_QUERIES), 3000)
}

/** Of those that score its pages. */
export function addWorldOptions(command: Command): Command {
  return addScoringOptions(addDataOptions(command))
}

export function addScoringOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--scoring <model>', 'how answers are scored; inlinks needs a links.ndjson.gz')
        .choices(QUALITY_SCORINGS)
        .default('tfidf'),
    )
    .addOption(
      new Option('--pages <which>', 'always: pages that are there at every step; all: also those that come or go')
        .choices(['always', 'all'])
        .default('always'),
    )
    .option('--seed <n>', 'of everything that is left to chance', seed, DEFAULT_SEED)
}

export function addRunOptions(command: Command): Command {
  return command
    .option(
      '--workers <n>',
      'threads (default: one for each core)',
      integer(1, MOST_WORKERS),
      os.availableParallelism(),
    )
    .option('--resume <file>', 'keep results in this file, and take from it what is known already', filePath)
}

export function addOutputOptions(command: Command): Command {
  return command
    .option('--report <file>', 'write an HTML page with tables and plots', newFile)
    .option('--json', 'print one JSON document', false)
}

export function worldSpec({ data, scoring, queries, pages, seed }: WorldOptions): FolderSpec {
  return { data, scoring, queries, pages, seed }
}

/** A data set by name: where it lies is no part of a result. */
export function dataName(data: string): string {
  return path.basename(path.resolve(data))
}

export const seed = integer(0, 2 ** 32 - 1)

/** `0.1%,1%,10%` as shares of the pages. */
export function budgetShares(text: string): readonly number[] {
  const shares = text.split(',').map((part) => {
    const [, percent] = /^\s*(\d{1,3}(?:\.\d{1,9})?)%\s*$/.exec(part) ?? []
    return Number(percent) / 100
  })
  if (shares.every((share) => share > 0 && share <= 1)) return [...new Set(shares)]
  throw new InvalidArgumentError(
    'It must be shares of the pages with commas between them, each above 0% and at most 100%, such as 0.1%,1%,10%.',
  )
}

/** `5%` or 0%. */
export function rate(text: string): number {
  const [, percent] = /^(\d{1,3}(?:\.\d{1,9})?)%$/.exec(text) ?? []
  const share = Number(percent) / 100
  if (share >= 0 && share <= 1) return share
  throw new InvalidArgumentError('It must be a share from 0% to 100%, such as 5%.')
}

/** One or several of a few words, each once. */
export function oneOrMore<Choice extends string>(choices: readonly Choice[]): (text: string) => readonly Choice[] {
  return (text) => {
    const words = [...new Set(text.split(','))]
    const unknown = words.find((word) => !(choices as readonly string[]).includes(word))
    if (unknown === undefined) return words as Choice[]
    throw new InvalidArgumentError(`It must be one or several of ${choices.join(', ')}, with commas between them.`)
  }
}

function filePath(text: string): string {
  if (text === '' || (existsSync(text) && statSync(text).isDirectory()))
    throw new InvalidArgumentError('It must be the path of a file.')
  return text
}

/** Its folder must be there: long work is not to end without a place for its result. */
function newFile(text: string): string {
  const file = filePath(text)
  const parent = path.dirname(file)
  if (existsSync(parent) && statSync(parent).isDirectory()) return file
  throw new InvalidArgumentError(`There is no folder ${parent}.`)
}

/** What all experiments do around their work. */

/** Until SIGINT, which ends it with the exit status that says so; whether it came to its end. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    await work(stop.signal)
    return true
  } catch (error) {
    if (!stop.signal.aborted) throw error
    process.exitCode = EXIT_INTERRUPTED
    return false
  } finally {
    process.off('SIGINT', interrupt)
  }
}

/**
 * The same for runs whose results are kept, if there is a file for them: it is closed, and who interrupts is told what
 * it has.
 */
export async function untilInterruptedKeeping<Task, Result>(
  results: ResultFile<Task, Result> | undefined,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const before = results?.size ?? 0
  try {
    const isDone = await untilInterrupted(work)
    if (isDone || results === undefined) return
    const added = count(results.size - before, 'new result')
    complain(`interrupted; ${results.file} has ${added}: the same command goes on from there`)
  } finally {
    results?.close()
  }
}

/** How far the loading of an experiment is. */
interface LoadingProgress {
  readonly stage: keyof typeof STAGES
  readonly done: number
  /** Undefined while it is not known. */
  readonly total: number | undefined
}

const STAGES = {
  reading: 'steps read',
  scoring: 'steps scored',
  measuring: 'steps measured',
  comparing: 'pages compared',
} as const satisfies Record<QualityProgress['stage'] | LongevityProgress['stage'], string>

/** A bar for each stage. */
export async function withLoadingProgress<T>(
  load: (onProgress: (progress: LoadingProgress) => void) => Promise<T>,
): Promise<T> {
  let bar: Progress | undefined
  let shown: LoadingProgress | undefined
  try {
    return await load((progress) => {
      // A stage that begins anew counts from its beginning.
      if (bar === undefined || shown?.stage !== progress.stage || progress.done < shown.done) {
        bar?.stop()
        bar = showProgress(progress.total, STAGES[progress.stage], { hasTimeLeft: true })
      }
      shown = progress
      bar.update({ part: progress.done, things: progress.done })
    })
  } finally {
    bar?.stop()
  }
}

/** One bar, for steps of which it is known how many there are. */
export async function withStepProgress<T>(
  noun: string,
  run: (onProgress: (progress: { readonly done: number; readonly total: number }) => void) => Promise<T>,
): Promise<T> {
  let bar: Progress | undefined
  try {
    return await run(({ done, total }) => {
      bar ??= showProgress(total, noun, { hasTimeLeft: true })
      bar.update({ part: done, things: done })
    })
  } finally {
    bar?.stop()
  }
}

export async function withRunProgress<T>(run: (onProgress: (progress: RunProgress) => void) => Promise<T>): Promise<T> {
  let bar: Progress | undefined
  try {
    return await run(({ doneTasks, tasks, part }) => {
      bar ??= showProgress(tasks, `of ${tasks} runs`, { hasTimeLeft: true })
      bar.update({ part, things: doneTasks })
    })
  } finally {
    bar?.stop()
  }
}

export interface LabOutput {
  /** For --json. */
  readonly json: object
  readonly report: Report
  /** For a terminal. */
  readonly text: string
}

/** The report first: a command that fails prints nothing. */
export function giveOut({ json, report, text }: LabOutput, options: LabOutputOptions): void {
  if (options.report !== undefined) writeFileSync(options.report, htmlReport(report))
  if (options.json) printJson(json)
  else print(text)
}
