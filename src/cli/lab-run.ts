/** What all experiments do around their work. */
import { writeFileSync } from 'node:fs'
import type { QualityProgress } from '../lab/experiments/quality-experiment.js'
import type { LongevityProgress } from '../lab/longevity/longevity-experiment.js'
import { htmlReport, type Report } from '../lab/report/html-report.js'
import type { ResultFile } from '../lab/tasks/result-file.js'
import type { RunProgress } from '../lab/tasks/resumable-run.js'
import type { LabOutputOptions } from './lab-options.js'
import { complain, EXIT_INTERRUPTED, print, printJson } from './output.js'
import { type Progress, showProgress } from './progress.js'
import { count } from './wording.js'

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

/** The same for runs whose results are kept, if there is a file for them: it is closed, and who interrupts is told what it has. */
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
