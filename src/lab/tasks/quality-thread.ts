/** A thread that computes rows of the quality experiment. */
import { runQualityTask } from '../experiments/quality-experiment.js'
import { answerTasks } from './task-answers.js'

answerTasks(runQualityTask)
