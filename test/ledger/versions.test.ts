/** The further profiles of a page beside a list of all that its refreshes saw. */
import { describe, expect, it } from 'vitest'
import { combineObservations, fitDivergenceCurve, type Observations } from '../../src/change/curve-fit.js'
import { SKETCH_MINIMA, sketchDifference } from '../../src/change/sketches.js'
import { BYTES_PER_PAGE, COLUMN_BYTES, hasVersions } from '../../src/ledger/column-arrays.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { curveOf, furtherProfiles, profileOf } from '../../src/ledger/profile.js'
import { packRows, unpacked, unpackRow } from '../../src/ledger/rows.js'
import { versionProfiles } from '../../src/ledger/versions.js'
import { CurveMemo } from '../../src/refresh/model/curve-memo.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const DAY_MS = 86_400_000

function randomMinima(random: SeededRandom): Uint32Array {
  return Uint32Array.from({ length: SKETCH_MINIMA }, () => random.uint32() >>> 1).sort()
}

interface Seen {
  readonly atMs: number
  readonly minima: Uint32Array
}

/** The profiles of the last h - 1 refreshes, each with all refreshes behind it. */
function twinProfiles(seen: readonly Seen[], profiles: number) {
  const kept = seen.slice(-(profiles - 1))
  return kept.slice(0, -1).map(({ atMs, minima }, base) => ({
    baseMs: atMs,
    agesMs: kept.slice(base + 1).map((later) => later.atMs - atMs),
    divergences: kept.slice(base + 1).map((later) => sketchDifference(minima, 0, later.minima, 0, SKETCH_MINIMA)),
  }))
}

