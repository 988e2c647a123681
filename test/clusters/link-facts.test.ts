import { expect, it } from 'vitest'
import { linkFactsInSteps, linkFactsOf } from '../../src/clusters/link-facts.js'
import { seededRandom, withSeed } from '../support/seed.js'

it('PageRank solves its own equation, and links are counted at both ends', () => {
  withSeed('link facts', (seed) => {
    const random = seededRandom('link facts', seed)
    const pages = 40
    const linking = Array.from({ length: pages }, (_, page) =>
      Array.from({ length: pages }, (_, from) => from).filter((from) => from !== page && random.chance(0.1)),
    )
    const { pageRanks, inlinks, outlinks } = linkFactsOf(linking)
    for (const [page, from] of linking.entries()) {
      const expected = from.reduce((sum, other) => sum + (0.85 * pageRanks[other]!) / outlinks[other]!, 0.15 / pages)
      expect(pageRanks[page]).toBeCloseTo(expected, 9)
      expect(inlinks[page]).toBe(from.length)
      expect(outlinks[page]).toBe(linking.filter((sources) => sources.includes(page)).length)
    }
  })
})

it('comes in steps of few pages, in each round', () => {
  const pages = 3000
  // A ring with a chord from each page to the first: ranks settle only after many rounds.
  const linking = Array.from({ length: pages }, (_, page) =>
    page === 0 ? Array.from({ length: pages - 1 }, (_, nth) => nth + 1) : [page - 1],
  )
  const steps = linkFactsInSteps(linking)
  let count = 0
  for (let step = steps.next(); ; step = steps.next(), count++) {
    if (!step.done) continue
    expect(step.value).toEqual(linkFactsOf(linking))
    break
  }
  expect(count).toBeGreaterThan((10 * pages) / 500)
})
