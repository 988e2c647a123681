/**
 * Ledgers with everything that a row can hold: histories, profiles, stakes, signals; and rows at the edge of what is
 * accepted.
 */

import { SKETCH_MINIMA } from '../../src/change/sketches.js'
import { MORE_PROFILES, PROFILE_OBSERVATIONS } from '../../src/ledger/columns.js'
import { Ledger } from '../../src/ledger/ledger.js'
import type { VersionSketch } from '../../src/ledger/profile.js'
import { openShare } from '../../src/ledger/questions.js'
import { type LedgerRow, OUTCOMES } from '../../src/ledger/rows.js'
import { NO_TRUST, type SignalTrust } from '../../src/ledger/site-trust.js'
import { type ModelledView, withModel } from '../../src/refresh/model/gain-model.js'
import type { SeededRandom } from './seed.js'

const DAY_MS = 86_400_000
const NOW_MS = 20_000 * DAY_MS

/**
 * Pages that never change, some that are rewritten, and some that change a little every time; a few never refreshed, or
 * gone.
 */
export function fullLedger(random: SeededRandom, pages: number): { ledger: Ledger; nowMs: number } {
  const ledger = new Ledger()
  for (let doc = 0; doc < pages; doc++) addPage(random, ledger, doc)
  return { ledger, nowMs: NOW_MS }
}

export function addPage(random: SeededRandom, ledger: Ledger, doc: number): void {
  let atMs = NOW_MS - random.between(1, 300) * DAY_MS
  let version = randomVersion(random)
  const isSketched = random.chance(0.9)
  ledger.created(doc, atMs, isSketched ? version : undefined)
  if (random.chance(0.8)) ledger.setStake(doc, random.next() ** 3 * 100)
  const [changeChance, movedMinima] = random.pick([
    [0, 0],
    [0.2, 8],
    [0.7, 1],
    [0.5, 3],
  ] as const)
  for (let left = random.int(16); left > 0; left--) {
    atMs += Math.floor((random.next() * (NOW_MS - atMs)) / left)
    const isChanged = random.chance(changeChance)
    if (isChanged) version = movedVersion(random, version, movedMinima)
    const deltaQuality = isChanged && random.chance(0.7) ? random.next() ** 4 : 0
    ledger.refreshed(doc, atMs, isChanged ? 'changed' : 'same', deltaQuality, isSketched ? version : undefined)
  }
  if (random.chance(0.4)) addSignals(random, ledger, doc)
  if (random.chance(0.7)) ledger.setClusters([doc], [random.between(1, 4)])
  if (random.chance(0.05)) ledger.gone(doc, NOW_MS)
}

function addSignals(random: SeededRandom, ledger: Ledger, doc: number): void {
  const signals = random.int(4)
  const heard = signals === 0 ? {} : { signals, signalKinds: 1 << random.int(5), signalMs: NOW_MS - DAY_MS }
  ledger.restore({ ...ledger.rowOf(doc)!, site: random.between(1, 3), ...heard })
}

export function randomVersion(random: SeededRandom): VersionSketch {
  return sketchOf(Array.from({ length: SKETCH_MINIMA }, () => random.uint32()))
}

/** So many of its smallest hashes are others. */
function movedVersion(random: SeededRandom, { minima }: VersionSketch, moved: number): VersionSketch {
  const kept = random.shuffle(minima).slice(moved)
  return sketchOf([...kept, ...Array.from({ length: moved }, () => random.uint32())])
}

function sketchOf(hashes: readonly number[]): VersionSketch {
  const minima = Uint32Array.from(new Set(hashes)).sort()
  const full = new Uint32Array(SKETCH_MINIMA).fill(0xffffffff)
  full.set(minima)
  return { minima: full, at: 0 }
}

