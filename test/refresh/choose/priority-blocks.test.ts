import { describe, expect, it } from 'vitest'
import { Ledger } from '../../../src/ledger/ledger.js'
import { haveMoved } from '../../../src/ledger/totals.js'
import type { Candidate } from '../../../src/refresh/choose/next.js'
import { PriorityBlocks } from '../../../src/refresh/choose/priority-blocks.js'
import { ageMs, type Policy } from '../../../src/refresh/policies/policy.js'
import { createPolicy } from '../../../src/refresh/policies/registry.js'
import { randomHistories, refreshAtRandom } from '../../support/histories.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000

/** Grows ever more slowly, to the page's stake. */
const saturating: Policy = {
  name: 'saturating',
  usesTotals: false,
  priority: (columns, doc, atMs) => columns.stake[doc]! * -Math.expm1(-ageMs(columns, doc, atMs) / (9 * DAY_MS)),
  growthPerMs: (columns, doc, atMs) =>
    (columns.stake[doc]! * Math.exp(-ageMs(columns, doc, atMs) / (9 * DAY_MS))) / (9 * DAY_MS),
  explain: () => ({ formula: '0', terms: {} }),
}

/** Steps: many equal priorities. */
const coarse: Policy = {
  name: 'coarse',
  usesTotals: false,
  priority: (columns, doc, atMs) => Math.floor(ageMs(columns, doc, atMs) / (20 * DAY_MS)),
  // The times of these tests are whole milliseconds, and a step of 1 can come with any of them.
  growthPerMs: () => 1,
  explain: () => ({ formula: '0', terms: {} }),
}

const policies: readonly Policy[] = [
  createPolicy('user-centric-shrunk'),
  createPolicy('user-centric-shrunk', { prior: 'mean' }),
  createPolicy('user-centric'),
  createPolicy('user-centric', { window: 3 }),
  createPolicy('oldest-first'),
  saturating,
  coarse,
]

/** All pages judged, all sorted. */
function bruteTop(ledger: Ledger, blocks: PriorityBlocks, atMs: number, accept: (doc: number) => boolean): Candidate[] {
  const all: Candidate[] = []
  for (let doc = 0; doc < ledger.rows; doc++) {
    if (ledger.columns.present[doc] === 1 && accept(doc)) all.push({ doc, priority: blocks.priority(doc, atMs) })
  }
  return all.sort((a, b) => b.priority - a.priority || a.doc - b.doc)
}

function take(candidates: Iterable<Candidate>, count: number): Candidate[] {
  const taken: Candidate[] = []
  if (count === 0) return taken
  for (const candidate of candidates) {
    taken.push(candidate)
    if (taken.length === count) break
  }
  return taken
}

