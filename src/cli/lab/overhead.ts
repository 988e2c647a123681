import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type OverheadSpec, overhead } from '../../lab/experiments/overhead/run.js'
import { integer } from '../options.js'
import { addDataOptions, addExperiment } from './experiment-command.js'

interface LabOverheadOptions extends Pick<OverheadSpec, 'data' | 'queries' | 'runs'> {
  readonly sizes: readonly number[]
}

const MOST_MB = 1000

export function addLabOverheadCommand(parent: Command): void {
  const command = parent.command('overhead').description('what measuring adds to the time of writes, on this machine')
  addDataOptions(command)
    .option('--runs <n>', 'passes over all sizes, after a first that warms up', integer(1, 1000), 3)
    .option('--sizes <list>', 'of batches, in MB of text, with commas between them', sizes, [1, 2, 5, 10])
  addExperiment(command, overhead, {
    spec: ({ data, queries, runs, sizes: sizesMB }: LabOverheadOptions) => {
      const workFolder = mkdtempSync(path.join(os.tmpdir(), 'freshdex-overhead-'))
      return { data, queries, runs, sizesMB, workFolder }
    },
    cleanUp: ({ workFolder }) => rmSync(workFolder, { recursive: true, force: true }),
    examples: [
      'freshdex lab overhead --data site-snapshots',
      'freshdex lab overhead --data site-snapshots --runs 7 --sizes 1,10,50 --report overhead.html',
    ],
  })
}

/** `1,2,5` */
function sizes(text: string): readonly number[] {
  const values = text.split(',').map((part) => (/^\d{1,4}(?:\.\d{1,6})?$/.test(part) ? Number(part) : Number.NaN))
  if (values.every((value) => value > 0 && value <= MOST_MB)) return [...new Set(values)].sort((a, b) => a - b)
  throw new InvalidArgumentError(`It must be numbers above 0 and up to ${MOST_MB}, with commas between them.`)
}
