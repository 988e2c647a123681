/** What an optimal schedule is worth beside simple ones. Each task of the experiment generates its pages. */

import { numberOption } from '../../../base/checks.js'
import type { Experiment } from '../../frame/experiment.js'
import {
  runScheduleTask,
  SCHEDULE_TASKS,
  type ScheduleRow,
  type ScheduleSpec,
  type ScheduleTask,
  scheduleRows,
} from './figures.js'
import { scheduleOrderings } from './orderings.js'
import { type ScheduleResult, scheduleReport } from './report.js'

export const schedule: Experiment<ScheduleSpec, ScheduleSpec, ScheduleTask, ScheduleRow, ScheduleResult> = {
  name: 'schedule',
  check: checkScheduleSpec,
  question: async ({ pages, crawlers, seed }) => ({ experiment: 'schedule', pages, crawlers, seed }),
  tasks: () => SCHEDULE_TASKS,
  run: runScheduleTask,
  conclude: (spec, _, found) => {
    const rows = scheduleRows(found)
    return { spec, rows, orderings: scheduleOrderings(rows) }
  },
  report: scheduleReport,
  json: ({ spec: { pages, crawlers, seed }, rows, orderings }) => ({ pages, crawlers, seed, ...rows, orderings }),
}

export function checkScheduleSpec({ pages, crawlers, seed }: ScheduleSpec): void {
  numberOption('pages', pages, 1, { min: 1, max: 10_000_000, integer: true })
  numberOption('crawlers', crawlers, 1, { min: 1, max: 1000, integer: true })
  numberOption('seed', seed, 0, { min: 0, max: 2 ** 32 - 1, integer: true })
}
