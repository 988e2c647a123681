/** A thread that reads what tasks of the quality experiment need. */
import { loadQualityInput, type QualitySpec } from '../experiments/quality-experiment.js'
import { answerTasks } from './task-answers.js'

answerTasks((_: undefined, spec: QualitySpec, tell) => loadQualityInput(spec, tell))
