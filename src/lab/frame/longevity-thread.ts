/** A thread that replays policies of the longevity experiment. */

import { runLongevityTask } from '../experiments/longevity/run.js'
import { answerTasks } from './threads.js'

answerTasks(runLongevityTask)
