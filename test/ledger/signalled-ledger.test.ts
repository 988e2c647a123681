/** Signals in the ledger: what is kept of them, and what answers them. */
import { describe, expect, it } from 'vitest'
import { Ledger } from '../../src/ledger/ledger.js'
import type { LedgerRow } from '../../src/ledger/rows.js'
import { kindBit, pendingSignals, SIGNAL_KINDS, type SignalKind } from '../../src/ledger/signals.js'
import { SeededRandom, withSeed } from '../support/seed.js'

/** Document 0, refreshed at 100. */
function refreshedLedger(): Ledger {
  const ledger = new Ledger()
  ledger.created(0, 0)
  ledger.refreshed(0, 100, 'same', 0)
  return ledger
}

function row(ledger: Ledger): LedgerRow {
  return ledger.rowOf(0) as LedgerRow
}

const SILENT = { signals: 0, signalKinds: 0, signalMs: 0 }

describe('a ledger', () => {
  it('keeps number, kinds and first time of signals', () => {
    const ledger = refreshedLedger()
    expect(pendingSignals(ledger.columns, 0)).toBeUndefined()
    ledger.signalled(0, 3, 'feed', 150)
    ledger.signalled(0, 3, 'etag', 160)
    ledger.signalled(0, 3, 'feed', 140)
    expect(row(ledger)).toMatchObject({
      site: 3,
      signals: 3,
      signalKinds: kindBit('feed') | kindBit('etag'),
      signalMs: 140,
    })
    expect(pendingSignals(ledger.columns, 0)).toEqual({ count: 3, kinds: ['etag', 'feed'], firstAt: 140 })
    for (let more = 0; more < 300; more++) ledger.signalled(0, 3, 'push', 170)
    expect(row(ledger)).toMatchObject({ signals: 255, signalMs: 140 })
  })

  it('passes over a signal from before the last refresh', () => {
    const ledger = refreshedLedger()
    const { version } = ledger
    ledger.signalled(0, 3, 'feed', 99)
    expect(row(ledger)).toMatchObject({ ...SILENT, site: 0 })
    expect([ledger.version, ledger.trust.size]).toEqual([version, 0])
    ledger.signalled(0, 3, 'feed', 100)
    expect(row(ledger)).toMatchObject({ signals: 1, signalMs: 100 })
  })

  it.each(['changed', 'same'] as const)('learns from a refresh that finds the page %s, and begins anew', (outcome) => {
    const ledger = refreshedLedger()
    ledger.signalled(0, 3, 'feed', 150)
    ledger.refreshed(0, 200, outcome, 0)
    expect(row(ledger)).toMatchObject({ ...SILENT, site: 3 })
    ledger.refreshed(0, 300, outcome, 0)
    const counts = { signalledChanged: 0, signalledSame: 0, silentChanged: 0, silentSame: 0 }
    const expected =
      outcome === 'changed' ? { signalledChanged: 1, silentChanged: 1 } : { signalledSame: 1, silentSame: 1 }
    expect(ledger.trust.rows()).toEqual(['feed', 'any'].map((kind) => ({ site: 3, kind, ...counts, ...expected })))
  })

  it('has no answer in a failed attempt, in news that the page is gone, or in a refresh from before the signal', () => {
    const ledger = refreshedLedger()
    ledger.signalled(0, 3, 'feed', 150)
    const { rows } = ledger.trust.takeChanges()
    ledger.failed(0, 200)
    ledger.gone(0, 210)
    ledger.refreshed(0, 149, 'same', 0)
    expect(row(ledger)).toMatchObject({ signals: 1, signalMs: 150 })
    expect(ledger.trust.rows()).toEqual(rows)
    ledger.refreshed(0, 150, 'same', 0)
    expect(row(ledger)).toMatchObject(SILENT)
    expect(ledger.trust.rows()).not.toEqual(rows)
  })

  it('learns of silence once the page is known to be of a site that sends signals', () => {
    const ledger = refreshedLedger()
    ledger.created(1, 0)
    ledger.signalled(1, 3, 'feed', 10)
    ledger.refreshed(0, 200, 'changed', 0)
    expect(ledger.trust.sites.get(3)?.refreshes).toBe(0)
    ledger.setSite(0, 3)
    ledger.refreshed(0, 300, 'changed', 0)
    expect(ledger.trust.sites.get(3)?.counts.get('feed')).toMatchObject({ silentChanged: 1, signalledChanged: 0 })
    // Another page with its number knows nothing of it.
    ledger.created(0, 400)
    expect(row(ledger)).toMatchObject({ ...SILENT, site: 0 })
  })

  it('refuses signals of documents that it does not have, and times that are none', () => {
    const ledger = refreshedLedger()
    expect(() => ledger.signalled(5, 1, 'feed', 5)).toThrow(RangeError)
    expect(() => ledger.signalled(0, 1, 'feed', Number.NaN)).toThrow(RangeError)
    expect(() => ledger.setSite(5, 1)).toThrow(RangeError)
  })

  it('agrees with a list of everything that happened', () => {
    withSeed('signalled ledger', (seed) => {
      const random = new SeededRandom(seed)
      const ledger = new Ledger()
      const pages = Array.from({ length: 20 }, (_, doc) => ({ doc, site: 1 + (doc % 3) }))
      const heard: { doc: number; kind: SignalKind; atMs: number }[] = []
      const refreshedMs = new Map(pages.map(({ doc }) => [doc, 0]))
      for (const { doc } of pages) ledger.created(doc, 0)
      for (let atMs = 1; atMs < 600; atMs++) {
        const page = random.pick(pages)
        if (random.chance(0.5)) {
          const signal = { doc: page.doc, kind: random.pick(SIGNAL_KINDS), atMs: atMs - random.int(10) }
          if (signal.atMs >= refreshedMs.get(page.doc)!) heard.push(signal)
          ledger.signalled(page.doc, page.site, signal.kind, signal.atMs)
        } else {
          ledger.refreshed(page.doc, atMs, random.chance(0.3) ? 'changed' : 'same', 0)
          refreshedMs.set(page.doc, atMs)
        }
        const own = heard.filter(({ doc, atMs: at }) => doc === page.doc && at >= refreshedMs.get(doc)!)
        expect(pendingSignals(ledger.columns, page.doc)).toEqual(
          own.length === 0
            ? undefined
            : {
                count: own.length,
                kinds: SIGNAL_KINDS.filter((kind) => own.some((signal) => signal.kind === kind)),
                firstAt: Math.min(...own.map((signal) => signal.atMs)),
              },
        )
      }
    })
  })
})
