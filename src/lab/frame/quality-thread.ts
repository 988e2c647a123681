/** A thread that computes rows of the quality experiment. */

import { runQualityTask } from '../experiments/quality/run.js'
import { answerTasks } from './threads.js'

answerTasks(runQualityTask)
