import { describe, expect, it } from 'vitest'
import { Ledger } from '../../../src/ledger/ledger.js'
import { NO_TRUST, type SignalTrust } from '../../../src/ledger/site-trust.js'
import { CurrentModel } from '../../../src/refresh/model/current-model.js'
import { gainModel } from '../../../src/refresh/model/gain-model.js'
import { edgeRow, fullLedger, viewOf } from '../../support/ledgers.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000
const NOW_MS = 20_000 * DAY_MS
const TRUSTING: SignalTrust = {
  likelihoodRatio: (site, kinds) => (site === 0 ? 1 : kinds === 0 ? 0.05 : 20),
  recall: (site) => (site === 0 ? 0 : 0.95),
}

/** Outcomes of weekly refreshes, oldest first, the last one now. */
function visit(ledger: Ledger, doc: number, outcomes: string, gain = 1): void {
  ledger.created(doc, NOW_MS - 7 * DAY_MS * outcomes.length)
  for (const [at, outcome] of [...outcomes].entries()) {
    const atMs = NOW_MS - 7 * DAY_MS * (outcomes.length - 1 - at)
    ledger.refreshed(doc, atMs, outcome === 'c' ? 'changed' : 'same', outcome === 'c' ? gain : 0)
  }
}

describe('what a refresh is likely to find', () => {
  it('is a change the likelier the more there were, and the older the copy', () => {
    const ledger = new Ledger()
    for (const [doc, outcomes] of ['ssssssss', 'sssssssc', 'scscscsc', 'cccccccc'].entries())
      visit(ledger, doc, outcomes)
    const view = viewOf(ledger)
    const model = gainModel(view)
    const chances = Array.from({ length: 4 }, (_, doc) =>
      [1, 7, 30, 300].map((days) => model.gainOf(view.columns, doc, NOW_MS + days * DAY_MS).changeChance),
    )
    for (const [doc, ofPage] of chances.entries())
      for (const [at, chance] of ofPage.entries()) {
        expect(chance).toBeGreaterThan(at === 0 ? 0 : ofPage[at - 1]!)
        if (doc > 0) expect(chance).toBeGreaterThan(chances[doc - 1]![at]!)
        expect(chance).toBeLessThanOrEqual(1)
      }
    expect(model.gainOf(view.columns, 0, NOW_MS).changeChance).toBe(0)
  })

  it('is learnt from all kinds of pages, also when they lie in turn', () => {
    // Twice as many pages as the model looks at: every second one changes all the time, and the others never do.
    const chanceOf = (outcomesOf: (doc: number) => string) => {
      const ledger = new Ledger()
      for (let doc = 0; doc < 39_999; doc++) visit(ledger, doc, outcomesOf(doc))
      ledger.created(39_999, NOW_MS)
      const view = viewOf(ledger)
      return gainModel(view).gainOf(view.columns, 39_999, NOW_MS + 7 * DAY_MS).changeChance
    }
    const inTurn = chanceOf((doc) => (doc % 2 === 0 ? 'ccc' : 'sss'))
    const oneAfterAnother = chanceOf((doc) => (doc < 20_000 ? 'ccc' : 'sss'))
    expect(inTurn / oneAfterAnother).toBeGreaterThan(0.95)
    expect(inTurn / oneAfterAnother).toBeLessThan(1.05)
  })

  it('comes true as often as it says', () => {
    withSeed('calibrated chances', (seed) => {
      const random = new SeededRandom(seed)
      const rates = Array.from({ length: 2000 }, () => random.pick([1 / 400, 1 / 100, 1 / 15]) / DAY_MS)
      const isChanged = (doc: number, intervalMs: number) => random.chance(1 - Math.exp(-rates[doc]! * intervalMs))
      const ledger = new Ledger()
      for (const doc of rates.keys()) {
        let atMs = NOW_MS - 200 * DAY_MS
        ledger.created(doc, atMs)
        for (let left = random.int(5); left > 0; left--) {
          const intervalMs = random.between(2, 40) * DAY_MS
          atMs += intervalMs
          ledger.refreshed(doc, atMs, isChanged(doc, intervalMs) ? 'changed' : 'same', 0)
        }
      }
      const view = viewOf(ledger)
      const model = gainModel(view)
      const told = rates.map((rate, doc) => {
        const age = NOW_MS - view.columns.refreshedMs[doc]!
        return { said: model.gainOf(view.columns, doc, NOW_MS).changeChance, true: 1 - Math.exp(-rate * age) }
      })
      told.sort((a, b) => a.said - b.said)
      for (let fifth = 0; fifth < 5; fifth++) {
        const some = told.slice(fifth * 400, (fifth + 1) * 400)
        const mean = (of: (entry: (typeof some)[number]) => number) =>
          some.reduce((sum, each) => sum + of(each), 0) / 400
        const ratio = mean((each) => each.said) / mean((each) => each.true)
        expect(ratio).toBeGreaterThan(0.8)
        expect(ratio).toBeLessThan(1.25)
      }
    })
  })

  it('is a change rather with a signal than without, and rather without any site than in silence', () => {
    const ledger = new Ledger()
    for (let doc = 0; doc < 3; doc++) visit(ledger, doc, 'sscs')
    ledger.signalled(1, 1, 'sitemap', NOW_MS + 2 * DAY_MS)
    ledger.setSite(2, 1)
    const view = viewOf(ledger, TRUSTING)
    const model = gainModel(view)
    const [unknown, signalled, silent] = [0, 1, 2].map(
      (doc) => model.gainOf(view.columns, doc, NOW_MS + 3 * DAY_MS).changeChance,
    )
    expect(signalled).toBeGreaterThan(3 * unknown!)
    expect(silent).toBeLessThan(0.3 * unknown!)
  })

  it('is what the age says where signals are as often wrong as right, and less where they mostly are', () => {
    const ledger = new Ledger()
    for (let doc = 0; doc < 2; doc++) visit(ledger, doc, 'sscs')
    ledger.signalled(1, 1, 'etag', NOW_MS + 2 * DAY_MS)
    const chancesBy = (ratio: number) => {
      const view = viewOf(ledger, { likelihoodRatio: () => ratio, recall: () => 0 })
      const model = gainModel(view)
      return [0, 1].map((doc) => model.gainOf(view.columns, doc, NOW_MS + 30 * DAY_MS).changeChance)
    }
    const [plain, signalled] = chancesBy(1)
    expect(signalled).toBeCloseTo(plain!, 12)
    expect(chancesBy(0.5)[1]).toBeLessThan(0.7 * plain!)
    expect(chancesBy(1.1)[1]).toBeGreaterThan(plain!)
    expect(chancesBy(1.1)[1]).toBeLessThan(1.1 * plain!)
  })
})

