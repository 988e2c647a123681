/** A thread that reads what tasks of the frontier experiment need. */

import { type FrontierSpec, loadFrontierInput } from '../experiments/frontier/input.js'
import { answerTasks } from './threads.js'

answerTasks((_: undefined, spec: FrontierSpec, tell) => loadFrontierInput(spec, tell))
