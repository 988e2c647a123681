import { InvalidArgumentError } from 'commander'
import { DEFAULT_POLICY } from '../../index.js'
import { MEASURED_FITS } from '../../lab/choosers/measured-index.js'
import { QUALITY_MODES, QUALITY_POLICIES } from '../../lab/experiments/quality/policies.js'
import { type QualityRow, quality } from '../../lab/experiments/quality/run.js'
import {
  type QualityRunsSpec,
  qualityTasks,
  requireModes,
  type TrialQualitySpec,
} from '../../lab/experiments/quality/spec.js'
import { runTrials, type SeededTask } from '../../lab/experiments/quality/trials.js'
import { trialsJson, trialsReport } from '../../lab/experiments/quality/trials-report.js'
import { relevantQueries } from '../../lab/quality/relevant-queries.js'
import { readFolderQueries } from '../../lab/worlds/folder-tables.js'
import { openWorld } from '../../lab/worlds/open-world.js'
import { QUERIES_FILE } from '../../lab/worlds/snapshot-format.js'
import { TRIAL_WORLD_TITLES, TRIAL_WORLDS, type TrialWorldName } from '../../lab/worlds/trial-worlds.js'
import { command } from '../command.js'
import {
  asUsage,
  choice,
  folder,
  integer,
  nameList,
  type OptionValues,
  oneOrMore,
  optional,
  share,
  UsageError,
  withDefault,
} from '../options.js'
import type { Outcome } from '../output/output.js'
import { table } from '../output/wording.js'
import { asIndex } from './as-index.js'
import {
  budgetShares,
  DATA_TEXT,
  outcomeOf,
  QUERIES,
  RESUMABLE_OPTIONS,
  runLab,
  SCORING_OPTIONS,
} from './experiment-command.js'

const FOLDER_BUDGETS = '0.1%,0.25%,0.5%,1%,2%,5%,10%'
/** Generated worlds are small: a tenth of a per cent of their pages is none. */
const TRIAL_BUDGETS = '1%,5%,20%'
const MOST_PAGES = 100_000
const MOST_STEPS = 10_000
const MOST_SEEDS = 1000

const TRIAL_OPTIONS = {
  world: {
    ...choice('<name>', 'instead of a folder a generated world, listed below: is it worse than uniform?', TRIAL_WORLDS),
    conflicts: ['data', 'queriesFile'],
  },
  worldPages: withDefault('<n>', 'of a generated world', 300, integer(1, MOST_PAGES)),
  worldSteps: withDefault('<n>', 'of a generated world, weeks', 48, integer(2, MOST_STEPS)),
  seeds: withDefault('<n>', 'generated worlds, by so many seeds from --seed on', 5, integer(1, MOST_SEEDS)),
}

const OPTIONS = {
  data: optional('<folder>', DATA_TEXT, folder),
  queries: QUERIES,
  queriesFile: optional('<name>', 'another file of the folder than queries.tsv', fileName),
  ...SCORING_OPTIONS,
  relevance: {
    ...optional(
      '<sum>',
      'ask only queries for which the TF-IDF scores of all pages sum to so much; knee: to the knee of all sums',
      relevanceOf,
    ),
    conflicts: ['index', 'world'],
  },
  index: {
    ...optional(
      '<dir>',
      'score pages as this index does, and without a queries.tsv in the folder ask what it has learnt',
      folder,
    ),
    conflicts: ['scoring', 'world'],
  },
  budgets: optional(
    '<shares>',
    `refreshes per step, as shares of the pages (default: ${FOLDER_BUDGETS}; with --world ${TRIAL_BUDGETS})`,
    budgetShares,
  ),
  mode: withDefault(
    '<modes>',
    'offline: fitted on the whole period; online: learnt from own refreshes; signals: told of changes',
    ['online'],
    oneOrMore(QUALITY_MODES),
  ),
  policies: optional(
    '<names>',
    'which policies, listed below (default: all that have the mode; with --world the default policy)',
    nameList,
  ),
  fits: choice(
    '<when>',
    'the curves of the index are fitted at each step, or when the index itself sees fit, as in use',
    MEASURED_FITS,
    'each-step',
  ),
  missRate: withDefault('<share>', 'with signals: how many changes give none', 0, share),
  falseAlarmRate: withDefault(
    '<share>',
    'with signals: how many pages give one without a change, at each step',
    0,
    share,
  ),
  ...TRIAL_OPTIONS,
  ...RESUMABLE_OPTIONS,
}

