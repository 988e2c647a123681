/** A thread that compares measured gains with exact ones. */
import { type EstimateSpec, runEstimate } from '../estimate/estimate-experiment.js'
import { answerTasks } from './task-answers.js'

answerTasks((_: undefined, spec: EstimateSpec, tell) => runEstimate(spec, tell))
