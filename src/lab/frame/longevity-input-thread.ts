/** A thread that reads or generates the worlds of the longevity experiment. */

import { type LongevitySpec, loadLongevityInput } from '../experiments/longevity/run.js'
import { answerTasks } from './threads.js'

answerTasks((_: undefined, spec: LongevitySpec, tell) => loadLongevityInput(spec, tell))
