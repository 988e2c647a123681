/** The inverse question: the smallest budget that reaches a quality. */
import { Freshdex, type PlanOptions } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, page, START, url } from '../refresh/orchard.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const at = (days: number) => START + days * DAY_MS
const NOW = at(60)

/** An index whose pages have had all kinds of lives. */
async function openRandom(random: SeededRandom): Promise<Freshdex<Page>> {
  const index = await openOrchard()
  for (let step = 0; step < 40; step++) {
    const nth = random.int(PAGES.length)
    const put = [page(nth, random.pick(['', '', 'quince', 'plum pear']))]
    await index.write({ put }, { at: at(1 + step + random.next() / 2) })
  }
  // No fit is under way any more, which would move stakes between two plans.
  await index.refresh.fit()
  return index
}

describe('a plan with a target', () => {
  test.each<[string, PlanOptions]>([
    ['without limits', {}],
    ['with a limit of hosts', { perHost: 2 }],
    ['with a least interval', { minIntervalMs: 25 * DAY_MS }],
    ['by another policy', { policy: 'oldest-first' }],
  ])('%s has the smallest budget, as trying out all of them shows', (_, limits) =>
    withSeed('targets', async (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 4; round++) {
        await using index = await openRandom(random)
        const options = { ...limits, at: NOW }
        const qualities: number[] = []
        const pages = PAGES.map(({ url: key }) => index.refresh.explain(key, { at: NOW })!)
        for (let budget = 0; budget <= PAGES.length; budget++) {
          const { actions } = await index.plan({ ...options, budget, newPages: false })
          const fresh = new Set(actions.map(({ key }) => key))
          const parts = pages.map(
            ({ key, stake, currentProbability }) => stake * (fresh.has(key) ? 1 : currentProbability),
          )
          qualities.push(parts.reduce((sum, part) => sum + part, 0))
        }
        const [lowest, highest] = [qualities[0]!, qualities.at(-1)!]
        expect(highest).toBeGreaterThan(lowest)
        for (let draw = 0; draw < 6; draw++) {
          const target = lowest + (highest - lowest) * random.next()
          const plan = await index.plan({ ...options, target })
          const smallest = qualities.findIndex((quality) => quality >= target)
          expect(plan.budget, `seed ${seed}, target ${target}`).toBe(smallest)
          expect(plan).toMatchObject({ isReached: true, cost: smallest })
          expect(plan.quality).toBeCloseTo(qualities[smallest] as number, 9)
          const same = await index.plan({ ...options, budget: smallest, newPages: false })
          expect(plan.actions.map(({ key }) => key)).toEqual(same.actions.map(({ key }) => key))
        }
      }
    }),
  )

  test('has a curve from no budget to all of it, which never falls', async () => {
    await using index = await openRandom(new SeededRandom(7))
    const { curve = [], qualityNow, budget, quality } = await index.plan({ target: 0.999, at: NOW })
    expect(curve[0]).toEqual({ budget: 0, quality: qualityNow })
    expect(curve.at(-1)).toEqual({ budget: PAGES.length, quality: expect.closeTo(1, 9) })
    for (let nth = 1; nth < curve.length; nth++) {
      expect(curve[nth]!.budget).toBeGreaterThan(curve[nth - 1]!.budget)
      expect(curve[nth]!.quality).toBeGreaterThanOrEqual(curve[nth - 1]!.quality)
    }
    expect(curve).toContainEqual({ budget, quality })
  })

  test('goes by costs', async () => {
    await using index = await openRandom(new SeededRandom(8))
    const fetch = ({ key }: { key: unknown }) => 1 + (Number(String(key).split('/').at(-1)) % 5)
    const plan = await index.plan({ target: 0.9999, at: NOW, prices: { fetch } })
    expect(plan.isReached).toBe(true)
    expect(plan.budget).toBeCloseTo(
      plan.actions.reduce((sum, { key }) => sum + fetch({ key }), 0),
      9,
    )
    const same = await index.plan({ budget: { cost: plan.budget, fetch }, at: NOW, newPages: false })
    expect(same.actions.map(({ key }) => key)).toEqual(plan.actions.map(({ key }) => key))
    expect(plan.sentence).toMatch(/up to date takes an expected cost of \d/)
    const probed = await index.plan({ target: 0.9999, at: NOW, prices: { fetch: 10, probe: 0.1 } })
    expect(probed.actions.some(({ kind }) => kind === 'probe')).toBe(true)
    expect(probed.cost).toBeLessThan(10 * probed.actions.length)
  })

  test('says when nothing is to be done, and when the target cannot be reached', async () => {
    await using index = await openRandom(new SeededRandom(9))
    const low = await index.plan({ target: 0.01, at: NOW })
    expect(low).toMatchObject({ isReached: true, budget: 0, actions: [], quality: low.qualityNow })
    expect(low.sentence).toMatch(/^Nothing to do: [\d.]+% of today's answers are expected to be up to date already\.$/)
    const all = await index.plan({ target: 1, at: NOW })
    expect(all).toMatchObject({ isReached: true, budget: PAGES.length })
    expect(all.sentence).toMatch(/^100% up to date takes 12 fetches: from [\d.]+% to 100% of today's answers\.$/)
    const limited = await index.plan({ target: 1, at: NOW, perHost: 1 })
    expect(limited).toMatchObject({ isReached: false, budget: 4 })
    expect(limited.actions).toHaveLength(4)
    expect(limited.sentence).toMatch(
      /^100% up to date cannot be reached now: all that may be fetched is 4 fetches, from/,
    )
  })

  test('without queries counts all pages alike, and says so', async () => {
    await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
    await index.write({ put: PAGES }, { at: START })
    const plan = await index.plan({ target: 0.9, at: at(200) })
    expect(plan.qualityNow).toBeGreaterThan(0)
    expect(plan.qualityNow).toBeLessThan(0.9)
    expect(plan.isReached).toBe(true)
    const current = PAGES.map(({ url: key }) => index.refresh.explain(key, { at: at(200) })!.currentProbability)
    expect(plan.qualityNow).toBeCloseTo(current.reduce((sum, one) => sum + one, 0) / current.length, 9)
    expect(plan.sentence).toContain('No queries are known, so all pages count alike')
    expect((await index.plan({ budget: 3, at: at(200) })).quality).toBeUndefined()
    await using empty = await Freshdex.open<Page>(':memory:', OPTIONS)
    expect(await empty.plan({ target: 0.9 })).toMatchObject({ isReached: true, budget: 0, quality: 1 })
  })

  test.each<[object, RegExp]>([
    [{ target: 0.9, budget: 3 }, /budget or a target/],
    [{ target: 0.9, newPages: true }, /newPages goes with a budget/],
    [{ target: 0.9, maxStalenessMs: DAY_MS, cycleMs: 1 }, /maxStalenessMs goes with a budget/],
    [{ budget: 3, prices: { fetch: 1 } }, /prices go with a target/],
    [{ target: '95%' }, /target must be a number/],
  ])('refuses %j with a TypeError', async (options, message) => {
    await using index = await openOrchard()
    const refused = index.plan(options as never)
    await expect(refused).rejects.toThrow(TypeError)
    await expect(index.plan(options as never)).rejects.toThrow(message)
  })

  test.each([0, 1.5, Number.NaN])('refuses a target of %d', async (target) => {
    await using index = await openOrchard()
    await expect(index.plan({ target })).rejects.toThrow(/target must be a finite number/)
  })
})

test('a new page in a plan says why it is there', async () => {
  await using index = await openOrchard()
  await index.frontier.add([{ url: 'https://host9.example/new', anchors: ['apple plum'], inlinks: 12 }])
  const { actions, sentence } = await index.plan({ budget: 20, at: NOW })
  const fresh = actions.find(({ kind }) => kind === 'new')
  expect(fresh).toMatchObject({ stake: 0, why: expect.stringMatching(/^Never fetched; 12 links to it/) })
  expect(sentence).toMatch(/and 1 new page recover as much as/)
  const known = actions.find(({ key }) => key === url(0))
  expect(known?.why).toMatch(/of today's answers/)
})
