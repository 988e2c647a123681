import { schedule } from '../../lab/experiments/schedule/run.js'
import { integer, withDefault } from '../options.js'
import { experimentCommand, SEED } from './experiment-command.js'

const MOST_PAGES = 10_000_000
const MOST_CRAWLERS = 1000

export const labSchedule = experimentCommand(schedule, {
  summary: 'what the optimal schedule is worth beside simple ones, on the settings of its paper',
  options: {
    pages: withDefault('<n>', 'generated pages', 50_000, integer(1, MOST_PAGES)),
    crawlers: withDefault('<n>', 'that share the timetable', 10, integer(1, MOST_CRAWLERS)),
    seed: SEED,
  },
  examples: [
    'freshdex lab schedule --report schedule.html',
    'freshdex lab schedule --pages 1000000 --resume run.jsonl --json',
  ],
  spec: ({ pages, crawlers, seed }) => ({ pages, crawlers, seed }),
})
