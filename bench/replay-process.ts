/**
 * A process that replays a data set and prints what that took, as JSON: node replay-process.js SPEC. V8 compiles and
 * collects much in the first replay, so that callers count later ones only.
 */
import { replayWithFts5 } from './fts5-peer.js'
import type { Contender } from './overhead-contenders.js'
import { replayWeeks, type WeeksCost } from './replay-weeks.js'
import { readCountedQueries, readHistory } from './snapshot-data.js'

export interface ReplaySpec {
  readonly data: string
  readonly contender: Contender | 'fts5'
  readonly queries: number
  /** Weeks after the first one, at most. */
  readonly weeks: number
  /** Between two weeks. */
  readonly searches: number
  readonly replays: number
}

export type ReplayCosts = readonly Pick<WeeksCost, 'cpuUs'>[] | readonly WeeksCost[]

const spec = JSON.parse(process.argv[2]!) as ReplaySpec
const { weeks } = await readHistory(spec.data)
const replayed = weeks.slice(0, spec.weeks + 1)
const queries = (await readCountedQueries(spec.data)).slice(0, spec.queries)
const costs: Pick<WeeksCost, 'cpuUs'>[] = []
for (let replay = 0; replay < spec.replays; replay++) {
  const { contender, searches } = spec
  costs.push(
    contender === 'fts5'
      ? { cpuUs: replayWithFts5(replayed) }
      : await replayWeeks({ contender, weeks: replayed, queries, searches }),
  )
}
process.stdout.write(JSON.stringify(costs))
