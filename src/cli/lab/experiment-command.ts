/** The frame of a lab command: options that experiments share, progress, interruption, and what is printed. */

import { existsSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { QUALITY_SCORINGS } from '../../lab/experiments/quality/spec.js'
import {
  type Experiment,
  type ExperimentOptions,
  type LoadProgress,
  runExperiment,
} from '../../lab/frame/experiment.js'
import { ResultFile, type ResultQuestion } from '../../lab/frame/result-file.js'
import { htmlReport } from '../../lab/report/html.js'
import { type Report, reportText } from '../../lab/report/report.js'
import { addExamples } from '../command.js'
import { asUsage, folder, integer } from '../options.js'
import { EXIT_INTERRUPTED, print, printJson, warn } from '../output/output.js'
import { type Progress, showProgress } from '../output/progress.js'
import { count } from '../output/wording.js'

/** What the frame adds to the options of every experiment. */
export interface FrameOptions {
  readonly workers?: number
  readonly resume?: string
  readonly report?: string
  readonly json: boolean
}

const MOST_QUERIES = 1_000_000
const MOST_WORKERS = 256
export const DEFAULT_SEED = 1

/** The options of every experiment that needs a folder. */
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
    .addOption(seedOption())
}

export function seedOption(): Option {
  return new Option('--seed <n>', 'of everything that is left to chance').argParser(seed).default(DEFAULT_SEED)
}

function addRunOptions(command: Command): Command {
  return command
    .option(
      '--workers <n>',
      'threads (default: one for each core)',
      integer(1, MOST_WORKERS),
      os.availableParallelism(),
    )
    .option('--resume <file>', 'keep results in this file, and take from it what is known already', filePath)
}

function addOutputOptions(command: Command): Command {
  return command
    .option('--report <file>', 'write an HTML page with tables and plots', newFile)
    .option('--json', 'print one JSON document', false)
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

/** `5%` as a share; also `0%`. */
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

/** The folder of the file must be there: long work is not to end without a place for its result. */
function newFile(text: string): string {
  const file = filePath(text)
  const parent = path.dirname(file)
  if (existsSync(parent) && statSync(parent).isDirectory()) return file
  throw new InvalidArgumentError(`There is no folder ${parent}.`)
}

/** How the command of an experiment comes by its spec. */
export interface ExperimentCommand<Options, Spec> {
  spec(options: Options): Spec
  readonly examples: readonly string[]
  /** Removes what spec() has made, however the command ends. */
  cleanUp?(spec: Spec): void
}

/** Makes a command of an experiment: its own options are on the command already. */
export function addExperiment<Options extends object, Spec, Input, Task, Row, Result>(
  command: Command,
  experiment: Experiment<Spec, Input, Task, Row, Result>,
  { spec: specOf, examples, cleanUp }: ExperimentCommand<Options, Spec>,
): void {
  addFrame(command, examples, experiment.question !== undefined).action(async (options: Options & FrameOptions) => {
    const spec = specOf(options)
    try {
      await runExperimentOf(experiment, spec, options)
    } finally {
      cleanUp?.(spec)
    }
  })
}

export async function runExperimentOf<Spec, Input, Task, Row, Result>(
  experiment: Experiment<Spec, Input, Task, Row, Result>,
  spec: Spec,
  options: FrameOptions,
): Promise<void> {
  await asUsage(() => experiment.check(spec))
  await runLab<Task, Row>(options, experiment.question?.bind(experiment, spec), async (settings) => {
    const result = await asUsage(() => runExperiment(experiment, spec, settings))
    return { json: experiment.json(result), report: experiment.report(result) }
  })
}

/** Adds the options of the frame. Only results of several tasks are worth keeping. */
export function addFrame(command: Command, examples: readonly string[], isResumable: boolean): Command {
  addOutputOptions(isResumable ? addRunOptions(command) : command)
  addExamples(command, ...examples)
  return command
}

export interface LabOutput {
  readonly json: object
  readonly report: Report
}

/**
 * Runs an experiment with progress on the terminal, keeps its results if there is a file for them, and prints what it
 * found. SIGINT ends it with the exit status that says so, and whoever interrupts is told what the file has.
 */
export async function runLab<Task, Row>(
  options: FrameOptions,
  question: (() => Promise<ResultQuestion>) | undefined,
  run: (settings: ExperimentOptions<Task, Row>) => Promise<LabOutput>,
): Promise<void> {
  const { workers = 1, resume } = options
  const results =
    resume === undefined || question === undefined ? undefined : new ResultFile<Task, Row>(resume, await question())
  const before = results?.size ?? 0
  try {
    const output = await untilInterrupted((signal) =>
      withProgress((progress) => run({ workers, results, signal, ...progress })),
    )
    if (output !== undefined) giveOut(output, options)
    else if (results !== undefined) {
      const added = count(results.size - before, 'new result')
      warn(`interrupted; ${results.file} has ${added}: the same command goes on from there`)
    }
  } finally {
    results?.close()
  }
}

/** What the work comes to; undefined after SIGINT, which sets the exit status. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    process.exitCode = EXIT_INTERRUPTED
    return undefined
  } finally {
    process.off('SIGINT', interrupt)
  }
}

const STAGES: Readonly<Record<LoadProgress['stage'], string>> = {
  reading: 'steps read',
  scoring: 'steps scored',
  measuring: 'steps measured',
  comparing: 'pages compared',
}

/** A bar for each stage of loading, and one for the tasks. */
async function withProgress<T>(
  work: (progress: Required<Pick<ExperimentOptions<never, never>, 'onLoad' | 'onRun'>>) => Promise<T>,
): Promise<T> {
  let bar: Progress | undefined
  let shown = { noun: '', part: 0 }
  const show = (noun: string, total: number | undefined, part: number, things: number) => {
    // A stage that begins anew counts from its beginning.
    if (bar === undefined || noun !== shown.noun || part < shown.part) {
      bar?.stop()
      bar = showProgress(total, noun, { hasTimeLeft: true })
    }
    shown = { noun, part }
    bar.update({ part, things })
  }
  try {
    return await work({
      onLoad: ({ stage, done, total }) => show(STAGES[stage], total, done, done),
      onRun: ({ doneTasks, tasks, part }) => show(`of ${count(tasks, 'run')}`, tasks, part, doneTasks),
    })
  } finally {
    bar?.stop()
  }
}

/** The report comes first: a command that fails prints nothing. */
function giveOut({ json, report }: LabOutput, options: FrameOptions): void {
  if (options.report !== undefined) writeFileSync(options.report, htmlReport(report))
  if (options.json) printJson(json)
  else print(reportText(report))
}
