/** What every policy keeps to, whatever it is and whatever it is asked about. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LedgerColumns } from '../../src/ledger/column-arrays.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { NO_TRUST, type SignalTrust } from '../../src/ledger/site-trust.js'
import { type Candidate, chooseRefreshes } from '../../src/refresh/choose/next.js'
import { PriorityBlocks } from '../../src/refresh/choose/priority-blocks.js'
import { type ModelledView, withModel } from '../../src/refresh/model/gain-model.js'
import type { LedgerView, Policy } from '../../src/refresh/policies/policy.js'
import { createPolicy, POLICY_CARDS, type PolicyChoice, policyOf } from '../../src/refresh/policies/registry.js'
import { randomWorld, scoredWorld } from '../lab/quality/scored-worlds.js'
import { addPage, edgeRow, fullLedger, viewOf } from '../support/ledgers.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, seededRandom, withSeed } from '../support/seed.js'
import { choicesOf, chooserCases } from './choosers.js'
import { VARIANTS } from './variants.js'

const DAY_MS = 86_400_000
/** Relative; sums and differences of many terms round. */
const ROUNDING = 1e-9

/** Sites 1 and 2 tell all and most of their changes, site 3 half of them; signals are believed, and silence too. */
const SOME_TRUST: SignalTrust = {
  likelihoodRatio: (site, kinds) => (site === 0 ? 1 : kinds === 0 ? 0.2 : 5),
  recall: (site) => [0, 1, 0.9, 0.5][site] ?? 0,
}

/** As it judges an index. */
function prepared(choice: PolicyChoice, view: ModelledView): Policy {
  const policy = policyOf(choice)
  return policy.prepare?.(view) ?? policy
}

function prioritiesOf(policy: Policy, { columns, rows, totals }: LedgerView, atMs: number): number[] {
  return Array.from({ length: rows }, (_, doc) => policy.priority(columns, doc, atMs, totals))
}

function copyOf(columns: LedgerColumns): LedgerColumns {
  const copied = Object.entries(columns).map(([name, column]) => [name, (column as Float64Array).slice()])
  return Object.fromEntries(copied) as LedgerColumns
}

/** In hexadecimal digits. */
function bytesOf(columns: LedgerColumns): string {
  const bytes = Object.values(columns).map((column) => new Uint8Array((column as Float64Array).buffer))
  return Buffer.concat(bytes).toString('hex')
}

