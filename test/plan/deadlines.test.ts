import { describe, expect, it } from 'vitest'
import { type DatedPages, type DueLimits, dueNow as dueOf, findingDue } from '../../src/plan/deadlines.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface DuePage {
  readonly page: number
  readonly cyclesLeft: number
  readonly worth: number
  readonly cost: number
  readonly host: string
}

/** In the order of the pages, which decides between equal ones. */
function datedPages(pages: readonly DuePage[]): DatedPages {
  const hosts = [...new Set(pages.map(({ host }) => host))]
  return {
    cyclesLeft: Float64Array.from(pages, ({ cyclesLeft }) => cyclesLeft),
    worths: Float64Array.from(pages, ({ worth }) => worth),
    costs: Float64Array.from(pages, ({ cost }) => cost),
    hosts: Uint32Array.from(pages, ({ host }) => hosts.indexOf(host)),
  }
}

function dueNow(pages: readonly DuePage[], limits: DueLimits) {
  const due = dueOf(datedPages(pages), limits)
  return { ...due, pages: Array.from(due.pages, (at) => pages[at]!.page) }
}

/** Pages by their deadlines, each of cost 1. */
function pagesDue(cyclesLeft: readonly number[], hosts: readonly string[] = []): DuePage[] {
  return cyclesLeft.map((left, page) => ({ page, cyclesLeft: left, worth: 0, cost: 1, host: hosts[page] ?? 'a' }))
}

/**
 * The twin: whether all deadlines can be met from now on, by matching pages to places of plans one by one (augmenting
 * paths).
 */
function canBeMet(pages: readonly DuePage[], budget: number, perHost: number): boolean {
  const plans = 1 + Math.max(0, ...pages.map(({ cyclesLeft }) => cyclesLeft))
  const planOf = new Map<number, number>()
  const isRoom = (plan: number, host: string) => {
    const there = pages.filter(({ page }) => planOf.get(page) === plan)
    return there.length < budget && there.filter((other) => other.host === host).length < perHost
  }
  const place = (page: DuePage, tried: Set<string>): boolean => {
    for (let plan = 0; plan <= Math.min(page.cyclesLeft, plans - 1); plan++) {
      if (tried.has(`${page.page} ${plan}`)) continue
      tried.add(`${page.page} ${plan}`)
      if (isRoom(plan, page.host)) {
        planOf.set(page.page, plan)
        return true
      }
      const isHostFull =
        pages.filter((other) => planOf.get(other.page) === plan && other.host === page.host).length >= perHost
      const inTheWay = pages.filter(
        (other) => planOf.get(other.page) === plan && (!isHostFull || other.host === page.host),
      )
      for (const other of inTheWay) {
        planOf.delete(other.page)
        if (isRoom(plan, page.host)) {
          planOf.set(page.page, plan)
          if (place(other, tried)) return true
          planOf.delete(page.page)
        }
        planOf.set(other.page, plan)
      }
    }
    return false
  }
  return pages.every((page) => place(page, new Set()))
}

