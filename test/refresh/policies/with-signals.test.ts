import { describe, expect, it } from 'vitest'
import { Ledger } from '../../../src/ledger/ledger.js'
import { kindBit, SIGNAL_KINDS } from '../../../src/ledger/signals.js'
import { hasTrustMoved, NO_TRUST } from '../../../src/ledger/site-trust.js'
import { PolicyRankings } from '../../../src/refresh/choose/policy-rankings.js'
import { PriorityBlocks } from '../../../src/refresh/choose/priority-blocks.js'
import { ageMs, type Policy } from '../../../src/refresh/policies/policy.js'
import { createPolicy, policyOf } from '../../../src/refresh/policies/registry.js'
import { withSignals } from '../../../src/refresh/policies/with-signals.js'
import { randomHistories, refreshAtRandom } from '../../support/histories.js'
import { viewOf } from '../../support/ledgers.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000

/** Grows ever more slowly, to the page's stake: without totals. */
const saturating: Policy = {
  name: 'saturating',
  usesTotals: false,
  priority: (columns, doc, atMs) => columns.stake[doc]! * -Math.expm1(-ageMs(columns, doc, atMs) / (9 * DAY_MS)),
  growthPerMs: (columns, doc, atMs) =>
    (columns.stake[doc]! * Math.exp(-ageMs(columns, doc, atMs) / (9 * DAY_MS))) / (9 * DAY_MS),
  explain: (columns, doc, atMs) => ({
    formula: 'stake * (1 - Math.exp(-age))',
    terms: { stake: columns.stake[doc]!, age: ageMs(columns, doc, atMs) / (9 * DAY_MS) },
  }),
}

const POLICIES = [createPolicy('user-centric-shrunk'), createPolicy('user-centric'), saturating]

/** Pages of five sites, the last of which never sends anything, with signals that are right more or less often. */
function signalledHistories(random: SeededRandom, pages: number): { ledger: Ledger; nowMs: number } {
  const { ledger, nowMs } = randomHistories(random, pages)
  for (let site = 1; site <= 4; site++) {
    const kind = SIGNAL_KINDS[site - 1]!
    ledger.trust.heard(site, kind)
    for (let refresh = random.int(100); refresh > 0; refresh--) {
      const isChanged = random.chance(0.5)
      ledger.trust.answered(site, random.chance(isChanged ? 0.8 : 0.2) ? kindBit(kind) : 0, isChanged)
    }
  }
  for (let event = 0; event < 4 * pages; event++) signalAtRandom(random, ledger, random.int(pages), nowMs)
  return { ledger, nowMs }
}

function signalAtRandom(random: SeededRandom, ledger: Ledger, doc: number, nowMs: number): void {
  const site = doc % 5
  const atMs = ledger.columns.refreshedMs[doc]! + random.int(9 * DAY_MS)
  if (ledger.rowOf(doc) === undefined || site === 4) return
  if (random.chance(0.3)) ledger.setSite(doc, ledger.trust.sites.has(site + 1) ? site + 1 : 0)
  if (random.chance(site / 4)) ledger.signalled(doc, site + 1, SIGNAL_KINDS[site]!, atMs)
  else if (random.chance(0.5)) refreshAtRandom(random, ledger, doc, Math.min(atMs, nowMs))
}

function prepared(policy: Policy, ledger: Ledger): Policy {
  return withSignals(policy).prepare!(viewOf(ledger, ledger.trust))
}

/** From the definition: Bayes' rule on odds. */
function bruteFactor(ledger: Ledger, doc: number, atMs: number): number {
  const { columns, trust } = ledger
  const totals = ledger.totals()
  const isSignalled = columns.signals[doc]! > 0
  const ratio = trust.likelihoodRatio(columns.site[doc]!, columns.signalKinds[doc]!)
  const rate = (columns.changes[doc]! + 0.5) / (columns.sumIntervalMs[doc]! + totals.sumIntervalMs / totals.rated)
  const elapsedMs = (isSignalled ? columns.signalMs[doc]! : atMs) - columns.refreshedMs[doc]!
  const before = 1 - Math.exp(-rate * Math.max(1, elapsedMs))
  const odds = ((isSignalled ? ratio : Math.min(1, ratio)) * before) / (1 - before)
  return odds / (1 + odds) / before
}

