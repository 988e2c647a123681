/** A thread with one task: to load a ledger from its image or from the rows, or to write its image. */
import { parentPort, workerData } from 'node:worker_threads'
import { RefreshHistory } from '../refresh/history.js'
import type { LoadedLedger } from '../refresh/rows.js'
import { ledgerKey, readLedgerImage, writeLedgerImage } from './ledger-image.js'
import type { LedgerAnswer, LedgerTask } from './ledger-thread.js'
import { storedPrioritizer } from './prioritizer-rows.js'
import { StoredView } from './stored-view.js'

const task = workerData as LedgerTask
parentPort?.postMessage(answer())

function answer(): LedgerAnswer {
  try {
    return { loaded: task.kind === 'load' ? load(task) : keep(task) }
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
    return { failure: { code, message: String(message) } }
  }
}

function load({ catalog, image, nowMs }: LedgerTask & { readonly kind: 'load' }): LoadedLedger {
  const view = StoredView.open(catalog)
  try {
    view.pin()
    const key = ledgerKey(view.db)
    const kept = readLedgerImage(image, key)
    if (kept !== undefined) return { parts: kept, damagedRows: 0, imageKey: key }
    const history = new RefreshHistory(storedPrioritizer(() => view))
    history.load(nowMs)
    return { parts: history.ledger.parts(), damagedRows: history.damagedRows, imageKey: undefined }
  } finally {
    view.close()
  }
}

function keep({ image, key, parts }: LedgerTask & { readonly kind: 'keep' }): undefined {
  writeLedgerImage(image, key, parts)
  return undefined
}
