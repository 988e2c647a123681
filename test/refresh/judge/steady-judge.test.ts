/** A judge that may be behind: beside a full sort by its own view, and beside a new judge when it has caught up. */
import { describe, expect, it } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.js'
import { type BestPages, LedgerJudge } from '../../../src/refresh/judge/judging.js'
import { type PackedJudgement, packJudgement, unpackJudgement } from '../../../src/refresh/judge/kept-judgement.js'
import { SteadyJudge } from '../../../src/refresh/judge/steady-judge.js'
import type { PolicyChoice } from '../../../src/refresh/policies/registry.js'
import { addPage, fullLedger } from '../../support/ledgers.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000
const POLICIES: readonly PolicyChoice[] = ['quality-utility', 'quality-utility', 'user-centric-shrunk', 'oldest-first']

const named = ({ docs, priorities }: Pick<BestPages, 'docs' | 'priorities'>) =>
  Array.from(docs, (doc, at) => ({ doc, priority: priorities[at] }))

/** All pages judged by the view of the judge, all sorted. */
function bruteBest(ledger: Ledger, judge: LedgerJudge, policy: PolicyChoice, atMs: number, count: number) {
  const blocks = judge.blocks(policy)
  const all = Array.from({ length: ledger.rows }, (_, doc) => doc)
    .filter((doc) => ledger.columns.present[doc] === 1 && ledger.columns.errors[doc] === 0)
    .map((doc) => ({ doc, priority: blocks.priority(doc, atMs) }))
    .filter(({ priority }) => priority >= blocks.threshold)
  return all.sort((a, b) => b.priority - a.priority || a.doc - b.doc).slice(0, count)
}

function refreshSome(random: SeededRandom, ledger: Ledger, docs: Iterable<number>, atMs: number): void {
  for (const doc of docs) {
    if (ledger.rowOf(doc) === undefined) continue
    // The best pages have most of the stakes: a few of them move the totals.
    if (random.chance(0.5)) ledger.setStake(doc, random.pick([0, 1, 3000]) * random.next())
    ledger.refreshed(doc, atMs, random.chance(0.5) ? 'changed' : 'same', 50 * random.next())
  }
}

function ledgerOf(random: SeededRandom, pages: number) {
  const { ledger, nowMs } = fullLedger(random, pages)
  for (let doc = 0; doc < ledger.rows; doc++) {
    ledger.sections.place(doc, `https://a.example/${doc % 7}/${doc}`)
    if (ledger.columns.errors[doc] !== 0) ledger.removed(doc)
  }
  return { ledger, nowMs }
}

