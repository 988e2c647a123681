import type { Command } from 'commander'
import type { ScheduleSpec } from '../../lab/experiments/schedule/figures.js'
import { schedule } from '../../lab/experiments/schedule/run.js'
import { integer } from '../options.js'
import { addExperiment, seedOption } from './experiment-command.js'

const MOST_PAGES = 10_000_000
const MOST_CRAWLERS = 1000

export function addLabScheduleCommand(parent: Command): void {
  const command = parent
    .command('schedule')
    .description('what the optimal schedule is worth beside simple ones, on the settings of its paper')
    .option('--pages <n>', 'generated pages', integer(1, MOST_PAGES), 50_000)
    .option('--crawlers <n>', 'that share the timetable', integer(1, MOST_CRAWLERS), 10)
    .addOption(seedOption())
  addExperiment(command, schedule, {
    spec: ({ pages, crawlers, seed }: ScheduleSpec) => ({ pages, crawlers, seed }),
    examples: [
      'freshdex lab schedule --report schedule.html',
      'freshdex lab schedule --pages 1000000 --resume run.jsonl --json',
    ],
  })
}
