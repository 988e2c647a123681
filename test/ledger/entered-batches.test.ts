/** Batches as the core enters them into the ledger, against rows that are changed one by one in plain numbers. */
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/base/time.js'
import { NO_MINIMUM, SKETCH_MINIMA } from '../../src/change/sketches.js'
import { BatchOutcome, NO_DOCUMENT } from '../../src/engine.js'
import { recentAt, recentCount } from '../../src/ledger/column-arrays.js'
import { MORE_PROFILES, PROFILE_OBSERVATIONS } from '../../src/ledger/columns.js'
import { EFFECT_BYTES } from '../../src/ledger/effects.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { Entered, type LedgerBatch, STAKED } from '../../src/ledger/row-changes.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { NaiveRow } from './naive-rows.js'

const DOCUMENTS = 24
const HALF_LIFE_MS = 30 * DAY_MS
const NEVER_MS = Number.POSITIVE_INFINITY

type Rows = Map<number, NaiveRow>

/** Hashes of a version: few are exchanged, so that divergences have runs. */
function nextSketch(random: SeededRandom, before: readonly number[] | undefined): number[] {
  const hashes = new Set(before?.filter(() => random.chance(0.9)))
  const wanted = random.between(1, SKETCH_MINIMA)
  while (hashes.size < wanted) hashes.add(random.int(60))
  const sketch = [...hashes].sort((a, b) => a - b).slice(0, SKETCH_MINIMA)
  return [...sketch, ...Array.from({ length: SKETCH_MINIMA - sketch.length }, () => NO_MINIMUM)]
}

/** A batch of different documents; those that were measured lie in the order of the batch. */
function randomBatch(random: SeededRandom, rows: Rows): LedgerBatch {
  const documents = Array.from({ length: DOCUMENTS }, (_, doc) => doc).filter(() => random.chance(0.4))
  const outcomes = documents.map((doc) => {
    if (!rows.has(doc)) return random.pick([BatchOutcome.added, BatchOutcome.changed, BatchOutcome.missing, STAKED])
    const { changed, same, reweighted, removed, added } = BatchOutcome
    // Profiles are full only of documents that stay for long.
    if (random.chance(0.02)) return random.pick([removed, added])
    return random.pick([changed, changed, changed, same, same, same, reweighted, STAKED])
  })
  const hasSketches = random.chance(0.98)
  const sketches = documents.flatMap((doc) => nextSketch(random, rows.get(doc)?.sketch))
  const pages = documents.filter(() => random.chance(0.7))
  const effects = pages.map(() => random.int(4))
  let end = 0
  return {
    documents: Uint32Array.from(documents, (doc) => (random.chance(0.05) ? NO_DOCUMENT : doc)),
    outcomes: Uint8Array.from(outcomes),
    sketches: Uint32Array.from(hasSketches ? sketches : []),
    pages: Uint32Array.from(pages),
    deltaQuality: Float64Array.from(pages, () => random.pick([0, Number.NaN, random.next(), 1e6 * random.next()])),
    stakes: Float64Array.from(pages, () => random.pick([0, Number.NaN, random.next()])),
    effects: Uint8Array.from({ length: EFFECT_BYTES * effects.reduce((sum, own) => sum + own, 0) }, (_, at) => at),
    effectEnds: Uint32Array.from(effects, (own) => {
      end += own
      return end
    }),
  }
}