/** Whatever judges or chooses now has neither clock nor dice. */
function forbidChance(): void {
  const refuse = (what: string) => () => {
    throw new Error(`${what} was asked`)
  }
  beforeEach(() => {
    vi.spyOn(Date, 'now').mockImplementation(refuse('the clock'))
    vi.spyOn(performance, 'now').mockImplementation(refuse('the clock'))
    vi.spyOn(Math, 'random').mockImplementation(refuse('chance'))
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
}

describe.each(VARIANTS)('the judgement of %s', (label, choice) => {
  forbidChance()

  it('is a function of the rows: the same again, by a new object as well, and it leaves them alone', () => {
    withSeed(`pure ${label}`, (seed) => {
      const { ledger, nowMs } = fullLedger(new SeededRandom(seed), 200)
      for (const trust of [NO_TRUST, SOME_TRUST]) {
        const view = viewOf(ledger, trust)
        const before = copyOf(ledger.columns)
        const policy = prepared(choice, view)
        const priorities = prioritiesOf(policy, view, nowMs)
        prioritiesOf(policy, view, nowMs + 40 * DAY_MS)
        expect(prioritiesOf(policy, view, nowMs)).toEqual(priorities)
        expect(prioritiesOf(prepared(choice, view), { ...view, columns: before }, nowMs)).toEqual(priorities)
        expect(bytesOf(ledger.columns)).toBe(bytesOf(before))
      }
    })
  })

  it('is a number from 0 on that never falls, and grows no faster than it says', () => {
    withSeed(`bounds ${label}`, (seed) => {
      const random = new SeededRandom(seed)
      for (const trust of [NO_TRUST, SOME_TRUST]) {
        const { ledger, nowMs } = fullLedger(random, 300)
        expectBounds(random, viewOf(ledger, trust), nowMs, 12)
      }
    })
  })

  it('is so for every row that a ledger takes', () => {
    withSeed(`edges ${label}`, (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < rounds(8, 20); round++) {
        const ledger = new Ledger()
        for (let doc = 0; doc < 40; doc++) ledger.restore(edgeRow(random, doc))
        expectBounds(random, viewOf(ledger, random.pick([NO_TRUST, SOME_TRUST])), 20_000 * DAY_MS, 6)
      }
    })
  })

  function expectBounds(random: SeededRandom, view: ModelledView, nowMs: number, steps: number): void {
    const { columns, rows, totals } = view
    for (const policy of [policyOf(choice), prepared(choice, view)]) {
      for (let doc = 0; doc < rows; doc++) {
        let atMs = nowMs - random.int(60 * DAY_MS)
        const seen: { atMs: number; priority: number; growth: number }[] = []
        for (let step = 0; step < steps; step++) {
          const priority = policy.priority(columns, doc, atMs, totals)
          const growth = policy.growthPerMs(columns, doc, atMs, totals)
          if (!(priority >= 0 && priority < Infinity && growth >= 0 && growth < Infinity))
            throw new RangeError(`${label}: document ${doc} has priority ${priority} and growth ${growth}`)
          for (const before of seen) {
            const most = (before.priority + before.growth * (atMs - before.atMs)) * (1 + ROUNDING)
            if (priority < before.priority * (1 - ROUNDING) || priority > most)
              throw new RangeError(
                `${label}: document ${doc} from ${JSON.stringify(before)} to ${priority} at ${atMs}, at most ${most}`,
              )
          }
          seen.push({ atMs, priority, growth })
          atMs += random.pick([1e-3, 1, 3e5, DAY_MS, 30 * DAY_MS]) * random.next()
        }
      }
    }
  }

  it('explains itself: its formula gives the priority', () => {
    withSeed(`formula ${label}`, (seed) => {
      const { ledger, nowMs } = fullLedger(new SeededRandom(seed), 100)
      for (const trust of [NO_TRUST, SOME_TRUST]) {
        const view = viewOf(ledger, trust)
        const policy = prepared(choice, view)
        prioritiesOf(policy, view, nowMs).forEach((priority, doc) => {
          const { formula, terms } = policy.explain(view.columns, doc, nowMs, view.totals)
          const value = new Function(...Object.keys(terms), `return ${formula}`)(...Object.values(terms))
          expect(Math.abs(value - priority)).toBeLessThanOrEqual(ROUNDING * priority)
        })
      }
    })
  })

  it('ignores totals unless it says that it uses them', () => {
    withSeed(`totals ${label}`, (seed) => {
      const { ledger, nowMs } = fullLedger(new SeededRandom(seed), 100)
      const view = viewOf(ledger)
      const policy = prepared(choice, view)
      // Those of a policy may be in what it was prepared with.
      const movedView = withModel({ ...view, totals: new Ledger().totals() })
      const moved = prioritiesOf(prepared(choice, movedView), movedView, nowMs)
      expect(moved.some((priority, doc) => priority !== prioritiesOf(policy, view, nowMs)[doc])).toBe(policy.usesTotals)
    })
  })
})

describe.each(VARIANTS)('the best pages by %s', (label, choice) => {
  forbidChance()

  it('are those of a full sort, whatever is touched and whenever it is asked', () => {
    withSeed(`best ${label}`, (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < rounds(2, 3); round++) {
        const { ledger, nowMs } = fullLedger(random, random.between(1, 900))
        const blocks = new PriorityBlocks(ledger, policyOf(choice))
        for (let question = 0, atMs = nowMs; question < 12; question++) {
          for (let left = random.pick([0, 1, 50]); left > 0; left--) touchAtRandom(random, ledger, atMs)
          atMs += (random.chance(0.15) ? -1 : 1) * random.pick([0, 1, DAY_MS, 30 * DAY_MS]) * random.next()
          const budget = random.pick([0, 1, 10, 100, ledger.rows + 1])
          const best = chooseRefreshes({ candidates: blocks.top(atMs), budget })
          expect(best).toEqual(bruteTop(ledger, blocks, atMs).slice(0, budget))
        }
        blocks.close()
      }
    })
  })

  function touchAtRandom(random: SeededRandom, ledger: Ledger, atMs: number): void {
    const doc = random.int(ledger.rows + 20)
    const draw = random.next()
    if (doc >= ledger.rows || ledger.rowOf(doc) === undefined) addPage(random, ledger, doc)
    else if (draw < 0.1) ledger.removed(doc)
    else if (draw < 0.2) ledger.gone(doc, atMs)
    else if (draw < 0.4) ledger.setStake(doc, random.next() * 200)
    else ledger.refreshed(doc, atMs + random.int(DAY_MS), random.chance(0.5) ? 'same' : 'changed', random.next())
  }

  function bruteTop(ledger: Ledger, blocks: PriorityBlocks, atMs: number): Candidate[] {
    return Array.from({ length: ledger.rows }, (_, doc) => ({ doc, priority: blocks.priority(doc, atMs) }))
      .filter(({ doc, priority }) => ledger.columns.present[doc] === 1 && priority >= blocks.threshold)
      .sort((a, b) => b.priority - a.priority || a.doc - b.doc)
  }

  it('of no pages are none, and of pages without history all that are wanted, each once', () => {
    expect(
      chooseRefreshes({ candidates: new PriorityBlocks(new Ledger(), policyOf(choice)).top(0), budget: 3 }),
    ).toEqual([])
    for (const pages of [1, 600]) {
      const ledger = new Ledger()
      const blocks = new PriorityBlocks(ledger, policyOf(choice))
      for (let doc = 0; doc < pages; doc++) ledger.created(doc, 1000)
      const best = chooseRefreshes({ candidates: blocks.top(1000 + 90 * DAY_MS), budget: 2 * pages })
      // Nothing tells the pages apart, so all or none are above a threshold.
      const expected = best.length === 0 ? [] : Array.from({ length: pages }, (_, doc) => doc)
      expect(best.map(({ doc }) => doc)).toEqual(expected)
      expect(new Set(best.map(({ priority }) => priority)).size).toBeLessThanOrEqual(1)
    }
  })
})

