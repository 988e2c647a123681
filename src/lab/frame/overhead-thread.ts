/** A thread that times writes with and without measuring. */

import { type OverheadSpec, runOverhead } from '../experiments/overhead/run.js'
import { answerTasks } from './threads.js'

answerTasks((_: undefined, spec: OverheadSpec, tell) => runOverhead(spec, tell))
