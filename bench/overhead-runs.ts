/** Runs of all contenders in processes of their own, taking turns, and what they say together. */
import { cpus, loadavg } from 'node:os'
import type { BenchRequest } from './bench.js'
import { busynessOf, differencesOf, medianOf, type Quartiles, quartilesOf } from './experiment-parts.js'
import { CONTENDERS, type Contender } from './overhead-contenders.js'

export type Runner = Contender | 'fts5'
const RUNNERS: readonly Runner[] = [...CONTENDERS, 'fts5']

/** What one run of one contender took. */
export interface RunCost {
  /** CPU microseconds by refreshed page. */
  readonly usPerPage: number
}

export interface AllRuns<Cost extends RunCost> {
  /** By contender, one for each run. */
  readonly costs: ReadonlyMap<Runner, readonly Cost[]>
  readonly loadBefore: number
  readonly loads: readonly number[]
}

/** The most that the prioritizer may cost, as a share of what FTS5 takes for the same pages. */
export const MOST_OF_FTS5 = 0.024

/** Who is first changes from run to run. */
export function runAll<Cost extends RunCost>(
  request: BenchRequest,
  runs: number,
  run: (runner: Runner) => Cost,
): AllRuns<Cost> {
  const costs = new Map<Runner, Cost[]>(RUNNERS.map((runner) => [runner, []]))
  const loadBefore = loadavg()[0]!
  const loads: number[] = []
  for (let number = 0; number < runs; number++) {
    request.progress(`run ${number + 1} of ${runs}, load average ${loadavg()[0]!.toFixed(2)}`)
    for (const at of RUNNERS.keys()) {
      const runner = RUNNERS[(at + number) % RUNNERS.length]!
      costs.get(runner)!.push(run(runner))
      loads.push(loadavg()[0]!)
    }
  }
  return { costs, loadBefore, loads }
}

/** What is the same for all modes: microseconds by page, differences, shares of FTS5, and how busy the machine was. */
export function summaryOf({ costs, loadBefore, loads }: AllRuns<RunCost>) {
  const us = (runner: Runner) => costs.get(runner)!.map(({ usPerPage }) => usPerPage)
  const [on, off, bare, fts5] = [us('on'), us('off'), us('bare'), us('fts5')]
  const differences = differencesOf(on, bare)
  const shareOfFts5 = medianOf(differences) / medianOf(fts5)
  const limit = MOST_OF_FTS5 * medianOf(fts5)
  const busyness = busynessOf({ cores: cpus().length, loadBefore, loads, steady: bare, differences, limit })
  return {
    usPerPage: quartilesByName([...costs].map(([runner, runs]) => [runner, runs.map(({ usPerPage }) => usPerPage)])),
    addedUsPerPage: quartilesByName([
      ['onBeyondBare', differences],
      ['onBeyondOff', differencesOf(on, off)],
      ['offBeyondBare', differencesOf(off, bare)],
    ]),
    onByBare: medianOf(on) / medianOf(bare),
    onByOff: medianOf(on) / medianOf(off),
    shareOfFts5,
    mostOfFts5: MOST_OF_FTS5,
    busyness,
    isClaimKept: shareOfFts5 <= MOST_OF_FTS5,
  }
}

export function quartilesByName(entries: readonly (readonly [string, readonly number[]])[]): Record<string, Quartiles> {
  return Object.fromEntries(entries.map(([name, values]) => [name, quartilesOf(values)]))
}

/** A run on a busy machine says so where it cannot be overlooked. */
export function warnIfBusy(request: BenchRequest, { isTooBusy, because }: ReturnType<typeof busynessOf>): void {
  if (isTooBusy) request.progress(`WARNING: the machine is too busy to tell: ${because.join('; ')}`)
}
