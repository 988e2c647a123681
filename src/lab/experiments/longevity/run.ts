/**
 * The experiments of "Recrawl scheduling based on information longevity" (Olston and Pandey, 2008), on generated pages
 * or on the pages of a folder. A task is one policy with one threshold.
 */
import xxhash from 'xxhash-wasm'
import { numberOption } from '../../../base/checks.js'
import { describe } from '../../../base/describe.js'
import { DAY_MS } from '../../../base/time.js'
import type { Experiment, LoadProgress } from '../../frame/experiment.js'
import { folderDigest } from '../../frame/result-file.js'
import { folderName } from '../../worlds/folder-tables.js'
import { openWorld } from '../../worlds/open-world.js'
import { longevityChecks } from './checks.js'
import { longevityFindings } from './findings.js'
import {
  type FragmentHistories,
  type FragmentWorld,
  fragmentsOfWorld,
  HistoryBuilder,
  isStatic,
} from './fragment-histories.js'
import { FRAGMENT_MIXES, type FragmentMixName, generatedFragments } from './generated-fragments.js'
import { LifetimeFigures, type LifetimeSummary } from './lifetimes.js'
import { uniformPolicy } from './offline-policies.js'
import {
  LONGEVITY_POLICIES,
  type LongevityPolicyName,
  makePolicy,
  RATE_POLICIES,
  WARMED_CURVE_FITTING,
  windowsOf,
} from './policies.js'
import { outcomeIn, type PagePolicy, type PolicyOutcome, replayPolicy } from './replay.js'
import { type LongevityResult, longevityJson, longevityReport } from './report.js'

export type LongevitySpec =
  /** The folder of a world. */
  | { readonly data: string }
  | { readonly pages: number; readonly steps: number; readonly stepDays: number; readonly seed: number }

export interface WorldFacts {
  readonly pages: number
  readonly steps: number
  readonly staticPageShare: number
  readonly staticFragmentShare: number
  /** The share of churn among the fragments that came and went: see LifetimeSummary. */
  readonly churnShare: number | null
  /** Staleness when every page is refreshed at every step, and when none ever is. */
  readonly leastStaleness: number
  readonly mostStaleness: number
}

/** Plain data: it can be sent to another thread. */
export interface LongevityWorld {
  readonly name: string
  readonly histories: FragmentHistories
  readonly facts: WorldFacts
  readonly lifetimes: LifetimeSummary
}

export interface LongevityInput {
  /** All figures are of the first world; the others are compared with rates only (Figure 12). */
  readonly worlds: readonly LongevityWorld[]
}

export interface LongevityTask {
  readonly world: string
  readonly policy: LongevityPolicyName
  readonly threshold: number
}

export interface LongevityRow extends LongevityTask {
  readonly whole: PolicyOutcome
  readonly warmUp: PolicyOutcome
  readonly steady: PolicyOutcome
}

/** Pages between two reports of progress. */
const REPORTED_PAGES = 100
const MAIN_MIX: FragmentMixName = 'high-quality'

export const longevity: Experiment<LongevitySpec, LongevityInput, LongevityTask, LongevityRow, LongevityResult> = {
  name: 'longevity',
  check: (spec) => {
    if ('data' in spec) return
    numberOption('pages', spec.pages, 1, { min: 1, integer: true })
    numberOption('steps', spec.steps, 3, { min: 3, integer: true })
    numberOption('stepDays', spec.stepDays, 1, { min: 0, aboveMin: true })
    numberOption('seed', spec.seed, 0, { min: 0, max: 2 ** 32 - 1, integer: true })
  },
  question: async (spec) => {
    const world = 'data' in spec ? { data: await folderDigest(spec.data) } : spec
    return { experiment: 'longevity', ...world }
  },
  tasks: longevityTasks,
  load: (spec, _, tell) => loadLongevityInput(spec, tell),
  run: runLongevityTask,
  conclude: (spec, { worlds }, rows) => {
    const { name, facts, lifetimes } = worlds[0]!
    const findings = longevityFindings(worlds, rows)
    return {
      name: 'data' in spec ? folderName(spec.data) : name,
      ...{ spec, facts, lifetimes, findings, checks: longevityChecks(findings, lifetimes.groups) },
    }
  },
  report: longevityReport,
  json: longevityJson,
}

