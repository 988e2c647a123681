import { describe, expect, it } from 'vitest'
import { finish } from '../../src/base/turns.js'
import { COLUMN_BYTES } from '../../src/ledger/column-arrays.js'
import { RECENT_REFRESHES } from '../../src/ledger/columns.js'
import { Ledger } from '../../src/ledger/ledger.js'
import type { LedgerRow } from '../../src/ledger/rows.js'
import { haveMoved, type LedgerTotals } from '../../src/ledger/totals.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const DAY_MS = 86_400_000

/** A ledger with documents 0 to count - 1, all created at time 0. */
function ledgerOf(count: number, halfLifeMs?: number): Ledger {
  const ledger = new Ledger({ halfLifeMs })
  for (let doc = 0; doc < count; doc++) ledger.created(doc, 0)
  return ledger
}

function row(ledger: Ledger, doc = 0): LedgerRow {
  return ledger.rowOf(doc) as LedgerRow
}

describe('a ledger', () => {
  it('takes at most 128 bytes a page for its history', () => {
    expect(COLUMN_BYTES.history).toBeLessThanOrEqual(128)
    const ledger = ledgerOf(5000)
    expect(ledger.memoryBytes).toBe(8192 * ledger.bytesPerPage + ledger.sections.memoryBytes)
    expect(ledger.rows).toBe(5000)
  })

  it('makes room in steps, and keeps what is written between them', () => {
    for (const isTouched of [false, true]) {
      const ledger = ledgerOf(1000)
      for (let doc = 0; doc < 1000; doc += 3) ledger.refreshed(doc, DAY_MS * (1 + doc), 'changed', doc)
      expect([ledger.hasRoomFor(24), ledger.hasRoomFor(25)]).toEqual([true, false])
      const twin = ledgerOf(1000)
      for (let doc = 0; doc < 1000; doc++) twin.restore(row(ledger, doc))
      const steps = ledger.makingRoom(5000)
      let count = 0
      for (; !steps.next().done; count++) {
        if (isTouched && count === 20) for (const one of [ledger, twin]) one.refreshed(7, 9e9, 'same', 0)
      }
      expect(count).toBeGreaterThan(30)
      // Arrays that rows have gone past are of no use: then the next new row makes the room.
      expect(ledger.hasRoomFor(5000)).toBe(!isTouched)
      for (const one of [ledger, twin]) one.created(1000, 9e9)
      expect(ledger.rows).toBe(1001)
      for (let doc = 0; doc < ledger.rows; doc++) expect(row(ledger, doc)).toEqual(row(twin, doc))
      expect(ledger.totals()).toEqual(twin.totals())
    }
  })

  it('leaves the first download out of all sums', () => {
    const ledger = ledgerOf(1)
    expect(row(ledger)).toMatchObject({ isPresent: true, lastOutcome: 'new', refreshes: 0, rated: 0, recent: [] })
    expect(ledger.totals()).toEqual({
      pages: 1,
      rated: 0,
      changes: 0,
      unmeasured: 0,
      sumDeltaQuality: 0,
      sumIntervalMs: 0,
      sumRate: 0,
      sumStake: 0,
    })
  })

  it('sums gains, intervals and rates', () => {
    const ledger = ledgerOf(1)
    ledger.refreshed(0, 3, 'changed', 0.3)
    ledger.refreshed(0, 5, 'same', 0)
    ledger.refreshed(0, 9, 'changed', 0.8)
    const { sumDeltaQuality, sumIntervalMs, sumRate, ...rest } = row(ledger)
    expect(sumDeltaQuality).toBeCloseTo(1.1, 12)
    expect(sumIntervalMs).toBe(9)
    expect(sumRate).toBeCloseTo(0.3, 12)
    expect(rest).toMatchObject({ refreshes: 3, changes: 2, rated: 3, refreshedMs: 9, createdMs: 0 })
    expect(ledger.history(0).map(({ intervalMs }) => Math.round(intervalMs))).toEqual([4, 2, 3])
  })

  it('has a change that nobody measured among refreshes, changes and intervals, and in no sum of gains', () => {
    const ledger = ledgerOf(2)
    ledger.refreshed(0, 3, 'changed', 0.3)
    ledger.refreshed(0, 5, 'changed', undefined)
    ledger.refreshed(0, 9, 'same', 0)
    const { sumDeltaQuality, sumIntervalMs, sumRate, decayedRate, decayedWeight, ...rest } = row(ledger)
    expect(sumDeltaQuality).toBeCloseTo(0.3, 12)
    expect(sumRate).toBeCloseTo(0.1, 12)
    expect(sumIntervalMs).toBe(9)
    expect(rest).toMatchObject({ refreshes: 3, changes: 2, rated: 3, unmeasured: 1, changeBits: 0b110 })
    expect(decayedRate / decayedWeight).toBeCloseTo(0.05, 6)
    expect(ledger.history(0).map(({ deltaQuality }) => deltaQuality)).toEqual([0, undefined, Math.fround(0.3)])
    expect(ledger.totals()).toMatchObject({ rated: 3, changes: 2, unmeasured: 1 })
    const copy = ledgerOf(2)
    copy.restore(row(ledger))
    expect(row(copy)).toEqual(row(ledger))
    // Measured once, and never again for a century.
    ledger.refreshed(1, 1, 'changed', 2)
    for (let year = 1; year <= 100; year++) ledger.refreshed(1, year * 365 * DAY_MS, 'changed', undefined)
    const old = ledger.rowOf(1)!
    expect(old.decayedRate / old.decayedWeight).toBeCloseTo(2, 5)
    copy.restore(old)
  })

  it('forgets rates with its half-life', () => {
    const ledger = ledgerOf(1, 10)
    ledger.refreshed(0, 10, 'changed', 5)
    ledger.refreshed(0, 30, 'same', 0)
    ledger.refreshed(0, 40, 'changed', 10)
    const { decayedRate, decayedWeight } = row(ledger)
    expect(decayedRate).toBeCloseTo(0.5 / 8 + 0 / 2 + 1, 6)
    expect(decayedWeight).toBeCloseTo(1 / 8 + 1 / 2 + 1, 6)
  })

  it.each([7, 7.5, 0])('does not rate a refresh at %d after one at 7', (atMs) => {
    const ledger = ledgerOf(1)
    ledger.refreshed(0, 7, 'changed', 1)
    const before = row(ledger)
    ledger.refreshed(0, atMs, 'changed', 9)
    expect(row(ledger)).toEqual({
      ...before,
      refreshes: 2,
      changeBits: 0b11,
      changes: 2,
      refreshedMs: Math.max(7, atMs),
      lastAttemptMs: atMs,
    })
  })

  it('counts failures until the next success, and no refresh', () => {
    const ledger = ledgerOf(1)
    ledger.refreshed(0, 7, 'same', 0)
    const before = row(ledger)
    ledger.failed(0, 8)
    ledger.failed(0, 9)
    expect(row(ledger)).toEqual({ ...before, errors: 2, lastAttemptMs: 9, lastOutcome: 'error' })
    ledger.refreshed(0, 10, 'same', 0)
    expect(row(ledger)).toMatchObject({ errors: 0, refreshes: 2, lastAttemptMs: 10, lastOutcome: 'same' })
    for (let attempt = 0; attempt < 70_000; attempt++) ledger.failed(0, 11)
    expect(row(ledger).errors).toBe(65_535)
  })

  it('keeps the history of a page that is gone, outside of the totals, until it comes back', () => {
    const ledger = ledgerOf(2)
    ledger.refreshed(0, 5, 'changed', 1)
    ledger.setStake(0, 4)
    const totals = ledger.totals()
    ledger.gone(0, 6)
    expect(row(ledger)).toMatchObject({
      isPresent: false,
      lastOutcome: 'gone',
      rated: 1,
      sumDeltaQuality: 1,
      stake: 4,
    })
    expect(ledger.totals()).toMatchObject({ pages: 1, rated: 0, sumDeltaQuality: 0, sumStake: 0 })
    ledger.setStake(0, 4.5)
    ledger.setStake(0, 4)
    ledger.gone(0, 6)
    ledger.refreshed(0, 15, 'changed', 2)
    expect(row(ledger)).toMatchObject({ isPresent: true, rated: 2, sumIntervalMs: 15 })
    expect(ledger.totals()).toMatchObject({
      pages: 2,
      rated: 2,
      sumDeltaQuality: 3,
      sumStake: totals.sumStake,
    })
  })

  it('forgets a page that is removed, and one whose number another page gets', () => {
    const ledger = ledgerOf(2)
    ledger.refreshed(0, 5, 'changed', 1)
    ledger.removed(0)
    ledger.removed(0)
    ledger.removed(99_999)
    expect(ledger.rowOf(0)).toBeUndefined()
    expect(() => ledger.refreshed(0, 6, 'same', 0)).toThrow('doc must be a document of the ledger, received 0')
    ledger.refreshed(1, 5, 'changed', 1)
    ledger.created(1, 7)
    const fresh = new Ledger()
    fresh.created(1, 7)
    expect(row(ledger, 1)).toEqual(row(fresh, 1))
    expect(ledger.totals()).toEqual(fresh.totals())
  })

  it.each<[string, (ledger: Ledger) => void, string]>([
    ['a document that is none', (ledger) => ledger.created(-1, 0), 'doc must be an integer from 0 to'],
    ['the last number of 32 bits', (ledger) => ledger.created(2 ** 32 - 1, 0), 'doc must be an integer'],
    ['a document without a row', (ledger) => ledger.failed(1, 0), 'doc must be a document of the ledger, received 1'],
    ['no time', (ledger) => ledger.refreshed(0, Number.NaN, 'same', 0), 'atMs must be a finite number'],
    [
      'a time that no date has',
      (ledger) => ledger.gone(0, 1e17),
      'atMs must be a finite number from -8640000000000000',
    ],
    ['a loss', (ledger) => ledger.refreshed(0, 1, 'changed', -1), 'deltaQuality must be a finite number from 0 to'],
    ['a stake below 0', (ledger) => ledger.setStake(0, -1), 'stake must be a finite number from 0 to'],
    ['no half-life', () => new Ledger({ halfLifeMs: 0 }), 'halfLifeMs must be'],
  ])('refuses %s', (_, call, message) => {
    const ledger = ledgerOf(1)
    expect(() => call(ledger)).toThrow(message)
    expect(row(ledger)).toEqual(row(ledgerOf(1)))
  })

  it('says which rows were touched, until told to stop', () => {
    const ledger = ledgerOf(3)
    const touched: number[] = []
    const stop = ledger.onTouched((doc) => touched.push(doc))
    ledger.refreshed(2, 1, 'same', 0)
    ledger.setStake(1, 5)
    ledger.setStake(1, 5)
    ledger.failed(0, 1)
    ledger.gone(0, 1)
    ledger.created(3, 1)
    ledger.restore(row(ledger, 2))
    ledger.removed(3)
    stop()
    ledger.refreshed(2, 2, 'same', 0)
    expect(touched).toEqual([2, 1, 0, 0, 3, 2, 3])
  })
})

