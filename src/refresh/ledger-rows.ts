/** Rows of the ledger to and from the form in which the catalog keeps them. */
import {
  KEEP_EFFECTS,
  LEDGER_NUMBERS,
  type LedgerRows,
  PROFILE_BYTES,
  packedProfile,
  RECENT_BYTES,
} from '../catalog/refresh-rows.js'
import { type LedgerColumns, RECENT_REFRESHES } from './ledger-columns.js'
import { checkRow, type LedgerRow, OUTCOMES } from './ledger-row.js'
import { packProfile } from './profile-bytes.js'

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
