import type { Command } from 'commander'
import { type ForecastResult, forecastReport, forecastTable } from '../../lab/experiments/forecast/report.js'
import { GAIN_ESTIMATORS, type GainEstimator } from '../../lab/experiments/quality/policies.js'
import { runForecast } from '../../lab/frame/lab-threads.js'
import { tableText } from '../../lab/report/table.js'
import { addExamples, asUsage, integer } from '../command.js'
import { count } from '../output/wording.js'
import {
  addOutputOptions,
  addWorldOptions,
  dataName,
  giveOut,
  type LabOutputOptions,
  oneOrMore,
  untilInterrupted,
  type WorldOptions,
  withLoadingProgress,
  worldSpec,
} from './experiment-command.js'

interface LabForecastOptions extends WorldOptions, LabOutputOptions {
  readonly estimators: readonly GainEstimator[]
  readonly samples: number
}

const MOST_SAMPLES = 1_000_000

export function addLabForecastCommand(parent: Command): void {
  const command = addWorldOptions(
    parent.command('forecast').description('whether gains of the first half of a history foretell those of the second'),
  )
    .option('--estimators <names>', `how gains are known: ${GAIN_ESTIMATORS.join(', ')}`, oneOrMore(GAIN_ESTIMATORS), [
      'full-exact',
    ])
    .option('--samples <n>', 'of the bootstrap that gives the interval', integer(1, MOST_SAMPLES), 1000)
  addOutputOptions(command).action(runLabForecast)
  addExamples(
    command,
    'freshdex lab forecast --data site-snapshots',
    'freshdex lab forecast --data site-snapshots --scoring bm25 --estimators single,full-exact --report forecast.html',
  )
}

async function runLabForecast(options: LabForecastOptions): Promise<void> {
  const { estimators, samples } = options
  const spec = { ...worldSpec(options), policies: [], estimators }
  await untilInterrupted(async (signal) => {
    const answer = await withLoadingProgress((onProgress) =>
      asUsage(() => runForecast({ spec, samples }, { onProgress, signal })),
    )
    const result = { spec, data: dataName(spec.data), ...answer }
    giveOut({ json: jsonOf(result, samples), report: forecastReport(result), text: textOf(result) }, options)
  })
}

/** Without the points of the figure: they are many, and in the report. */
function jsonOf({ spec, data, pages, steps, queries, forecasts }: ForecastResult, samples: number): object {
  const { scoring, seed } = spec
  const rows = forecasts.map(({ points: _, ...row }) => row)
  return { data, scoring, pages, steps, queries, seed, samples, forecasts: rows }
}

function textOf({ spec, data, pages, steps, queries, forecasts }: ForecastResult): string {
  const last = forecasts[0]?.lastOfFirst ?? 0
  return [
    `${data}: ${count(pages, 'page')}, ${count(steps, 'step')}, ${count(queries, 'query', 'queries')}, ${spec.scoring}`,
    `ΔQ of steps 1 to ${last} against ${last + 1} to ${steps - 1}, by rank\n${tableText(forecastTable(forecasts))}`,
  ].join('\n\n')
}
