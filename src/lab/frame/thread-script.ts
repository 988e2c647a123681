/** The script of every thread of the lab: it loads what an experiment needs, or runs its tasks. */

import { workerData } from 'node:worker_threads'
import type { ExperimentThread } from './experiment.js'
import { type AnyExperiment, type ExperimentName, loadExperiment } from './experiments.js'
import { answerTasks } from './threads.js'

const { experiment: name, step } = workerData as ExperimentThread
const experiment = (await loadExperiment(name as ExperimentName)) as AnyExperiment

// Requests that come before this line wait in the port.
answerTasks(({ input }: ExperimentThread, task, tell) =>
  step === 'load' ? experiment.load!(input, task as readonly unknown[], tell) : experiment.run(input, task, tell),
)
