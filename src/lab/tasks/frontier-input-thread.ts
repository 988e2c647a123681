/** A thread that reads what tasks of the frontier experiment need. */
import { loadFrontierInput } from '../frontier/frontier-experiment.js'
import type { FrontierSpec } from '../frontier/frontier-spec.js'
import { answerTasks } from './task-answers.js'

answerTasks((_: undefined, spec: FrontierSpec, tell) => loadFrontierInput(spec, tell))
