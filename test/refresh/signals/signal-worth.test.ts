/** What signals are worth: a world of changing pages, refreshed day by day within a budget, with and without them. */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { SeededRandom, withSeed } from '../../support/seed.js'

const DAY_MS = 86_400_000
const START = Date.UTC(2025, 0, 1)
const PAGES = 480
const DAYS = 90
const BUDGET = 4

interface World {
  /** By page: changes a day. */
  readonly rates: readonly number[]
  /** By day: the pages that change, and those that are signalled. */
  readonly days: readonly { readonly changed: ReadonlySet<number>; readonly signalled: ReadonlySet<number> }[]
}

interface Signals {
  /** How likely a change gives a signal. */
  readonly recall: number
  /** How likely a page that does not change gives one, on any day. */
  readonly falsePerDay: number
}

function makeWorld(random: SeededRandom, { recall, falsePerDay }: Signals): World {
  const rates = Array.from({ length: PAGES }, () => 0.002 + 0.03 * random.next() ** 2)
  const days = Array.from({ length: DAYS }, () => {
    const changed = new Set(rates.flatMap((rate, page) => (random.chance(rate) ? [page] : [])))
    const isSignalled = (_: number, page: number) => random.chance(changed.has(page) ? recall : falsePerDay)
    return { changed, signalled: new Set(rates.map((_, page) => page).filter(isSignalled)) }
  })
  return { rates, days }
}

const keyOf = (page: number) => `https://site${page % 3}.example/${page}`
const pageOf = (key: unknown) => Number(String(key).split('/').at(-1))

/** Refreshes that found their page changed. */
async function changesFound({ days }: World, listens: boolean): Promise<number> {
  await using index = await Freshdex.open<{ url: string; body: string }>(':memory:', {
    key: 'url',
    fields: { body: {} },
  })
  await index.write(
    { put: Array.from({ length: PAGES }, (_, page) => ({ url: keyOf(page), body: 'x' })) },
    { at: START },
  )
  const isStale = new Set<number>()
  let found = 0
  for (const [day, { changed, signalled }] of days.entries()) {
    const at = START + (day + 1) * DAY_MS
    for (const page of changed) isStale.add(page)
    if (listens)
      await index.refresh.signalAll(Array.from(signalled, (page) => [keyOf(page), { kind: 'sitemap', at, value: at }]))
    const observations = (await index.refresh.next({ budget: BUDGET, at: at + 1 })).pages.map(({ key }) => {
      const outcome = isStale.delete(pageOf(key)) ? 'changed' : 'same'
      if (outcome === 'changed') found++
      return [key, { outcome, at: at + 1 }] as const
    })
    await index.refresh.observeAll(observations)
  }
  return found
}

describe('signals', () => {
  test('of which a fifth is missed and a fifth false find far more changes within the same budget', async () => {
    await withSeed('signal worth', async (seed) => {
      // A page changes 0.012 times a day in the mean, so that a fifth of all signals is false.
      const world = makeWorld(new SeededRandom(seed), { recall: 0.8, falsePerDay: 0.012 * 0.8 * 0.25 })
      const [without, heard] = [await changesFound(world, false), await changesFound(world, true)]
      expect(without).toBeGreaterThan(60)
      expect(heard / without).toBeGreaterThan(1.5)
    })
  })

  test('that come by chance are soon not believed, and do no harm', async () => {
    await withSeed('signal noise', async (seed) => {
      const world = makeWorld(new SeededRandom(seed), { recall: 0.05, falsePerDay: 0.05 })
      const [without, heard] = [await changesFound(world, false), await changesFound(world, true)]
      expect(heard / without).toBeGreaterThan(0.85)
    })
  })
})
