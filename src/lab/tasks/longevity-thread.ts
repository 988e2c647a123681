/** A thread that replays policies of the longevity experiment. */
import { runLongevityTask } from '../longevity/longevity-experiment.js'
import { answerTasks } from './task-answers.js'

answerTasks(runLongevityTask)
