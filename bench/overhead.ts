/**
 * What does the prioritizer cost? CPU time of whole processes that replay the revisions of a site into a folder: with
 * everything on, without what measures, without a prioritizer, and with SQLite's FTS5 in place of the index.
 *
 * Modes: 'weekly' is a long process with a write for each week; 'learning' the same with searches between them that are
 * learnt; 'cron' a process for each week, which opens the index, writes and closes it.
 *
 * Claim of 'weekly': the prioritizer costs at most 2.4% of what FTS5 takes for the same pages, in the same run.
 */
import type { Bench, BenchRequest } from './bench.js'
import { runProgram } from './child-process.js'
import { CronWeeks } from './cron-weeks.js'
import { accountAgreement, medianOf } from './experiment-parts.js'
import type { AccountUs } from './overhead-account.js'
import {
  type AllRuns,
  quartilesByName,
  type RunCost,
  type Runner,
  runAll,
  summaryOf,
  warnIfBusy,
} from './overhead-runs.js'
import type { ReplaySpec } from './replay-process.js'
import type { WeeksCost } from './replay-weeks.js'
import { readCountedQueries, readHistory, type Week } from './snapshot-data.js'

type Mode = 'weekly' | 'learning' | 'cron'

const SEARCHES = 3000
/** Replays in one process. The first one is not counted: V8 compiles and collects much in it. */
const REPLAYS = 3
/** SQLite is compiled before. */
const FTS5_REPLAYS = 2
/** A process each takes its time. */
const CRON_WEEKS = 12

export const overhead: Bench = {
  name: 'overhead',
  question: 'What does the prioritizer add to the CPU time of writes, and how much is that of what FTS5 takes?',
  options: {
    mode: { kind: 'choice', choices: ['weekly', 'learning', 'cron'], default: 'weekly', help: 'how writes come' },
    runs: { kind: 'count', default: 7, help: 'of each contender, taking turns' },
    queries: { kind: 'count', default: 3000, help: 'the most frequent ones, as the workload' },
    weeks: { kind: 'count', default: 1000, help: `most weeks to replay; with cron no more than ${CRON_WEEKS}` },
  },

  async run(request) {
    const mode = request.word<Mode>('mode')
    const { weeks } = await readHistory(request.folder)
    const most = mode === 'cron' ? Math.min(CRON_WEEKS, request.count('weeks')) : request.count('weeks')
    const replayed = weeks.slice(1, most + 1)
    const sum = (count: (week: Week) => number) => replayed.reduce((all, week) => all + count(week), 0)
    const pages = {
      refreshed: sum(({ replaced }) => replaced.length),
      added: sum(({ added }) => added.length),
      gone: sum(({ gone }) => gone.length),
    }
    const found =
      mode === 'cron'
        ? await runCron(request, weeks.slice(0, most + 1), pages.refreshed)
        : runReplays(request, mode, replayed.length, pages.refreshed)
    const { isClaimKept, ...result } = found
    warnIfBusy(request, result.busyness)
    return { result: { weeks: replayed.length, pages, ...result }, isClaimKept: isClaimKept || mode !== 'weekly' }
  },
}

interface ReplayCost extends RunCost {
  /** The counted replays; of FTS5 nothing but the CPU time is known. */
  readonly replays: readonly WeeksCost[]
}

function runReplays(request: BenchRequest, mode: Mode, weeks: number, refreshed: number) {
  const all = runAll<ReplayCost>(request, request.count('runs'), (contender) => {
    const spec: ReplaySpec = {
      ...{ data: request.folder, contender, weeks, queries: request.count('queries') },
      searches: mode === 'learning' ? SEARCHES : 0,
      replays: contender === 'fts5' ? FTS5_REPLAYS : REPLAYS,
    }
    const replays = runProgram<WeeksCost[]>('replay-process', spec).slice(1)
    const usPerPage = replays.reduce((sum, { cpuUs }) => sum + cpuUs, 0) / replays.length / refreshed
    return { usPerPage, replays }
  })
  const on = all.costs.get('on')!.flatMap(({ replays }) => replays)
  const us = (replays: readonly WeeksCost[], part: (cost: WeeksCost) => number) =>
    replays.map((cost) => part(cost) / refreshed)
  const parts = Object.keys(on[0]!.account) as (keyof AccountUs)[]
  const usByPart = quartilesByName(parts.map((part) => [part, us(on, ({ account }) => account[part])]))
  const told = (some: readonly (keyof AccountUs)[]) => some.reduce((sum, part) => sum + usByPart[part]!.median, 0)
  const summary = summaryOf(all)
  const closeUsPerPage = quartilesByName(contendersOf(all, (replays) => us(replays, ({ closeUs }) => closeUs)))
  const waitUs = medianOf(us(on, (cost) => cost.waitUs))
  // No report tells of closing, nor of the replay's waiting.
  const closeUs = (contender: 'on' | 'bare') => closeUsPerPage[contender]!.median
  const added = summary.addedUsPerPage.onBeyondBare!.median - (closeUs('on') - closeUs('bare'))
  return {
    ...summary,
    usPerPageByPart: usByPart,
    account: {
      ofAll: accountAgreement(told(parts), summary.usPerPage.on!.median - closeUs('on') - waitUs),
      ofWhatIsAdded: accountAgreement(told(['measureUs', 'fitUs', 'ledgerUs']), added),
    },
    closeUsPerPage,
    waitUsPerPage: waitUs,
    firstFitMs: medianOf(on.map(({ firstFitUs }) => firstFitUs / 1000)),
    fits: { median: medianOf(on.map(({ fits }) => fits)), most: Math.max(...on.map(({ fits }) => fits)) },
    ...(mode === 'learning' ? { usPerSearch: searchCosts(all, weeks) } : {}),
  }
}

function searchCosts(all: AllRuns<ReplayCost>, weeks: number) {
  const searches = weeks * SEARCHES
  return quartilesByName(contendersOf(all, (replays) => replays.map(({ searchUs }) => searchUs / searches)))
}

function contendersOf(
  { costs }: AllRuns<ReplayCost>,
  values: (replays: readonly WeeksCost[]) => number[],
): [Runner, number[]][] {
  const contenders = [...costs].filter(([runner]) => runner !== 'fts5')
  return contenders.map(([runner, runs]) => [runner, values(runs.flatMap(({ replays }) => replays))])
}

async function runCron(request: BenchRequest, weeks: readonly Week[], refreshed: number) {
  const queries = (await readCountedQueries(request.folder)).slice(0, request.count('queries'))
  const cron = new CronWeeks(weeks, queries)
  try {
    const all = runAll(request, request.count('runs'), (runner) => ({ usPerPage: cron.replay(runner) / refreshed }))
    const processes = weeks.length - 1
    const msOf = (runs: readonly RunCost[]) => runs.map(({ usPerPage }) => (usPerPage * refreshed) / processes / 1000)
    const msPerProcess = quartilesByName([...all.costs].map(([runner, runs]) => [runner, msOf(runs)]))
    return { ...summaryOf(all), msPerProcess }
  } finally {
    cron.remove()
  }
}