describe('the best pages', () => {
  it.each(policies.map((policy) => [policy.name, policy] as const))(
    'by %s are those of a full sort, whatever is touched and whenever it is asked',
    (name, policy) => {
      withSeed(`priority blocks ${name}`, (seed) => {
        const random = new SeededRandom(seed)
        for (let round = 0; round < 4; round++) runOf(random, policy)
      })
    },
  )

  function runOf(random: SeededRandom, policy: Policy): void {
    const { ledger, nowMs } = randomHistories(random, random.between(1, 2000))
    const blocks = new PriorityBlocks(ledger, policy)
    for (let question = 0, atMs = nowMs; question < 25; question++) {
      const touches = random.pick([0, 1, 20, 200])
      for (let touch = 0; touch < touches; touch++) touchAtRandom(random, ledger, atMs)
      // Mostly forward, in steps of very different length; sometimes back.
      atMs += (random.chance(0.15) ? -1 : 1) * Math.floor(random.pick([0, 1, DAY_MS, 30 * DAY_MS]) * random.next())
      const accept = random.chance(0.5) ? () => true : (doc: number) => doc % 7 !== question % 7
      const expected = bruteTop(ledger, blocks, atMs, accept)
      const budget = random.pick([0, 1, 10, 100, expected.length + 1])
      expect(take(blocks.top(atMs, accept), budget)).toEqual(expected.slice(0, budget))
      if (policy.usesTotals) expect(haveMoved(blocks.totals, ledger.totals(), 0.02)).toBe(false)
    }
    blocks.close()
  }

  function touchAtRandom(random: SeededRandom, ledger: Ledger, atMs: number): void {
    const doc = random.int(ledger.rows)
    const draw = random.next()
    if (draw < 0.1) ledger.created(ledger.rows + random.int(300), atMs)
    else if (ledger.rowOf(doc) === undefined) ledger.created(doc, atMs)
    else if (draw < 0.15) ledger.removed(doc)
    else if (draw < 0.2) ledger.gone(doc, atMs)
    else if (draw < 0.4) ledger.setStake(doc, random.next() * 200)
    else refreshAtRandom(random, ledger, doc, atMs + random.int(DAY_MS))
  }

  it('of an empty ledger are none', () => {
    expect([...new PriorityBlocks(new Ledger(), createPolicy()).top(0)]).toEqual([])
  })

  it('are found without judging most of the others again', () => {
    withSeed('few judged', (seed) => {
      const random = new SeededRandom(seed)
      const { ledger, nowMs } = randomHistories(random, 100 * 256)
      const blocks = new PriorityBlocks(ledger, createPolicy())
      const costs: number[] = []
      for (let hour = 0; hour < 24; hour++) {
        const atMs = nowMs + (hour * DAY_MS) / 24
        const before = blocks.judgedRows
        const best = take(blocks.top(atMs), 5)
        costs.push((blocks.judgedRows - before) / ledger.rows)
        for (const { doc } of best) ledger.refreshed(doc, atMs, 'same', 0)
      }
      expect(costs[0]).toBe(1)
      const later = costs.slice(3).sort((a, b) => a - b)
      expect(later[Math.floor(later.length / 2)]).toBeLessThan(0.2)
    })
  })

  it('are offered to the filter once each, and no more of them than needed', () => {
    withSeed('offered', (seed) => {
      const { ledger, nowMs } = randomHistories(new SeededRandom(seed), 1000)
      const blocks = new PriorityBlocks(ledger, createPolicy())
      const offered: number[] = []
      const third = (doc: number) => offered.push(doc) % 3 === 0
      expect(take(blocks.top(nowMs, third), 10)).toHaveLength(10)
      expect(offered).toEqual(
        bruteTop(ledger, blocks, nowMs, () => true)
          .slice(0, 30)
          .map(({ doc }) => doc),
      )
    })
  })

  it('go by totals that are taken anew when they have moved', () => {
    const ledger = new Ledger()
    for (let doc = 0; doc < 100; doc++) {
      ledger.created(doc, 0)
      ledger.refreshed(doc, DAY_MS, 'changed', 1)
    }
    const blocks = new PriorityBlocks(ledger, createPolicy())
    const frozen = blocks.totals
    blocks.priority(0, 2 * DAY_MS)
    ledger.refreshed(0, 2 * DAY_MS, 'changed', 1.5)
    blocks.priority(0, 2 * DAY_MS)
    expect(blocks.totals).toBe(frozen)
    for (let doc = 0; doc < 10; doc++) ledger.refreshed(doc, 3 * DAY_MS, 'changed', 9)
    blocks.explain(0, 2 * DAY_MS)
    expect(blocks.totals).toEqual(ledger.totals())
  })

  it('do not have those that are not there', () => {
    const ledger = new Ledger()
    ledger.created(0, 0)
    ledger.created(1, 0)
    ledger.gone(1, 1)
    const blocks = new PriorityBlocks(ledger, createPolicy('oldest-first'))
    expect([0, 1, 2, 1e6].map((doc) => blocks.priority(doc, 9))).toEqual([9, 0, 0, 0])
    expect([...blocks.top(9)]).toEqual([{ doc: 0, priority: 9 }])
  })

  it('take a few bytes for each block', () => {
    const { ledger, nowMs } = randomHistories(new SeededRandom(1), 1000)
    const blocks = new PriorityBlocks(ledger, createPolicy())
    take(blocks.top(nowMs), 1)
    expect(blocks.memoryBytes).toBe(16 * 3 * 8)
  })

  it('explain themselves', () => {
    const { ledger, nowMs } = randomHistories(new SeededRandom(2), 10)
    const blocks = new PriorityBlocks(ledger, createPolicy('oldest-first'))
    expect(blocks.explain(3, nowMs).terms).toEqual({ ageMs: blocks.priority(3, nowMs) })
  })

  it('are no longer followed after close', () => {
    const { ledger, nowMs } = randomHistories(new SeededRandom(3), 10)
    let judged = 0
    const counting: Policy = { ...saturating, priority: (...row) => ++judged && saturating.priority(...row) }
    const blocks = new PriorityBlocks(ledger, counting)
    take(blocks.top(nowMs), 1)
    const before = judged
    ledger.refreshed(0, nowMs, 'same', 0)
    expect(judged).toBe(before + 1)
    blocks.close()
    ledger.refreshed(0, nowMs, 'same', 0)
    expect(judged).toBe(before + 1)
  })
})