describe('what a change is likely to gain', () => {
  it('goes by the stake, and by what changes of the page have gained', () => {
    const ledger = new Ledger()
    for (let doc = 0; doc < 40; doc++) {
      visit(ledger, doc, 'sscs', doc % 2 === 0 ? 0.1 : 0.3)
      ledger.setStake(doc, doc % 2 === 0 ? 1 : 3)
    }
    visit(ledger, 40, 'cccccc', 5)
    visit(ledger, 41, 'cccccc', 0)
    for (const doc of [40, 41]) ledger.setStake(doc, 1)
    const view = viewOf(ledger)
    const gains = [0, 1, 40, 41].map((doc) => gainModel(view).gainOf(view.columns, doc, NOW_MS).gainIfChanged)
    expect(gains[1]! / gains[0]!).toBeGreaterThan(1.7)
    expect(gains[2]!).toBeGreaterThan(gains[0]!)
    expect(gains[3]!).toBeLessThan(gains[0]!)
  })

  it('goes by what changes of its folder have gained, whatever the page itself has shown', () => {
    const gainsWith = (stake: number) => {
      const ledger = new Ledger()
      for (let doc = 0; doc < 120; doc++) {
        ledger.sections.place(doc, `${doc % 2 === 0 ? 'rewritten' : 'polished'}/${doc}`)
        if (doc < 100) visit(ledger, doc, 'scsc', stake * (doc % 2 === 0 ? 0.09 : 0.01))
        else ledger.created(doc, NOW_MS - 100 * DAY_MS)
        ledger.setStake(doc, stake)
      }
      const view = viewOf(ledger)
      const model = gainModel(view)
      return [100, 101].map((doc) => model.gainOf(view.columns, doc, NOW_MS).gainIfChanged)
    }
    const [rewritten, polished] = gainsWith(1)
    expect(rewritten! / polished!).toBeGreaterThan(2)
    expect(rewritten! / polished!).toBeLessThan(3)
    // All gains together come out right.
    expect((rewritten! + polished!) / 2).toBeGreaterThan(0.04)
    expect((rewritten! + polished!) / 2).toBeLessThan(0.06)
    // Nobody searches: nothing was gained anywhere, and folders with more visits are not worse for it.
    const [one, other] = gainsWith(0)
    expect(one).toBe(other)
  })

  it('is for a page without a stake a part of what the typical one has at stake', () => {
    // A page with the mean stake gains mean stake * (b + (1 - b)), one without any mean stake * b.
    const partOf = (stakes: readonly number[]) => {
      const ledger = new Ledger()
      const mean = stakes.reduce((sum, stake) => sum + stake, 0) / stakes.length
      for (const [doc, stake] of [...stakes, 0, mean].entries()) {
        ledger.created(doc, NOW_MS - DAY_MS)
        ledger.setStake(doc, stake)
      }
      const view = viewOf(ledger)
      const gainOf = (doc: number) => gainModel(view).gainIfChangedOf(view.columns, doc)
      return gainOf(stakes.length) / gainOf(stakes.length + 1)
    }
    const even = partOf(new Array(998).fill(1))
    const skewed = partOf(Array.from({ length: 998 }, (_, at) => (at + 1) ** -2))
    expect(even).toBeGreaterThan(0.139)
    expect(even).toBeLessThan(0.14)
    // (sum of 1/n)² / (1000 * sum of 1/n²), for the two pages more as well.
    expect(skewed).toBeGreaterThan(0.14 * 0.033)
    expect(skewed).toBeLessThan(0.14 * 0.036)
    // One page has everything, and is none of the sample.
    const alone = new Array(30_000).fill(0)
    alone[1] = 7
    expect(partOf(alone)).toBeGreaterThan(0)
  })

  it('has the spread that gains had, at least 1', () => {
    const spreadOf = (gains: readonly number[]) => {
      const ledger = new Ledger()
      for (let doc = 0; doc < 400; doc++) {
        visit(ledger, doc, 'c', gains[doc % gains.length]!)
        ledger.setStake(doc, 1)
      }
      const view = viewOf(ledger)
      return gainModel(view).gainOf(view.columns, 0, NOW_MS).spread
    }
    expect(spreadOf([0.1])).toBeGreaterThanOrEqual(1)
    expect(spreadOf([0.1])).toBeLessThan(1.3)
    // Three of four gain nothing: E[w²] = 4 E[w]².
    expect(spreadOf([0, 0, 0, 0.4])).toBeGreaterThan(3.5)
    expect(spreadOf([0, 0, 0, 0.4])).toBeLessThan(4.5)
  })
})

