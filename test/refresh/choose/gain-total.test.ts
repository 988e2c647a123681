import { describe, expect, it } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.js'
import { GainTotal } from '../../../src/refresh/choose/gain-total.js'
import { HeldLedger } from '../../../src/refresh/judge/held-ledger.js'
import { CurrentModel } from '../../../src/refresh/model/current-model.js'
import { addPage, fullLedger } from '../../support/ledgers.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000

/** Page by page, by the model of the total. */
function bruteTotal(ledger: Ledger, model: CurrentModel, atMs: number): number {
  let sum = 0
  for (let doc = 0; doc < ledger.rows; doc++) {
    if (ledger.columns.present[doc] !== 1) continue
    const { changeChance, gainIfChanged } = model.expected(doc, atMs)
    sum += changeChance * gainIfChanged
  }
  return sum
}

function touch(random: SeededRandom, ledger: Ledger, atMs: number): void {
  const doc = random.chance(0.05) ? ledger.rows : random.int(ledger.rows)
  if (ledger.rowOf(doc) === undefined) addPage(random, ledger, doc)
  else if (random.chance(0.1)) ledger.removed(doc)
  else if (random.chance(0.12)) ledger.gone(doc, atMs)
  else if (random.chance(0.3)) ledger.setStake(doc, 500 * random.next())
  else ledger.refreshed(doc, atMs, random.chance(0.5) ? 'changed' : 'same', random.next())
}

describe('what refreshing all pages would gain', () => {
  it.each([0, 0.01])('is the sum over the pages, whatever was touched since, with a slack of %f', (slack) => {
    withSeed(`gain total ${slack}`, (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 5; round++) {
        const { ledger, nowMs } = fullLedger(random, random.between(100, 700))
        // Held, so that one model judges all the time.
        const held = new HeldLedger(ledger)
        held.hold()
        const model = new CurrentModel(held)
        const total = new GainTotal(held, model, slack)
        for (let question = 0, atMs = nowMs; question < 30; question++) {
          for (let touches = random.pick([0, 1, 20]); touches > 0; touches--) touch(random, ledger, atMs)
          const isLater = random.chance(0.3)
          if (isLater) atMs += random.pick([1, DAY_MS / 24, 3 * DAY_MS])
          const exact = bruteTotal(ledger, model, atMs)
          const { deltaQuality } = total.at(atMs)
          // Blocks are extrapolated by their growth of a moment ago, which is about twice as far off as the slack says.
          const error = slack === 0 ? 1e-9 : 2 * slack
          expect(Math.abs(deltaQuality - exact)).toBeLessThanOrEqual(error * exact + 1e-9)
        }
      }
    })
  })

  it('is exact for the moment that all blocks were summed up for, also after touches', () => {
    withSeed('gain total of a moment', (seed) => {
      const random = new SeededRandom(seed)
      const { ledger, nowMs } = fullLedger(random, 500)
      const held = new HeldLedger(ledger)
      held.hold()
      const model = new CurrentModel(held)
      const total = new GainTotal(held, model, 0.01)
      for (let question = 0; question < 40; question++) {
        const exact = bruteTotal(ledger, model, nowMs)
        expect(Math.abs(total.at(nowMs).deltaQuality - exact)).toBeLessThanOrEqual(1e-9 * exact)
        for (let touches = random.int(30); touches > 0; touches--) touch(random, ledger, nowMs)
      }
    })
  })
})
