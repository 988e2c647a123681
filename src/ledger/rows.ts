/** A row of the ledger as an object: for explanations, and for whoever keeps it. */

import { describe } from '../base/describe.js'
import { MAX_TIME_MS } from '../base/time.js'
import { SKETCH_MINIMA } from '../change/sketches.js'
import {
  type LedgerColumnArrays,
  type LedgerColumns,
  PROFILE_OBSERVATIONS,
  RECENT_REFRESHES,
  recentAt,
  recentCount,
} from './columns.js'
import { DIVERGENCE_UNITS, MAX_PROFILE_STATE } from './profile.js'

export const LEDGER_COLUMNS = [
  ...['doc', 'is_present', 'last_outcome', 'errors', 'refreshes', 'changes', 'rated'],
  ...['created_ms', 'refreshed_ms', 'attempted_ms', 'sum_delta_quality', 'sum_interval_ms', 'sum_rate'],
  ...['last_delta_quality', 'decayed_rate', 'decayed_weight', 'stake'],
  ...['site', 'signals', 'signal_kinds', 'signal_ms', 'change_bits', 'cluster'],
  ...['recent', 'profile'],
] as const

/** Numbers of a row of the ledger, in the order of its columns, doc first; the BLOBs follow. */
export const LEDGER_NUMBERS = LEDGER_COLUMNS.length - 2
/** Bytes of the column `recent`. */
export const RECENT_BYTES = 48
/** Bytes of the column `profile`, which is empty where the last but one of them is 0. */
const PROFILE_BYTES = 123
const PROFILE_STATE_AT = 121

/** Rows of the ledger, packed, so that they cross to the catalog's thread in a few pieces. */
export interface LedgerRows {
  /** LEDGER_NUMBERS for each row. */
  readonly numbers: Float64Array
  /** RECENT_BYTES for each row. */
  readonly recent: Uint8Array
  /** PROFILE_BYTES for each row. */
  readonly profiles: Uint8Array
  readonly effects: Uint8Array
  /** Where the effects of each row end. KEEP_EFFECTS: those of the row in the table stay. */
  readonly effectEnds: Float64Array
}

export const KEEP_EFFECTS = -1

/** The profile of a row; empty when it has none. */
export function packedProfile(profiles: Uint8Array, row: number): Uint8Array {
  const at = row * PROFILE_BYTES
  return profiles[at + PROFILE_STATE_AT] === 0 ? NO_BYTES : profiles.subarray(at, at + PROFILE_BYTES)
}

