import { describe, expect, it } from 'vitest'
import type { AskedQuery } from '../../../src/lab/worlds/generated-text.js'
import { generatedWorld } from '../../../src/lab/worlds/generated-world.js'
import { TRIAL_WORLDS, type TrialWorldName, trialWorld } from '../../../src/lab/worlds/trial-worlds.js'
import type { WorldStep } from '../../../src/lab/worlds/world.js'
import { allSteps } from './world-reading.js'

const SIZE = { seed: 4, pages: 60, steps: 40 }
const told = (name: TrialWorldName, seed = SIZE.seed) => allSteps(trialWorld(name, { ...SIZE, seed }).world)

/** By address: the steps at which it changed. */
function changesOf(steps: readonly WorldStep[]): Map<string, number[]> {
  const changes = new Map(steps[0]!.versions.map(({ url }): [string, number[]] => [url, []]))
  for (const [step, { versions }] of steps.entries())
    if (step > 0) for (const { url } of versions) changes.get(url)!.push(step)
  return changes
}

describe.each(TRIAL_WORLDS)('the generated world %s', (name) => {
  it('follows from its seed, keeps its pages, and changes their texts', async () => {
    const steps = await told(name)
    expect(await told(name)).toEqual(steps)
    expect(await told(name, 5)).not.toEqual(steps)
    expect(steps).toHaveLength(SIZE.steps)
    expect(steps.every(({ gone }) => gone.length === 0)).toBe(true)
    expect(changesOf(steps).size).toBe(SIZE.pages)
    const texts = new Map(steps[0]!.versions.map(({ url, text }) => [url, text]))
    let changes = 0
    for (const { versions } of steps.slice(1))
      for (const { url, text } of versions) {
        expect(text).not.toBe(texts.get(url))
        texts.set(url, text)
        changes++
      }
    expect(changes).toBeGreaterThan(SIZE.pages / 2)
  })
})

describe('generated worlds that lead astray', () => {
  it('are all churn or all scroll', () => {
    const regions = (name: TrialWorldName) =>
      new Set(Array.from(trialWorld(name, SIZE).world.motions().values(), (motion) => motion?.region))
    expect(regions('all-churn')).toEqual(new Set(['churn']))
    expect(regions('all-scroll')).toEqual(new Set(['scroll']))
  })

  it('have updates at fixed hours', () => {
    const motions = [...trialWorld('quasi-deterministic', SIZE).world.motions().values()]
    const kinds = new Set(motions.flatMap((motion) => motion?.law.kind ?? []))
    expect(kinds).toEqual(new Set(['quasi-deterministic']))
  })

  it('let the pages of a host change together', async () => {
    const byHost = new Map<string, { readonly pages: Set<string>; readonly changes: number[] }>()
    for (const [url, steps] of changesOf(await told('site-bursts'))) {
      const { host } = new URL(url)
      const known = byHost.get(host) ?? { pages: new Set(), changes: [] }
      known.pages.add(url)
      known.changes.push(...steps)
      byHost.set(host, known)
    }
    expect(byHost.size).toBe(10)
    const shares = Array.from(byHost.values(), ({ pages, changes }) => {
      const moments = new Set(changes).size
      return moments === 0 ? [] : [changes.length / (moments * pages.size)]
    }).flat()
    expect(shares.length).toBeGreaterThan(5)
    // Seven in ten at a time; by themselves they would hardly ever meet.
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    expect(mean).toBeGreaterThan(0.55)
    expect(mean).toBeLessThan(0.9)
  })

  it('have one page that changes all the time, and others that hardly do', async () => {
    const counts = Array.from(changesOf(await told('one-daily')).values(), (steps) => steps.length).sort(
      (a, b) => b - a,
    )
    expect(counts[0]).toBe(SIZE.steps - 1)
    expect(counts[1]).toBeLessThan(6)
  })

  it('shift what is asked half-way, to other pages', () => {
    const { queries, shift } = trialWorld('shifting-workload', SIZE)
    expect(shift!.fromStep).toBe(20)
    const weight = (asked: readonly AskedQuery[]) => asked.reduce((sum, { count }) => sum + count, 0)
    const known = new Set(queries.map(({ query }) => query))
    const common = shift!.queries.filter(({ query }) => known.has(query))
    expect(weight(common)).toBeLessThan(0.3 * weight(shift!.queries))
    expect(weight(queries)).toBeGreaterThan(0.7 * weight(shift!.queries))
    expect(trialWorld('one-daily', SIZE).shift).toBeUndefined()
  })

  it('refuse hosts and motions that are none', () => {
    expect(() => generatedWorld({ sites: -1 })).toThrow('sites must be')
    expect(() => generatedWorld({ motionOf: 'daily' as never })).toThrow(
      'motionOf must be a function, received "daily"',
    )
  })
})