describe('a steady judge', () => {
  it('names the pages of a full sort by its view, whatever is touched and however far it has caught up', () => {
    let [behind, caughtUp] = [0, 0]
    withSeed('steady judge', (seed) => {
      const random = new SeededRandom(seed)
      const { ledger, nowMs } = ledgerOf(random, random.between(1500, 2500))
      const judge = new SteadyJudge(ledger, 1000)
      let docs: Iterable<number> = []
      for (let question = 0, atMs = nowMs; question < 40; question++) {
        refreshSome(random, ledger, random.chance(0.7) ? [...docs].slice(0, 12) : [], atMs)
        if (random.chance(0.1)) for (let more = 0; more < 300; more++) addPage(random, ledger, ledger.rows)
        for (let doc = 0; doc < ledger.rows; doc++)
          if (ledger.rowOf(doc) !== undefined && ledger.columns.errors[doc] !== 0) ledger.removed(doc)
        atMs += Math.floor(random.pick([0, 1, DAY_MS]) * random.next())
        const policy = random.pick(POLICIES)
        const count = random.pick([1, 20, 5000])
        const best = judge.best({ policy, atMs, minIntervalMs: 0, count })
        docs = best.docs
        expect(named(best)).toEqual(bruteBest(ledger, judge.judge, policy, atMs, count))
        if (judge.isBehind) behind++
        for (let steps = random.pick([0, 3, 10_000]); steps > 0 && judge.isBehind; steps--) {
          judge.catchUp()
          if (!judge.isBehind) caughtUp++
        }
      }
    })
    expect(behind).toBeGreaterThan(0)
    expect(caughtUp).toBeGreaterThan(0)
  })

  it('answers as a new judge does when it has caught up', () => {
    withSeed('caught up', (seed) => {
      const random = new SeededRandom(seed)
      const { ledger, nowMs } = ledgerOf(random, 2000)
      const judge = new SteadyJudge(ledger, 1000)
      const request = { policy: 'quality-utility', atMs: nowMs, minIntervalMs: 0, count: 50 } as const
      const before = judge.best(request)
      for (const doc of before.docs.slice(0, 15)) ledger.setStake(doc, 1e5)
      const behind = judge.best(request)
      expect(judge.isBehind).toBe(true)
      expect(named(behind)).not.toEqual(named(new LedgerJudge(ledger).best(request)))
      while (judge.isBehind) judge.catchUp()
      const fresh = new LedgerJudge(ledger).best(request)
      const caughtUp = judge.best(request)
      expect(named(caughtUp)).toEqual(named(fresh))
      expect(caughtUp.total.deltaQuality).toBeCloseTo(fresh.total.deltaQuality, 9)
      expect(judge.isBehind).toBe(false)
    })
  })

  it('waits for the newest view where many rows were touched, pages were clustered anew, or there are few', () => {
    const request = { policy: 'quality-utility', minIntervalMs: 0, count: 50 } as const
    const isLikeNew = (touch: (ledger: Ledger) => void, leastRows: number) => {
      const { ledger, nowMs: atMs } = ledgerOf(new SeededRandom(7), 2000)
      const judge = new SteadyJudge(ledger, leastRows)
      judge.best({ ...request, atMs })
      touch(ledger)
      const best = named(judge.best({ ...request, atMs }))
      const fresh = named(new LedgerJudge(ledger).best({ ...request, atMs }))
      return !judge.isBehind && JSON.stringify(best) === JSON.stringify(fresh)
    }
    const raise = (count: number) => (ledger: Ledger) => {
      for (let doc = 0, left = count; left > 0; doc++)
        if (ledger.rowOf(doc) !== undefined) {
          ledger.setStake(doc, 1e5)
          left--
        }
    }
    expect(isLikeNew(raise(10), 1000)).toBe(false)
    // What a fit moves is to wait, too.
    expect(isLikeNew(raise(100), 1000)).toBe(false)
    expect(isLikeNew(raise(10), 5000)).toBe(true)
    expect(isLikeNew(raise(400), 1000)).toBe(true)
    const cluster = (ledger: Ledger) => {
      raise(10)(ledger)
      ledger.setClusters([], [])
    }
    expect(isLikeNew(cluster, 1000)).toBe(true)
  })

  it('goes on with what another one knew, as that one would have, and judges few pages for it', () => {
    withSeed('judgement taken up', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 4; round++) {
        const { ledger, nowMs } = ledgerOf(random, random.between(1500, 2500))
        const request = { policy: 'quality-utility', atMs: nowMs, minIntervalMs: 0, count: 50 } as const
        const known = new SteadyJudge(ledger, 1000)
        expect(known.kept()).toBeUndefined()
        known.best(request)
        refreshSome(random, ledger, [3, 4, 5], nowMs)
        const packed = packJudgement(known.kept()!)
        const kept = unpackJudgement(structuredClone(packed), ledger.rows, ledger.sections.parents.length)!
        const judge = new SteadyJudge(ledger, 1000)
        judge.takeUp(kept)
        for (let question = 0, atMs = nowMs; question < 6; question++) {
          const best = judge.best({ ...request, atMs })
          const asBefore = known.best({ ...request, atMs })
          expect(named(best)).toEqual(named(asBefore))
          expect(named(best)).toEqual(bruteBest(ledger, judge.judge, request.policy, atMs, request.count))
          expect(Math.abs(best.total.deltaQuality / asBefore.total.deltaQuality - 1)).toBeLessThan(0.02)
          if (question === 0) expect(judge.judge.blocks(request.policy).judgedRows).toBeLessThan(ledger.rows)
          // Between the questions it asks for what was not kept, as far as it comes.
          let steps = random.pick([0, 5, 10_000])
          for (; steps > 0 && judge.hasWork && !judge.isBehind; steps--) judge.catchUp()
          refreshSome(random, ledger, best.docs.slice(0, 3), atMs)
          atMs += Math.floor(random.pick([0, 1, DAY_MS]) * random.next())
        }
      }
    })
  })

  it('believes nothing where bounds or sums are not those of the rows, and learns as ever', () => {
    const { ledger, nowMs: atMs } = ledgerOf(new SeededRandom(11), 2000)
    const request = { policy: 'quality-utility', atMs, minIntervalMs: 0, count: 50 } as const
    const known = new SteadyJudge(ledger, 1000)
    const expected = named(known.best(request))
    const wrongs: ((columns: PackedJudgement['columns']) => void)[] = [
      ({ highest }) => highest!.fill(0),
      ({ fastest }) => fastest!.fill(0),
      ({ sum }) => sum!.fill(1e6),
      // Another model than the one that the bounds are by.
      ({ factors }) => factors!.fill(77),
    ]
    for (const wrong of wrongs) {
      const packed = structuredClone(packJudgement(known.kept()!))
      wrong(packed.columns)
      const judge = new SteadyJudge(ledger, 1000)
      judge.takeUp(unpackJudgement(packed, ledger.rows, ledger.sections.parents.length)!)
      expect(judge.kept()).toBeUndefined()
      expect(named(judge.best(request))).toEqual(expected)
      expect(judge.judge.blocks(request.policy).judgedRows).toBeGreaterThanOrEqual(ledger.rows)
    }
  })
})