describe('what must be refreshed now', () => {
  it('is nothing while deadlines can wait', () => {
    expect(dueNow(pagesDue([3, 3, 3, 4]), { budget: 1 })).toEqual({ pages: [], needed: undefined })
    expect(dueNow([], { budget: 1 })).toEqual({ pages: [], needed: undefined })
  })

  it('is what is due, and what would come together later', () => {
    expect(dueNow(pagesDue([0, 5]), { budget: 1 }).pages).toEqual([0])
    // Four pages in two plans of two: two of them now.
    expect(dueNow(pagesDue([1, 1, 1, 1]), { budget: 2 })).toEqual({ pages: [0, 1], needed: undefined })
  })

  it('is, of pages with the same deadline, what is worth most', () => {
    const pages = pagesDue([1, 1, 1]).map((page) => ({ ...page, worth: page.page }))
    expect(dueNow(pages, { budget: 2 }).pages).toEqual([2])
  })

  it('says what budget would do when this one does not', () => {
    const { pages, needed } = dueNow(pagesDue([0, 0, 0, 1, 1, 1, 1]), { budget: 1 })
    expect(pages.slice(0, 3)).toEqual([0, 1, 2])
    expect(needed).toEqual({ budget: 4, perHost: Number.POSITIVE_INFINITY })
  })

  it('goes by cost', () => {
    const pages: DuePage[] = [
      { page: 7, cyclesLeft: 1, worth: 0, cost: 3, host: 'a' },
      { page: 8, cyclesLeft: 1, worth: 0, cost: 2, host: 'a' },
    ]
    expect(dueNow(pages, { budget: 4 })).toEqual({ pages: [7], needed: undefined })
    expect(dueNow(pages, { budget: 5 }).pages).toEqual([])
    expect(dueNow(pages, { budget: 2 }).needed?.budget).toBeCloseTo(3, 2)
  })

  it('looks at every host', () => {
    const pages = pagesDue([1, 1, 1, 5], ['a', 'a', 'a', 'b'])
    expect(dueNow(pages, { budget: 10, perHost: 2 })).toEqual({ pages: [0], needed: undefined })
    expect(dueNow(pages, { budget: 10, perHost: 1 }).needed).toEqual({ budget: 2, perHost: 2 })
  })

  it('keeps deadlines that can be met at all, whatever else the budget goes to', () => {
    withSeed('deadlines', (seed) => {
      const random = new SeededRandom(seed)
      let possible = 0
      for (let run = 0; run < 400; run++) {
        const [budget, perHost] = [random.between(1, 4), random.between(1, 3)]
        const count = random.between(1, 12)
        let pages: DuePage[] = Array.from({ length: count }, (_, page) => ({
          ...{ page, cyclesLeft: random.int(5), worth: random.int(3), cost: 1, host: random.pick(['a', 'b', 'c']) },
        }))
        const isPossible = canBeMet(pages, budget, perHost)
        if (isPossible) possible++
        const { needed } = dueNow(pages, { budget, perHost })
        expect(needed === undefined, `run ${run}, seed ${seed}`).toBe(isPossible)
        if (needed !== undefined) {
          expect(canBeMet(pages, needed.budget, needed.perHost)).toBe(true)
          if (needed.budget > 1) expect(canBeMet(pages, needed.budget - 1, needed.perHost)).toBe(false)
          if (needed.perHost > 1) expect(canBeMet(pages, count, needed.perHost - 1)).toBe(false)
        }
        let isKept = true
        while (pages.length > 0) {
          const due = dueNow(pages, { budget, perHost }).pages
          const chosen = new Set(spend(pages, due, budget, perHost, random))
          const left = pages.filter(({ page }) => !chosen.has(page))
          if (left.some(({ cyclesLeft }) => cyclesLeft === 0)) isKept = false
          pages = left
            .filter(({ cyclesLeft }) => cyclesLeft > 0)
            .map((page) => ({ ...page, cyclesLeft: page.cyclesLeft - 1 }))
        }
        expect(isKept, `run ${run}, seed ${seed}`).toBe(isPossible)
      }
      expect(possible).toBeGreaterThan(100)
      expect(possible).toBeLessThan(390)
    })
  })
})

describe('many cycles, pages or hosts', () => {
  /** Steps are what takes time, whatever the machine. */
  const stepsOf = (pages: readonly DuePage[], limits: { budget: number; perHost?: number }) => {
    const steps = findingDue(datedPages(pages), limits)
    let count = 0
    while (!steps.next().done) count++
    return count
  }

  it('take no longer for a year of cycles of a tenth of a second than for a few', () => {
    const years = pagesDue([1, 2, 3, 4, 5, 6, 7, 8].map((nth) => nth * 315_360_000))
    expect(dueNow(years, { budget: 1 })).toEqual({ pages: [], needed: undefined })
    expect(stepsOf(years, { budget: 1 })).toBeLessThan(200)
    // No cycle has room for any of them.
    expect(
      stepsOf(
        years.map((page) => ({ ...page, cost: 2 })),
        { budget: 1 },
      ),
    ).toBeLessThan(20_000)
  })

  it('take time for each page and not for each page and cycle', () => {
    const random = new SeededRandom(8)
    const pages = pagesDue(
      Array.from({ length: 20_000 }, () => random.int(100_000)),
      Array.from({ length: 20_000 }, () => `host${random.int(5000)}`),
    )
    expect(stepsOf(pages, { budget: 2, perHost: 1 })).toBeLessThan(60_000)
  })
})

/** What is due first, then any pages. */
function spend(
  pages: readonly DuePage[],
  due: readonly number[],
  budget: number,
  perHost: number,
  random: SeededRandom,
): number[] {
  const others = random.shuffle(pages.map(({ page }) => page).filter((page) => !due.includes(page)))
  const chosen: number[] = []
  const ofHost = new Map<string, number>()
  for (const page of [...due, ...others]) {
    const { host } = pages.find((one) => one.page === page)!
    const taken = ofHost.get(host) ?? 0
    if (chosen.length === budget || taken === perHost) continue
    ofHost.set(host, taken + 1)
    chosen.push(page)
  }
  return chosen
}
