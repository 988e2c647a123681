/** Makes the timetable of a large index on a thread: in one go, it would hold the event loop for too long. */
import { type ErrorDetail, FreshdexError, type FreshdexErrorCode } from '../../base/errors.js'
import { startThread, threadResult } from '../../base/threads.js'
import { inTurns, type Pauses } from '../../base/turns.js'
import type { Schedule, ScheduleOptions } from '../../schedule/schedule.js'
import { type LedgerPage, type PackedPages, packPages } from './packed-pages.js'

export interface ThreadRequest {
  readonly pages: PackedPages
  readonly options: ScheduleOptions
}

/** An error as a message carries it: a class of ours would come out as another one. */
export interface ThreadFailure {
  readonly kind: 'TypeError' | 'RangeError' | 'FreshdexError'
  readonly message: string
  /** Of a FreshdexError. */
  readonly code?: FreshdexErrorCode
  readonly detail?: ErrorDetail
}

export type ThreadAnswer = { readonly schedule: Schedule } | { readonly failure: ThreadFailure }

/** Compiled code, also when the library runs from its sources: a thread cannot run those. */
const SCRIPT = new URL('../../../dist/refresh/schedule/worker.js', import.meta.url)

/**
 * What `makeSchedule` gives, or throws. `check` is called now and then, and throws when nobody wants the schedule.
 */
export async function scheduleOnThread(
  pages: readonly LedgerPage[],
  options: ScheduleOptions,
  { pauses, check }: { readonly pauses: Pauses; check(): void },
): Promise<Schedule> {
  const packed = await inTurns(packPages(pages), pauses)
  const columns: readonly ArrayBufferView[] = Object.values(packed)
  const request: ThreadRequest = { pages: packed, options }
  const moved = columns.map(({ buffer }) => buffer as ArrayBuffer)
  const answer = await threadResult<ThreadAnswer>(startThread(SCRIPT, request, 'freshdex schedule', moved), check)
  if ('schedule' in answer) return answer.schedule
  throw errorOf(answer.failure)
}

function errorOf({ kind, message, code = 'INTERNAL', detail }: ThreadFailure): Error {
  if (kind === 'FreshdexError') return new FreshdexError(code, message, { detail })
  return kind === 'TypeError' ? new TypeError(message) : new RangeError(message)
}
