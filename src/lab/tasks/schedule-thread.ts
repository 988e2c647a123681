/** A thread that computes points of the schedule experiment. */
import { runScheduleTask } from '../experiments/schedule-experiment.js'
import { answerTasks } from './task-answers.js'

answerTasks(runScheduleTask)
