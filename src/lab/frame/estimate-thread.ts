/** A thread that compares measured gains with exact ones. */

import { type EstimateSpec, runEstimate } from '../experiments/estimate/run.js'
import { answerTasks } from './threads.js'

answerTasks((_: undefined, spec: EstimateSpec, tell) => runEstimate(spec, tell))
