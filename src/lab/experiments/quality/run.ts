/**
 * How good the answers of a repository are under a policy and a budget: the experiment of User-centric crawling,
 * section 6, as tasks that can run on any thread. Everything follows from the files, the spec and the task.
 */

import { choiceOption, numberOption } from '../../../base/checks.js'
import { describe } from '../../../base/describe.js'
import type { PolicyName } from '../../../index.js'
import { ChangeSignals } from '../../choosers/change-signals.js'
import { IndexChooser } from '../../choosers/index-chooser.js'
import { type CycleGain, MeasuredIndex } from '../../choosers/measured-index.js'
import {
  type AgeQuantiles,
  type ReplayOptions,
  type ReplayResult,
  replay,
  replayWaiting,
} from '../../quality/replay.js'
import type { QualityInput } from './input.js'
import { packLosses } from './intervals.js'
import { type ChoosingContext, QUALITY_MODES, type QualityMode, type QualityPolicy, requirePolicy } from './policies.js'
import { openSource } from './spec.js'

/** How often somebody would cluster the pages of a site anew. */
const CLUSTERING_STEPS = 8

export interface QualityTask {
  /** A name of QUALITY_POLICIES. */
  readonly policy: string
  readonly mode: QualityMode
  /** Refreshes per step, as a share of the pages: above 0, at most 1. */
  readonly budgetShare: number
}

export interface QualityRow extends QualityTask {
  /** Refreshes per step; may be a fraction. */
  readonly budget: number
  readonly meanQuality: number
  readonly minQuality: number
  /** null where nothing is ever lost. */
  readonly lossShare: number | null
  /** By step, from the second one on. */
  readonly qualities: readonly number[]
  /** Over all steps. */
  readonly refreshes: number
  /** The share of refreshes that found a change. */
  readonly changeRatio: number
  /** How old the copies are at the end. */
  readonly agesMs: AgeQuantiles
  /** By query, its part of 1 − meanQuality: see packed-losses.ts. */
  readonly queryLosses: string
  /** Of policies of the product: what their refreshes were expected to gain, and what they did. */
  readonly cycleGains?: readonly CycleGain[]
  /** Of SBR and EBR: the shingle threshold that did best. */
  readonly threshold?: number
}

/** Throws for a task that cannot be, without running anything. */
export function checkQualityTask({ policy, mode, budgetShare }: QualityTask): void {
  const { modes } = requirePolicy(policy)
  choiceOption('mode', mode, 'offline', QUALITY_MODES)
  if (!modes.includes(mode))
    throw new RangeError(`the policy ${policy} has no mode ${describe(mode)}; it has ${modes.join(', ')}`)
  if (budgetShare === undefined) throw new TypeError('a task needs a budgetShare: refreshes per step by pages')
  const share = numberOption('budgetShare', budgetShare, 1, { min: 0, aboveMin: true })
  if (share > 1) throw new RangeError(`budgetShare must be at most 1, all pages, received ${share}`)
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
    agesMs: result.agesMs,
    queryLosses: packLosses(result.queryLosses),
    ...(result.cycleGains === undefined ? {} : { cycleGains: result.cycleGains }),
    ...(threshold === undefined ? {} : { threshold }),
  }
}

interface TaskResult extends ReplayResult {
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
  const rates = spec.signals ?? { missRate: 0, falseAlarmRate: 0 }
  const signals = task.mode === 'signals' ? new ChangeSignals(timeline, rates, spec.seed) : undefined
  const options: ReplayOptions = {
    budget,
    untouched: input.untouchedQuality,
    onStep: ({ step }) => onDone(step / (timeline.atMs.length - 1)),
  }
  if (policy.indexPolicy?.modes.includes(task.mode)) {
    return replayByIndex(input, policy.indexPolicy.name, signals, options)
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
  return replay(input, policy.choose!(context), options)
}

async function replayByIndex(
  input: QualityInput,
  policy: PolicyName,
  signals: ChangeSignals | undefined,
  options: ReplayOptions,
): Promise<TaskResult> {
  const { spec, timeline } = input
  const hasClusters = policy === 'cluster-sampling'
  const clusters = hasClusters ? { everySteps: CLUSTERING_STEPS, seed: spec.seed } : undefined
  const index = await MeasuredIndex.open(await openSource(spec), timeline, { terms: 'full', isStoring: hasClusters })
  try {
    const chooser = new IndexChooser(index, { policy, signals, clusters })
    // It measures by itself.
    const result = await replayWaiting(input, chooser, { ...options, tellsGains: false })
    return { ...result, cycleGains: index.cycleGains() }
  } finally {
    await index.close()
  }
}

/** 0.01 · 1,400 is to be 14. */
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
