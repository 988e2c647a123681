import { describe, expect, it } from 'vitest'
import { GeneratedSite } from '../../../src/lab/worlds/generated-site.js'
import { Randomness } from '../../../src/lab/worlds/randomness.js'

describe('a generated site', () => {
  it('is the same for the same seed, week by week', () => {
    const [one, two] = [new GeneratedSite(7, 60), new GeneratedSite(7, 60)]
    expect(one.pages()).toEqual(two.pages())
    for (let week = 0; week < 5; week++) expect(one.advance()).toEqual(two.advance())
    expect(one.pages()).toEqual(two.pages())
  })

  it('is another for another seed', () => {
    expect(new GeneratedSite(1, 20).pages()).not.toEqual(new GeneratedSite(2, 20).pages())
  })

  it('tells truly what changes in a week', () => {
    const site = new GeneratedSite(3, 300)
    for (let nth = 1; nth <= 6; nth++) {
      const before = new Map(site.pages().map((page) => [page.url, page]))
      const { week, changed, added, gone } = site.advance()
      const after = new Map(site.pages().map((page) => [page.url, page]))
      expect(week).toBe(nth)
      expect([...after.keys()].filter((url) => !before.has(url))).toEqual(added.map((page) => page.url))
      expect([...before.keys()].filter((url) => !after.has(url))).toEqual(gone)
      const differing = [...after.values()].filter(({ url, body }) => before.has(url) && before.get(url)?.body !== body)
      expect(changed).toEqual(differing)
      expect(changed.length).toBeGreaterThan(0)
    }
  })

  it('never gives an address to a second page', () => {
    const site = new GeneratedSite(5, 200)
    const seen = new Set(site.pages().map((page) => page.url))
    expect(seen.size).toBe(200)
    for (let week = 0; week < 30; week++) {
      for (const { url } of site.advance().added) {
        expect(seen.has(url)).toBe(false)
        seen.add(url)
      }
    }
  })

  it('keeps most of a page when it changes', () => {
    const site = new GeneratedSite(11, 300)
    const before = new Map(site.pages().map((page) => [page.url, new Set(page.body.split('\n'))]))
    const { changed } = site.advance()
    const lines = changed.flatMap((page) => page.body.split('\n').map((line) => before.get(page.url)?.has(line)))
    expect(lines.filter(Boolean).length / lines.length).toBeGreaterThan(0.5)
  })

  it('mentions an event only once it has happened, and forgets it in time', () => {
    const site = new GeneratedSite(13, 200)
    const mentions = (event: string) => site.pages().filter((page) => page.body.includes(event)).length
    const first = site.advance()
    const [event = ''] = first.events
    const atFirst = mentions(event)
    expect(atFirst).toBeGreaterThan(0)
    for (let week = 0; week < 40; week++) for (const later of site.advance().events) expect(later).not.toBe(event)
    expect(mentions(event)).toBeLessThan(atFirst)
  })

  it('has pages of all temperaments, and counts them', () => {
    const census = new GeneratedSite(17, 500).census()
    expect(census.static + census.churning + census.scrolling).toBe(500)
    expect(Math.min(census.static, census.churning, census.scrolling)).toBeGreaterThan(50)
  })

  it('survives more weeks than there are events', () => {
    const site = new GeneratedSite(19, 3)
    for (let week = 0; week < 100; week++) site.advance()
    expect(site.advance().week).toBe(101)
  })
})

describe('its randomness', () => {
  it('stays in its ranges', () => {
    const random = new Randomness(1)
    const seen = new Set<number>()
    for (let draw = 0; draw < 2000; draw++) {
      const next = random.next()
      expect(next >= 0 && next < 1).toBe(true)
      seen.add(random.between(3, 5))
      expect([1, 2, 3]).toContain(random.pickEarly([1, 2, 3]))
    }
    expect([...seen].sort()).toEqual([3, 4, 5])
  })

  it('prefers early items where asked to', () => {
    const random = new Randomness(2)
    const counts = [0, 0, 0, 0]
    for (let draw = 0; draw < 4000; draw++) counts[random.pickEarly([0, 1, 2, 3])]!++
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
    expect(counts[3]).toBeGreaterThan(0)
  })
})
