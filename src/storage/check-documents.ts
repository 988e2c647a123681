/** The part of a check that looks at the catalog: SQLite's own check, the stored documents against the core, the ledger and the frontier. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { CatalogThread } from '../catalog/catalog-thread.js'
import type { Hash } from '../catalog/segment-list.js'
import { inSqlite } from '../catalog/sqlite-failure.js'
import { callNative } from '../engine/binding.js'
import type { CheckFault, CheckLevel, CheckReport } from '../engine/check-report.js'
import { FreshdexError } from '../errors.js'
import { encodeKey, requireKey } from '../keys.js'
import { checkFrontier } from './check-frontier.js'
import { checkLedger } from './check-ledger.js'
import type { IndexState } from './index-state.js'

/** Rows between two turns of the event loop. */
const PORTION_ROWS = 200
const MAX_FAULTS = 100

/** `report` of the core, and what is wrong with the catalog at the same moment. REQUIRES: nothing is written meanwhile by this process. */
export async function checkDocuments(
  report: CheckReport,
  level: CheckLevel,
  thread: CatalogThread,
  state: IndexState,
  hash: Hash,
): Promise<CheckReport> {
  const faults = await findings(async () => {
    const complaints = (await thread.run({ kind: 'integrity' })) as string[]
    return complaints.filter((complaint) => complaint !== 'ok').map((message) => ({ invariant: 'catalog', message }))
  })
  if (level === 3) faults.push(...(await findings(() => compare(state, hash))))
  return faults.length === 0
    ? report
    : { ...report, ok: false, faults: [...report.faults, ...faults].slice(0, MAX_FAULTS) }
}

/** A catalog so damaged that it cannot be walked to the end is a finding too. */
async function findings(look: () => Promise<CheckFault[]>): Promise<CheckFault[]> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof FreshdexError && error.code === 'CORRUPT')) throw error
    return [{ invariant: 'catalog', message: error.message }]
  }
}

async function compare(state: IndexState, hash: Hash): Promise<CheckFault[]> {
  const { native, view } = state.retain()
  const wasPinned = view.db.inTransaction
  view.pin()
  const faults: CheckFault[] = []
  const hasHash = (stored: unknown, expected: Uint8Array) =>
    stored instanceof Uint8Array && hash(stored) === Buffer.from(expected).readBigUInt64LE()
  const complain = (message: string) => faults.push({ invariant: 'documents', message })
  try {
    const select = view.db.prepare('SELECT doc, key, stored FROM documents WHERE doc > ? ORDER BY doc LIMIT ?').raw()
    let documents = 0
    for (let last = -1; faults.length < MAX_FAULTS; ) {
      const rows = inSqlite(view.db.name, () => select.all(last, PORTION_ROWS)) as [number, unknown, unknown][]
      for (const [doc, key, stored] of rows) {
        last = doc
        documents++
        const encoded = encodeOrUndefined(key)
        if (encoded === undefined || callNative(() => native.numberOf(encoded)) !== doc) {
          complain(`stored document ${doc} is not the index's document of its key`)
        } else if (!hasHash(stored, callNative(() => native.get(encoded)) as Uint8Array)) {
          complain(`stored document ${doc} is not as it was written`)
        }
      }
      if (rows.length < PORTION_ROWS) break
      await yieldToEventLoop()
    }
    const expected = callNative(() => native.stats()).documents
    if (faults.length === 0 && documents !== expected) complain(`${documents} stored documents for ${expected} indexed`)
    faults.push(...(await checkLedger(view.db)), ...(await checkFrontier(view.db)))
    return faults
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
