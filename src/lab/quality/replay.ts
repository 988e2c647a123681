/**
 * Replays a world under a budget (User-centric crawling, section 6): the repository begins with a fresh copy of every
 * page of the first step; at each later step the world goes on, some pages are refreshed, and then the quality is
 * taken.
 */

import { numberOption } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import type { ViewLikelihood } from '../../workload/view-likelihood.js'
import { isFresh } from './freshness.js'
import { RepositoryQuality, type ScoredWorld } from './repository-quality.js'
import { NO_VERSION } from './timeline.js'

/** Decides which pages are refreshed. Deterministic: chance comes from a seed that its maker gives it. */
export interface Chooser {
  /**
   * Told once, before the first step: the state that the replay keeps, for reading. An honest chooser looks only at
   * what a repository knows of itself, such as stakes(); an oracle at more.
   */
  start?(state: RepositoryQuality): void
  /** Numbers of pages to refresh at this step: at most `budget`, none twice. */
  next(step: number, budget: number): Iterable<number>
  /** What became of each of them, in the same order, before the next step. */
  observe(page: number, outcome: RefreshOutcome): void
}

export interface RefreshOutcome {
  readonly step: number
  /** 'added': there was no copy. 'gone': the page is not there; its copy, if there was one, is removed. */
  readonly kind: 'same' | 'changed' | 'added' | 'gone'
  /**
   * ΔQ_A by the answer lists before the refreshes of this step, other pages taken to be as their copies. Exact in this
   * sense; an index estimates it. NaN where gains are not to be told.
   */
  readonly deltaQuality: number
}

export interface ReplayOptions {
  /** Refreshes per step, above 0, at most the number of pages. What a fraction leaves over goes to later steps. */
  readonly budget: number
  /** How likely a rank is viewed. Default r^-3/2. */
  readonly view?: ViewLikelihood
  /**
   * Whether the chooser is told what its refreshes gained, which takes a third of the time of a replay. Default true.
   */
  readonly tellsGains?: boolean
  /** The mean quality of this world and view when nothing is refreshed, if it is known: see untouchedLosses(). */
  readonly untouched?: number
  /** By page: what a change of it counts in the weighted ChangeRatio. Default: 1 for all. */
  readonly pageWeights?: Float64Array
  /** Told every step after its refreshes: for other metrics of the same state, and for progress. */
  readonly onStep?: (state: RepositoryQuality) => void
}

export interface ReplayResult {
  readonly meanQuality: number
  readonly minQuality: number
  /** (1 − Q) / (1 − Q when nothing is ever refreshed), of mean qualities; undefined when nothing can be lost. */
  readonly lossShare: number | undefined
  /** By step, from the second one on, after its refreshes. */
  readonly qualities: Float64Array
  readonly refreshes: number
  /** See change-ratio.ts. */
  readonly changeRatio: number
  /** By step, from the second one on. */
  readonly cycles: readonly DownloadCycle[]
  /** By query: its part of 1 − meanQuality. */
  readonly queryLosses: Float64Array
  /** How old the copies are at the end. */
  readonly agesMs: AgeQuantiles
}

export function replay(world: ScoredWorld, chooser: Chooser, options: ReplayOptions): ReplayResult {
  const steps = replaySteps(world, chooser, options)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** A chooser that has something to wait for, such as an index that takes signals and pages in. */
export interface WaitingChooser extends Chooser {
  /** The world has gone on; next() is asked for when this is done, with the same budget. */
  begun(step: number, budget: number): Promise<void>
  /** All of the step was observed; the next one begins when this is done. */
  settled(): Promise<void>
}

/** The same for a chooser that answers later: the replay waits for it. */
export async function replayWaiting(
  world: ScoredWorld,
  chooser: WaitingChooser,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const steps = replaySteps(world, chooser, options)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (value.isSettled) await chooser.settled()
    else await chooser.begun(value.step, value.budget)
  }
}

interface Pause {
  readonly step: number
  readonly budget: number
  /** After the refreshes of the step, not before. */
  readonly isSettled: boolean
}

/** Pauses before and after the refreshes of every step. */
function* replaySteps(
  world: ScoredWorld,
  chooser: Chooser,
  options: ReplayOptions,
): Generator<Pause, ReplayResult, undefined> {
  const { view, onStep, tellsGains = true } = options
  const budget = requireBudget(options.budget, world.timeline.urls.length)
  const state = new RepositoryQuality(world, view)
  chooser.start?.(state)
  const losses = new LossSums(state)
  const refreshedMs = new Float64Array(world.timeline.urls.length).fill(state.atMs)
  const cycles: DownloadCycle[] = []
  while (state.advance()) {
    const allowance = allowanceOf(state.step, budget)
    yield { step: state.step, budget: allowance, isSettled: false }
    const chosen = requireChoice(chooser.next(state.step, allowance), allowance, state)
    const outcomes = chosen.map((page) => outcomeOf(state, page, tellsGains))
    const changed = chosen.filter((page) => !isFresh(state.copies, page))
    const changedWeight = changed.reduce((sum, page) => sum + (options.pageWeights?.[page] ?? 1), 0)
    cycles.push({ downloaded: chosen.length, changed: changed.length, changedWeight })
    for (const page of chosen) {
      state.refresh(page)
      refreshedMs[page] = state.atMs
    }
    chosen.forEach((page, at) => {
      chooser.observe(page, outcomes[at]!)
    })
    losses.take()
    onStep?.(state)
    yield { step: state.step, budget: allowance, isSettled: true }
  }
  const { meanQuality, qualities } = losses
  const untouched = options.untouched ?? untouchedLosses(world, view).meanQuality
  return {
    meanQuality,
    minQuality: qualities.reduce((least, quality) => Math.min(least, quality), 1),
    lossShare: lossShare(meanQuality, untouched),
    qualities: Float64Array.from(qualities),
    queryLosses: losses.byQuery(),
    agesMs: ageQuantiles(agesOf(state, refreshedMs)),
    refreshes: cycles.reduce((sum, { downloaded }) => sum + downloaded, 0),
    changeRatio: changeRatio(cycles),
    cycles,
  }
}

