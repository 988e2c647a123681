/** A row of the ledger as an object: for explanations, and for whoever keeps it. */
import { MAX_TIME_MS } from '../base/time.js'
import { describe } from '../describe.js'
import { RECENT_REFRESHES } from './ledger-columns.js'
import { isSoundProfile } from './profile-bytes.js'

/** What came of the last attempt. Their order is that of the numbers in the column, from 1. */
export const OUTCOMES = ['new', 'changed', 'same', 'gone', 'error'] as const
export type Outcome = (typeof OUTCOMES)[number]

export function outcomeNumber(outcome: Outcome): number {
  return OUTCOMES.indexOf(outcome) + 1
}

export interface PastRefresh {
  /** Since the refresh before; kept as a 32-bit float. */
  readonly intervalMs: number
  /** Kept as a 32-bit float. */
  readonly deltaQuality: number
}

/** The same names as in ledger-columns.ts, with the same meaning. */
export interface LedgerRow {
  readonly doc: number
  readonly isPresent: boolean
  readonly lastOutcome: Outcome
  readonly errors: number
  readonly refreshes: number
  readonly changes: number
  readonly rated: number
  readonly createdMs: number
  readonly refreshedMs: number
  readonly lastAttemptMs: number
  readonly sumDeltaQuality: number
  readonly sumIntervalMs: number
  readonly sumRate: number
  readonly lastDeltaQuality: number
  readonly decayedRate: number
  readonly decayedWeight: number
  readonly stake: number
  readonly site: number
  readonly signals: number
  readonly signalKinds: number
  readonly signalMs: number
  readonly changeBits: number
  readonly cluster: number
  /** As profile-bytes.ts has it; empty without a profile. */
  readonly profile: Uint8Array
  /** The last rated refreshes, newest first. */
  readonly recent: readonly PastRefresh[]
}

/** The columns of one number a page that a row has under the same name. */
export const ROW_NUMBERS = [
  'errors',
  'refreshes',
  'changes',
  'rated',
  'createdMs',
  'refreshedMs',
  'lastAttemptMs',
  'sumDeltaQuality',
  'sumIntervalMs',
  'sumRate',
  'lastDeltaQuality',
  'decayedRate',
  'decayedWeight',
  'stake',
  'site',
  'signals',
  'signalKinds',
  'signalMs',
  'changeBits',
  'cluster',
] as const satisfies readonly (keyof LedgerRow)[]

/** What the columns of each kind can hold; beyond it nothing was ever measured. */
const COUNTS = {
  refreshes: 2 ** 32 - 1,
  changes: 2 ** 32 - 1,
  rated: 2 ** 32 - 1,
  errors: 2 ** 16 - 1,
  site: 2 ** 32 - 1,
  signals: 2 ** 8 - 1,
  signalKinds: 2 ** 8 - 1,
  changeBits: 2 ** 32 - 1,
  cluster: 2 ** 16 - 1,
} as const
const MAX_AMOUNT = 1e38

/** RangeError for a row that the ledger cannot hold, or from which a policy could compute something that is no number. */
export function checkRow(row: LedgerRow): void {
  if (!(Number.isInteger(row.doc) && row.doc >= 0)) throw fault('doc', 'the number of a document', row.doc)
  for (const [name, max] of Object.entries(COUNTS) as [keyof typeof COUNTS, number][]) {
    if (!(Number.isInteger(row[name]) && row[name] >= 0 && row[name] <= max)) throw fault(name, 'a count', row[name])
  }
  for (const name of ROW_NUMBERS) {
    const isTime = name.endsWith('Ms') && !name.startsWith('sum')
    const isInside = isTime ? Math.abs(row[name]) <= MAX_TIME_MS : row[name] >= 0 && row[name] <= MAX_AMOUNT
    if (!isInside) throw fault(name, 'a finite number', row[name])
  }
  if (!OUTCOMES.includes(row.lastOutcome)) throw fault('lastOutcome', `one of ${OUTCOMES.join(', ')}`, row.lastOutcome)
  const expected = Math.min(row.rated, RECENT_REFRESHES)
  if (row.recent.length !== expected) throw fault('recent', `a list of ${expected}`, row.recent)
  for (const { intervalMs, deltaQuality } of row.recent) {
    if (!(intervalMs > 0 && deltaQuality >= 0)) throw fault('recent', 'intervals above 0 and gains', row.recent)
  }
  if (!isSoundProfile(row.profile)) throw fault('profile', 'the bytes of a profile', row.profile)
  if (row.rated > 0 && !(row.decayedWeight > 0)) throw fault('decayedWeight', 'above 0', row.decayedWeight)
}

function fault(name: string, rule: string, value: unknown): RangeError {
  return new RangeError(`${name} of a row of the ledger must be ${rule}, received ${describe(value)}`)
}
