import { expect, test } from 'vitest'
import { PolicyRankings } from '../../../src/refresh/choose/policy-rankings.js'
import { CurrentModel } from '../../../src/refresh/model/current-model.js'
import { fullLedger } from '../../support/ledgers.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

test('what the default policy judges by is what is expected, whoever was asked last', () => {
  withSeed('one model', (seed) => {
    const random = new SeededRandom(seed)
    const { ledger, nowMs } = fullLedger(random, 300)
    const model = new CurrentModel(ledger)
    const blocks = new PolicyRankings(ledger, undefined, model).of()
    let moves = 0
    for (let step = 0, atMs = nowMs; step < 200; step++, atMs += 3_600_000) {
      const doc = random.between(0, ledger.rows - 1)
      if (ledger.columns.present[doc] !== 1) continue
      ledger.refreshed(doc, atMs, random.chance(0.5) ? 'changed' : 'same', random.chance(0.5) ? 1 : 0)
      // Either of them may be asked alone, so that only one of them notices that the ledger has moved.
      if (random.chance(0.3)) blocks.priority(doc, atMs)
      if (random.chance(0.3)) model.expected(doc, atMs)
      const before = model.frozen.view
      const { terms } = blocks.explain(doc, atMs)
      const { gainIfChanged, changeChance } = model.expected(doc, atMs)
      expect({ gainIfChanged: terms.gainIfChanged, changeChance: terms.changeChance }).toEqual({
        gainIfChanged,
        changeChance,
      })
      if (model.frozen.view !== before) moves++
    }
    expect(moves).toBeGreaterThan(1)
  })
})