type Options = OptionValues<typeof OPTIONS>

export const labQuality = command({
  name: 'quality',
  summary: 'how good answers stay under policies and budgets, replayed exactly',
  options: OPTIONS,
  examples: [
    'freshdex lab quality --data site-snapshots',
    'freshdex lab quality --data site-snapshots --mode offline,online --budgets 1%,5% ' +
      '--policies uniform,sbr,user-centric --report quality.html',
    'freshdex lab quality --data site-snapshots --mode signals --miss-rate 10% --resume run.jsonl --json',
    'freshdex lab quality --data site-snapshots --index pages.idx',
    'freshdex lab quality --world one-daily --seeds 10',
  ],
  sections: {
    Worlds: table(TRIAL_WORLDS.map((name) => [name, TRIAL_WORLD_TITLES[name]])),
    'Policies, with their modes': table(
      QUALITY_POLICIES.map(({ name, modes, description }) => [name, `${modes.join(', ')}: ${description}`]),
    ),
  },
  async run(_, options) {
    const { data, world } = options
    if (world !== undefined) return runInTrialWorlds(options, world)
    if (data === undefined) throw new UsageError('a world is needed: --data <folder>, or --world <name>')
    const allPolicies = QUALITY_POLICIES.map(({ name }) => name)
    const told = options.index === undefined ? {} : await asIndex(options.index, { ...options, data })
    const relevant = options.relevance === undefined ? {} : await relevantOf(options, data, options.relevance)
    const spec = await asUsage(() => ({ ...specOf(options, allPolicies, FOLDER_BUDGETS), data, ...told, ...relevant }))
    return outcomeOf(quality, spec, options)
  },
})

async function runInTrialWorlds(options: Options, world: TrialWorldName): Promise<Outcome> {
  const spec: TrialQualitySpec = await asUsage(() => ({
    ...specOf(options, [DEFAULT_POLICY], TRIAL_BUDGETS),
    data: { world, pages: options.worldPages, steps: options.worldSteps },
  }))
  await asUsage(() => quality.check(spec))
  return runLab<SeededTask, QualityRow>(options, quality.question?.bind(quality, spec), async (settings) => {
    const result = await asUsage(() => runTrials(spec, options.seeds, settings))
    return { json: trialsJson(result), report: trialsReport(result) }
  })
}

/** Everything but the world. */
function specOf(
  options: Options,
  policiesUnlessTold: readonly string[],
  budgetsUnlessTold: string,
): Omit<QualityRunsSpec, 'data'> {
  const { scoring, queries, pages, seed, fits, queriesFile, missRate, falseAlarmRate, mode: modes, policies } = options
  if (policies !== undefined) requireModes(policies, modes)
  const budgets = options.budgets ?? budgetShares(budgetsUnlessTold)
  return {
    ...{ scoring, queries, pages, seed, fits, signals: { missRate, falseAlarmRate } },
    ...(queriesFile === undefined ? {} : { queriesFile }),
    tasks: qualityTasks(modes, policies ?? policiesUnlessTold, budgets),
  }
}

/** The queries of the folder that concern its pages. */
async function relevantOf(
  { queries, queriesFile = QUERIES_FILE, pages }: Options,
  data: string,
  threshold: number | 'knee',
): Promise<Pick<QualityRunsSpec, 'asked' | 'relevance'>> {
  const log = (await readFolderQueries(data, queriesFile)).slice(0, queries)
  const relevant = await relevantQueries(await openWorld(data), log, pages, threshold)
  if (relevant.queries.length === 0) throw new UsageError('no query concerns the pages so much: lower --relevance')
  return { asked: relevant.queries, relevance: { threshold: relevant.threshold, logged: log.length } }
}

function relevanceOf(text: string): number | 'knee' {
  if (text === 'knee') return text
  const sum = Number(text)
  if (text.trim() !== '' && sum >= 0 && Number.isFinite(sum)) return sum
  throw new InvalidArgumentError('It must be a number, at least 0, or knee.')
}

function fileName(text: string): string {
  if (text !== '' && !/[/\\]/.test(text)) return text
  throw new InvalidArgumentError('It must be the name of a file in the folder.')
}
