/** A thread that computes parts of the frontier experiment. */

import { runFrontierTask } from '../experiments/frontier/run.js'
import { answerTasks } from './threads.js'

answerTasks(runFrontierTask)
