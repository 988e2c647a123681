/** The frame of a lab command: options that experiments share, progress, interruption, and what is printed. */
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import { InvalidArgumentError } from 'commander'
import { QUALITY_SCORINGS } from '../../lab/experiments/quality/spec.js'
import {
  type Experiment,
  type ExperimentOptions,
  type LoadProgress,
  runExperiment,
} from '../../lab/frame/experiment.js'
import { ResultFile, type ResultQuestion } from '../../lab/frame/result-file.js'
import { CONSIDERED_PAGES } from '../../lab/quality/counted-world.js'
import { htmlReport } from '../../lab/report/html.js'
import { type Report, reportText } from '../../lab/report/report.js'
import type { Command } from '../command.js'
import {
  asUsage,
  choice,
  filePath,
  folder,
  integer,
  newFile,
  type OptionTable,
  type OptionValues,
  optional,
  required,
  seed,
  withDefault,
} from '../options.js'
import { EXIT_INTERRUPTED, type Outcome } from '../output/output.js'
import { type Progress, showProgress } from '../output/progress.js'
import { count } from '../output/wording.js'

const MOST_QUERIES = 1_000_000
const MOST_WORKERS = 256
export const DEFAULT_SEED = 1
export const DATA_TEXT = 'the folder of the world: pages, and a queries.tsv of what people ask'

export const DATA = required('<folder>', DATA_TEXT, folder)
export const QUERIES = withDefault('<n>', 'so many queries, the most frequent', 3000, integer(1, MOST_QUERIES))
export const SEED = withDefault('<n>', 'of everything that is left to chance', DEFAULT_SEED, seed)

/** How the answers of a world are scored, and from which of its pages they come. */
export const SCORING_OPTIONS = {
  scoring: choice('<model>', 'how answers are scored; inlinks needs a links.ndjson.gz', QUALITY_SCORINGS, 'tfidf'),
  pages: choice(
    '<which>',
    'always: pages that are there at every step; changed: of these, those that change; all: also those that come or go',
    CONSIDERED_PAGES,
    'always',
  ),
  seed: SEED,
}

const REPORT_OPTIONS = { report: optional('<file>', 'write an HTML page with tables and plots', newFile) }

/** The options of an experiment of several tasks, which run on threads and whose results are worth keeping. */
export const RESUMABLE_OPTIONS = {
  workers: {
    ...withDefault('<n>', 'threads', os.availableParallelism(), integer(1, MOST_WORKERS)),
    defaultText: 'one for each core',
  },
  resume: optional('<file>', 'keep results in this file, and take from it what is known already', filePath),
  ...REPORT_OPTIONS,
}

/** What the frame adds to the options of an experiment. */
export type FrameOptions = Partial<OptionValues<typeof RESUMABLE_OPTIONS>>

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

/** What the command of an experiment says of itself; the experiment has its name. */
export interface ExperimentCommand<Table extends OptionTable, Spec> {
  readonly summary: string
  /** The options of this experiment; those of the frame follow them. */
  readonly options: Table
  readonly examples: readonly string[]
  /** More parts of the help, by their headings. */
  readonly sections?: Readonly<Record<string, string>>
  spec(options: OptionValues<Table>): Spec
  /** Removes what spec() has made, however the command ends. */
  cleanUp?(spec: Spec): void
}

export function experimentCommand<Table extends OptionTable, Spec, Input, Task, Row, Result>(
  experiment: Experiment<Spec, Input, Task, Row, Result>,
  { summary, options, examples, sections, spec: specOf, cleanUp }: ExperimentCommand<Table, NoInfer<Spec>>,
): Command {
  const isResumable = experiment.question !== undefined
  return {
    name: experiment.name,
    summary,
    options: { ...options, ...(isResumable ? RESUMABLE_OPTIONS : REPORT_OPTIONS) },
    examples,
    ...(sections === undefined ? {} : { sections }),
    async run(_, values) {
      const given = values as unknown as OptionValues<Table> & FrameOptions
      const spec = specOf(given)
      try {
        return await outcomeOf(experiment, spec, given)
      } finally {
        cleanUp?.(spec)
      }
    },
  }
}

export async function outcomeOf<Spec, Input, Task, Row, Result>(
  experiment: Experiment<Spec, Input, Task, Row, Result>,
  spec: Spec,
  options: FrameOptions,
): Promise<Outcome> {
  await asUsage(() => experiment.check(spec))
  return runLab<Task, Row>(options, experiment.question?.bind(experiment, spec), async (settings) => {
    const result = await asUsage(() => runExperiment(experiment, spec, settings))
    return { json: experiment.json(result), report: experiment.report(result) }
  })
}

export interface LabOutput {
  readonly json: object
  readonly report: Report
}

/**
 * Runs an experiment with progress on the terminal, keeps its results if there is a file for them, and writes the
 * report if one is asked for. SIGINT ends the experiment with the exit status that says so, and whoever interrupts is
 * told what the file has.
 */
export async function runLab<Task, Row>(
  { workers = 1, resume, report: reportFile }: FrameOptions,
  question: (() => Promise<ResultQuestion>) | undefined,
  run: (settings: ExperimentOptions<Task, Row>) => Promise<LabOutput>,
): Promise<Outcome> {
  const results =
    resume === undefined || question === undefined ? undefined : new ResultFile<Task, Row>(resume, await question())
  const before = results?.size ?? 0
  try {
    const output = await untilInterrupted((signal) =>
      withProgress((progress) => run({ workers, results, signal, ...progress })),
    )
    if (output === undefined) return interrupted(results, before)
    const { json, report } = output
    if (reportFile !== undefined) writeFileSync(reportFile, htmlReport(report))
    return { json, text: reportText(report) }
  } finally {
    results?.close()
  }
}

/** `before`: how many results the file had. */
function interrupted(results: { readonly file: string; readonly size: number } | undefined, before: number): Outcome {
  const status = EXIT_INTERRUPTED
  if (results === undefined) return { status }
  const added = count(results.size - before, 'new result')
  return { status, warnings: [`interrupted; ${results.file} has ${added}: the same command goes on from there`] }
}

/** What the work comes to; undefined after SIGINT. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
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
