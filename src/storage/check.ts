/**
 * The part of a check that looks at the catalog: SQLite's own check, the stored documents against the core, and rows of
 * the prioritizer. Its invariants:
 *
 * - L1: every document has one valid row in the ledger, every row a document. A document that was written without a
 *   prioritizer has no row until an opening with one, and may be in the frontier (L4) until then.
 * - L2: rows of sites and of what is known of their signals are valid, and every site that a row names is there.
 * - L3: rows of clusters are valid, and every cluster that a row names is there.
 * - L4: rows of the frontier are valid, none that waits is a document, and what was learnt can be read.
 * - L5: rows of reviews are valid.
 * - L6: curves that are kept are as they were written.
 * - L7: links are those of documents, and their targets have the texts and the weight that links give them. In memory,
 *   too: see check-links.ts.
 */
import type { Database } from 'better-sqlite3'
import type { Stop } from '../base/abort.js'
import { describe } from '../base/describe.js'
import { FreshdexError } from '../base/errors.js'
import { encodeKey, requireKey } from '../base/keys.js'
import { inTurns, nextTurn, Pauses } from '../base/turns.js'
import { damagedVisits } from '../catalog/cluster-visit-rows.js'
import { inSqlite, placeBehind } from '../catalog/connection.js'
import { readCurveState, readFits } from '../catalog/curve-rows.js'
import { readFrontier, readLessons } from '../catalog/frontier-rows.js'
import {
  findingDocumentsWithoutRow,
  findingNumbers,
  findingRowsWithoutDocument,
  readLedger,
} from '../catalog/ledger-rows.js'
import { DOCUMENTS_AND_FORMS } from '../catalog/packed-documents.js'
import { readClusters, readReviewDays, readSignals } from '../catalog/prioritizer-rows.js'
import type { Hash } from '../catalog/state.js'
import type { CatalogThread } from '../catalog/thread.js'
import { hasUnrecorded } from '../catalog/unrecorded-writes.js'
import { callNative } from '../core/binding.js'
import type { CheckFault, CheckLevel, CheckReport } from '../core/check-report.js'
import { pageOfRow } from '../frontier/frontier-page.js'
import { Lessons } from '../frontier/lessons.js'
import { EFFECT_BYTES, MAX_EFFECTS } from '../ledger/effects.js'
import { unpackRow } from '../ledger/rows.js'
import { validSignals } from '../ledger/sites.js'
import { validClusters } from '../refresh/clusters/cluster-rows.js'
import { isWhole } from '../refresh/kept-curves.js'
import { mergeFits, NO_QUERY } from '../refresh/packed-curves.js'
import { validReviewDays } from '../refresh/review/review-days.js'
import type { Moment } from './moments.js'

/** Stored documents, whose hashes are computed, between two turns of the event loop. */
const PORTION_DOCUMENTS = 200
/** Rows of the ledger or of the frontier that are read at once. */
const PORTION_ROWS = 250
/** Curves between two turns of the event loop. */
const PORTION_CURVES = 1000
const MAX_FAULTS = 100

/**
 * `report` of the core, and what is wrong with the catalog at the same moment. REQUIRES: nothing is written meanwhile
 * by this process. `stop` is called between portions.
 */
export async function checkDocuments(
  report: CheckReport,
  level: CheckLevel,
  thread: CatalogThread,
  state: Moment,
  hash: Hash,
  stop: Stop,
): Promise<CheckReport> {
  // Joined and not pushed: a call cannot take as many arguments as there may be faults.
  let faults = await findings(async () => {
    const complaints = (await thread.run({ kind: 'integrity' })) as string[]
    return complaints.filter((complaint) => complaint !== 'ok').map((message) => ({ invariant: 'catalog', message }))
  })
  stop()
  if (level === 3) faults = faults.concat(await findings(() => compare(state, hash, stop)))
  return faults.length === 0
    ? report
    : { ...report, ok: false, faults: [...report.faults, ...faults].slice(0, MAX_FAULTS) }
}

/** A catalog that is so damaged that it cannot be read to the end is a finding, too. */
async function findings(look: () => Promise<CheckFault[]>): Promise<CheckFault[]> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof FreshdexError && error.code === 'CORRUPT')) throw error
    return [{ invariant: 'catalog', message: error.message }]
  }
}

const ORPHANS = ['stored', 'packed']
  .map((table) => `SELECT doc FROM ${table} WHERE doc NOT IN (SELECT doc FROM documents)`)
  .join(' UNION ')

/** Stored documents, ledger and frontier, as of the moment that the state shows. */
async function compare(state: Moment, hash: Hash, stop: Stop): Promise<CheckFault[]> {
  const { native, view } = state.retain()
  const wasPinned = view.db.inTransaction
  view.pin()
  const faults: CheckFault[] = []
  const hasHash = (stored: unknown, expected: Uint8Array) =>
    stored instanceof Uint8Array && hash(stored) === Buffer.from(expected).readBigUInt64LE()
  const complain = (message: string) => faults.push({ invariant: 'documents', message })
  try {
    const select = view.db.prepare(`${DOCUMENTS_AND_FORMS} WHERE doc > ? ORDER BY doc LIMIT ?`).raw()
    let documents = 0
    let behind = -1
    for (let last = -1; faults.length < MAX_FAULTS; ) {
      const rows = inSqlite(view.db.name, () => select.all(last, PORTION_DOCUMENTS)) as [number, unknown, unknown][]
      for (const [doc, key, stored] of rows) {
        last = doc
        documents++
        const encoded = encodeOrUndefined(key)
        if (encoded === undefined || callNative(() => native.numberOf(encoded)) !== doc) {
          complain(`stored document ${doc} is not the index's document of its key`)
        } else if (!hasHash(view.unpack(stored), callNative(() => native.get(encoded)) as Uint8Array)) {
          complain(`stored document ${doc} is not as it was written`)
        }
      }
      if (rows.length < PORTION_DOCUMENTS) break
      behind = placeBehind(behind, last, view.db.name)
      await nextTurn()
      stop()
    }
    const expected = callNative(() => native.stats()).documents
    if (faults.length === 0 && documents !== expected) complain(`${documents} stored documents for ${expected} indexed`)
    const orphans = inSqlite(view.db.name, () => view.db.prepare(ORPHANS).all())
    if (orphans.length > 0) complain(`${orphans.length} stored forms of documents that are not there`)
    const isDocument = (url: string) => callNative(() => native.numberOf(encodeKey(url))) !== undefined
    return [
      faults,
      await checkLedger(view.db),
      await checkFrontier(view.db, isDocument),
      await checkCurves(view.db, hash),
    ].flat()
  } finally {
    if (!wasPinned) view.unpin()
    state.release()
  }
}