describe('further profiles', () => {
  it('are those of the last refreshes, whatever happens to the page', () => {
    withSeed('versions', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 200; round++) {
        const profiles = random.between(2, 5)
        const ledger = new Ledger({ profiles })
        let atMs = random.int(1000) * DAY_MS
        let minima = randomMinima(random)
        let seen: Seen[] = [{ atMs, minima }]
        ledger.created(round, atMs, { minima, at: 0 })
        for (let step = random.int(20); step > 0; step--) {
          atMs += random.between(1, 20) * DAY_MS
          if (random.chance(0.1)) {
            ledger.refreshed(round, atMs, 'changed', undefined)
            seen = []
          } else if (random.chance(0.5)) {
            ledger.refreshed(round, atMs, 'same', 0)
            if (seen.length > 0) seen.push({ atMs, minima })
          } else {
            minima = minima.map((value) => (random.chance(0.2) ? random.uint32() >>> 1 : value)).sort()
            ledger.refreshed(round, atMs, 'changed', 0, { minima: Uint32Array.from([7, ...minima]), at: 1 })
            seen.push({ atMs, minima })
          }
          if (random.chance(0.1)) ledger.refreshed(round, atMs - DAY_MS, 'same', 0)
        }
        const expected = twinProfiles(seen, profiles)
        expect(versionProfiles(ledger.columns, round)).toEqual(expected)
        const own = profileOf(ledger.columns, round)!
        expect(furtherProfiles(ledger.columns, round)).toEqual(expected.filter(({ baseMs }) => baseMs !== own.baseMs))
        const rows = packRows(ledger.columns, [round])
        const copy = new Ledger()
        for (const values of unpacked(rows)) copy.restore(unpackRow(values)!)
        expect(versionProfiles(copy.columns, round)).toEqual(expected)
        const before = ledger.copyOf([round])
        ledger.refreshed(round, atMs + DAY_MS, 'changed', 0, { minima: randomMinima(random), at: 0 })
        ledger.putBack(before)
        expect(versionProfiles(ledger.columns, round)).toEqual(expected)
      }
    })
  })

  it('are fitted together with the own one', () => {
    withSeed('curves of versions', (seed) => {
      const random = new SeededRandom(seed)
      const ledger = new Ledger({ profiles: 5 })
      const memo = new CurveMemo()
      let others = 0
      for (let doc = 0; doc < 100; doc++) {
        let minima = randomMinima(random)
        ledger.created(doc, 0, { minima, at: 0 })
        for (let day = 1; day <= 6; day++) {
          minima = minima.map((value) => (random.chance(0.2) ? random.uint32() >>> 1 : value)).sort()
          ledger.refreshed(doc, day * DAY_MS, 'changed', 0, { minima, at: 0 })
        }
        const { observations } = profileOf(ledger.columns, doc)!
        const own: Observations = {
          agesMs: observations.map(({ ageMs }) => ageMs),
          divergences: observations.map(({ divergence }) => divergence),
        }
        const all = combineObservations([own, ...versionProfiles(ledger.columns, doc)])
        const curve = curveOf(ledger.columns, doc)
        expect(curve).toEqual(fitDivergenceCurve(all.agesMs, all.divergences))
        expect(memo.curveOf(ledger.columns, doc)).toEqual(curve)
        if (curve?.share !== fitDivergenceCurve(own.agesMs, own.divergences)?.share) others++
        // The memo sees that a version is another.
        ledger.refreshed(doc, 7 * DAY_MS, 'same', 0)
        expect(memo.curveOf(ledger.columns, doc)).toEqual(curveOf(ledger.columns, doc))
      }
      expect(others).toBeGreaterThan(50)
    })
  })

  it('take no place where none is asked for, and go where they are not wanted any more', () => {
    const random = new SeededRandom(1)
    const ledger = new Ledger()
    ledger.created(0, 0, { minima: randomMinima(random), at: 0 })
    ledger.refreshed(0, DAY_MS, 'same', 0)
    expect(hasVersions(ledger.columns)).toBe(false)
    const before = ledger.memoryBytes
    expect(packRows(ledger.columns, [0]).blobs.versions).toEqual(new Uint8Array())
    ledger.keepProfiles(3)
    ledger.refreshed(0, 2 * DAY_MS, 'changed', 0, { minima: randomMinima(random), at: 0 })
    ledger.refreshed(0, 3 * DAY_MS, 'same', 0)
    expect(versionProfiles(ledger.columns, 0)).toEqual([{ baseMs: 2 * DAY_MS, agesMs: [DAY_MS], divergences: [0] }])
    expect(ledger.memoryBytes - before).toBe(1024 * COLUMN_BYTES.versions)
    expect(ledger.bytesPerPage).toBe(BYTES_PER_PAGE)
    ledger.keepProfiles(1)
    ledger.refreshed(0, 4 * DAY_MS, 'same', 0)
    expect(versionProfiles(ledger.columns, 0)).toEqual([])
    expect(ledger.rowOf(0)?.versions).toEqual(new Uint8Array())
  })

  it('are refused with bytes that make no sense', () => {
    const random = new SeededRandom(2)
    const ledger = new Ledger({ profiles: 5 })
    ledger.created(0, 0, { minima: randomMinima(random), at: 0 })
    ledger.refreshed(0, DAY_MS, 'changed', 0, { minima: randomMinima(random), at: 0 })
    const good = ledger.rowOf(0)!
    expect(good.versions).toHaveLength(161)
    const faults: ((view: DataView) => void)[] = [
      (view) => view.setUint8(0, 0),
      (view) => view.setUint8(0, 5),
      (view) => view.setFloat64(1, Number.NaN, true),
      (view) => view.setFloat64(9, 0, true),
      (view) => view.setFloat64(9, 9e15, true),
      (view) => view.setUint32(33, 0xfffffffe, true),
    ]
    for (const fault of faults) {
      const versions = good.versions.slice()
      fault(new DataView(versions.buffer))
      expect(() => new Ledger().restore({ ...good, versions })).toThrow('versions of a row of the ledger must be')
    }
    expect(() => new Ledger().restore({ ...good, versions: good.versions.slice(1) })).toThrow('versions of a row')
    expect(() => new Ledger({ profiles: 6 })).toThrow('profiles must be an integer from 1 to 5')
  })
})
