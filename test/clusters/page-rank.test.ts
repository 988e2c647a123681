import { describe, expect, it } from 'vitest'
import { pageRanks } from '../../src/clusters/page-rank.js'
import { SeededRandom, withSeed } from '../support/seed.js'

describe('PageRank', () => {
  it('solves its equation, on random links', () => {
    withSeed('page rank', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 50; round++) {
        const pages = random.between(1, 12)
        const links = Array.from({ length: pages }, () =>
          Array.from({ length: random.int(4) }, () => random.int(pages)),
        )
        const damping = 0.95 * random.next()
        const ranks = pageRanks(links, damping)
        solved(links, damping).forEach((rank, page) => {
          expect(ranks[page]).toBeCloseTo(rank, 8)
        })
        expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 9)
      }
    })
  })

  it('is the same for all pages of a ring, and needs no page', () => {
    expect([...pageRanks([[1], [2], [0]])]).toEqual([1 / 3, 1 / 3, 1 / 3].map((rank) => expect.closeTo(rank, 12)))
    expect(pageRanks([]).length).toBe(0)
  })

  it('refuses links that lead nowhere', () => {
    expect(() => pageRanks([[0], [2]])).toThrow(/links\[1\]\[0\] must be a page below 2, received 2/)
    expect(() => pageRanks([[0]], 1)).toThrow(/damping must be a finite number from 0 to/)
  })
})

/** (1 - d A) x = (1 - d) / N by elimination. */
function solved(links: readonly (readonly number[])[], d: number): number[] {
  const pages = links.length
  const rows = Array.from({ length: pages }, (_, target) => [
    ...links.map((targets, page) => {
      const share = targets.length === 0 ? 1 / pages : targets.filter((to) => to === target).length / targets.length
      return (page === target ? 1 : 0) - d * share
    }),
    (1 - d) / pages,
  ])
  // The columns of 1 - d A are dominated by their diagonals, so no exchange of rows is needed.
  for (let pivot = 0; pivot < pages; pivot++) {
    for (let row = 0; row < pages; row++) {
      if (row === pivot) continue
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!
      rows[row] = rows[row]!.map((value, at) => value - factor * rows[pivot]![at]!)
    }
  }
  return rows.map((row, at) => row[pages]! / row[at]!)
}