describe('the card of a policy', () => {
  it.each(POLICY_CARDS.map((card) => [card.name, card] as const))('%s names what it reads', (name, card) => {
    withSeed(`columns ${name}`, (seed) => {
      const { ledger, nowMs } = fullLedger(new SeededRandom(seed), 300)
      const read = new Set<string>()
      const columns = new Proxy(ledger.columns, {
        get: (target, column: string) => {
          read.add(column)
          return target[column as keyof LedgerColumns]
        },
      })
      const view = withModel({ ...viewOf(ledger, SOME_TRUST), columns })
      const policy = createPolicy(card.name)
      prioritiesOf(policy.prepare?.(view) ?? policy, view, nowMs)
      expect([...read].sort()).toEqual([...card.columns].sort())
      expect(policy.name).toBe(name)
    })
  })
})

describe('every chooser, by a policy of the product or of the lab', () => {
  forbidChance()

  it('keeps the budget, names no page twice, and does the same again', () => {
    withSeed('choosers', (seed) => {
      const random = seededRandom('choosers', seed)
      for (let round = 0; round < rounds(10, 25); round++) {
        const { pages, weights, steps } = randomWorld(random)
        const world = scoredWorld(pages, weights, steps)
        const budget = random.pick([1, Math.min(1, pages * 0.3), pages, (1 + pages) / 2])
        for (const { name, make } of chooserCases(world, budget, round, random)) {
          const choices = choicesOf(world, make(), budget)
          expect({ name, choices: choicesOf(world, make(), budget) }).toEqual({ name, choices })
        }
      }
    })
  })

  it('gets through a world where nothing changes, with one page or all', () => {
    for (const pages of [1, 3]) {
      const all = Array.from({ length: pages }, (_, page) => [page, { 0: 1 }] as const)
      const world = scoredWorld(pages, [1], [new Map(all), new Map(), new Map(), new Map()])
      for (const budget of [1, pages]) {
        for (const { name, make } of chooserCases(world, budget, 7, seededRandom('still'))) {
          const choices = choicesOf(world, make(), budget)
          const isKnown = choices.flat().every((page) => page < pages)
          expect({ name, steps: choices.length, isKnown }).toEqual({ name, steps: 3, isKnown: true })
        }
      }
    }
  })
})
