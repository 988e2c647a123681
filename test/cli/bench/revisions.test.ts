import { describe, expect, it } from 'vitest'
import { inventedPages } from '../../../src/cli/bench/pages.js'
import { revisionsOf } from '../../../src/cli/bench/revisions.js'

describe('revisions', () => {
  const { pages } = inventedPages(1200, 3)
  const byKey = new Map(pages.map((page) => [page.key, page]))

  it('follow from the seed, and take no page twice', () => {
    const revisions = revisionsOf(pages, 300, 5)
    expect(revisionsOf(pages, 300, 5)).toEqual(revisions)
    expect(new Set(revisions.map(({ key }) => key)).size).toBe(300)
    expect(revisions.every(({ key }) => byKey.has(key))).toBe(true)
  })

  it('change a median of about a hundredth of the words, and sometimes most of them', () => {
    const shares = revisionsOf(pages, 1000, 9).map(({ key, texts }) => {
      const before = byKey.get(key)!.texts[1]!.split(/\s/)
      const after = texts[1]!.split(/\s/)
      expect(after.length).toBe(before.length)
      return before.filter((word, at) => word !== after[at]).length / before.length
    })
    const sorted = shares.sort((a, b) => a - b)
    expect(sorted[500]).toBeGreaterThan(0.003)
    expect(sorted[500]).toBeLessThan(0.03)
    expect(sorted[990]).toBeGreaterThan(0.2)
  })

  it('change texts of a single word and empty texts, too', () => {
    const short = [
      { key: 'a', texts: ['one', ''] },
      { key: 'b', texts: ['', 'other'] },
    ]
    for (let seed = 0; seed < 20; seed++) {
      for (const { key, texts } of revisionsOf(short, 2, seed)) expect([key, texts.length]).toEqual([key, 2])
    }
    expect(revisionsOf([{ key: 'a', texts: [''] }], 1, 1)).toEqual([{ key: 'a', texts: ['changed'] }])
  })
})
