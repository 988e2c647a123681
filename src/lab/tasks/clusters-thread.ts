/** A thread that computes rows of the cluster experiment. */
import { runClustersTask } from '../clusters/clusters-experiment.js'
import { answerTasks } from './task-answers.js'

answerTasks(runClustersTask)
