import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { InvalidArgumentError } from 'commander'
import { overhead } from '../../lab/experiments/overhead/run.js'
import { integer, withDefault } from '../options.js'
import { DATA, experimentCommand, QUERIES } from './experiment-command.js'

const MOST_RUNS = 1000
const MOST_MB = 1000

export const labOverhead = experimentCommand(overhead, {
  summary: 'what measuring adds to the time of writes, on this machine',
  options: {
    data: DATA,
    queries: QUERIES,
    runs: withDefault('<n>', 'passes over all sizes, after a first that warms up', 3, integer(1, MOST_RUNS)),
    sizes: withDefault('<list>', 'of batches, in MB of text, with commas between them', [1, 2, 5, 10], sizes),
  },
  examples: [
    'freshdex lab overhead --data site-snapshots',
    'freshdex lab overhead --data site-snapshots --runs 7 --sizes 1,10,50 --report overhead.html',
  ],
  spec({ data, queries, runs, sizes: sizesMB }) {
    const workFolder = mkdtempSync(path.join(os.tmpdir(), 'freshdex-overhead-'))
    return { data, queries, runs, sizesMB, workFolder }
  },
  cleanUp: ({ workFolder }) => rmSync(workFolder, { recursive: true, force: true }),
})

/** `1,2,5` */
function sizes(text: string): readonly number[] {
  const values = text.split(',').map((part) => (/^\d{1,4}(?:\.\d{1,6})?$/.test(part) ? Number(part) : Number.NaN))
  if (values.every((value) => value > 0 && value <= MOST_MB)) return [...new Set(values)].sort((a, b) => a - b)
  throw new InvalidArgumentError(`It must be numbers above 0 and up to ${MOST_MB}, with commas between them.`)
}
