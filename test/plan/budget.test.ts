import { describe, expect, it } from 'vitest'
import { bestAction, RemainingBudget } from '../../src/plan/budget.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Offer {
  readonly worth: number
  readonly cost: number
  readonly host: string
}

function bought(offers: readonly Offer[], budget: number, perHost: number): number {
  const remaining = new RemainingBudget(budget, perHost)
  const best = [...offers].sort((a, b) => b.worth / b.cost - a.worth / a.cost)
  return best.reduce((sum, { worth, cost, host }) => sum + (remaining.take(cost, () => host) ? worth : 0), 0)
}

/** The twin: every set of offers. */
function mostWorth(offers: readonly Offer[], budget: number, perHost: number): number {
  let most = 0
  for (let set = 0; set < 2 ** offers.length; set++) {
    const chosen = offers.filter((_, at) => (set >> at) & 1)
    const isWithin =
      chosen.reduce((sum, { cost }) => sum + cost, 0) <= budget &&
      chosen.every(({ host }) => chosen.filter((other) => other.host === host).length <= perHost)
    if (isWithin)
      most = Math.max(
        most,
        chosen.reduce((sum, { worth }) => sum + worth, 0),
      )
  }
  return most
}

describe('a budget', () => {
  it('buys the most that can be bought where all costs the same', () => {
    withSeed('budget', (seed) => {
      const random = new SeededRandom(seed)
      for (let run = 0; run < 200; run++) {
        const offers = Array.from({ length: random.between(1, 10) }, () => ({
          ...{ worth: random.int(50), cost: 1, host: random.pick(['a', 'b', 'c']) },
        }))
        const [budget, perHost] = [random.between(0, 8), random.between(1, 4)]
        expect(bought(offers, budget, perHost), `run ${run}, seed ${seed}`).toBe(mostWorth(offers, budget, perHost))
      }
    })
  })

  it('is never overdrawn, and comes within one offer of the most where costs differ', () => {
    withSeed('costs', (seed) => {
      const random = new SeededRandom(seed)
      for (let run = 0; run < 200; run++) {
        const offers = Array.from({ length: random.between(1, 10) }, () => ({
          ...{ worth: random.int(50), cost: random.between(1, 9), host: 'a' },
        }))
        const budget = random.between(0, 30)
        const worth = bought(offers, budget, Number.POSITIVE_INFINITY)
        const most = mostWorth(offers, budget, Number.POSITIVE_INFINITY)
        const dearest = Math.max(...offers.map((offer) => offer.worth))
        expect(worth).toBeLessThanOrEqual(most)
        expect(worth + dearest, `run ${run}, seed ${seed}`).toBeGreaterThanOrEqual(most)
      }
    })
  })

  it('holds what it is worth, in spite of roundings, and asks for hosts only where they are limited', () => {
    const remaining = new RemainingBudget(1)
    const noHost = () => {
      throw new Error('asked for a host')
    }
    for (let time = 0; time < 10; time++) expect(remaining.take(0.1, noHost)).toBe(true)
    expect(remaining.take(0.1, noHost)).toBe(false)
    expect(remaining.left).toBeCloseTo(0, 9)
  })
})

describe('what to do about a page', () => {
  const prices = { fetch: 10, probe: 1 }

  it('is to fetch what has likely changed, and to ask about what has likely not', () => {
    expect(bestAction(0.95, prices)).toEqual({ kind: 'fetch', cost: 10 })
    expect(bestAction(0.2, prices)).toEqual({ kind: 'probe', cost: 3 })
    // As dear either way at 0.9: 1 + 0.9 · 10.
    expect(bestAction(0.9, prices).kind).toBe('fetch')
    expect(bestAction(0.89, prices).kind).toBe('probe')
  })

  it('is to fetch where nothing can be asked', () => {
    expect(bestAction(0.01, { fetch: 10 })).toEqual({ kind: 'fetch', cost: 10 })
  })

  it('goes by how far answers can be believed', () => {
    expect(bestAction(0.2, prices, 0.5)).toEqual({ kind: 'probe', cost: 5 })
    // Whatever is asked about will be fetched.
    expect(bestAction(0.2, prices, 0.1)).toEqual({ kind: 'fetch', cost: 10 })
  })
})
