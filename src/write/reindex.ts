/**
 * Reading the stored documents of an index again for fields and columns that it was given later: portion by portion, in
 * turns with the writes of the caller. Nobody has looked at the documents, so their refresh histories stay as they are.
 */
import { FreshdexError } from '../base/errors.js'
import { nextTurn } from '../base/turns.js'
import { isWaiting, NOTHING_WAITS, type WaitingProperties } from '../base/waiting-properties.js'
import type { StoredForms } from '../core/batch.js'
import type { StoredPortion } from '../core/documents.js'
import type { BatchMeasure, PreparedBatch } from '../engine.js'
import { hasStoredLinks } from '../options/index-settings.js'
import { finishWrite, type LinkedBatch, linkedBy, startUpkeepIfDue, type WriteContext } from './pipeline.js'

export interface ReindexProgress {
  /** Documents that have all fields and columns. */
  readonly done: number
  /** Documents that there were in the beginning. */
  readonly total: number
}

export interface ReindexReport {
  /** The fields that were new; none when there was nothing to do. */
  readonly fields: readonly string[]
  /** The columns that were new. */
  readonly columns: readonly string[]
  /** Documents that were read again. */
  readonly documents: number
}

/** Settles when every document has all fields and columns of the index. */
export interface Reindexing extends Promise<ReindexReport> {
  readonly progress: ReindexProgress
}

/** What there is to do. */
export interface ReindexTask {
  readonly waiting: WaitingProperties
  readonly total: number
  /** Stored documents in order of their numbers. */
  portion(from: number, limit: number): StoredPortion
  /** Makes durable that nothing is left to do. */
  finish(): Promise<void>
  /** Whether the index is being closed: the next opening goes on. */
  isStopped(): boolean
}

/** Documents of one batch, at most. */
const PORTION = 200

/** Begins at once. A failure is told to whoever waits, and the next opening begins again. */
export function reindex(task: ReindexTask, context: WriteContext): Reindexing {
  const progress = { done: 0, total: task.total }
  const work = !isWaiting(task.waiting) ? nothingToDo() : allDocuments(task, context, progress)
  work.catch(() => {})
  return Object.defineProperty(work, 'progress', { enumerable: true, get: () => ({ ...progress }) }) as Reindexing
}

async function nothingToDo(): Promise<ReindexReport> {
  return { ...NOTHING_WAITS, documents: 0 }
}

async function allDocuments(
  task: ReindexTask,
  context: WriteContext,
  progress: { done: number },
): Promise<ReindexReport> {
  let documents = 0
  for (let from: number | undefined = 0; from !== undefined; ) {
    await nextTurn()
    const begin: number = from
    const portion = await context.turns.run(async () => {
      if (task.isStopped()) throw new FreshdexError('CLOSED', 'the index was closed; the next opening goes on')
      const read = task.portion(begin, PORTION)
      if (read.documents.length > 0) await writeAgain(read.documents, task.waiting, context)
      return read
    })
    documents += portion.documents.length
    progress.done = documents
    from = portion.next
  }
  await context.turns.run(() => task.finish())
  return { ...task.waiting, documents }
}

async function writeAgain(
  documents: readonly object[],
  waiting: WaitingProperties,
  context: WriteContext,
): Promise<void> {
  const { account, cpu, gate, encoder } = context
  const writer = context.writer()
  await account.ready()
  const batch = cpu.timed('index', () => gate.run(() => encoder.encodeAgain(documents, waiting)))
  const { keys } = batch
  let prepared: PreparedBatch
  let stored: StoredForms | undefined
  let linked: LinkedBatch | undefined
  try {
    stored = writer.journal.storedForms(batch)
    // Links that are not stored are in the table of links, and stay as they are.
    if (hasStoredLinks(context.settings)) linked = await linkedBy({ ...batch, isRefill: true }, context)
    prepared = await writer.core.prepare(batch.bytes, linked?.slab)
  } finally {
    batch.release()
  }
  const links = linked?.moves.changes
  const enter = (measure: BatchMeasure) => account.enterReweighed(measure)
  const written = await finishWrite({ prepared, keys, stored, links }, writer, enter)
  await account.afterWrite(written, keys)
  startUpkeepIfDue(context, writer)
}