describe('a policy with signals', () => {
  it.each(POLICIES.map((policy) => [policy.name, policy] as const))(
    '%s: its priority is multiplied by what Bayes makes of the chance of a change',
    (name, policy) => {
      withSeed(`evidence ${name}`, (seed) => {
        const { ledger, nowMs } = signalledHistories(new SeededRandom(seed), 400)
        const judge = prepared(policy, ledger)
        const totals = ledger.totals()
        let signalled = 0
        let silent = 0
        for (let doc = 0; doc < ledger.rows; doc++) {
          const atMs = nowMs + 10 * DAY_MS
          const plain = policy.priority(ledger.columns, doc, atMs, totals)
          const judged = judge.priority(ledger.columns, doc, atMs, totals)
          expect(judged).toBeCloseTo(plain * bruteFactor(ledger, doc, atMs), 6)
          if (ledger.columns.site[doc] === 0) expect(judged).toBe(plain)
          else if (ledger.columns.signals[doc]! > 0) signalled++
          else if (judged < plain) silent++
        }
        expect(Math.min(signalled, silent)).toBeGreaterThan(20)
      })
    },
  )

  it.each(POLICIES.map((policy) => [policy.name, policy] as const))(
    '%s: its priority never falls, and grows no faster than it says',
    (name, policy) => {
      withSeed(`growth ${name}`, (seed) => {
        const random = new SeededRandom(seed)
        const { ledger, nowMs } = signalledHistories(random, 300)
        const [{ columns }, totals] = [ledger, ledger.totals()]
        const judge = prepared(policy, ledger)
        for (let doc = 0; doc < ledger.rows; doc++) {
          let atMs = nowMs - random.int(60 * DAY_MS)
          let before = judge.priority(columns, doc, atMs, totals)
          for (let step = 0; step < 12; step++) {
            const growth = judge.growthPerMs(columns, doc, atMs, totals)
            const stepMs = random.int(random.pick([10, DAY_MS, 30 * DAY_MS]))
            atMs += stepMs
            const after = judge.priority(columns, doc, atMs, totals)
            expect(after).toBeGreaterThanOrEqual(before)
            expect(after).toBeLessThanOrEqual((before + growth * stepMs) * (1 + 1e-9))
            before = after
          }
        }
      })
    },
  )

  it('has the factor of a signal from then on, and that of silence nearer to 1 the older the page is', () => {
    const ledger = new Ledger()
    for (const doc of [0, 1, 2]) {
      ledger.created(doc, 0)
      ledger.refreshed(doc, DAY_MS, 'changed', 1)
    }
    ledger.signalled(0, 1, 'push', 2 * DAY_MS)
    ledger.setSite(1, 1)
    const judge = prepared(createPolicy('oldest-first'), ledger)
    const factor = (doc: number, atMs: number) =>
      judge.priority(ledger.columns, doc, atMs, ledger.totals()) / (atMs - DAY_MS)
    // A change and a half in two days.
    const chance = 1 - Math.exp(-1.5 / 2)
    for (const days of [2, 3, 30]) expect(factor(0, days * DAY_MS)).toBeCloseTo(5 / (1 + 4 * chance), 9)
    expect(factor(1, DAY_MS + 1)).toBeCloseTo(5 / 9, 6)
    expect(factor(1, 2 * DAY_MS)).toBeCloseTo(5 / 9 / (1 - (4 / 9) * chance), 9)
    expect(factor(1, 100 * DAY_MS)).toBeCloseTo(1, 9)
    expect(factor(2, 2 * DAY_MS)).toBe(1)
  })

  it('takes silence for no news, even where it was once', () => {
    const ledger = new Ledger()
    ledger.created(0, 0)
    ledger.signalled(0, 1, 'push', 0)
    for (let nth = 0; nth < 50; nth++) {
      ledger.trust.answered(1, 0, true)
      ledger.trust.answered(1, kindBit('push'), false)
    }
    ledger.refreshed(0, 1, 'same', 0)
    expect(ledger.trust.likelihoodRatio(1, 0)).toBeGreaterThan(1)
    expect(prepared(saturating, ledger).explain(ledger.columns, 0, DAY_MS, ledger.totals()).terms).not.toHaveProperty(
      'signalFactor',
    )
  })

  it('is the very policy while there are no signals', () => {
    const policy = withSignals(saturating)
    expect(policy.prepare!(viewOf(new Ledger(), NO_TRUST))).toBe(saturating)
    const preparing: Policy = { ...saturating, prepare: () => createPolicy('oldest-first'), threshold: 3 }
    const view = viewOf(new Ledger(), NO_TRUST)
    expect(withSignals(preparing).prepare!(view)).toBe(createPolicy('oldest-first'))
    expect(prepared({ ...saturating, threshold: 3 }, new Ledger())).toMatchObject({ threshold: 3, usesTotals: true })
  })

  it('explains itself by a formula that gives the priority', () => {
    withSeed('evidence formula', (seed) => {
      const { ledger, nowMs } = signalledHistories(new SeededRandom(seed), 100)
      for (const policy of POLICIES) {
        const judge = prepared(policy, ledger)
        for (let doc = 0; doc < ledger.rows; doc++) {
          const { formula, terms } = judge.explain(ledger.columns, doc, nowMs, ledger.totals())
          const value = new Function(...Object.keys(terms), `return ${formula}`)(...Object.values(terms))
          expect(value).toBeCloseTo(judge.priority(ledger.columns, doc, nowMs, ledger.totals()), 9)
          if (terms.signalFactor === undefined) continue
          const { likelihoodRatio = 0, chanceBefore = 0, chanceAfter, signalFactor, signals } = terms
          expect(signalFactor).toBeCloseTo(likelihoodRatio / (1 + (likelihoodRatio - 1) * chanceBefore), 9)
          expect(chanceAfter).toBeCloseTo(signalFactor * chanceBefore, 9)
          expect(signals).toBe(ledger.columns.signals[doc])
        }
      }
    })
  })

  it('is every policy of an index but those that go by age or by trust alone', () => {
    expect(policyOf('oldest-first').prepare).toBeUndefined()
    for (const name of ['user-centric', 'user-centric-shrunk'] as const) {
      expect(policyOf(name)).toMatchObject({ name, prepare: expect.any(Function) })
    }
  })
})