/** FreshdexError for files that are missing or damaged, TypeError or RangeError for a spec that cannot be. */
export async function loadLongevityInput(
  spec: LongevitySpec,
  onProgress: (progress: LoadProgress) => void = () => {},
): Promise<LongevityInput> {
  if ('data' in spec) {
    const hash = (await xxhash()).h64
    const world = await fragmentsOfWorld(await openWorld(spec.data), hash, (step) =>
      onProgress({ stage: 'reading', done: step + 1, total: undefined }),
    )
    return { worlds: [buildWorld('data', world, world.pages.length, onProgress)] }
  }
  const { pages, steps, stepDays, seed } = spec
  const names = Object.keys(FRAGMENT_MIXES) as FragmentMixName[]
  const worlds = names.map((name) =>
    buildWorld(
      name,
      generatedFragments({ seed, pages, steps, stepMs: stepDays * DAY_MS, mix: FRAGMENT_MIXES[name] }),
      pages,
      onProgress,
    ),
  )
  return { worlds: worlds.sort((a, b) => Number(b.name === MAIN_MIX) - Number(a.name === MAIN_MIX)) }
}

function buildWorld(
  name: string,
  { atMs, pages }: FragmentWorld,
  total: number,
  onProgress: (progress: LoadProgress) => void,
): LongevityWorld {
  const builder = new HistoryBuilder(atMs)
  const figures = new LifetimeFigures(atMs.length)
  let done = 0
  for (const page of pages) {
    builder.add(page)
    figures.add(page)
    done++
    if (done % REPORTED_PAGES === 0 || done === total) onProgress({ stage: 'comparing', done, total })
  }
  const histories = builder.build()
  const lifetimes = figures.summary()
  return { name, histories, lifetimes, facts: factsOf(histories, lifetimes) }
}

function factsOf(histories: FragmentHistories, { staticFragmentShare, churnShare }: LifetimeSummary): WorldFacts {
  const { pages, atMs } = histories
  const stalenessOf = (policy: PagePolicy) =>
    outcomeIn(histories, replayPolicy(histories, policy), windowsOf(histories).whole).staleness
  let staticPages = 0
  for (let page = 0; page < pages; page++) if (isStatic(histories, page)) staticPages++
  return {
    ...{ pages, steps: atMs.length, staticPageShare: staticPages / pages, staticFragmentShare, churnShare },
    leastStaleness: stalenessOf(uniformPolicy(histories, 1, () => true)),
    mostStaleness: stalenessOf(() => () => atMs.length),
  }
}

/** The tasks are known before any world is read. */
export function longevityTasks(spec: LongevitySpec): LongevityTask[] {
  const main = 'data' in spec ? 'data' : MAIN_MIX
  const others = 'data' in spec ? [] : Object.keys(FRAGMENT_MIXES).filter((name) => name !== MAIN_MIX)
  const tasksOf = (world: string, policies: Iterable<LongevityPolicyName>) =>
    [...policies].flatMap((policy) =>
      LONGEVITY_POLICIES.get(policy)!.thresholds.map((threshold) => ({ world, policy, threshold })),
    )
  return [
    ...tasksOf(main, LONGEVITY_POLICIES.keys()),
    ...others.flatMap((world) => tasksOf(world, [WARMED_CURVE_FITTING, ...Object.keys(RATE_POLICIES)])),
  ]
}

export function runLongevityTask({ worlds }: LongevityInput, task: LongevityTask): LongevityRow {
  const world = worlds.find(({ name }) => name === task.world)
  if (world === undefined) throw new RangeError(`world must be one of the input, received ${describe(task.world)}`)
  const { histories } = world
  const totals = replayPolicy(histories, makePolicy(task.policy, histories, task.threshold))
  const { whole, warmUp, steady } = windowsOf(histories)
  return {
    ...task,
    whole: outcomeIn(histories, totals, whole),
    warmUp: outcomeIn(histories, totals, warmUp),
    steady: outcomeIn(histories, totals, steady),
  }
}