/** Enters the batch into the twin; gives what became of each document. */
function enterPlainly(rows: Rows, batch: LedgerBatch, atMs: number, latestMs: number, profiles: number): number[] {
  const rules = { halfLifeMs: HALF_LIFE_MS, profiles }
  return Array.from(batch.documents, (doc, at) => {
    if (doc === NO_DOCUMENT) return Entered.nothing
    const outcome = batch.outcomes[at]!
    const page = batch.pages.indexOf(doc)
    const gain = page < 0 ? Number.NaN : batch.deltaQuality[page]!
    const stake = page < 0 ? Number.NaN : batch.stakes[page]!
    if (outcome === BatchOutcome.missing) return Entered.nothing
    if (outcome === BatchOutcome.removed) {
      rows.delete(doc)
      return Entered.removed
    }
    const known = rows.get(doc)
    if (outcome === STAKED) {
      if (known === undefined || Number.isNaN(stake)) return Entered.nothing
      known.stake = Math.fround(stake)
      return Entered.staked
    }
    const isNewText = outcome === BatchOutcome.added || outcome === BatchOutcome.changed
    const hasSketch = isNewText && batch.sketches.length > 0
    const sketch = hasSketch ? [...batch.sketches.subarray(at * SKETCH_MINIMA, (at + 1) * SKETCH_MINIMA)] : undefined
    const isAhead = known !== undefined && known.refreshedMs > latestMs
    const isCreated = outcome === BatchOutcome.added || known === undefined || isAhead
    const row = isCreated ? new NaiveRow(atMs, sketch, profiles) : known
    const rebased = row.rebased
    if (isCreated) {
      if (isAhead && outcome !== BatchOutcome.added) row.stake = known.stake
      rows.set(doc, row)
    } else {
      const isChanged = outcome === BatchOutcome.changed
      const known = Number.isNaN(gain) ? undefined : gain
      row.refreshed(atMs, isChanged, isChanged ? known : (known ?? 0), sketch, rules)
    }
    if (!Number.isNaN(stake)) row.stake = Math.fround(stake)
    if (isCreated) return Entered.created
    return row.rebased > rebased ? Entered.full : Entered.refreshed
  })
}

/** The same of a row of the ledger as of one of the twin. */
function looksOf({ columns }: Ledger, doc: number) {
  const first = doc * PROFILE_OBSERVATIONS
  const firstVersion = doc * MORE_PROFILES
  const { observedAgeSeconds, observedDivergence, skippedRefreshes, versionMs, versionSketch } = columns
  const sketchAt = (sketches: ArrayLike<number>, at: number) =>
    Array.from({ length: SKETCH_MINIMA }, (_, nth) => sketches[at * SKETCH_MINIMA + nth]!)
  const numbers = ['refreshes', 'changes', 'rated', 'unmeasured', 'createdMs', 'refreshedMs', 'present'] as const
  const sums = ['sumDeltaQuality', 'sumIntervalMs', 'sumRate', 'decayedRate', 'decayedWeight', 'stake'] as const
  const state = columns.profileState[doc]!
  return {
    ...Object.fromEntries([...numbers, ...sums, 'changeBits' as const].map((name) => [name, columns[name][doc]])),
    recent: Array.from({ length: recentCount(columns, doc) }, (_, back) => {
      const at = recentAt(columns, doc, back)
      return [columns.recentIntervalSeconds[at]!, columns.recentDeltaQuality[at]!]
    }),
    state,
    baseMs: columns.profileBaseMs[doc]!,
    sketch: state === 0 ? [] : sketchAt(columns.sketch, doc),
    observations: Array.from({ length: columns.observations[doc]! }, (_, nth) => ({
      seconds: observedAgeSeconds[first + nth]!,
      place: observedDivergence[first + nth]!,
      skipped: skippedRefreshes[first + nth]!,
    })),
    versions: Array.from({ length: columns.versions[doc] ?? 0 }, (_, nth) => ({
      atMs: versionMs[firstVersion + nth]!,
      sketch: sketchAt(versionSketch, firstVersion + nth),
    })),
  }
}

function plainLooks(row: NaiveRow) {
  const { rebased: _, ...looks } = row
  return looks
}

