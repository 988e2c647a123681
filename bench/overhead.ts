/**
 * What does measuring cost? The experiment of the lab, with batches of 1 to 50 MB.
 *
 * Claim: measuring by whole queries adds no more than 8% to refreshes, the paper's own figure.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Bench } from './bench.js'
import { overheadPlot, runOverhead } from './experiment-parts.js'
import { asMisuse } from './snapshot-data.js'

const SIZES_MB: readonly number[] = [1, 2, 5, 10, 20, 50]
const MOST = 0.08

export const overhead: Bench = {
  name: 'overhead',
  question: 'What does measuring add to the time of writes?',
  options: {
    runs: { kind: 'count', default: 7, help: 'passes over all batch sizes after a first that warms up' },
    queries: { kind: 'count', default: 3000, help: 'the most frequent ones, as the workload' },
  },

  async run(request) {
    const workFolder = mkdtempSync(path.join(tmpdir(), 'freshdex-overhead-'))
    const counts = { queries: request.count('queries'), runs: request.count('runs') }
    try {
      const result = await asMisuse(() =>
        runOverhead({ data: request.folder, sizesMB: SIZES_MB, workFolder, ...counts }, ({ done, total }) => {
          if (done % 12 === 0) request.progress(`batch ${done} of ${total}`)
        }),
      )
      const plot = overheadPlot(request.dataset, SIZES_MB, result)
      return { result, isClaimKept: result.refresh.medianRatio <= MOST, plot }
    } finally {
      rmSync(workFolder, { recursive: true, force: true })
    }
  },
}
