/** A thread that times writes with and without measuring. */
import { type OverheadSpec, runOverhead } from '../overhead/overhead-experiment.js'
import { answerTasks } from './task-answers.js'

answerTasks((_: undefined, spec: OverheadSpec, tell) => runOverhead(spec, tell))