/** A row that the ledger accepts, with numbers from next to nothing to the largest. */
export function edgeRow(random: SeededRandom, doc: number): LedgerRow {
  const amount = () => random.pick([0, 1e-300, 1e-40, 1e-3, 1, 12345.678, 1e30, 1e38])
  const time = () => random.pick([-8.64e15, -1, 0, 1, NOW_MS, NOW_MS - 0.25, 8.64e15])
  const count = (most: number) => random.pick([0, 0, 1, 2, 3, 7, most])
  const rated = count(2 ** 32 - 1)
  const recent = Array.from({ length: Math.min(rated, 6) }, () => ({
    intervalMs: random.pick([1e-3, 1, 1e9, 1e30]),
    deltaQuality: random.pick([0, 1e-20, 1, 1e30, undefined]),
  }))
  const recentUnmeasured = recent.filter(({ deltaQuality }) => deltaQuality === undefined).length
  const unmeasured = recentUnmeasured + random.pick([0, rated - recent.length])
  return {
    doc,
    isPresent: random.chance(0.9),
    lastOutcome: random.pick(OUTCOMES),
    errors: count(2 ** 16 - 1),
    refreshes: count(2 ** 32 - 1),
    changes: count(2 ** 32 - 1),
    rated,
    createdMs: time(),
    refreshedMs: time(),
    lastAttemptMs: time(),
    sumDeltaQuality: amount(),
    sumIntervalMs: amount(),
    sumRate: amount(),
    unmeasured,
    decayedRate: amount(),
    decayedWeight: random.pick([1e-40, 0.5, 1, 1e38]),
    stake: amount(),
    site: random.pick([0, 1, 2, 2 ** 32 - 1]),
    signals: count(255),
    signalKinds: count(255),
    signalMs: time(),
    changeBits: random.uint32(),
    cluster: random.pick([0, 1, 2, 2 ** 16 - 1]),
    profile: random.chance(0.2) ? new Uint8Array() : edgeProfile(random),
    versions: random.chance(0.5) ? new Uint8Array() : edgeVersions(random),
    recent,
  }
}

/** The bytes of a valid profile, in the order of its columns in src/ledger/columns.ts. */
function edgeProfile(random: SeededRandom): Uint8Array {
  const bytes = new Uint8Array(123)
  const view = new DataView(bytes.buffer)
  view.setFloat64(0, random.pick([-8.64e15, 0, NOW_MS]), true)
  const minima = Uint32Array.from({ length: SKETCH_MINIMA }, () => random.uint32()).sort()
  minima.forEach((minimum, at) => {
    view.setUint32(8 + 4 * at, minimum, true)
  })
  const count = random.int(PROFILE_OBSERVATIONS + 1)
  let seconds = 0
  for (let at = 0; at < count; at++) {
    seconds = Math.fround(seconds + random.pick([1e-3, 1, 86_400, 1e9, 1e30]) * (1 + random.next()) + seconds * 1e-6)
    view.setFloat32(40 + 4 * at, seconds, true)
    view.setUint8(88 + at, random.pick([0, 0, 1, 3, 22]))
    view.setUint8(100 + at, random.pick([0, 0, 1, 9, 255]))
  }
  view.setFloat32(112, random.pick([0, 1e-44, 1e-3, 1, 1e38]), true)
  view.setFloat32(116, random.pick([0, 1e-44, 0.5, 1]), true)
  view.setUint8(120, random.pick([0, 1, 3, 20, 255]))
  view.setUint8(121, random.between(1, 2))
  view.setUint8(122, count)
  return bytes
}

/** The bytes of valid versions, in the order of their columns. */
function edgeVersions(random: SeededRandom): Uint8Array {
  const bytes = new Uint8Array(161)
  const view = new DataView(bytes.buffer)
  const count = random.between(1, MORE_PROFILES)
  view.setUint8(0, count)
  let ms = random.pick([-8.64e15, -1, 0, NOW_MS - 0.25])
  for (let at = 0; at < count; at++) {
    view.setFloat64(1 + 8 * at, ms, true)
    ms += random.pick([1, 1000, 1e11])
    Uint32Array.from({ length: SKETCH_MINIMA }, () => random.uint32())
      .sort()
      .forEach((minimum, nth) => {
        view.setUint32(1 + 8 * MORE_PROFILES + 4 * (at * SKETCH_MINIMA + nth), minimum, true)
      })
  }
  return bytes
}

/** The ledger as it is, for policies and models. */
export function viewOf(ledger: Ledger, trust: SignalTrust = NO_TRUST): ModelledView {
  const { columns, rows, sections, questions } = ledger
  return withModel({ columns, rows, sections, openShare: openShare(questions), totals: ledger.totals(), trust })
}
