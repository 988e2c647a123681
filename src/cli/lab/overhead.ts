import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { overheadReport, overheadTable, sizeTable, sketchingTable } from '../../lab/experiments/overhead/report.js'
import type { OverheadResult } from '../../lab/experiments/overhead/run.js'
import { overheadOnThread } from '../../lab/frame/lab-threads.js'
import { tableText } from '../../lab/report/table.js'
import { addExamples, asUsage, integer } from '../command.js'
import {
  addDataOptions,
  addOutputOptions,
  dataName,
  giveOut,
  type LabOutputOptions,
  untilInterrupted,
  withStepProgress,
} from './experiment-command.js'

interface LabOverheadOptions extends LabOutputOptions {
  readonly data: string
  readonly queries: number
  readonly runs: number
  readonly sizes: readonly number[]
}

const MOST_MB = 1000

export function addLabOverheadCommand(parent: Command): void {
  const command = addDataOptions(
    parent.command('overhead').description('what measuring adds to the time of writes, on this machine'),
  )
    .option('--runs <n>', 'passes over all sizes, after a first that warms up', integer(1, 1000), 3)
    .option('--sizes <list>', 'of batches, in MB of text, with commas between them', sizes, [1, 2, 5, 10])
  addOutputOptions(command).action(runLabOverhead)
  addExamples(
    command,
    'freshdex lab overhead --data site-snapshots',
    'freshdex lab overhead --data site-snapshots --runs 7 --sizes 1,10,50 --report overhead.html',
  )
}

async function runLabOverhead(options: LabOverheadOptions): Promise<void> {
  const { data, queries, runs, sizes: sizesMB } = options
  const workFolder = mkdtempSync(path.join(os.tmpdir(), 'freshdex-overhead-'))
  const spec = { data, queries, runs, sizesMB, workFolder }
  try {
    await untilInterrupted(async (signal) => {
      const result = await withStepProgress('batches', (onProgress) =>
        asUsage(() => overheadOnThread(spec, { onProgress, signal })),
      )
      const name = dataName(data)
      const json = { data: name, queries, runs, ...result }
      giveOut({ json, report: overheadReport(name, spec, result), text: textOf(result) }, options)
    })
  } finally {
    rmSync(workFolder, { recursive: true, force: true })
  }
}

/** `1,2,5` */
function sizes(text: string): readonly number[] {
  const values = text.split(',').map((part) => (/^\d{1,4}(?:\.\d{1,6})?$/.test(part) ? Number(part) : Number.NaN))
  if (values.every((value) => value > 0 && value <= MOST_MB)) return [...new Set(values)].sort((a, b) => a - b)
  throw new InvalidArgumentError(`It must be numbers above 0 and up to ${MOST_MB}, with commas between them.`)
}

function textOf(result: OverheadResult): string {
  return [
    `Time that measuring adds to writes\n${tableText(overheadTable(result))}`,
    `By size of batches, medians\n${tableText(sizeTable(result))}`,
    `Time that sketching adds to writes, per page\n${tableText(sketchingTable(result))}`,
  ].join('\n\n')
}