describe('random histories', () => {
  it('agree with sums over all of them, survive a copy, and keep totals', () => {
    withSeed('ledger', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 20; round++) {
        const ledger = new Ledger()
        const twins = new Map<number, NaiveHistory>()
        for (let step = 0, atMs = 0; step < 400; step++) {
          atMs += random.int(2) * random.int(DAY_MS)
          act(random, ledger, twins, random.int(12) * 300, atMs)
        }
        for (const [doc, twin] of twins) twin.expectRow(row(ledger, doc))
        const stakes = finish(ledger.stakes())
        expect(stakes).toHaveLength(ledger.rows)
        expect(stakes.every((stake, doc) => stake === (ledger.rowOf(doc)?.stake ?? 0))).toBe(true)
        expectTotals(
          ledger,
          [...twins.keys()].map((doc) => row(ledger, doc)),
        )

        const copy = new Ledger()
        for (const doc of random.shuffle(twins.keys())) copy.restore(row(ledger, doc))
        for (const doc of twins.keys()) expect(copy.rowOf(doc)).toEqual(row(ledger, doc))
        expectTotals(
          copy,
          [...twins.keys()].map((doc) => row(ledger, doc)),
        )
        // The copy goes on as the original does.
        for (const doc of twins.keys()) {
          for (const each of [ledger, copy]) each.refreshed(doc, 1e12, 'changed', 0.5)
          expect(copy.rowOf(doc)).toEqual(row(ledger, doc))
        }
      }
    })
  })

  function act(random: SeededRandom, ledger: Ledger, twins: Map<number, NaiveHistory>, doc: number, atMs: number) {
    const twin = twins.get(doc)
    const draw = random.next()
    if (twin === undefined || draw < 0.02) {
      ledger.created(doc, atMs)
      twins.set(doc, new NaiveHistory(atMs))
    } else if (draw < 0.07) {
      ledger.removed(doc)
      twins.delete(doc)
    } else if (draw < 0.17) {
      ledger.gone(doc, atMs)
      twin.isPresent = false
    } else if (draw < 0.27) ledger.setStake(doc, random.next() * 100)
    else if (draw < 0.37) ledger.failed(doc, atMs)
    else {
      const deltaQuality = random.pick([0, undefined, random.next(), random.next()])
      ledger.refreshed(doc, atMs, deltaQuality === 0 ? 'same' : 'changed', deltaQuality)
      twin.refreshed(atMs, deltaQuality)
    }
  }

  class NaiveHistory {
    readonly past: { intervalMs: number; deltaQuality: number | undefined }[] = []
    isPresent = true
    lastMs: number

    constructor(atMs: number) {
      this.lastMs = atMs
    }

    refreshed(atMs: number, deltaQuality: number | undefined): void {
      if (atMs > this.lastMs) this.past.unshift({ intervalMs: atMs - this.lastMs, deltaQuality })
      this.lastMs = atMs
      this.isPresent = true
    }

    expectRow(row: LedgerRow): void {
      const sum = (value: (past: NaiveHistory['past'][number]) => number) =>
        this.past.reduce((total, past) => total + value(past), 0)
      expect(row.isPresent).toBe(this.isPresent)
      expect(row.rated).toBe(this.past.length)
      expect(row.unmeasured).toBe(this.past.filter(({ deltaQuality }) => deltaQuality === undefined).length)
      expect(row.sumDeltaQuality).toBeCloseTo(
        sum(({ deltaQuality = 0 }) => deltaQuality),
        9,
      )
      expect(row.sumIntervalMs).toBeCloseTo(
        sum(({ intervalMs }) => intervalMs),
        3,
      )
      expect(row.sumRate * DAY_MS).toBeCloseTo(
        sum(({ deltaQuality = 0, intervalMs }) => (deltaQuality / intervalMs) * DAY_MS),
        6,
      )
      const recent = this.past.slice(0, RECENT_REFRESHES)
      expect(row.recent.map(({ intervalMs }) => Math.fround(intervalMs / 1000))).toEqual(
        recent.map(({ intervalMs }) => Math.fround(intervalMs / 1000)),
      )
      expect(row.recent.map(({ deltaQuality }) => deltaQuality)).toEqual(
        recent.map(({ deltaQuality }) => (deltaQuality === undefined ? undefined : Math.fround(deltaQuality))),
      )
    }
  }

  function expectTotals(ledger: Ledger, rows: readonly LedgerRow[]): void {
    const present = rows.filter(({ isPresent }) => isPresent)
    const sum = (value: (row: LedgerRow) => number) => present.reduce((total, row) => total + value(row), 0)
    const totals = ledger.totals()
    expect(totals.pages).toBe(present.length)
    expect(totals.rated).toBe(sum(({ rated }) => rated))
    expect(totals.changes).toBe(sum(({ changes }) => changes))
    expect(totals.unmeasured).toBe(sum(({ unmeasured }) => unmeasured))
    expect(totals.sumDeltaQuality).toBeCloseTo(
      sum(({ sumDeltaQuality }) => sumDeltaQuality),
      9,
    )
    expect(totals.sumIntervalMs).toBeCloseTo(
      sum(({ sumIntervalMs }) => sumIntervalMs),
      3,
    )
    expect(totals.sumStake).toBeCloseTo(
      sum(({ stake }) => stake),
      9,
    )
  }
})