const NO_BYTES = new Uint8Array()

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
const ROW_NUMBERS = [
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

/**
 * RangeError for a row that the ledger cannot hold, or from which a policy could compute something that is no number.
 */
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

/** Rows of the ledger to and from the form in which the catalog keeps them. */

/** In the order of the table's columns, behind the document. */
const NUMBER_COLUMNS = [
  ...(['present', 'lastOutcome', 'errors', 'refreshes', 'changes', 'rated'] as const),
  ...(['createdMs', 'refreshedMs', 'lastAttemptMs', 'sumDeltaQuality', 'sumIntervalMs', 'sumRate'] as const),
  ...(['lastDeltaQuality', 'decayedRate', 'decayedWeight', 'stake'] as const),
  ...(['site', 'signals', 'signalKinds', 'signalMs'] as const),
  ...(['changeBits', 'cluster'] as const),
] as const

/** The effects of a refresh, by document; where there are none, those of the refresh before stay. */
export type EffectsOf = (doc: number) => Uint8Array | undefined

export function packRows(columns: LedgerColumns, docs: readonly number[], effectsOf: EffectsOf): LedgerRows {
  const numbers = new Float64Array(docs.length * LEDGER_NUMBERS)
  const recent = new Float32Array((docs.length * RECENT_BYTES) / 4)
  const profiles = new Uint8Array(docs.length * PROFILE_BYTES)
  const profileView = new DataView(profiles.buffer)
  const effects: Uint8Array[] = []
  const effectEnds = new Float64Array(docs.length)
  let end = 0
  docs.forEach((doc, row) => {
    let at = row * LEDGER_NUMBERS
    numbers[at++] = doc
    for (const name of NUMBER_COLUMNS) numbers[at++] = columns[name][doc] as number
    let to = row * 2 * RECENT_REFRESHES
    for (const name of ['recentIntervalSeconds', 'recentDeltaQuality'] as const)
      for (let place = 0; place < RECENT_REFRESHES; place++)
        recent[to++] = columns[name][doc * RECENT_REFRESHES + place] as number
    packProfile(columns, doc, profileView, row * PROFILE_BYTES)
    const own = effectsOf(doc)
    if (own !== undefined) effects.push(own)
    end += own?.length ?? 0
    effectEnds[row] = own === undefined ? KEEP_EFFECTS : end
  })
  return { numbers, recent: new Uint8Array(recent.buffer), profiles, effects: Buffer.concat(effects), effectEnds }
}

/** Each row as the catalog would give it back. */
export function* unpacked({ numbers, recent, profiles }: LedgerRows): Generator<readonly unknown[]> {
  for (let row = 0; row * LEDGER_NUMBERS < numbers.length; row++) {
    const own = numbers.subarray(row * LEDGER_NUMBERS, (row + 1) * LEDGER_NUMBERS)
    yield [...own, recent.subarray(row * RECENT_BYTES, (row + 1) * RECENT_BYTES), packedProfile(profiles, row)]
  }
}

/** Undefined when it is not a row of a document. */
export function unpackRow(values: readonly unknown[]): LedgerRow | undefined {
  const numbers = values.slice(0, LEDGER_NUMBERS)
  const [recent, profile] = values.slice(LEDGER_NUMBERS)
  if (!numbers.every((value) => typeof value === 'number' && Number.isFinite(value))) return undefined
  if (!(recent instanceof Uint8Array) || (recent.length !== RECENT_BYTES && recent.length !== 0)) return undefined
  if (!(profile instanceof Uint8Array)) return undefined
  const [doc, present, lastOutcome, ...rest] = numbers as number[]
  const outcome = OUTCOMES[(lastOutcome as number) - 1]
  if (outcome === undefined || (present !== 0 && present !== 1)) return undefined
  const [errors, refreshes, changes, rated, createdMs, refreshedMs, lastAttemptMs, ...sums] = rest as Numbers
  const [sumDeltaQuality, sumIntervalMs, sumRate, lastDeltaQuality, decayedRate, decayedWeight, ...now] = sums
  const [stake, site, signals, signalKinds, signalMs, changeBits, cluster] = now
  // It says where in `recent` to read.
  if (!Number.isInteger(rated)) return undefined
  const row = {
    doc: doc as number,
    isPresent: present === 1,
    lastOutcome: outcome,
    ...{ errors, refreshes, changes, rated, createdMs, refreshedMs, lastAttemptMs },
    ...{ sumDeltaQuality, sumIntervalMs, sumRate, lastDeltaQuality, decayedRate, decayedWeight, stake },
    ...{ site, signals, signalKinds, signalMs, changeBits, cluster, profile },
    recent: pastRefreshes(recent, rated),
  }
  return isSound(row) ? row : undefined
}

function isSound(row: LedgerRow): boolean {
  try {
    checkRow(row)
    return true
  } catch {
    return false
  }
}

type Numbers = [number, number, number, number, number, number, number, ...Sums]
type Sums = [number, number, number, number, number, number, ...Now]
type Now = [number, number, number, number, number, number, number]

function pastRefreshes(bytes: Uint8Array, rated: number): LedgerRow['recent'] {
  if (bytes.length === 0) return []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.min(rated, RECENT_REFRESHES) }, (_, back) => {
    const place = (rated - 1 - back) % RECENT_REFRESHES
    return {
      intervalMs: view.getFloat32(place * 4, true) * 1000,
      deltaQuality: view.getFloat32((RECENT_REFRESHES + place) * 4, true),
    }
  })
}

/** Rows of the ledger between columns and objects. */

/** The last rated refreshes, newest first. */
export function recentRefreshes(columns: LedgerColumns, doc: number): PastRefresh[] {
  const { recentIntervalSeconds, recentDeltaQuality } = columns
  return Array.from({ length: recentCount(columns, doc) }, (_, back) => {
    const at = recentAt(columns, doc, back)
    return { intervalMs: recentIntervalSeconds[at]! * 1000, deltaQuality: recentDeltaQuality[at]! }
  })
}

/** REQUIRES: there is a row. */
export function rowFrom(columns: LedgerColumns, doc: number): LedgerRow {
  const numbers = Object.fromEntries(ROW_NUMBERS.map((name) => [name, columns[name][doc]!]))
  return {
    ...(numbers as { [Name in (typeof ROW_NUMBERS)[number]]: number }),
    doc,
    isPresent: columns.present[doc] === 1,
    lastOutcome: OUTCOMES[columns.lastOutcome[doc]! - 1]!,
    profile: packedProfileOf(columns, doc),
    recent: recentRefreshes(columns, doc),
  }
}

/** REQUIRES: the row is sound, and its place is empty. */
export function rowInto(columns: LedgerColumnArrays, row: LedgerRow): void {
  const { doc } = row
  for (const name of ROW_NUMBERS) columns[name][doc] = row[name]
  columns.present[doc] = row.isPresent ? 1 : 0
  columns.lastOutcome[doc] = outcomeNumber(row.lastOutcome)
  unpackProfile(columns, doc, row.profile)
  row.recent.forEach(({ intervalMs, deltaQuality }, back) => {
    const at = recentAt(columns, doc, back)
    columns.recentIntervalSeconds[at] = intervalMs / 1000
    columns.recentDeltaQuality[at] = deltaQuality
  })
}

