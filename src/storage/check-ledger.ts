/**
 * The part of a check that looks at the refresh history. L1: every document has one sound row in the ledger, every row a document.
 * L2: rows of sites and of what is known of their signals are sound, and every site that a row names is there.
 * L3: rows of clusters are sound, and every cluster that a row names is there. L5: rows of reviews are sound.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { readClusters } from '../catalog/cluster-rows.js'
import { documentsWithoutRow, hasRefreshTables, readLedger, rowsWithoutDocument } from '../catalog/refresh-rows.js'
import { readReviewDays } from '../catalog/review-rows.js'
import { readSignals } from '../catalog/signal-rows.js'
import { inSqlite } from '../catalog/sqlite-failure.js'
import type { CheckFault } from '../engine/check-report.js'
import { EFFECT_BYTES, MAX_EFFECTS } from '../refresh/effects.js'
import { unpackRow } from '../refresh/ledger-rows.js'
import { soundReviewDays } from '../refresh/review-book.js'
import { soundClusters } from '../refresh/stored-clusters.js'
import { soundSignals } from '../refresh/stored-signals.js'

/** Rows between two turns of the event loop. */
const PORTION_ROWS = 1000

const WRONG_EFFECTS = `SELECT doc FROM ledger
  WHERE typeof(effects) <> 'blob' OR length(effects) % ${EFFECT_BYTES} <> 0 OR length(effects) > ${EFFECT_BYTES * MAX_EFFECTS}`

/** REQUIRES: the connection shows one moment meanwhile. */
export async function checkLedger(db: Database): Promise<CheckFault[]> {
  // A catalog of the first format, opened for reading.
  if (!hasRefreshTables(db)) return []
  const faults: CheckFault[] = []
  const complain = (message: string) => faults.push({ invariant: 'L1', message })
  const signals = soundSignals(readSignals(db))
  for (const message of signals.faults) faults.push({ invariant: 'L2', message })
  const clusters = soundClusters(readClusters(db))
  for (const message of clusters.faults) faults.push({ invariant: 'L3', message })
  for (const message of soundReviewDays(readReviewDays(db)).faults) faults.push({ invariant: 'L5', message })
  const sites = new Set([0, ...signals.sites.map(({ number }) => number)])
  const numbers = new Set([0, ...clusters.clusters.map(({ number }) => number)])
  for (const rows of readLedger(() => db, PORTION_ROWS)) {
    for (const values of rows) {
      const row = unpackRow(values)
      if (row === undefined) {
        complain(`the ledger's row of document ${values[0]} is damaged`)
        continue
      }
      const { doc, site, cluster } = row
      if (!sites.has(site))
        faults.push({ invariant: 'L2', message: `document ${doc} is of site ${site}, which is not there` })
      if (!numbers.has(cluster))
        faults.push({ invariant: 'L3', message: `document ${doc} is in cluster ${cluster}, which is not there` })
    }
    await yieldToEventLoop()
  }
  const effects = inSqlite(db.name, () => db.prepare(WRONG_EFFECTS).pluck().all())
  for (const doc of effects) complain(`the effects of the last refresh of document ${doc} are damaged`)
  for (const doc of documentsWithoutRow(db)) complain(`document ${doc} has no row in the ledger`)
  for (const doc of rowsWithoutDocument(db)) complain(`the ledger has a row of document ${doc}, which is not there`)
  return faults
}
