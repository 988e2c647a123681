import type { Command } from 'commander'
import { figureTable, orderingTable, scheduleReport, timetableTable } from '../../lab/experiments/schedule/report.js'
import {
  SCHEDULE_FIGURES,
  SCHEDULE_TASKS,
  type ScheduleResult,
  type ScheduleRows,
  type ScheduleSpec,
  type ScheduleTask,
  scheduleOrderings,
  scheduleRows,
} from '../../lab/experiments/schedule/run.js'
import { runSchedule } from '../../lab/frame/lab-threads.js'
import { ResultFile } from '../../lab/frame/result-file.js'
import { tableText } from '../../lab/report/table.js'
import { addExamples, integer } from '../command.js'
import {
  addOutputOptions,
  addRunOptions,
  DEFAULT_SEED,
  giveOut,
  type LabOutputOptions,
  type RunOptions,
  seed,
  untilInterruptedKeeping,
  withRunProgress,
} from './experiment-command.js'

interface LabScheduleOptions extends ScheduleSpec, RunOptions, LabOutputOptions {}

const MOST_PAGES = 10_000_000
const MOST_CRAWLERS = 1000

export function addLabScheduleCommand(parent: Command): void {
  const command = parent
    .command('schedule')
    .description('what the optimal schedule is worth beside simple ones, on the settings of its paper')
    .option('--pages <n>', 'generated pages', integer(1, MOST_PAGES), 50_000)
    .option('--crawlers <n>', 'that share the timetable', integer(1, MOST_CRAWLERS), 10)
    .option('--seed <n>', 'of everything that is left to chance', seed, DEFAULT_SEED)
  addOutputOptions(addRunOptions(command)).action(runLabSchedule)
  addExamples(
    command,
    'freshdex lab schedule --report schedule.html',
    'freshdex lab schedule --pages 1000000 --resume run.jsonl --json',
  )
}

async function runLabSchedule(options: LabScheduleOptions): Promise<void> {
  const { pages, crawlers, seed, workers, resume } = options
  const spec = { pages, crawlers, seed }
  const question = { experiment: 'schedule', ...spec }
  const results = resume === undefined ? undefined : new ResultFile<ScheduleTask, ScheduleResult>(resume, question)
  await untilInterruptedKeeping(results, async (signal) => {
    const found = await withRunProgress((onProgress) =>
      runSchedule(spec, SCHEDULE_TASKS, { workers, results, onProgress, signal }),
    )
    const rows = scheduleRows(found)
    const json = { ...spec, ...rows, orderings: scheduleOrderings(rows) }
    giveOut({ json, report: scheduleReport(spec, rows), text: textOf(rows) }, options)
  })
}

function textOf(rows: ScheduleRows): string {
  return [
    ...SCHEDULE_FIGURES.map((figure) => `${figure.title}\n${tableText(figureTable(figure, rows))}`),
    `Distance of crawls from their ideal times, in slots (Figure 10)\n${tableText(timetableTable(rows))}`,
    `What the paper says of its figures\n${tableText(orderingTable(scheduleOrderings(rows)))}`,
  ].join('\n\n')
}