/** What is lost when nothing is ever refreshed. */
export interface UntouchedLosses {
  readonly meanQuality: number
  /** By query: its part of 1 − meanQuality. */
  readonly queryLosses: Float64Array
}

export function untouchedLosses(world: ScoredWorld, view?: ViewLikelihood): UntouchedLosses {
  const state = new RepositoryQuality(world, view)
  const losses = new LossSums(state)
  while (state.advance()) losses.take()
  return { meanQuality: losses.meanQuality, queryLosses: losses.byQuery() }
}

/** Qualities step by step, and which queries lost what is missing. */
class LossSums {
  readonly #state: RepositoryQuality
  readonly qualities: number[] = []
  readonly #sums: Float64Array

  constructor(state: RepositoryQuality) {
    this.#state = state
    this.#sums = new Float64Array(state.weights.length)
  }

  /** Takes the quality of the state as it is now. */
  take(): void {
    this.qualities.push(this.#state.quality)
    this.#state.addLosses(this.#sums)
  }

  get meanQuality(): number {
    return meanOf(this.qualities)
  }

  byQuery(): Float64Array {
    const steps = Math.max(1, this.qualities.length)
    return this.#sums.map((sum) => sum / steps)
  }
}

/** The ages of the pages that have a copy, in milliseconds. */
function agesOf({ copies, atMs }: RepositoryQuality, refreshedMs: Float64Array): Float64Array {
  return refreshedMs.filter((_, page) => copies.local[page] !== NO_VERSION).map((ms) => atMs - ms)
}

/** What is left of the loss of a repository that is never refreshed; undefined when that loses nothing. */
export function lossShare(meanQuality: number, untouched: number): number | undefined {
  return untouched < 1 ? (1 - meanQuality) / (1 - untouched) : undefined
}

/** 1 for a world of one step, in which nothing can be lost. */
function meanOf(qualities: readonly number[]): number {
  return qualities.length === 0 ? 1 : qualities.reduce((sum, quality) => sum + quality, 0) / qualities.length
}

function requireBudget(budget: unknown, pages: number): number {
  if (budget === undefined) throw new TypeError('replay needs a budget: refreshes per step')
  const known = numberOption('budget', budget, 1, { min: 0, aboveMin: true })
  if (known > pages) throw new RangeError(`budget must be at most the number of pages, ${pages}, received ${known}`)
  return known
}

/** Whole refreshes of the step-th step, from 1 on, of a budget that may be a fraction; 0.29 · 100 is to be 29. */
export function allowanceOf(step: number, budget: number): number {
  const until = (steps: number) => Math.floor(steps * budget + 1e-9)
  return until(step) - until(step - 1)
}

function requireChoice(choice: Iterable<number>, allowance: number, { step, copies }: RepositoryQuality): number[] {
  const pages = [...choice]
  const fault = (what: string) => new RangeError(`step ${step}: the chooser ${what}`)
  if (pages.length > allowance) throw fault(`named ${pages.length} pages within a budget of ${allowance}`)
  const limit = copies.live.length
  const seen = new Set<number>()
  for (const page of pages) {
    if (!Number.isInteger(page) || page < 0 || page >= limit)
      throw fault(`must name integers from 0 to ${limit - 1}, received ${describe(page)}`)
    if (seen.has(page)) throw fault(`named page ${page} twice`)
    seen.add(page)
  }
  return pages
}

function outcomeOf(state: RepositoryQuality, page: number, tellsGains: boolean): RefreshOutcome {
  const { step, copies } = state
  const [local, live] = [copies.local[page]!, copies.live[page]!]
  if (local === live && live !== NO_VERSION) return { step, kind: 'same', deltaQuality: tellsGains ? 0 : Number.NaN }
  const kind = live === NO_VERSION ? 'gone' : local === NO_VERSION ? 'added' : 'changed'
  return { step, kind, deltaQuality: tellsGains ? state.measuredDeltaQuality(page) : Number.NaN }
}

/**
 * How old copies are, which tells whether a policy leaves some pages behind for ever. Each
 * quantile is an age that a page has, in the unit of the ages. All are 0 where there is no page.
 */
export interface AgeQuantiles {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

/** The p-th: the least age that so many per cent of the pages do not exceed. */
function ageQuantiles(ages: Float64Array): AgeQuantiles {
  const sorted = ages.toSorted()
  const quantile = (percent: number) => sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0
  return { p50: quantile(50), p90: quantile(90), p99: quantile(99), max: quantile(100) }
}

/**
 * How much of what was downloaded had changed (Douglis et al., as used by Tan and Mitra, Clustering-based incremental
 * web crawling).
 */
export interface DownloadCycle {
  readonly downloaded: number
  /** How many of them had changed; for the weighted ratio, the sum of their weights. */
  readonly changed: number
  readonly changedWeight?: number
}

/** Mean over the cycles that downloaded anything; 0 without any. */
export function changeRatio(cycles: Iterable<DownloadCycle>): number {
  let [sum, count] = [0, 0]
  for (const { downloaded, changed } of cycles) {
    if (downloaded === 0) continue
    sum += changed / downloaded
    count++
  }
  return count === 0 ? 0 : sum / count
}
