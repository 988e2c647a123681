/** Generated pages beside the laws that made them, and lifetimes beside the model. */
import { describe, expect, it } from 'vitest'
import {
  FRAGMENT_MIXES,
  type FragmentMix,
  generatedFragments,
} from '../../../../src/lab/experiments/longevity/generated-fragments.js'
import { LifetimeFigures, modelledLifetimes } from '../../../../src/lab/experiments/longevity/lifetimes.js'
import { asPage, changingAt, still } from './told-pages.js'

const fragments = { low: 100, high: 100 }
const none = { share: 0, regions: [] }

function pagesOf(mix: FragmentMix, { seed = 7, pages = 200, steps = 40 } = {}) {
  return [...generatedFragments({ seed, pages, steps, stepMs: 1, mix }).pages]
}

function oneRegion(updates: number, items: number): FragmentMix {
  const region = { share: { low: 0.2, high: 0.2 }, updates: { low: updates, high: updates }, items: [items] }
  return { fragments, pages: [none, { share: 1, regions: [region] }] }
}

describe('generated fragments', () => {
  it('are the same for the same seed, and a page the same in a larger world', () => {
    const mix = FRAGMENT_MIXES['high-quality']
    const few = pagesOf(mix, { pages: 20 })
    expect(pagesOf(mix, { pages: 30 }).slice(0, 20)).toEqual(few)
    expect(pagesOf(mix, { pages: 20, seed: 8 })).not.toEqual(few)
  })

  it('churn: every update replaces the region and nothing else, at its rate', () => {
    const pages = pagesOf(oneRegion(0.25, 1))
    const updates = pages.reduce((sum, page) => sum + page.length - 1, 0)
    // A step has an update with 1 - e^-0.25 = 0.221; 7,800 steps, five standard errors.
    expect(updates / (200 * 39)).toBeGreaterThan(0.221 - 5 * Math.sqrt((0.221 * 0.779) / 7800))
    expect(updates / (200 * 39)).toBeLessThan(0.221 + 5 * Math.sqrt((0.221 * 0.779) / 7800))
    for (const page of pages) {
      page.slice(1).forEach(({ fragments: now }, at) => {
        const before = new Set(page[at]!.fragments)
        expect([now.length, now.filter((one) => before.has(one)).length]).toEqual([100, 80])
      })
    }
  })

  it('scroll: every update brings one item in place of one', () => {
    for (const page of pagesOf(oneRegion(0.1, 4), { pages: 50 })) {
      page.slice(1).forEach(({ fragments: now }, at) => {
        const before = new Set(page[at]!.fragments)
        const kept = now.filter((one) => before.has(one)).length
        // Items of five fragments; several updates may fall into a step.
        expect(now.length).toBe(100)
        expect([80, 85, 90, 95]).toContain(kept)
      })
    }
  })

  it('have the shares of their mix', () => {
    const pages = pagesOf(FRAGMENT_MIXES['high-quality'], { pages: 2000, steps: 3 })
    const sizes = pages.map((page) => page[0]!.fragments.length)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(58)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(412)
    expect(FRAGMENT_MIXES['high-quality'].pages.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12)
    expect(FRAGMENT_MIXES.random.pages.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12)
  })

  it('refuse what cannot be', () => {
    const mix = FRAGMENT_MIXES.random
    expect(() => generatedFragments({ seed: 1, pages: 0, steps: 5, stepMs: 1, mix })).toThrow(
      'pages must be an integer',
    )
    expect(() => generatedFragments({ seed: 1, pages: 1, steps: 1, stepMs: 1, mix })).toThrow(
      'steps must be an integer',
    )
    expect(() => generatedFragments({ seed: 1, pages: 1, steps: 5, stepMs: 0, mix })).toThrow('stepMs must be')
  })
})

describe('lifetimes', () => {
  it('are those of the pages, with the share that stays', () => {
    const figures = new LifetimeFigures(10)
    // Ten fragments stay; ten live from 2 to 4, ten from 5 to 6, and the others at an end.
    figures.add(asPage(changingAt(10, [2, 5, 7])))
    figures.add(asPage(still(10)).slice(0, 1))
    const { points, groups, churnShare, staticFragmentShare } = figures.summary()
    expect(points).toEqual([{ changeFrequency: 3 / 9, longevity: 2.5 }])
    expect(churnShare).toBe(1)
    expect(staticFragmentShare).toBeCloseTo(14 / 24, 12)
    const [churn, ...others] = groups
    expect(churn).toMatchObject({ group: 'K = 1', pages: 1, lives: 20 })
    expect(churn!.actual.slice(0, 4)).toEqual([0, 0.5, 1, 1])
    expect(others.map(({ lives, largestGap }) => [lives, largestGap])).toEqual([
      [0, null],
      [0, null],
    ])
  })

  it('are modelled by when the K-th update comes, weighted by the places where a life can be seen', () => {
    const shares = modelledLifetimes(2, 0.3, 12)
    const expected = Array.from({ length: 12 }, (_, lifetime) =>
      lifetime < 2 || lifetime > 10 ? 0 : (lifetime - 1) * 0.3 ** 2 * 0.7 ** (lifetime - 2) * (11 - lifetime),
    )
    const sum = expected.reduce((total, share) => total + share, 0)
    shares.forEach((share, lifetime) => {
      expect(share).toBeCloseTo(expected[lifetime]! / sum, 12)
    })
    expect(modelledLifetimes(20, 0.3, 12).every((share) => share === 0)).toBe(true)
    expect([...modelledLifetimes(1, 1, 4)]).toEqual([0, 1, 0, 0])
  })

  it('of generated pages are as modelled', () => {
    for (const items of [1, 4]) {
      const figures = new LifetimeFigures(40)
      for (const page of pagesOf(oneRegion(0.3, items))) figures.add(page)
      const group = figures.summary().groups[items === 1 ? 0 : 2]!
      expect(group.lives).toBeGreaterThan(1000)
      // Several updates within a step are seen as one, so that an item outlives fewer than it has.
      expect(group.largestGap).toBeLessThan(items === 1 ? 0.03 : 0.1)
    }
  })
})
