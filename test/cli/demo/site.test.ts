import { describe, expect, it } from 'vitest'
import { DAYS_PER_WEEK, type DemoSite, demoSite } from '../../../src/cli/demo/site.js'
import type { WorldPage } from '../../../src/lab/worlds/world.js'

const WEEKS = 26
const site = (seed: number, pages = 600): DemoSite => demoSite({ seed, pages, nights: DAYS_PER_WEEK * WEEKS })
const sites = [1, 2, 3, 4, 5, 6].map((seed) => site(seed))

/** By page of the beginning, in how many weeks it changed. */
function changedWeeks({ start, nights }: DemoSite): number[] {
  const weeks = new Map(start.map(({ url }) => [url, new Set<number>()]))
  nights.forEach(({ changed }, night) => {
    for (const { url } of changed) weeks.get(url)?.add(Math.floor(night / DAYS_PER_WEEK))
  })
  return Array.from(weeks.values(), ({ size }) => size)
}

describe('the invented site', () => {
  it('changes as documentation does: 2% a week, most pages hardly ever, some all the time', () => {
    const weeks = sites.flatMap(changedWeeks)
    const share = (isOne: (weeks: number) => boolean) => weeks.filter(isOne).length / weeks.length
    const changedPerWeek = weeks.reduce((sum, count) => sum + count, 0) / weeks.length / WEEKS
    expect(changedPerWeek).toBeGreaterThan(0.015)
    expect(changedPerWeek).toBeLessThan(0.03)
    expect(share((count) => count <= 1)).toBeGreaterThan(0.8)
    expect(share((count) => count >= 5)).toBeLessThan(0.05)
    for (const each of sites) expect(Math.max(...changedWeeks(each))).toBeGreaterThan(0.6 * WEEKS)
  })

  it('has busy weeks: a week of median size changes clearly fewer pages than the mean week', () => {
    const perWeek = sites.flatMap(({ nights }) =>
      Array.from({ length: WEEKS }, (_, week) => {
        const ofWeek = nights.slice(DAYS_PER_WEEK * week, DAYS_PER_WEEK * (week + 1))
        return new Set(ofWeek.flatMap(({ changed }) => changed.map(({ url }) => url))).size
      }),
    )
    const median = perWeek.toSorted((a, b) => a - b)[perWeek.length / 2]!
    expect(median).toBeLessThan((0.85 * perWeek.reduce((sum, count) => sum + count, 0)) / perWeek.length)
  })

  it('is edited in small steps, and every change is one', () => {
    const sizes: number[] = []
    for (const { start, nights } of sites) {
      const live = new Map<string, WorldPage>(start.map((page) => [page.url, page]))
      for (const { changed, added, gone } of nights) {
        for (const url of gone) expect(live.delete(url)).toBe(true)
        for (const page of changed) {
          const before = live.get(page.url)!.text
          expect(page.text).not.toBe(before)
          sizes.push(wordsApart(before, page.text))
          live.set(page.url, page)
        }
        for (const page of added) {
          expect(live.has(page.url)).toBe(false)
          live.set(page.url, page)
        }
      }
    }
    const at = (share: number) => sizes.toSorted((a, b) => a - b)[Math.floor(share * sizes.length)]!
    expect(at(0.5)).toBeLessThan(0.03)
    expect(at(0.9)).toBeGreaterThan(0.03)
  })

  it('is the same for the same seed and another for another', () => {
    expect(site(5, 50)).toEqual(site(5, 50))
    expect(site(5, 50)).not.toEqual(site(6, 50))
  })
})

/** Words that only one of two texts has, of all words. */
function wordsApart(before: string, after: string): number {
  const counts = new Map<string, number>()
  for (const word of before.split(/\s/)) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const word of after.split(/\s/)) counts.set(word, (counts.get(word) ?? 0) - 1)
  const apart = [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0)
  return (2 * apart) / (before.split(/\s/).length + after.split(/\s/).length + apart)
}
