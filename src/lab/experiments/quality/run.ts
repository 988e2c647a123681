/**
 * How good the answers of a repository are under a policy and a budget: the experiment of User-centric crawling,
 * section 6.
 */

import { createHash } from 'node:crypto'
import { DEFAULT_POLICY, type PolicyChoice } from '../../../index.js'
import { ChangeSignals } from '../../choosers/change-signals.js'
import { IndexChooser } from '../../choosers/index-chooser.js'
import { type CycleGain, type MeasuredFits, MeasuredIndex } from '../../choosers/measured-index.js'
import type { Experiment } from '../../frame/experiment.js'
import { folderDigest, type ResultQuestion } from '../../frame/result-file.js'
import { embarrassment } from '../../quality/freshness.js'
import {
  type AgeQuantiles,
  type ReplayOptions,
  type ReplayResult,
  replay,
  replayWaiting,
} from '../../quality/replay.js'
import { folderName } from '../../worlds/folder-tables.js'
import type { IndexAnswering } from './index-answering.js'
import { loadQualityInput, type QualityInput } from './input.js'
import { lossIntervals, packLosses } from './intervals.js'
import { type ChoosingContext, type QualityPolicy, requirePolicy } from './policies.js'
import { type QualityResult, qualityJson, qualityReport } from './report.js'
import { checkQualityTask, checkSpec, openSource, type QualityRunsSpec, type QualityTask } from './spec.js'

/** How often somebody would cluster the pages of a site anew. */
const CLUSTERING_STEPS = 8

/** Result pages of Optimal crawling strategies, section 5: five of ten answers. */
const SHOWN_ANSWERS = 50

/** Signals that miss no change and give no false alarm. */
const NO_ERRORS = { missRate: 0, falseAlarmRate: 0 }

export interface QualityRow extends QualityTask {
  /** Refreshes per step; may be a fraction. */
  readonly budget: number
  readonly meanQuality: number
  readonly minQuality: number
  /** null where nothing is ever lost. */
  readonly lossShare: number | null
  /** By step, from the second one on. */
  readonly qualities: readonly number[]
  /** The number of refreshes, over all steps. */
  readonly refreshes: number
  /** The share of refreshes that found a change. */
  readonly changeRatio: number
  /**
   * Clicks on stale copies, by query asked, of what five pages of ten answers show: the mean over the steps. Absent in
   * rows of earlier runs.
   */
  readonly embarrassment?: number
  /** How old the copies are at the end. */
  readonly agesMs: AgeQuantiles
  /** By query, its part of 1 − meanQuality, as packLosses() makes it. */
  readonly queryLosses: string
  /** What the refreshes of the product's own policies were expected to gain, and what they gained. */
  readonly cycleGains?: readonly CycleGain[]
  /** The shingle threshold that did best, for SBR and EBR. */
  readonly threshold?: number
}

export const quality: Experiment<QualityRunsSpec, QualityInput, QualityTask, QualityRow, QualityResult> = {
  name: 'quality',
  check: (spec) => {
    checkSpec(spec)
    for (const task of spec.tasks) checkQualityTask(task)
  },
  question,
  tasks: ({ tasks }) => tasks,
  load: (spec, missing, tell) =>
    loadQualityInput({ ...spec, policies: [...new Set(missing.map(({ policy }) => policy))] }, tell),
  run: runQualityTask,
  conclude: (spec, input, rows) => {
    const { timeline, scores, leftOut, untouchedQuality, untouchedLosses } = input
    return {
      spec,
      data: typeof spec.data === 'string' ? folderName(spec.data) : spec.data.world,
      pages: timeline.urls.length,
      steps: timeline.atMs.length,
      queries: scores.weights.length,
      leftOut,
      untouchedQuality,
      rows,
      intervals: lossIntervals(rows, { untouchedLosses, defaultPolicy: DEFAULT_POLICY, seed: spec.seed }),
      defaultPolicy: DEFAULT_POLICY,
    }
  },
  report: qualityReport,
  json: qualityJson,
}

/** Generated worlds of any seed share a file, so that a later run with more of them goes on. */
async function question(spec: QualityRunsSpec): Promise<ResultQuestion> {
  const { data, queriesFile, scoring, queries, pages, seed, signals, answering, asked, fits = 'each-step' } = spec
  const { missRate, falseAlarmRate } = signals ?? NO_ERRORS
  if (typeof data !== 'string')
    return { experiment: 'quality trials', ...data, scoring, queries, missRate, falseAlarmRate, ...fitsOf(fits) }
  const digest = await folderDigest(data, queriesFile)
  return {
    ...{ experiment: 'quality', data: digest, scoring, queries, pages, seed, missRate, falseAlarmRate },
    ...fitsOf(fits),
    ...(answering === undefined ? {} : { answering: answeringText(answering) }),
    ...(asked === undefined ? {} : { asked: createHash('sha256').update(JSON.stringify(asked)).digest('hex') }),
  }
}

