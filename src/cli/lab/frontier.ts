import { type Command, Option } from 'commander'
import type { FrontierSpec } from '../../lab/experiments/frontier/input.js'
import {
  areaTable,
  checkTable,
  type FrontierResult,
  frontierReport,
  sceneTable,
  sketchTable,
  splitTable,
} from '../../lab/experiments/frontier/report.js'
import {
  type FrontierCheck,
  type FrontierRow,
  type FrontierTask,
  frontierChecks,
  frontierRows,
  frontierTasks,
} from '../../lab/experiments/frontier/run.js'
import { QUALITY_SCORINGS, type QualityScoring } from '../../lab/experiments/quality/spec.js'
import { loadFrontierOnThread, runFrontier } from '../../lab/frame/lab-threads.js'
import { folderDigest, ResultFile } from '../../lab/frame/result-file.js'
import { tableText } from '../../lab/report/table.js'
import { addExamples, asUsage, integer } from '../command.js'
import { count } from '../output/wording.js'
import {
  addDataOptions,
  addOutputOptions,
  addRunOptions,
  budgetShares,
  DEFAULT_SEED,
  dataName,
  giveOut,
  type LabOutputOptions,
  type RunOptions,
  rate,
  seed,
  untilInterruptedKeeping,
  withLoadingProgress,
  withRunProgress,
} from './experiment-command.js'

interface LabFrontierOptions extends RunOptions, LabOutputOptions {
  readonly data: string
  readonly queries: number
  readonly scoring: QualityScoring
  readonly heldBack: number
  readonly rho: number
  readonly ngramWords: number
  readonly budgets: readonly number[]
  readonly seed: number
}

const DEFAULT_BUDGETS = '0.2%,0.5%,1%'
const MOST_NGRAM_WORDS = 10

export function addLabFrontierCommand(parent: Command): void {
  const command = addDataOptions(
    parent.command('frontier').description('which pages to fetch first, and how to share a budget with refreshes'),
  )
    .addOption(new Option('--scoring <model>', 'how answers are scored').choices(QUALITY_SCORINGS).default('tfidf'))
    .option('--held-back <share>', 'of the first pages, taken for not fetched beside those that come later', rate, 0.1)
    .option('--rho <share>', 'of the n-grams of a query that URL and anchors of a page must have', rate, 1)
    .option('--ngram-words <n>', 'of the longest n-gram', integer(1, MOST_NGRAM_WORDS), 3)
    .option(
      '--budgets <shares>',
      'fetches per step, new and known pages together, as shares of the pages',
      budgetShares,
      budgetShares(DEFAULT_BUDGETS),
    )
    .option('--seed <n>', 'of everything that is left to chance', seed, DEFAULT_SEED)
  addOutputOptions(addRunOptions(command)).action(runLabFrontier)
  addExamples(
    command,
    'freshdex lab frontier --data site-snapshots --report frontier.html',
    'freshdex lab frontier --data site-snapshots --queries 10000 --ngram-words 1 --budgets 0.5% --resume run.jsonl --json',
  )
}

async function runLabFrontier(options: LabFrontierOptions): Promise<void> {
  const { data, scoring, queries, heldBack, rho, ngramWords, seed, resume } = options
  const spec: FrontierSpec = { data, scoring, queries, heldBack, rho, ngramWords, seed }
  const results = resume === undefined ? undefined : await openResults(resume, spec)
  await untilInterruptedKeeping(results, async (signal) => {
    const result = await runAll(spec, options, results, signal)
    const checks = frontierChecks(result.rows)
    giveOut(
      { json: jsonOf(result, checks), report: frontierReport(result, checks), text: textOf(result, checks) },
      options,
    )
  })
}

async function openResults(file: string, spec: FrontierSpec): Promise<ResultFile<FrontierTask, FrontierRow>> {
  const { data, ...rest } = spec
  return new ResultFile(file, { experiment: 'frontier', data: await folderDigest(data), ...rest })
}

async function runAll(
  spec: FrontierSpec,
  { budgets, workers }: LabFrontierOptions,
  results: ResultFile<FrontierTask, FrontierRow> | undefined,
  signal: AbortSignal,
): Promise<FrontierResult> {
  const input = await withLoadingProgress((onProgress) =>
    asUsage(() => loadFrontierOnThread(spec, { onProgress, signal })),
  )
  const rows = await withRunProgress((onProgress) =>
    asUsage(() => runFrontier(input, frontierTasks(budgets), { workers, results, onProgress, signal })),
  )
  const { timeline, scores, isHeldBack } = input
  return {
    spec,
    data: dataName(spec.data),
    pages: timeline.urls.length,
    steps: timeline.atMs.length,
    queries: scores.weights.length,
    heldBackPages: isHeldBack.reduce((sum, is) => sum + is, 0),
    rows: frontierRows(rows),
  }
}

function jsonOf(result: FrontierResult, checks: readonly FrontierCheck[]): object {
  const { spec, rows, ...world } = result
  const { scoring, heldBack, rho, ngramWords, seed } = spec
  return { ...world, scoring, heldBack, rho, ngramWords, seed, ...rows, checks }
}

function textOf(result: FrontierResult, checks: readonly FrontierCheck[]): string {
  const { spec, data, pages, steps, queries, heldBackPages, rows } = result
  const world = `${data}: ${count(pages, 'page')}, ${count(steps, 'step')}, ${count(queries, 'query', 'queries')}, ${spec.scoring}`
  return [
    `${world}; ${count(heldBackPages, 'page')} held back`,
    `The frontier, and what importance says of impact (Figure 2)\n${tableText(sceneTable(rows))}`,
    `Area under the curve of impact by pages fetched (Figure 5)\n${tableText(areaTable(rows))}`,
    ...rows.sketches.map(
      (one) => `Impact kept with few sketches, set ${one.set} (Figures 8 and 9)\n${tableText(sketchTable(one))}`,
    ),
    `Mean quality by how a budget is shared between new and known pages\n${tableText(splitTable(rows))}`,
    `What should hold\n${tableText(checkTable(checks))}`,
  ].join('\n\n')
}