describe('a row to be restored', () => {
  const good: LedgerRow = (() => {
    const ledger = ledgerOf(1)
    ledger.refreshed(0, 5, 'changed', 1)
    return row(ledger)
  })()

  it.each<[string, Partial<LedgerRow>]>([
    ['sumRate', { sumRate: Number.NaN }],
    ['stake', { stake: -1 }],
    ['refreshedMs', { refreshedMs: Number.POSITIVE_INFINITY }],
    ['lastOutcome', { lastOutcome: 'odd' as never }],
    ['recent', { recent: [] }],
    ['recent', { recent: [{ intervalMs: 0, deltaQuality: 1 }] }],
    ['decayedWeight', { decayedWeight: 0 }],
    ['doc', { doc: 1.5 }],
  ])('is refused for its %s', (name, fault) => {
    const ledger = new Ledger()
    expect(() => ledger.restore({ ...good, ...fault })).toThrow(new RegExp(`^${name} `))
    expect(ledger.rowOf(0)).toBeUndefined()
  })

  it('may have a time before 1970', () => {
    const ledger = new Ledger()
    ledger.restore({ ...good, createdMs: -5 })
    expect(ledger.rowOf(0)?.createdMs).toBe(-5)
  })
})

describe('totals', () => {
  const totals: LedgerTotals = {
    pages: 10,
    rated: 10,
    changes: 0,
    unmeasured: 0,
    sumDeltaQuality: 1,
    sumIntervalMs: 100,
    sumRate: 1,
    sumStake: 5,
  }

  it('have moved when one of their means has', () => {
    expect(haveMoved(totals, { ...totals, sumStake: 5.05 }, 0.02)).toBe(false)
    expect(haveMoved(totals, { ...totals, sumStake: 5.2 }, 0.02)).toBe(true)
    expect(haveMoved(totals, { ...totals, sumDeltaQuality: 0.9 }, 0.02)).toBe(true)
    expect(haveMoved(totals, { ...totals, sumRate: 0 }, 0.02)).toBe(true)
    const doubled = Object.fromEntries(Object.entries(totals).map(([name, sum]) => [name, sum * 2]))
    expect(haveMoved(totals, doubled as unknown as LedgerTotals, 0)).toBe(false)
  })
})
