import { expect, it } from 'vitest'
import { linkFactsOf } from '../../src/clusters/link-facts.js'
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