describe('a model of gains', () => {
  it('says numbers of every row that a ledger takes', () => {
    withSeed('edges of gains', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const ledger = round < 3 ? fullLedger(random, 100).ledger : new Ledger()
        for (let doc = ledger.rows; doc < 40; doc++) ledger.restore(edgeRow(random, doc))
        const view = viewOf(ledger, random.pick([NO_TRUST, TRUSTING]))
        const model = gainModel(view)
        for (let doc = 0; doc < view.rows; doc++) {
          const { changeChance, gainIfChanged, spread } = model.gainOf(view.columns, doc, NOW_MS)
          expect(changeChance).toBeGreaterThanOrEqual(0)
          expect(changeChance).toBeLessThanOrEqual(1)
          expect(gainIfChanged).toBeGreaterThanOrEqual(0)
          expect(gainIfChanged).toBeLessThan(Number.POSITIVE_INFINITY)
          expect(spread).toBeGreaterThanOrEqual(1)
          expect(spread).toBeLessThan(Number.POSITIVE_INFINITY)
        }
      }
    })
  })

  it('of an empty ledger speaks of a page to come', () => {
    const view = viewOf(new Ledger())
    const model = gainModel(view)
    const ledger = new Ledger()
    ledger.created(0, NOW_MS)
    const { changeChance } = model.gainOf(ledger.columns, 0, NOW_MS + 90 * DAY_MS)
    expect(changeChance).toBeGreaterThan(0.3)
    expect(changeChance).toBeLessThan(0.9)
  })
})

describe('what refreshes are expected to gain', () => {
  it('follows a burst in one folder, also for who asks all the time', () => {
    const random = new SeededRandom(1)
    const ledger = new Ledger()
    const asked = new CurrentModel(ledger)
    const at = (week: number) => NOW_MS + 7 * week * DAY_MS
    for (let doc = 0; doc < 1000; doc++) {
      ledger.sections.place(doc, `f${doc < 15 ? 0 : 1 + (doc % 9)}/${doc}`)
      ledger.created(doc, at(0))
    }
    for (let week = 1; week <= 33; week++) {
      for (let doc = 0; doc < 1000; doc++) {
        const isBurst = doc < 15 && week > 30
        if (doc === 0 && isBurst) continue
        ledger.refreshed(doc, at(week), random.chance(isBurst ? 0.8 : 0.05) ? 'changed' : 'same', 0)
      }
      asked.expected(0, at(week))
    }
    const [calm, known, anew] = [
      asked.expected(15, at(36)),
      asked.expected(0, at(33)),
      new CurrentModel(ledger).expected(0, at(33)),
    ]
    expect(known.changeChance).toBeCloseTo(anew.changeChance, 12)
    expect(known.changeChance).toBeGreaterThan(2 * calm.changeChance)
  })
})
