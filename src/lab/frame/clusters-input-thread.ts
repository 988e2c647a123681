/** A thread that reads what tasks of the cluster experiment need. */

import { loadClustersInput } from '../experiments/clusters/input.js'
import type { ClustersSpec } from '../experiments/clusters/spec.js'
import { answerTasks } from './threads.js'

answerTasks((_: undefined, spec: ClustersSpec, tell) => loadClustersInput(spec, tell))
