/**
 * How likely each of the known times of a quasi-deterministic page ("Optimal crawling strategies", section 2.3.3) brings an update, from
 * visits: the probabilities that make them most likely. Which of the times since the last visit it was is hidden, so the
 * maximum is climbed by expectation and maximisation: updates are shared out among the times by the probabilities of the round before.
 */
import { QuasiDeterministicLaw } from '../laws/quasi-deterministic.js'
import type { VisitHistory } from '../visit-history.js'
import type { FittedLaw } from './renewal-fits.js'

const MAX_ROUNDS = 1000
const TOLERANCE = 1e-10

export interface UpdateTimes {
  readonly periodMs: number
  /** When an update may happen, ascending, in [0, periodMs]. */
  readonly timesMs: readonly number[]
  /** When the first visit of all was, which the history begins after; the pattern repeats from 0. */
  readonly startMs: number
}

/** Undefined when a visit saw a change that none of the times can have brought. */
export function fitQuasiDeterministic(
  history: VisitHistory,
  { periodMs, timesMs, startMs }: UpdateTimes,
): FittedLaw<QuasiDeterministicLaw> | undefined {
  const lawOf = (probabilities: readonly number[]) =>
    new QuasiDeterministicLaw({ period: periodMs, times: timesMs, probabilities })
  // Refuses what is no pattern before anything is made of it.
  lawOf(timesMs.map(() => 0))
  let atMs = startMs
  const gaps = history.map(({ intervalMs, changed }) => {
    const fromMs = atMs
    atMs += intervalMs
    return { changed, chances: timesMs.map((time) => occurrences(time, periodMs, fromMs, fromMs + intervalMs)) }
  })
  if (gaps.some(({ changed, chances }) => changed && chances.every((count) => count === 0))) return undefined
  const probabilities = climbed(gaps, timesMs.length)
  return {
    law: lawOf(probabilities),
    logLikelihood: gaps.reduce((sum, gap) => sum + logProbability(gap, probabilities), 0),
    parameters: timesMs.length,
  }
}

interface VisitGap {
  readonly changed: boolean
  /** How often each of the times lies in the gap. */
  readonly chances: readonly number[]
}

function climbed(gaps: readonly VisitGap[], times: number): number[] {
  const totals = Array.from({ length: times }, (_, at) => gaps.reduce((sum, { chances }) => sum + chances[at]!, 0))
  let probabilities: number[] = totals.map((total) => (total === 0 ? 0 : 0.5))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = probabilities
    const updates = before.map(() => 0)
    for (const { changed, chances } of gaps) {
      if (!changed) continue
      const changeProbability = 1 - quietProbability(chances, before)
      for (const [at, count] of chances.entries()) updates[at]! += (count * before[at]!) / changeProbability
    }
    probabilities = updates.map((count, at) => (totals[at] === 0 ? 0 : Math.min(1, count / totals[at]!)))
    if (probabilities.every((value, at) => Math.abs(value - before[at]!) <= TOLERANCE)) break
  }
  return probabilities
}

function logProbability({ changed, chances }: VisitGap, probabilities: readonly number[]): number {
  const quiet = quietProbability(chances, probabilities)
  return Math.log(changed ? 1 - quiet : quiet)
}

function quietProbability(chances: readonly number[], probabilities: readonly number[]): number {
  return chances.reduce((quiet, count, at) => quiet * (1 - probabilities[at]!) ** count, 1)
}

/** How many of time, time + period, time + 2 period … and those before lie in (from, to]. */
function occurrences(time: number, period: number, from: number, to: number): number {
  return Math.floor((to - time) / period) - Math.floor((from - time) / period)
}
