/** Pages of a schedule as columns of numbers, and back. */
import { describe, expect, it } from 'vitest'
import { finish } from '../../../src/base/turns.js'
import { SurvivalLaw } from '../../../src/change/laws/survival.js'
import { type LedgerPage, packPages, unpackPages } from '../../../src/refresh/schedule/packed-pages.js'
import { randomLaw } from '../../schedule/random-laws.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

const packed = (pages: readonly LedgerPage[]) => finish(packPages(pages))

describe('packed pages', () => {
  it('come back as the same laws with the same numbers', () => {
    withSeed('packed pages', (seed) => {
      const random = new SeededRandom(seed)
      const kinds = new Set<string>()
      for (let round = 0; round < 50; round++) {
        const pages = Array.from({ length: random.int(60) }, () => ({
          law: randomLaw(random),
          weight: random.chance(0.1) ? 0 : random.next(),
          lastCrawl: random.chance(0.2) ? 0 : -random.next(),
          ...(random.chance(0.5) ? { minimum: random.between(1, 2 ** 31 - 1) } : {}),
        }))
        for (const { law } of pages) kinds.add(law.kind)
        const columns = structuredClone(packed(pages))
        // Of the same classes, and alike in all that is kept and derived.
        expect(unpackPages(columns)).toStrictEqual(pages)
      }
      expect([...kinds].sort()).toEqual(['pareto', 'poisson', 'quasi-deterministic', 'weibull'])
    })
  })

  it('cannot have a law that is a function', () => {
    const law = new SurvivalLaw({ survival: (t) => Math.exp(-t) })
    const refused = () => packed([{ law, weight: 1, lastCrawl: 0 }])
    expect(refused).toThrow(expect.objectContaining({ code: 'INTERNAL' }))
    expect(refused).toThrow(/the law of page 0 cannot go to a thread/)
  })

  it('can be moved: no two columns share memory', () => {
    const buffers = Object.values(packed([])).map(({ buffer }) => buffer)
    expect(new Set(buffers).size).toBe(buffers.length)
  })
})
