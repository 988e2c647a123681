/** A thread that computes points of the schedule experiment. */

import { runScheduleTask } from '../experiments/schedule/run.js'
import { answerTasks } from './threads.js'

answerTasks(runScheduleTask)
