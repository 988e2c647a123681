/** A thread that computes rows of the cluster experiment. */

import { runClustersTask } from '../experiments/clusters/run.js'
import { answerTasks } from './threads.js'

answerTasks(runClustersTask)