/** Files of runs from before there was a choice say nothing of it. */
function fitsOf(fits: MeasuredFits): { readonly fits?: MeasuredFits } {
  return fits === 'each-step' ? {} : { fits }
}

/** Where an index lies is no part of the question, as little as where the world lies. */
function answeringText({ index: _, ...answering }: IndexAnswering): string {
  return JSON.stringify(answering)
}

/** `onStep`: told how much of the task is done, from 0 to 1. */
export async function runQualityTask(
  input: QualityInput,
  task: QualityTask,
  onStep?: (done: number) => void,
): Promise<QualityRow> {
  checkQualityTask(task)
  const policy = requirePolicy(task.policy)
  requireNeeds(input, policy)
  const tries = policy.thresholds ?? [undefined]
  let best: { readonly result: TaskResult; readonly threshold: number | undefined } | undefined
  for (const [at, threshold] of tries.entries()) {
    const result = await runOnce(input, task, policy, threshold, (done) => onStep?.((at + done) / tries.length))
    if (best === undefined || result.meanQuality > best.result.meanQuality) best = { result, threshold }
  }
  const { result, threshold } = best!
  return {
    policy: task.policy,
    mode: task.mode,
    budgetShare: task.budgetShare,
    budget: budgetOf(input, task),
    meanQuality: result.meanQuality,
    minQuality: result.minQuality,
    lossShare: result.lossShare ?? null,
    qualities: [...result.qualities],
    refreshes: result.refreshes,
    changeRatio: result.changeRatio,
    embarrassment: result.embarrassment,
    agesMs: result.agesMs,
    queryLosses: packLosses(result.queryLosses),
    ...(result.cycleGains === undefined ? {} : { cycleGains: result.cycleGains }),
    ...(threshold === undefined ? {} : { threshold }),
  }
}

interface TaskResult extends ReplayResult {
  readonly embarrassment: number
  readonly cycleGains?: readonly CycleGain[]
}

async function runOnce(
  input: QualityInput,
  task: QualityTask,
  policy: QualityPolicy,
  threshold: number | undefined,
  onDone: (done: number) => void,
): Promise<TaskResult> {
  const { spec, timeline } = input
  const budget = budgetOf(input, task)
  const rates = spec.signals ?? NO_ERRORS
  const signals = task.mode === 'signals' ? new ChangeSignals(timeline, rates, spec.seed) : undefined
  const steps = timeline.atMs.length - 1
  let clicks = 0
  const options: ReplayOptions = {
    budget,
    untouched: input.untouchedQuality,
    onStep: (state) => {
      clicks += embarrassment(state, undefined, SHOWN_ANSWERS)
      onDone(state.step / steps)
    },
  }
  if (policy.indexPolicy?.modes.includes(task.mode)) {
    const result = await replayByIndex(input, policy.indexPolicy.choice, signals, options)
    return { ...result, embarrassment: clicks / steps }
  }
  const context: ChoosingContext = {
    timeline,
    scores: input.scores,
    gains: input.gains,
    mode: task.mode,
    budget,
    seed: spec.seed,
    signals,
    ...(input.differences === undefined ? {} : { differences: input.differences }),
    ...(threshold === undefined ? {} : { threshold }),
  }
  const result = replay(input, policy.choose!(context), options)
  return { ...result, embarrassment: clicks / steps }
}

async function replayByIndex(
  input: QualityInput,
  policy: PolicyChoice,
  signals: ChangeSignals | undefined,
  options: ReplayOptions,
): Promise<Omit<TaskResult, 'embarrassment'>> {
  const { spec, timeline } = input
  const hasClusters = policy === 'cluster-sampling'
  const clusters = hasClusters ? { everySteps: CLUSTERING_STEPS, seed: spec.seed } : undefined
  const index = await MeasuredIndex.open(await openSource(spec), timeline, {
    ...{ terms: 'full', isStoring: hasClusters },
    ...(spec.fits === undefined ? {} : { fits: spec.fits }),
  })
  try {
    const chooser = new IndexChooser(index, { policy, signals, clusters })
    // The index measures by itself.
    const result = await replayWaiting(input, chooser, { ...options, tellsGains: false })
    return { ...result, cycleGains: index.cycleGains() }
  } finally {
    await index.close()
  }
}

/** Whole where rounding alone makes it a fraction: 0.01 · 1,400 is to be 14. */
function budgetOf({ timeline }: QualityInput, { budgetShare }: QualityTask): number {
  const exact = budgetShare * timeline.urls.length
  const whole = Math.round(exact)
  return Math.abs(exact - whole) < 1e-9 * timeline.urls.length && whole > 0 ? whole : exact
}

function requireNeeds(
  { differences, gains }: QualityInput,
  { name, thresholds, gains: estimator }: QualityPolicy,
): void {
  const isMissing =
    (thresholds !== undefined && differences === undefined) ||
    (estimator !== undefined && gains[estimator] === undefined)
  if (isMissing) throw new RangeError(`the input was not made for the policy ${name}: name it among spec.policies`)
}
