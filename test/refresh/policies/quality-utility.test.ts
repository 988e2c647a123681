import { describe, expect, it } from 'vitest'
import {
  changeChance,
  gridCurves,
  meanUtility,
  posteriorChances,
  visitLikelihoods,
} from '../../../src/change/rate-grid.js'
import { clocksOf } from '../../../src/change/section-activity.js'
import { Ledger } from '../../../src/ledger/ledger.js'
import type { SignalTrust } from '../../../src/ledger/site-trust.js'
import { seenIntervals } from '../../../src/refresh/model/page-rates.js'
import { qualityUtility } from '../../../src/refresh/policies/quality-utility.js'
import { addPage, viewOf } from '../../support/ledgers.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000
const NOW_MS = 20_000 * DAY_MS
const GRID_SIZE = 16
const CURVES = gridCurves(5)
const TRUSTING: SignalTrust = {
  likelihoodRatio: (site, kinds) => (site === 0 ? 1 : kinds === 0 ? 0.05 : 20),
  recall: (site) => (site === 0 ? 0 : 0.7),
}

/** Some pages with histories, and many that came in together and were never visited since. */
function mixedLedger(random: SeededRandom): Ledger {
  const ledger = new Ledger()
  for (let doc = 0; doc < 600; ) {
    const atMs = NOW_MS - random.between(1, 300) * DAY_MS
    for (let left = random.between(1, 30); left > 0; left--, doc++) {
      ledger.sections.place(doc, `https://a.example/${random.int(5)}/${doc}`)
      if (random.chance(0.4)) addPage(random, ledger, doc)
      else {
        ledger.created(doc, atMs)
        ledger.setStake(doc, random.pick([0, 1, 50 * random.next()]))
      }
    }
  }
  return ledger
}

describe('quality-utility', () => {
  it('judges every page as the definition does, in whatever order and for whatever moments', () => {
    withSeed('judged by definition', (seed) => {
      const random = new SeededRandom(seed)
      for (const trust of [undefined, TRUSTING]) {
        const ledger = mixedLedger(random)
        const view = viewOf(ledger, trust)
        const model = view.gains()
        const { columns } = ledger
        const { priors, clocks: data } = model.data.rates
        const clocks = clocksOf(model.data.sections.parents.length, data)
        const policy = qualityUtility.prepare!(view)
        const moments = [NOW_MS, NOW_MS + 1, NOW_MS - 3 * DAY_MS, NOW_MS + 90 * DAY_MS]
        // Mostly in a row, as they are judged, and for one moment.
        let [doc, atMs] = [0, NOW_MS]
        for (let judged = 0; judged < 3000; judged++) {
          doc = random.chance(0.1) ? random.int(ledger.rows) : (doc + 1) % ledger.rows
          if (random.chance(0.05)) atMs = random.pick(moments)
          const section = model.rates.sectionOf(doc)
          const seen = seenIntervals(columns, doc, (fromMs, toMs) => clocks.elapsedMs(section, fromMs, toMs))
          const prior = priors.subarray(GRID_SIZE * section, GRID_SIZE * (section + 1))
          const chances = columns.rated[doc] === 0 ? prior : posteriorChances(prior, visitLikelihoods(seen))
          const { signalledChance, unsignalledShare } = model.signalEvidenceOf(columns, doc, chances)
          const ageMs = clocks.elapsedMs(section, columns.refreshedMs[doc]!, atMs)
          const unsignalledMs = (3 * meanUtility(chances, CURVES, unsignalledShare * ageMs)) / unsignalledShare
          const savedMs = signalledChance * (365 * DAY_MS + ageMs) + (1 - signalledChance) * unsignalledMs
          const gain = model.gainIfChangedOf(columns, doc)
          const changed = signalledChance + (1 - signalledChance) * changeChance(chances, unsignalledShare * ageMs)
          const { priority, growthPerMs, gain: gained } = policy.judge!(columns, doc, atMs, view.totals)
          expectNear(priority, (gain * savedMs) / DAY_MS)
          expectNear(gained!.deltaQuality, gain * changed)
          expect(policy.priority(columns, doc, atMs, view.totals)).toBe(priority)
          expect(growthPerMs).toBeGreaterThanOrEqual(0)
        }
      }
    })
  })
})

function expectNear(value: number, expected: number): void {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-9 * Math.abs(expected))
}
