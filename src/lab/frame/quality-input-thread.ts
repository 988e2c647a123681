/** A thread that reads what tasks of the quality experiment need. */

import { loadQualityInput } from '../experiments/quality/input.js'
import type { QualitySpec } from '../experiments/quality/spec.js'
import { answerTasks } from './threads.js'

answerTasks((_: undefined, spec: QualitySpec, tell) => loadQualityInput(spec, tell))
