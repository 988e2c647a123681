import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_POLICY } from '../../index.js'
import type { SignalRates } from '../../lab/choosers/change-signals.js'
import { QUALITY_MODES, QUALITY_POLICIES, type QualityMode } from '../../lab/experiments/quality/policies.js'
import { type QualityRow, quality } from '../../lab/experiments/quality/run.js'
import {
  type QualityRunsSpec,
  type QualitySpec,
  qualityTasks,
  requireModes,
  type TrialQualitySpec,
} from '../../lab/experiments/quality/spec.js'
import { runTrials, type SeededTask } from '../../lab/experiments/quality/trials.js'
import { trialsJson, trialsReport } from '../../lab/experiments/quality/trials-report.js'
import { TRIAL_WORLD_TITLES, TRIAL_WORLDS, type TrialWorldName } from '../../lab/worlds/trial-worlds.js'
import { asUsage, integer, nameList, UsageError } from '../options.js'
import {
  addFrame,
  addQueriesOption,
  addScoringOptions,
  budgetShares,
  dataOption,
  type FrameOptions,
  oneOrMore,
  rate,
  runExperimentOf,
  runLab,
} from './experiment-command.js'

interface LabQualityOptions
  extends Pick<QualitySpec, 'scoring' | 'queries' | 'pages' | 'seed' | 'queriesFile'>,
    SignalRates,
    FrameOptions {
  readonly data?: string
  readonly world?: TrialWorldName
  readonly worldPages: number
  readonly worldSteps: number
  readonly seeds: number
  readonly budgets?: readonly number[]
  readonly mode: readonly QualityMode[]
  readonly policies?: readonly string[]
}

const FOLDER_BUDGETS = '0.1%,0.25%,0.5%,1%,2%,5%,10%'
/** Generated worlds are small: a tenth of a per cent of their pages is none. */
const TRIAL_BUDGETS = '1%,5%,20%'
const EXAMPLES = [
  'freshdex lab quality --data site-snapshots',
  'freshdex lab quality --data site-snapshots --mode offline,online --budgets 1%,5% ' +
    '--policies uniform,sbr,user-centric --report quality.html',
  'freshdex lab quality --data site-snapshots --mode signals --miss-rate 10% --resume run.jsonl --json',
  'freshdex lab quality --world one-daily --seeds 10',
]
const MOST_PAGES = 100_000
const MOST_STEPS = 10_000
const MOST_SEEDS = 1000

export function addLabQualityCommand(parent: Command): void {
  const command = parent
    .command('quality')
    .description('how good answers stay under policies and budgets, replayed exactly')
    .addOption(dataOption())
  addScoringOptions(
    addQueriesOption(command).option('--queries-file <name>', 'another file of the folder than queries.tsv', fileName),
  )
    .option(
      '--budgets <shares>',
      `refreshes per step, as shares of the pages (default: ${FOLDER_BUDGETS}; with --world ${TRIAL_BUDGETS})`,
      budgetShares,
    )
    .option(
      '--mode <modes>',
      'offline: fitted on the whole period; online: learnt from own refreshes; signals: told of changes',
      oneOrMore(QUALITY_MODES),
      ['online'],
    )
    .option(
      '--policies <names>',
      'which policies, listed below (default: all that have the mode; with --world the default policy)',
      nameList,
    )
    .option('--miss-rate <share>', 'with signals: how many changes give none', rate, 0)
    .option(
      '--false-alarm-rate <share>',
      'with signals: how many pages give one without a change, at each step',
      rate,
      0,
    )
  addTrialOptions(command)
  addFrame(command, EXAMPLES, true).action(runLabQuality)
  command.addHelpText('after', `\nWorlds:\n${lines(TRIAL_WORLDS.map((name) => [name, TRIAL_WORLD_TITLES[name]]))}`)
  command.addHelpText('after', `\nPolicies, with their modes:\n${policyLines()}`)
}

function addTrialOptions(command: Command): void {
  command
    .addOption(
      new Option('--world <name>', 'instead of a folder a generated world, listed below: is it worse than uniform?')
        .choices(TRIAL_WORLDS)
        .conflicts(['data', 'queriesFile']),
    )
    .option('--world-pages <n>', 'of a generated world', integer(1, MOST_PAGES), 300)
    .option('--world-steps <n>', 'of a generated world, weeks', integer(2, MOST_STEPS), 48)
    .option('--seeds <n>', 'generated worlds, by so many seeds from --seed on', integer(1, MOST_SEEDS), 5)
}

function policyLines(): string {
  return lines(QUALITY_POLICIES.map(({ name, modes, description }) => [name, `${modes.join(', ')}: ${description}`]))
}

function lines(entries: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')
}

async function runLabQuality(options: LabQualityOptions): Promise<void> {
  const { data, world } = options
  if (world !== undefined) return runInTrialWorlds(options, world)
  if (data === undefined) throw new UsageError('a world is needed: --data <folder>, or --world <name>')
  const allPolicies = QUALITY_POLICIES.map(({ name }) => name)
  const spec = await asUsage(() => ({ ...specOf(options, allPolicies, FOLDER_BUDGETS), data }))
  await runExperimentOf(quality, spec, options)
}

async function runInTrialWorlds(options: LabQualityOptions, world: TrialWorldName): Promise<void> {
  const spec: TrialQualitySpec = await asUsage(() => ({
    ...specOf(options, [DEFAULT_POLICY], TRIAL_BUDGETS),
    data: { world, pages: options.worldPages, steps: options.worldSteps },
  }))
  await asUsage(() => quality.check(spec))
  await runLab<SeededTask, QualityRow>(options, quality.question?.bind(quality, spec), async (settings) => {
    const result = await asUsage(() => runTrials(spec, options.seeds, settings))
    return { json: trialsJson(result), report: trialsReport(result) }
  })
}

/** Everything but the world. */
function specOf(
  options: LabQualityOptions,
  policiesUnlessTold: readonly string[],
  budgetsUnlessTold: string,
): Omit<QualityRunsSpec, 'data'> {
  const { scoring, queries, pages, seed, queriesFile, missRate, falseAlarmRate, mode: modes, policies } = options
  if (policies !== undefined) requireModes(policies, modes)
  const budgets = options.budgets ?? budgetShares(budgetsUnlessTold)
  return {
    ...{ scoring, queries, pages, seed, signals: { missRate, falseAlarmRate } },
    ...(queriesFile === undefined ? {} : { queriesFile }),
    tasks: qualityTasks(modes, policies ?? policiesUnlessTold, budgets),
  }
}

function fileName(text: string): string {
  if (text !== '' && !/[/\\]/.test(text)) return text
  throw new InvalidArgumentError('It must be the name of a file in the folder.')
}
