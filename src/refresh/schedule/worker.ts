/** A thread with one task: to make a schedule of packed pages. */
import { parentPort, workerData } from 'node:worker_threads'
import { FreshdexError } from '../../base/errors.js'
import { makeSchedule, type Schedule } from '../../schedule/schedule.js'
import { unpackPages } from './packed-pages.js'
import type { ThreadAnswer, ThreadFailure, ThreadRequest } from './thread.js'

const { pages, options } = workerData as ThreadRequest
const answer = answerTo(() => makeSchedule(unpackPages(pages), options))
parentPort?.postMessage(answer, 'schedule' in answer ? buffersOf(answer.schedule) : [])

function answerTo(make: () => Schedule): ThreadAnswer {
  try {
    return { schedule: make() }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

/** Throws anything else again: then the thread ends with it. */
function failureOf(error: unknown): ThreadFailure {
  if (error instanceof FreshdexError) {
    const { message, code, detail } = error
    return { kind: 'FreshdexError', message, code, detail }
  }
  if (error instanceof TypeError) return { kind: 'TypeError', message: error.message }
  if (error instanceof RangeError) return { kind: 'RangeError', message: error.message }
  throw error
}

/** Each once: two columns may be views of the same memory. */
function buffersOf({ crawls, staleness, ideal, slots, made }: Schedule): ArrayBuffer[] {
  const columns = [crawls, staleness, ideal.pages, ideal.times, ideal.neverEarly, slots.times, slots.crawlers, made]
  return [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))]
}