describe('the best pages by signals', () => {
  it.each(POLICIES.map((policy) => [policy.name, policy] as const))(
    'by %s are those of a full sort, whatever is signalled and refreshed',
    (name, policy) => {
      withSeed(`blocks with signals ${name}`, (seed) => {
        const random = new SeededRandom(seed)
        for (let round = 0; round < 3; round++) {
          const { ledger, nowMs } =
            round === 0 ? randomHistories(random, 900) : signalledHistories(random, random.between(1, 1500))
          const blocks = new PriorityBlocks(ledger, withSignals(policy))
          for (let question = 0, atMs = nowMs; question < 20; question++) {
            for (let touch = random.pick([0, 1, 20, 200]); touch > 0; touch--)
              signalAtRandom(random, ledger, random.int(ledger.rows), atMs)
            atMs += Math.floor((random.next() - 0.1) * random.pick([1, DAY_MS, 30 * DAY_MS]))
            const all = Array.from({ length: ledger.rows }, (_, doc) => doc)
              .filter((doc) => ledger.columns.present[doc] === 1)
              .map((doc) => ({ doc, priority: blocks.priority(doc, atMs) }))
            all.sort((a, b) => b.priority - a.priority || a.doc - b.doc)
            expect([...blocks.top(atMs)].slice(0, 100)).toEqual(all.slice(0, 100))
          }
          blocks.close()
        }
      })
    },
  )

  it('go by trust that is taken anew when it has moved', () => {
    const { ledger, nowMs } = randomHistories(new SeededRandom(5), 50)
    const blocks = new PolicyRankings(ledger).of()
    const plain = blocks.priority(0, nowMs)
    ledger.signalled(0, 1, 'etag', nowMs)
    const assumed = blocks.priority(0, nowMs)
    expect(assumed).toBeGreaterThan(plain)
    const before = ledger.trust.frozen()
    for (let nth = 0; nth < 1000; nth++) ledger.trust.answered(1, kindBit('etag'), false)
    expect(hasTrustMoved(before, ledger.trust, 0.02)).toBe(true)
    // Trust is looked at when a row has changed.
    ledger.setStake(1, 3)
    expect(blocks.priority(0, nowMs)).toBeLessThan(plain)
  })
})
