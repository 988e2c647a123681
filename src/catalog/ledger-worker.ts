/** A thread with one task: to load a ledger from its image or from the rows, or to write its image. */
import { rmSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { RefreshHistory } from '../refresh/history.js'
import type { LoadedLedger } from '../refresh/rows.js'
import { readJudgementImage, writeJudgementImage } from './judgement-image.js'
import { ledgerKey, readLedgerImage, writeLedgerImage } from './ledger-image.js'
import type { LedgerAnswer, LedgerJob, LedgerTask } from './ledger-thread.js'
import { storedPrioritizer } from './prioritizer-rows.js'
import { StoredView } from './stored-view.js'

const { task, port, isDone } = workerData as LedgerJob
port.postMessage(answer())
Atomics.store(isDone, 0, 1)
Atomics.notify(isDone, 0)

function answer(): LedgerAnswer {
  try {
    return { loaded: task.kind === 'load' ? load(task) : keep(task) }
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
    return { failure: { code, message: String(message) } }
  }
}

function load({ files, nowMs }: LedgerTask & { readonly kind: 'load' }): LoadedLedger {
  const view = StoredView.open(files.catalog)
  try {
    view.pin()
    const key = ledgerKey(view.db)
    const parts = readLedgerImage(files.ledgerImage, key)
    if (parts !== undefined) {
      const judgement = readJudgementImage(files.judgementImage, key, parts)
      return { parts, damagedRows: 0, imageKey: key, judgement }
    }
    const history = new RefreshHistory(storedPrioritizer(() => view))
    history.load(nowMs)
    return { parts: history.ledger.parts(), damagedRows: history.damagedRows, imageKey: undefined }
  } finally {
    view.close()
  }
}

function keep({ files, ledger }: LedgerTask & { readonly kind: 'keep' }): undefined {
  const { key, hasImage, parts, judgement } = ledger
  // First: it is of no use without an image of its key, and of none but that.
  rmSync(files.judgementImage, { force: true })
  if (!hasImage) writeLedgerImage(files.ledgerImage, key, parts)
  if (judgement !== undefined) writeJudgementImage(files.judgementImage, key, parts, judgement)
  return undefined
}