describe('a judgement that was kept', () => {
  it('is none of another ledger, and none with numbers that no judgement has', () => {
    const { ledger, nowMs: atMs } = ledgerOf(new SeededRandom(12), 1500)
    const known = new SteadyJudge(ledger, 1000)
    known.best({ policy: 'quality-utility', atMs, minIntervalMs: 0, count: 5 })
    const packed = packJudgement(known.kept()!)
    const sections = ledger.sections.parents.length
    expect(unpackJudgement(packed, ledger.rows, sections)).toEqual(known.kept())
    expect(unpackJudgement(packed, ledger.rows + 64, sections)).toBeUndefined()
    expect(unpackJudgement(packed, ledger.rows, sections - 1)).toBeUndefined()
    expect(unpackJudgement({ ...packed, columns: {} }, ledger.rows, sections)).toBeUndefined()
    for (const name of Object.keys(packed.columns))
      for (const value of [Number.NaN, -7]) {
        const columns = structuredClone(packed.columns) as Record<string, Float64Array | Uint32Array>
        // A block without a sum has no time of one. All sections are numbers below a few.
        if (name === 'summedMs' || name === 'judgedMs' || name === 'growth' || name === 'clockBoundsMs') continue
        if (columns[name]!.length === 0) continue
        columns[name]![0] = name === 'numbers' ? 60_000 : value
        expect(unpackJudgement({ ...packed, columns }, ledger.rows, sections)).toBeUndefined()
      }
    for (const name of ['judgedMs', 'growth', 'summedMs', 'clockBoundsMs']) {
      const columns = structuredClone(packed.columns) as Record<string, Float64Array>
      columns[name]![0] = Number.POSITIVE_INFINITY
      expect(unpackJudgement({ ...packed, columns }, ledger.rows, sections)).toBeUndefined()
    }
    for (const head of [
      { ...packed.head, touches: Number.NaN },
      { ...packed.head, parents: [1] },
      { ...packed.head, totals: {} as never },
      { ...packed.head, gains: {} as never },
    ])
      expect(unpackJudgement({ ...packed, head }, ledger.rows, sections)).toBeUndefined()
  })
})
