/** A thread that computes parts of the frontier experiment. */
import { runFrontierTask } from '../frontier/frontier-experiment.js'
import { answerTasks } from './task-answers.js'

answerTasks(runFrontierTask)
