import { type Command, InvalidArgumentError } from 'commander'
import { type LongevityCheck, longevityChecks } from '../../lab/experiments/longevity/checks.js'
import { longevityFindings } from '../../lab/experiments/longevity/findings.js'
import {
  checkTable,
  curveTable,
  factTable,
  type LongevityResult,
  longevityReport,
  rateTable,
} from '../../lab/experiments/longevity/report.js'
import {
  type LongevityRow,
  type LongevitySpec,
  type LongevityTask,
  longevityTasks,
} from '../../lab/experiments/longevity/run.js'
import { loadLongevityOnThread, runLongevity } from '../../lab/frame/lab-threads.js'
import { folderDigest, ResultFile } from '../../lab/frame/result-file.js'
import { tableText } from '../../lab/report/table.js'
import { addExamples, asUsage, folder, integer, UsageError } from '../command.js'
import { count } from '../output/wording.js'
import {
  addOutputOptions,
  addRunOptions,
  DEFAULT_SEED,
  dataName,
  giveOut,
  type LabOutputOptions,
  type RunOptions,
  seed,
  untilInterruptedKeeping,
  withLoadingProgress,
  withRunProgress,
} from './experiment-command.js'

interface LabLongevityOptions extends RunOptions, LabOutputOptions {
  readonly data?: string
  readonly pages?: number
  readonly steps?: number
  readonly stepDays?: number
  readonly seed?: number
}

const MOST_PAGES = 1_000_000
const MOST_STEPS = 1000
const MOST_DAYS = 1000
const DEFAULTS = { pages: 2000, steps: 50, stepDays: 2 }

export function addLabLongevityCommand(parent: Command): void {
  const command = parent
    .command('longevity')
    .description('what it is worth to know how long the content of pages lives, beside how often they change')
    .option('--data <folder>', 'the folder of a world to replay; without it pages are generated', folder)
    .option('--pages <n>', `generated pages (default: ${DEFAULTS.pages})`, integer(1, MOST_PAGES))
    .option('--steps <n>', `snapshots of generated pages (default: ${DEFAULTS.steps})`, integer(3, MOST_STEPS))
    .option('--step-days <n>', `days between two of them (default: ${DEFAULTS.stepDays})`, days)
    .option('--seed <n>', `of generated pages (default: ${DEFAULT_SEED})`, seed)
  addOutputOptions(addRunOptions(command)).action(runLabLongevity)
  addExamples(
    command,
    'freshdex lab longevity --report longevity.html',
    'freshdex lab longevity --data site-snapshots --resume run.jsonl --json',
  )
}

async function runLabLongevity(options: LabLongevityOptions): Promise<void> {
  const spec = specOf(options)
  const { workers, resume } = options
  const results = resume === undefined ? undefined : await openResults(resume, spec)
  await untilInterruptedKeeping(results, async (signal) => {
    const result = await replayAll(spec, { workers, results, signal })
    giveOut({ json: jsonOf(result), report: longevityReport(result), text: textOf(result) }, options)
  })
}

function specOf({ data, pages, steps, stepDays, seed }: LabLongevityOptions): LongevitySpec {
  const generated = { pages, steps, stepDays, seed }
  if (data === undefined)
    return {
      pages: pages ?? DEFAULTS.pages,
      steps: steps ?? DEFAULTS.steps,
      stepDays: stepDays ?? DEFAULTS.stepDays,
      seed: seed ?? DEFAULT_SEED,
    }
  if (Object.values(generated).some((value) => value !== undefined))
    throw new UsageError('--pages, --steps, --step-days and --seed are for generated pages, --data names others')
  return { data }
}

async function openResults(file: string, spec: LongevitySpec): Promise<ResultFile<LongevityTask, LongevityRow>> {
  const world = 'data' in spec ? { data: await folderDigest(spec.data) } : spec
  return new ResultFile(file, { experiment: 'longevity', ...world })
}

interface ReplaySettings {
  readonly workers: number
  readonly results: ResultFile<LongevityTask, LongevityRow> | undefined
  readonly signal: AbortSignal
}

async function replayAll(spec: LongevitySpec, { workers, results, signal }: ReplaySettings): Promise<LongevityResult> {
  const input = await withLoadingProgress((onProgress) =>
    asUsage(() => loadLongevityOnThread(spec, { onProgress, signal })),
  )
  const rows = await withRunProgress((onProgress) =>
    runLongevity(input, longevityTasks(spec), { workers, results, onProgress, signal }),
  )
  const [main] = input.worlds
  const findings = longevityFindings(input.worlds, rows)
  const { facts, lifetimes } = main!
  return {
    name: 'data' in spec ? dataName(spec.data) : main!.name,
    ...{ spec, facts, lifetimes, findings, checks: longevityChecks(findings, lifetimes.groups) },
  }
}

/** Without the points of Figure 3: they are many, and in the report. */
function jsonOf({ name, spec, facts, lifetimes, findings, checks }: LongevityResult): object {
  const { offline, online, space, cgm, longevity, lifetimeModel } = findings
  const generated = 'data' in spec ? {} : { stepDays: spec.stepDays, seed: spec.seed }
  return {
    world: { name, ...generated, ...facts },
    ...{ checks, offline, online, space, cgm, longevity },
    lifetimes: { model: lifetimeModel, groups: lifetimes.groups },
  }
}

function textOf(result: LongevityResult): string {
  const { name, facts, findings, checks } = result
  const { offline, online, space, cgm } = findings
  return [
    `${name}: ${count(facts.pages, 'page')}, ${count(facts.steps, 'step')}; ${summaryOf(checks)}`,
    tableText(factTable(result)),
    `What the paper says, and what is so here\n${tableText(checkTable(checks))}`,
    `Staleness at equal cost, pages known beforehand (Figure 6)\n${tableText(curveTable(offline))}`,
    `The same of policies that learn, warm-up (Figure 8)\n${tableText(curveTable(online.warmUp))}`,
    `Steady state (Figure 9)\n${tableText(curveTable(online.steady))}`,
    `With sketches of m minima and h profiles (Figure 10)\n${tableText(curveTable(space))}`,
    ...cgm.map((rates) => `What a staleness costs, ${rates.world} (Figures 11, 12)\n${tableText(rateTable(rates))}`),
  ].join('\n\n')
}

function summaryOf(checks: readonly LongevityCheck[]): string {
  const told = checks.filter(({ holds }) => holds !== null)
  return `${told.filter(({ holds }) => holds === true).length} of ${count(told.length, 'claim')} hold`
}

/** Parts of days too. */
function days(text: string): number {
  const value = Number(text)
  if (/^\d{1,4}(?:\.\d{1,6})?$/.test(text) && value > 0 && value <= MOST_DAYS) return value
  throw new InvalidArgumentError(`It must be a number above 0 and up to ${MOST_DAYS}.`)
}