function encodeOrUndefined(key: unknown): Uint8Array | undefined {
  try {
    return encodeKey(requireKey(key))
  } catch {
    return undefined
  }
}

const WRONG_EFFECTS = `SELECT doc FROM ledger
  WHERE (typeof(effects) <> 'blob'
    OR length(effects) % ${EFFECT_BYTES} <> 0
    OR length(effects) > ${EFFECT_BYTES * MAX_EFFECTS})`

/** REQUIRES: the connection shows one moment meanwhile. */
async function checkLedger(db: Database): Promise<CheckFault[]> {
  const faults: CheckFault[] = []
  const complain = (message: string) => faults.push({ invariant: 'L1', message })
  const signals = validSignals(readSignals(db))
  for (const message of signals.faults) faults.push({ invariant: 'L2', message })
  const clusters = validClusters(readClusters(db))
  for (const message of clusters.faults) faults.push({ invariant: 'L3', message })
  const pauses = new Pauses()
  for (const doc of await inTurns(damagedVisits(db), pauses, { perLook: 1 }))
    faults.push({ invariant: 'L3', message: `what the clusters know of document ${doc} is damaged` })
  for (const message of validReviewDays(readReviewDays(db)).faults) faults.push({ invariant: 'L5', message })
  const sites = new Set([0, ...signals.sites.map(({ number }) => number)])
  const numbers = new Set([0, ...clusters.clusters.map(({ number }) => number)])
  for (const rows of readLedger(() => db, PORTION_ROWS)) {
    for (const values of rows) {
      if (pauses.isDue) await pauses.pause()
      const row = unpackRow(values)
      if (row === undefined) {
        complain(
          values[0] === null
            ? 'changes that wait to be brought into the ledger are damaged'
            : `the ledger's row of document ${values[0]} is damaged`,
        )
        continue
      }
      const { doc, site, cluster } = row
      if (!sites.has(site))
        faults.push({ invariant: 'L2', message: `document ${doc} is of site ${site}, which is not there` })
      if (!numbers.has(cluster))
        faults.push({ invariant: 'L3', message: `document ${doc} is in cluster ${cluster}, which is not there` })
    }
    if (pauses.isDue) await pauses.pause()
  }
  const effects = await inTurns(findingNumbers(db, 'ledger', WRONG_EFFECTS), pauses, { perLook: 1 })
  for (const doc of effects) complain(`the effects of the last refresh of document ${doc} are damaged`)
  const missing = hasUnrecorded(db) ? [] : await inTurns(findingDocumentsWithoutRow(db), pauses, { perLook: 1 })
  for (const doc of missing) complain(`document ${doc} has no row in the ledger`)
  const lost = await inTurns(findingRowsWithoutDocument(db), pauses, { perLook: 1 })
  for (const doc of lost) complain(`the ledger has a row of document ${doc}, which is not there`)
  return faults
}

/** REQUIRES: the connection shows one moment meanwhile. */
async function checkCurves(db: Database, hash: Hash): Promise<CheckFault[]> {
  const faults: CheckFault[] = []
  const complain = (message: string) => faults.push({ invariant: 'L6', message })
  const state = readCurveState(db)
  if (state !== undefined && !isWhole(state, hash)) complain('what the kept curves have in common is damaged')
  const { ids, bytes, ends } = await inTurns(mergeFits(readFits(db)), new Pauses())
  for (const [nth, id] of ids.entries()) {
    const curve = bytes.subarray(nth === 0 ? 0 : ends[nth - 1], ends[nth])
    if (id === NO_QUERY) complain('the kept curves of a fit are damaged')
    else if (!isWhole(curve, hash)) complain(`the kept curve of query ${id} is damaged`)
    if (nth % PORTION_CURVES === 0) await nextTurn()
  }
  return faults
}

/** REQUIRES: the connection shows one moment meanwhile. */
async function checkFrontier(db: Database, isDocument: (url: string) => boolean): Promise<CheckFault[]> {
  const faults: CheckFault[] = []
  const complain = (message: string) => faults.push({ invariant: 'L4', message })
  const mayBeBoth = hasUnrecorded(db)
  for (const rows of readFrontier(() => db, PORTION_ROWS)) {
    for (const values of rows) {
      const page = pageOfRow(values)
      if (page === undefined) complain(`the frontier's page ${values[0]} is damaged`)
      else if (page.fetchedMs === undefined && !mayBeBoth && isDocument(page.url))
        complain(`${describe(page.url)} is in the frontier, and a document too`)
    }
    await nextTurn()
  }
  if (Lessons.unpack(readLessons(db)) === undefined) complain('what was learnt from the frontier is damaged')
  return faults
}