/**
 * A change profile as the catalog keeps it, little endian; no bytes at all for a page without one.
 *
 *   OFFSET   SIZE   MEANING
 *   0        8      f64: when the base version was fetched, milliseconds since 1970
 *   8        32     8 u32: the smallest shingle hashes of the base version, ascending, 0xFFFFFFFF where there are no more
 *   40       48     12 f32: seconds from the base version to each observation, ascending
 *   88       24     12 u16: the divergence of each, in units of 1/65520
 *   112      4      f32: changes per day of the curve of the profile before
 *   116      4      f32: its share
 *   120      1      u8: its items; 0: there is no such curve
 *   121      1      u8: 1 live, 2 the page has a version that was not sketched
 *   122      1      u8: number of observations
 */

const AT = { base: 0, sketch: 8, ages: 40, divergences: 88, rate: 112, share: 116, items: 120, state: 121, count: 122 }

/** Writes PROFILE_BYTES from `to` on; all 0 for a page without a profile. */
function packProfile(columns: LedgerColumns, doc: number, view: DataView, to: number): void {
  if (columns.profileState[doc] === 0) return
  view.setFloat64(to + AT.base, columns.profileBaseMs[doc]!, true)
  for (let at = 0; at < SKETCH_MINIMA; at++)
    view.setUint32(to + AT.sketch + 4 * at, columns.sketch[doc * SKETCH_MINIMA + at]!, true)
  for (let at = 0; at < PROFILE_OBSERVATIONS; at++) {
    const from = doc * PROFILE_OBSERVATIONS + at
    view.setFloat32(to + AT.ages + 4 * at, columns.observedAgeSeconds[from]!, true)
    view.setUint16(to + AT.divergences + 2 * at, columns.observedDivergence[from]!, true)
  }
  view.setFloat32(to + AT.rate, columns.earlierRatePerDay[doc]!, true)
  view.setFloat32(to + AT.share, columns.earlierShare[doc]!, true)
  view.setUint8(to + AT.items, columns.earlierItems[doc]!)
  view.setUint8(to + AT.state, columns.profileState[doc]!)
  view.setUint8(to + AT.count, columns.observations[doc]!)
}

/** The bytes of one page. */
function packedProfileOf(columns: LedgerColumns, doc: number): Uint8Array {
  if (columns.profileState[doc] === 0) return new Uint8Array()
  const bytes = new Uint8Array(PROFILE_BYTES)
  packProfile(columns, doc, viewOf(bytes), 0)
  return bytes
}

/** Whether bytes are a profile that packProfile can have written, or none. */
function isSoundProfile(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true
  if (bytes.length !== PROFILE_BYTES) return false
  const view = viewOf(bytes)
  const state = view.getUint8(AT.state)
  const count = view.getUint8(AT.count)
  if (state === 0 || state > MAX_PROFILE_STATE || count > PROFILE_OBSERVATIONS) return false
  if (!(Math.abs(view.getFloat64(AT.base, true)) <= MAX_TIME_MS)) return false
  if (!isAmount(view.getFloat32(AT.rate, true)) || !(view.getFloat32(AT.share, true) <= 1)) return false
  return view.getFloat32(AT.share, true) >= 0 && areSoundObservations(view, count) && isSoundSketch(view)
}

/** REQUIRES: sound; the row is cleared. */
function unpackProfile(columns: LedgerColumnArrays, doc: number, bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const view = viewOf(bytes)
  columns.profileBaseMs[doc] = view.getFloat64(AT.base, true)
  for (let at = 0; at < SKETCH_MINIMA; at++)
    columns.sketch[doc * SKETCH_MINIMA + at] = view.getUint32(AT.sketch + 4 * at, true)
  for (let at = 0; at < PROFILE_OBSERVATIONS; at++) {
    const to = doc * PROFILE_OBSERVATIONS + at
    columns.observedAgeSeconds[to] = view.getFloat32(AT.ages + 4 * at, true)
    columns.observedDivergence[to] = view.getUint16(AT.divergences + 2 * at, true)
  }
  columns.earlierRatePerDay[doc] = view.getFloat32(AT.rate, true)
  columns.earlierShare[doc] = view.getFloat32(AT.share, true)
  columns.earlierItems[doc] = view.getUint8(AT.items)
  columns.profileState[doc] = view.getUint8(AT.state)
  columns.observations[doc] = view.getUint8(AT.count)
}

function areSoundObservations(view: DataView, count: number): boolean {
  let before = 0
  for (let at = 0; at < count; at++) {
    const seconds = view.getFloat32(AT.ages + 4 * at, true)
    if (!(seconds > before && isAmount(seconds))) return false
    if (view.getUint16(AT.divergences + 2 * at, true) > DIVERGENCE_UNITS) return false
    before = seconds
  }
  return true
}

function isSoundSketch(view: DataView): boolean {
  for (let at = 1; at < SKETCH_MINIMA; at++) {
    const [before, after] = [view.getUint32(AT.sketch + 4 * at - 4, true), view.getUint32(AT.sketch + 4 * at, true)]
    if (before > after || (before === after && before !== 0xffffffff)) return false
  }
  return true
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
