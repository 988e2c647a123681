/** A thread that reads or generates the worlds of the longevity experiment. */
import { type LongevitySpec, loadLongevityInput } from '../longevity/longevity-experiment.js'
import { answerTasks } from './task-answers.js'

answerTasks((_: undefined, spec: LongevitySpec, tell) => loadLongevityInput(spec, tell))