describe('batches entered into the ledger', () => {
  test.each([1, 2, 5])('change rows as the plain rules say, with %i profiles', (profiles) => {
    withSeed('entered batches', (seed) => {
      const random = new SeededRandom(seed)
      const ledger = new Ledger({ halfLifeMs: HALF_LIFE_MS, profiles })
      const rows: Rows = new Map()
      const seen = new Set<number>()
      let nowMs = 1e12
      for (let round = 0; round < 250; round++) {
        nowMs += random.pick([0, 1, 3.6e6, DAY_MS, 7 * DAY_MS])
        // Now and then a refresh is told late, or a clock was wrong before.
        const atMs = random.chance(0.05) ? nowMs - 2 * DAY_MS : nowMs
        const latestMs = random.chance(0.05) ? nowMs - DAY_MS : NEVER_MS
        const batch = randomBatch(random, rows)
        const expected = enterPlainly(rows, batch, atMs, latestMs, profiles)
        const done = ledger.enter(batch, { atMs, latestMs })
        expect([...done.entered]).toEqual(expected)
        for (const what of expected) seen.add(what)
        const of = (wanted: readonly number[]) => [...batch.documents].filter((_, at) => wanted.includes(expected[at]!))
        const { nothing: _, removed, ...touching } = Entered
        expect([...done.touched]).toEqual(of(Object.values(touching)))
        expect([...done.removed]).toEqual(of([removed]))
        for (const [doc, row] of rows) expect(looksOf(ledger, doc), `document ${doc}`).toEqual(plainLooks(row))
        const present = [...rows.values()]
        const sum = (of: (row: NaiveRow) => number) => present.reduce((all, row) => all + of(row), 0)
        const totals = ledger.totals()
        expect(totals).toMatchObject({ pages: present.length, rated: sum(({ rated }) => rated) })
        expect(totals).toMatchObject({ changes: sum(({ changes }) => changes) })
        expect(totals).toMatchObject({ unmeasured: sum(({ unmeasured }) => unmeasured) })
        for (const name of ['sumDeltaQuality', 'sumIntervalMs', 'sumRate'] as const)
          expect(totals[name]).toBeCloseTo(
            sum((row) => row[name]),
            3,
          )
        expect(totals.sumStake).toBeCloseTo(
          sum(({ stake }) => stake),
          6,
        )
      }
      expect([...seen].sort()).toEqual(Object.values(Entered))
    })
  })

  test('have the effects of what was measured, one after another', () => {
    const ledger = new Ledger()
    const { added, changed, reweighted, removed } = BatchOutcome
    for (const doc of [1, 2, 3, 4, 5]) ledger.created(doc, 0)
    const effects = Uint8Array.from({ length: 6 * EFFECT_BYTES }, (_, at) => Math.floor(at / EFFECT_BYTES))
    const done = ledger.enter(
      {
        documents: Uint32Array.of(0, 1, 2, 3, 4, 5),
        outcomes: Uint8Array.of(added, changed, reweighted, changed, removed, STAKED),
        sketches: new Uint32Array(),
        // Document 3 was not measured.
        pages: Uint32Array.of(0, 1, 2, 4, 5),
        deltaQuality: Float64Array.of(1, 1, 1, 1, 1),
        stakes: Float64Array.of(1, 1, 1, 0, 1),
        effects,
        effectEnds: Uint32Array.of(1, 3, 4, 5, 6),
      },
      { atMs: DAY_MS, latestMs: NEVER_MS },
    )
    expect([...done.touched]).toEqual([0, 1, 2, 3, 5])
    expect([...done.effectEnds]).toEqual([EFFECT_BYTES, 3 * EFFECT_BYTES, -1, -1, -1])
    expect([...done.effects]).toEqual([...effects.subarray(0, 3 * EFFECT_BYTES)])
  })

  test('are refused as a whole where anything does not fit', () => {
    const ledger = new Ledger()
    ledger.created(0, 0)
    const before = ledger.rowOf(0)
    const none = { pages: new Uint32Array(), deltaQuality: new Float64Array(), stakes: new Float64Array() }
    const batch = {
      ...{ documents: Uint32Array.of(0), outcomes: Uint8Array.of(BatchOutcome.changed), sketches: new Uint32Array() },
      ...{ ...none, effects: new Uint8Array(), effectEnds: new Uint32Array() },
    }
    const bad: readonly Partial<LedgerBatch>[] = [
      { outcomes: Uint8Array.of(STAKED + 1) },
      { outcomes: new Uint8Array(2) },
      { sketches: new Uint32Array(SKETCH_MINIMA + 1) },
      { pages: Uint32Array.of(0) },
      { effects: new Uint8Array(EFFECT_BYTES) },
    ]
    for (const fault of bad)
      expect(() => ledger.enter({ ...batch, ...fault }, { atMs: 1, latestMs: NEVER_MS })).toThrow(/expected/)
    expect(ledger.rowOf(0)).toEqual(before)
  })
})
