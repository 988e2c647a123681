/** A thread with one task: to group pages by their features. */
import { parentPort, workerData } from 'node:worker_threads'
import { finish } from '../../base/turns.js'
import { type GroupingRequest, groupInSteps } from './grouping.js'

const grouping = finish(groupInSteps(workerData as GroupingRequest))
const { clustering, cosines, nearest } = grouping
const moved = [clustering.assignment, cosines, nearest.pages].map(({ buffer }) => buffer as ArrayBuffer)
parentPort?.postMessage(grouping, moved)
