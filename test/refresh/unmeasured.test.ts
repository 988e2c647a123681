/** A change that nobody could measure is no gain of 0: not for any policy, and not for a review. */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { Ledger } from '../../src/ledger/ledger.js'
import { NO_SECTIONS } from '../../src/ledger/sections.js'
import { NO_TRUST } from '../../src/ledger/site-trust.js'
import { gainModel } from '../../src/refresh/model/gain-model.js'
import { createPolicy, POLICY_NAMES, type PolicyChoice, type PolicyName } from '../../src/refresh/policies/registry.js'
import { newPath } from '../storage/temporary-folder.js'
import { DAY_MS, OPTIONS, openOrchard, type Page, page, START, url } from './orchard.js'

const at = (days: number) => START + days * DAY_MS

/** The policies that go by gains, with and without options. */
const BY_GAINS: readonly PolicyChoice[] = [
  'user-centric',
  { name: 'user-centric', window: 3 },
  { name: 'user-centric', decayed: true },
  'user-centric-shrunk',
  'quality-utility',
]

describe('a page that changed before there was any workload', () => {
  test.each([':memory:', 'in a folder'])('%s has a priority once people ask for it', async (where) => {
    const path = where === ':memory:' ? where : newPath()
    await using index = await Freshdex.open<Page>(path, OPTIONS)
    await index.write({ put: [page(1), page(2)] }, { at: at(0) })
    await index.refresh.next({ budget: 1, at: at(1) })
    await index.write({ put: [page(1, 'quince')] }, { at: at(1) })
    expect(index.refresh.explain(url(1), { at: at(2) })).toMatchObject({
      ...{ refreshes: 1, changes: 1, lastOutcome: 'changed', refreshedAt: at(1), lastDeltaQuality: undefined },
      history: [{ intervalMs: DAY_MS, deltaQuality: undefined }],
    })
    expect(index.refresh.review()).toMatchObject({ refreshes: 0, changes: 0 })
    index.workload.record('quince', { count: 7, at: at(1) })
    await index.refresh.fit()
    for (const policy of BY_GAINS) {
      const priority = index.refresh.priority(url(1), { at: at(9), policy })
      expect(priority, JSON.stringify(policy)).toBeGreaterThan(0)
      // As before its first refresh, because nothing was learnt of its gains.
      if (JSON.stringify(policy).includes('"user-centric"')) {
        const ofNew = index.refresh.priority(url(2), { at: at(8), policy })
        expect(priority).toBeCloseTo(ofNew as number, 12)
      }
    }
  })

  test('has the gains of what is measured from then on, and no others', async () => {
    await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
    await index.write({ put: [page(1), page(2)] }, { at: at(0) })
    await index.write({ put: [page(2, 'medlar')] }, { at: at(1) })
    index.workload.record('quince', { count: 7, at: at(1) })
    const { gains } = await index.write({ put: [page(2, 'quince')] }, { at: at(3) })
    const gain = gains[0]?.deltaQuality as number
    expect(gain).toBeGreaterThan(0)
    // Of two refreshes the second gained that in two days; a day has passed since.
    for (const policy of ['user-centric', { name: 'user-centric', window: 2 }] as const)
      expect(index.refresh.priority(url(2), { at: at(4), policy })).toBeCloseTo(gain / 2, 6)
  })
})

describe('a change that was only heard of', () => {
  test('is no gain of 0', async () => {
    await using index = await openOrchard()
    await index.refresh.next({ budget: 1, at: at(1) })
    await index.refresh.observe(url(0), { outcome: 'changed', at: at(1) })
    for (const policy of BY_GAINS)
      expect(index.refresh.priority(url(0), { at: at(9), policy }), JSON.stringify(policy)).toBeGreaterThan(0)
    expect(index.refresh.explain(url(0))).toMatchObject({ refreshes: 1, changes: 1, lastOutcome: 'changed' })
    expect(index.refresh.review()).toMatchObject({ refreshes: 0, changes: 0 })
  })

  test('leaves a measured gain of 0 what it is', async () => {
    await using index = await openOrchard()
    // A word that nobody asks for: measured, and worth nothing.
    await index.write({ put: [{ ...page(0), title: 'page nought' }] }, { at: at(1) })
    const [last] = index.refresh.explain(url(0))?.history ?? []
    expect(last?.deltaQuality).toBe(0)
    expect(index.refresh.priority(url(0), { at: at(9), policy: 'user-centric' })).toBe(0)
  })

  test('tells a model nothing about gains', () => {
    const model = (isHeardOf: boolean) => {
      const ledger = new Ledger()
      for (let doc = 0; doc < 40; doc++) {
        ledger.created(doc, 0)
        ledger.setStake(doc, 1 + (doc % 5))
        ledger.refreshed(doc, DAY_MS, 'changed', 0.1 * (doc % 3))
        if (isHeardOf) for (let day = 2; day < 9; day++) ledger.refreshed(doc, day * DAY_MS, 'changed', undefined)
      }
      const { columns, rows } = ledger
      const totals = ledger.totals()
      const gains = gainModel({ columns, rows, totals, trust: NO_TRUST, sections: NO_SECTIONS, openShare: 0 })
      return [gains.spread, ...Array.from({ length: rows }, (_, doc) => gains.gainIfChangedOf(columns, doc))]
    }
    model(true).forEach((value, nth) => {
      // The six newest refreshes alone tell of the spread, and none of them is measured.
      if (nth > 0) expect(value).toBeCloseTo(model(false)[nth] as number, 1)
    })
  })

  test('gives no policy a priority that is no number', () => {
    const ledger = new Ledger()
    for (let doc = 0; doc < 3; doc++) ledger.created(doc, 0)
    for (let day = 1; day < 9; day++) ledger.refreshed(0, day * DAY_MS, 'changed', undefined)
    ledger.refreshed(1, DAY_MS, 'same', 0)
    for (const name of POLICY_NAMES as readonly PolicyName[]) {
      const policy = createPolicy(name)
      for (let doc = 0; doc < 3; doc++) {
        const priority = policy.priority(ledger.columns, doc, 20 * DAY_MS, ledger.totals())
        expect(Number.isFinite(priority) && priority >= 0, `${name} of ${doc}`).toBe(true)
      }
    }
  })
})
