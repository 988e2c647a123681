import { describe, expect, it } from 'vitest'
import { type GeneratedWorldOptions, generatedWorld } from '../../../src/lab/worlds/generated-world.js'
import type { WorldStep } from '../../../src/lab/worlds/world.js'
import { allSteps, statesOf } from './world-reading.js'

const WEEK_MS = 7 * 86_400_000

const told = (options: GeneratedWorldOptions) => allSteps(generatedWorld(options))

describe('a generated world', () => {
  it('is the same for the same options, as often as it is told, and another for another seed', async () => {
    const options = { seed: 7, pages: 60, steps: 6 }
    const world = generatedWorld(options)
    const steps = await allSteps(world)
    expect(await allSteps(world)).toEqual(steps)
    expect(await told(options)).toEqual(steps)
    expect(generatedWorld(options).queries).toEqual(world.queries)
    expect(await told({ ...options, seed: 8 })).not.toEqual(steps)
  })

  it('lets every page live by itself: pages that come change none of the others', async () => {
    const options = { pages: 100, steps: 8, lossPerStep: 0 }
    const alone = await told({ ...options, growthPerStep: 0 })
    const joined = await told({ ...options, growthPerStep: 0.1 })
    const first = new Set(alone[0]!.versions.map(({ url }) => url))
    const ofFirst = joined.flatMap(({ versions }) => versions).filter(({ url }) => first.has(url))
    expect(ofFirst).toEqual(alone.flatMap(({ versions }) => versions))
    expect(joined.at(-1)!.versions.length).toBeGreaterThan(alone.at(-1)!.versions.length)
  })

  it('tells only what is so: times grow, versions differ, pages are gone that were there', async () => {
    const steps = await told({ seed: 3, pages: 200, steps: 20, lossPerStep: 0.02, growthPerStep: 0.03, startMs: 5 })
    const states = statesOf(steps)
    expect(steps.map(({ atMs }) => atMs)).toEqual(steps.map((_, at) => 5 + at * WEEK_MS))
    expect(steps[0]?.versions.length).toBe(200)
    for (const [at, { versions, gone }] of steps.entries()) {
      expect(new Set(versions.map(({ url }) => url)).size).toBe(versions.length)
      for (const version of versions) expect(states[at - 1]?.get(version.url)).not.toEqual(version)
      for (const url of gone) expect(states[at - 1]?.has(url)).toBe(true)
    }
    expect(steps.flatMap(({ gone }) => gone).length).toBeGreaterThan(20)
    const firsts = new Set(steps.flatMap(({ versions }) => versions.map(({ url }) => url)))
    expect(firsts.size).toBeGreaterThan(250)
  })

  it('shares out regions and laws as it is told', () => {
    const kinds = (options: GeneratedWorldOptions) => {
      const counts: Record<string, number> = {}
      for (const motion of generatedWorld({ pages: 1200, ...options })
        .motions()
        .values()) {
        for (const kind of [motion?.region ?? 'static', motion?.law.kind ?? 'none'])
          counts[kind] = (counts[kind] ?? 0) + 1
      }
      return counts
    }
    const usual = kinds({})
    expect(usual.static! / 1200).toBeCloseTo(1 / 2, 1)
    expect(usual.churn! / 1200).toBeCloseTo(1 / 3, 1)
    expect(usual.pareto! / (1200 - usual.static!)).toBeCloseTo(3 / 12, 1)
    expect(kinds({ regions: { scroll: 1 }, laws: { weibull: 0.5 } })).toEqual({ scroll: 1200, weibull: 1200 })
  })

  it.each(['poisson', 'pareto', 'weibull', 'quasi-deterministic'] as const)(
    'updates its pages as often as their laws say: %s',
    async (kind) => {
      const options: GeneratedWorldOptions = {
        ...{ seed: 5, pages: 400, steps: 60, lossPerStep: 0, growthPerStep: 0 },
        ...{ regions: { churn: 1 }, laws: { [kind]: 1 }, minMeanMs: 2 * WEEK_MS, maxMeanMs: 8 * WEEK_MS },
      }
      const world = generatedWorld(options)
      const seen = (await allSteps(world)).slice(1).flatMap(({ versions }) => versions).length
      const expected = expectedChanges(
        [...world.motions().values()].map((motion) => motion!.law),
        60,
        WEEK_MS,
      )
      expect(Math.abs(seen / expected - 1)).toBeLessThan(0.06)
    },
  )

  it('replaces what churns as a whole, pushes what scrolls, and leaves the rest alone', async () => {
    const options = { seed: 2, pages: 150, steps: 10, lossPerStep: 0, growthPerStep: 0, maxMeanMs: 4 * WEEK_MS }
    const statics = await told({ ...options, regions: { static: 1 } })
    expect(statics.slice(1).every(({ versions }) => versions.length === 0)).toBe(true)
    const keptShares = async (region: 'churn' | 'scroll') =>
      keptLines(await told({ ...options, regions: { [region]: 1 } }))
    const scrolled = await keptShares('scroll')
    const churned = await keptShares('churn')
    // An update scrolls one item of eight out; a churning block keeps none of its two to five.
    expect(Math.max(...scrolled.map(({ lost }) => lost))).toBeLessThanOrEqual(8)
    expect(scrolled.filter(({ lost }) => lost <= 3).length / scrolled.length).toBeGreaterThan(0.5)
    expect(churned.every(({ lost }) => lost >= 1 && lost <= 5)).toBe(true)
  })

  it('has queries that its pages answer, and news that are asked for', async () => {
    const world = generatedWorld({ pages: 300, steps: 12 })
    const steps = await allSteps(world)
    const final = statesOf(steps).at(-1)!
    const texts = [...final.values()].map(({ title, text }) => `${title} ${text}`.toLowerCase())
    const matches = (query: string) =>
      texts.filter((text) => query.split(' ').every((word) => text.includes(word))).length
    const answered = world.queries.filter(({ query }) => matches(query) > 0)
    expect(world.queries.length).toBeGreaterThan(30)
    expect(answered.length / world.queries.length).toBeGreaterThan(0.9)
    expect(
      steps
        .at(-1)!
        .versions.some(({ text }) => world.queries.some(({ query }) => text.includes(`News of the ${query}`))),
    ).toBe(true)
  })

  it('never gives an address to a second page', async () => {
    const steps = await told({ seed: 5, pages: 200, steps: 30, lossPerStep: 0.01, growthPerStep: 0.015 })
    const states = statesOf(steps)
    const isNew = ({ url }: { url: string }, at: number) => at === 0 || !states[at - 1]!.has(url)
    const births = steps.flatMap(({ versions }, at) => versions.filter((one) => isNew(one, at)).map(({ url }) => url))
    expect(births.length).toBeGreaterThan(200)
    expect(new Set(births).size).toBe(births.length)
  })

  it('mentions an event only once it has happened, and forgets it in time', async () => {
    const world = generatedWorld({ seed: 13, pages: 200, steps: 42 })
    const states = statesOf(await allSteps(world))
    const mentions = (event: string, step: number) =>
      [...states[step]!.values()].filter(({ text }) => text.includes(event)).length
    expect(world.events(0)).toEqual([])
    const [event = ''] = world.events(1)
    expect(mentions(event, 0)).toBe(0)
    const atFirst = mentions(event, 1)
    expect(atFirst).toBeGreaterThan(0)
    for (let step = 2; step < 42; step++) expect(world.events(step)).not.toContain(event)
    expect(mentions(event, 41)).toBeLessThan(atFirst)
  })

  it('keeps most of a page when it changes', async () => {
    const [first, second] = await told({ seed: 11, pages: 300, steps: 2 })
    const before = new Map(first!.versions.map(({ url, text }) => [url, new Set(text.split('\n'))]))
    const changed = second!.versions.filter(({ url }) => before.has(url))
    const lines = changed.flatMap(({ url, text }) => text.split('\n').map((line) => before.get(url)!.has(line)))
    expect(lines.filter(Boolean).length / lines.length).toBeGreaterThan(0.5)
  })

  it('survives more steps than there are events', async () => {
    const world = generatedWorld({ seed: 19, pages: 3, steps: 102 })
    expect(await allSteps(world)).toHaveLength(102)
    expect(world.events(101)).toEqual([])
  })

  it('refuses options that are none', () => {
    const refused = (options: object, message: RegExp) => expect(() => generatedWorld(options)).toThrow(message)
    refused({ page: 5 }, /unknown world option "page"/)
    refused({ pages: 0 }, /pages must be an integer from 1/)
    refused({ seed: -1 }, /seed must be an integer from 0/)
    refused({ regions: { churn: -1 } }, /regions\.churn must be a finite number of at least 0/)
    refused({ regions: {} }, /regions must name a share above 0/)
    refused({ laws: { normal: 1 } }, /unknown laws option "normal"/)
    refused({ minMeanMs: 5, maxMeanMs: 4 }, /maxMeanMs must be a finite number of at least 5/)
    refused({ lossPerStep: 2 }, /lossPerStep must be a finite number from 0 to 1/)
  })
})

/** Steps in which pages of these laws are expected to change. */
function expectedChanges(
  laws: readonly { freshProbability(from: number, to: number): number }[],
  steps: number,
  stepMs: number,
): number {
  let sum = 0
  for (const law of laws) {
    for (let step = 1; step < steps; step++) sum += 1 - law.freshProbability((step - 1) * stepMs, step * stepMs)
  }
  return sum
}

/** Of each version after the first: how many lines of the one before it lost. */
function keptLines(steps: readonly WorldStep[]): { lost: number }[] {
  const states = statesOf(steps)
  return steps.slice(1).flatMap(({ versions }, at) =>
    versions.map(({ url, text }) => {
      const now = new Set(text.split('\n'))
      return {
        lost: states[at]!.get(url)!
          .text.split('\n')
          .filter((line) => !now.has(line)).length,
      }
    }),
  )
}
