/** A thread that reads what tasks of the cluster experiment need. */
import { loadClustersInput } from '../clusters/clusters-input.js'
import type { ClustersSpec } from '../clusters/clusters-spec.js'
import { answerTasks } from './task-answers.js'

answerTasks((_: undefined, spec: ClustersSpec, tell) => loadClustersInput(spec, tell))
