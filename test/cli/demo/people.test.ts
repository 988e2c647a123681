import { describe, expect, it } from 'vitest'
import { askedByWeek } from '../../../src/cli/demo/people.js'
import { demoSite } from '../../../src/cli/demo/site.js'

const site = demoSite({ seed: 3, pages: 300, nights: 0 })
const asked = askedByWeek(site, 8, { seed: 3, queries: 200, searchesPerWeek: 1000 })

describe('the people who search the invented site', () => {
  it('search as often every week, for some things very often', () => {
    for (const week of asked) {
      expect(week.reduce((sum, { count }) => sum + count, 0)).toBe(1000)
      const top = week.slice(0, 10).reduce((sum, { count }) => sum + count, 0)
      expect(top).toBeGreaterThan(250)
      expect(top).toBeLessThan(550)
      expect(week.length).toBeGreaterThan(100)
    }
  })

  it('ask for much the same in every week', () => {
    const [first, ...others] = asked.map((week) => new Set(week.map(({ query }) => query)))
    for (const other of others) {
      const known = [...other].filter((query) => first!.has(query)).length
      expect(known / other.size).toBeGreaterThan(0.7)
      expect(known).toBeLessThan(other.size)
    }
  })

  it('use words of one page', () => {
    const words = site.start.map(({ title, text }) => new Set(`${title} ${text}`.toLowerCase().split(/[^\p{L}\d]+/u)))
    for (const { query } of asked.flat()) {
      const wanted = query.split(' ')
      expect(words.some((ofPage) => wanted.every((word) => ofPage.has(word)))).toBe(true)
    }
  })
})
