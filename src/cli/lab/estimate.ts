import type { Command } from 'commander'
import { estimateReport, gainTable } from '../../lab/experiments/estimate/report.js'
import type { ComparisonProgress, EstimateResult } from '../../lab/experiments/estimate/run.js'
import { estimateOnThread } from '../../lab/frame/lab-threads.js'
import { tableText } from '../../lab/report/table.js'
import { addExamples, asUsage, integer } from '../command.js'
import { count } from '../output/wording.js'
import {
  addDataOptions,
  addOutputOptions,
  dataName,
  giveOut,
  type LabOutputOptions,
  oneOrMore,
  untilInterrupted,
  withStepProgress,
} from './experiment-command.js'

const SCORINGS = ['bm25', 'tfidf'] as const

interface LabEstimateOptions extends LabOutputOptions {
  readonly data: string
  readonly queries: number
  readonly scorings: readonly (typeof SCORINGS)[number][]
  readonly pieces: number
  readonly weeks: number
}

export function addLabEstimateCommand(parent: Command): void {
  const command = addDataOptions(
    parent.command('estimate').description('how near the gains that an index measures are to the exact ones'),
  )
    .option('--scorings <models>', 'bm25, tfidf or both', oneOrMore(SCORINGS), SCORINGS)
    .option('--pieces <n>', 'of a score-rank curve', integer(1, 8), 3)
    .option('--weeks <n>', 'to replay, at most', integer(1, 1_000_000), 1000)
  addOutputOptions(command).action(runLabEstimate)
  addExamples(
    command,
    'freshdex lab estimate --data site-snapshots',
    'freshdex lab estimate --data site-snapshots --scorings bm25 --weeks 12 --report estimate.html --json',
  )
}

async function runLabEstimate(options: LabEstimateOptions): Promise<void> {
  const { data, scorings, queries, pieces, weeks } = options
  const spec = { data, scorings, queries, pieces, weeks }
  await untilInterrupted(async (signal) => {
    const result = await withStepProgress('weeks', (onProgress) => {
      // Weeks under one scoring after the other, on one bar.
      const onWeek = ({ scoring, done, total }: ComparisonProgress) =>
        onProgress({
          done: scorings.indexOf(scoring) * total + done,
          total: total * scorings.length,
        })
      return asUsage(() => estimateOnThread(spec, { onProgress: onWeek, signal }))
    })
    const name = dataName(data)
    const json = { data: name, pieces, ...result }
    giveOut({ json, report: estimateReport(name, spec, result), text: textOf(name, result) }, options)
  })
}

function textOf(name: string, result: EstimateResult): string {
  const { pages, weeks, queries } = result
  return [
    `${name}: ${count(pages, 'page')}, ${count(weeks, 'week')}, ${count(queries, 'query', 'queries')}`,
    `Gains of pages that changed, measured against exact\n${tableText(gainTable(result))}`,
  ].join('\n\n')
}
