/** Laws of documents, fitted to what the ledger keeps of their refreshes. */
import { describe, expect, it } from 'vitest'
import { PoissonLaw } from '../../../src/change/laws/poisson.js'
import { WeibullLaw } from '../../../src/change/laws/weibull.js'
import type { UpdateLaw } from '../../../src/change/update-law.js'
import { Ledger } from '../../../src/ledger/ledger.js'
import { pageLaw, visitHistory } from '../../../src/refresh/model/page-laws.js'
import { changePrior } from '../../../src/refresh/model/page-rates.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000
const START_MS = 20_000 * DAY_MS

/** A page that changes by a law and is refreshed at these intervals; the law's unit of time is a day. */
function refreshedPage(
  ledger: Ledger,
  doc: number,
  law: UpdateLaw,
  intervals: readonly number[],
  random: SeededRandom,
) {
  let atMs = START_MS
  ledger.created(doc, atMs)
  let update = law.nextUpdate(0, random.next)
  const seen = intervals.map((intervalMs) => {
    atMs += intervalMs
    let changed = false
    for (; update * DAY_MS <= atMs - START_MS; update = law.nextUpdate(update, random.next)) changed = true
    ledger.refreshed(doc, atMs, changed ? 'changed' : 'same', 0)
    return { intervalMs, changed }
  })
  return { seen, atMs }
}

describe('what a ledger knows of visits', () => {
  it('is when the last six were, that earlier ones took as long together, and which of 32 found a change', () => {
    withSeed('visits', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 100; round++) {
        const ledger = new Ledger()
        const intervals = Array.from({ length: random.between(0, 40) }, () => random.between(1, 20) * DAY_MS)
        const { seen } = refreshedPage(ledger, 0, new PoissonLaw({ rate: 0.1 }), intervals, random)
        const history = visitHistory(ledger.columns, 0)
        const known = seen.slice(-32)
        expect(history.map(({ changed }) => changed)).toEqual(known.map(({ changed }) => changed))
        expect(history.slice(-6).map(({ intervalMs }) => intervalMs)).toEqual(
          known.slice(-6).map(({ intervalMs }) => expect.closeTo(intervalMs, -2)),
        )
        if (seen.length > 6) {
          const earlier = seen.slice(0, -6)
          const meanMs = earlier.reduce((sum, { intervalMs }) => sum + intervalMs, 0) / earlier.length
          expect(history[0]!.intervalMs / meanMs).toBeCloseTo(1, 4)
        }
      }
    })
  })
})

describe('the law of a document', () => {
  const fitted = (ledger: Ledger, doc: number, options = {}) =>
    pageLaw(ledger.columns, doc, { prior: changePrior(ledger.totals()), ...options })

  it('is that of all documents before its first refresh, and never has the rate 0', () => {
    const ledger = new Ledger()
    ledger.created(0, START_MS)
    ledger.created(1, START_MS)
    for (let week = 1; week <= 10; week++) ledger.refreshed(1, START_MS + 7 * week * DAY_MS, 'same', 0)
    const [fresh, quiet] = [fitted(ledger, 0), fitted(ledger, 1)] as [PoissonLaw, PoissonLaw]
    expect([fresh.kind, quiet.kind]).toEqual(['poisson', 'poisson'])
    expect(fresh.rate).toBeCloseTo(changePrior(ledger.totals()).ratePerMs, 20)
    expect(quiet.rate).toBeLessThan(fresh.rate)
    expect(quiet.rate).toBeGreaterThan(0)
  })

  it('of regular pages is mostly a Weibull law, and of Poisson pages mostly Poisson', () => {
    withSeed('laws of pages', (seed) => {
      const random = new SeededRandom(seed)
      const intervals = Array.from({ length: 30 }, () => DAY_MS)
      const share = (law: UpdateLaw, kind: string) => {
        let count = 0
        for (let doc = 0; doc < 40; doc++) {
          const ledger = new Ledger()
          refreshedPage(ledger, 0, law, intervals, random)
          if (fitted(ledger, 0, { kinds: ['weibull'] }).kind === kind) count++
        }
        return count / 40
      }
      // Every third day, nearly to the hour.
      expect(share(new WeibullLaw({ shape: 12, scale: 3 }), 'weibull')).toBeGreaterThan(0.9)
      expect(share(new PoissonLaw({ rate: 1 / 3 }), 'poisson')).toBeGreaterThan(0.8)
    })
  })

  it('is quasi-deterministic where updates happen at the times that were told', () => {
    const updates = (days: number) => ({ periodMs: days * DAY_MS, timesMs: [6 * 3_600_000], startMs: START_MS })
    // Updated at six in the morning of every n-th day, and looked at every noon; the second page missed a week.
    for (const [days, missed] of [
      [4, 0],
      [2, 7],
    ] as const) {
      const ledger = new Ledger()
      ledger.created(0, START_MS + DAY_MS / 2)
      for (let day = 1 + missed; day <= 32; day++) {
        const isChanged = day % days === 0 || (missed > 0 && day === 1 + missed)
        ledger.refreshed(0, START_MS + (day + 0.5) * DAY_MS, isChanged ? 'changed' : 'same', 0)
      }
      const law = fitted(ledger, 0, { updates: updates(days), kinds: ['quasi-deterministic'] })
      expect(law).toMatchObject({ kind: 'quasi-deterministic', probabilities: Float64Array.of(1) })
      expect(fitted(ledger, 0, { kinds: ['poisson'] }).kind).toBe('poisson')
    }
  })
})
