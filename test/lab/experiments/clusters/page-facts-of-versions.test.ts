/** What is made of addresses, links and words before pages are clustered. */
import { describe, expect, it } from 'vitest'
import { similarityOf, type WordCounts } from '../../../../src/clusters/page-facts.js'
import { linkFacts, sitesByPath } from '../../../../src/lab/experiments/clusters/input.js'
import {
  compareVersions,
  NumberedWords,
  similarityBetween,
} from '../../../../src/lab/experiments/clusters/version-features.js'
import { type SeededRandom, seededRandom, withSeed } from '../../../support/seed.js'

describe('links', () => {
  it('give ranks that satisfy Eq. 2', () => {
    withSeed('page rank', (seed) => {
      const random = seededRandom('page rank', seed)
      for (let run = 0; run < 50; run++) {
        const urls = Array.from({ length: random.between(1, 12) }, (_, at) => `/${at}`)
        const linked = new Map(
          urls.map((to) => [to, new Set(urls.filter((from) => from !== to && random.chance(0.3)))]),
        )
        const { pageRanks, inlinks, outlinks } = linkFacts(urls, linked)
        const outlinksOf = (from: string) => urls.filter((to) => linked.get(to)!.has(from)).length
        urls.forEach((url, page) => {
          const sources = [...linked.get(url)!]
          const sum = sources.reduce((total, from) => total + pageRanks[urls.indexOf(from)]! / outlinksOf(from), 0)
          expect(pageRanks[page]).toBeCloseTo(0.15 / urls.length + 0.85 * sum, 9)
          expect([inlinks[page], outlinks[page]]).toEqual([sources.length, outlinksOf(url)])
        })
      }
    })
  })

  it('count only between known pages', () => {
    const { pageRanks, inlinks, outlinks } = linkFacts(
      ['/a', '/b'],
      new Map([
        ['/a', new Set(['/b', '/x'])],
        ['/y', new Set(['/b'])],
      ]),
    )
    expect([...inlinks, ...outlinks]).toEqual([1, 0, 0, 1])
    expect([...pageRanks]).toEqual([expect.closeTo(0.075 + 0.85 * 0.075, 12), expect.closeTo(0.075, 12)])
  })
})

describe('sites', () => {
  const ofHosts = ['a', 'b', 'c', 'd', 'e'].map((host) => `https://${host}.org/x/y`)

  it('are hosts where there are enough of them', () => {
    expect(sitesByPath(ofHosts)).toEqual({ sites: ['a.org', 'b.org', 'c.org', 'd.org', 'e.org'], segments: 0 })
  })

  it('take as many segments of the path as make five of them', () => {
    const urls = ['', 'docs/a', 'docs/b/', 'docs/c/x?q=/z/', 'docs/c/y', 'docs/d/x', 'docs/e/x'].map(
      (rest) => `https://one.org/${rest}`,
    )
    expect(sitesByPath(urls)).toEqual({
      sites: [
        ...['one.org', 'one.org/docs', 'one.org/docs/b', 'one.org/docs/c', 'one.org/docs/c'],
        ...['one.org/docs/d', 'one.org/docs/e'],
      ],
      segments: 2,
    })
    expect(sitesByPath(urls, 1)).toMatchObject({ segments: 1 })
    expect(new Set(sitesByPath(urls, 1).sites).size).toBe(2)
  })

  it('are as many as can be where five cannot', () => {
    expect(sitesByPath(['/a/x', '/a/y', '/b/x'])).toEqual({ sites: ['/a', '/a', '/b'], segments: 1 })
    expect(sitesByPath(['/a'])).toEqual({ sites: [''], segments: 0 })
  })
})

function randomWords(random: SeededRandom): WordCounts {
  const words = ['ferry', 'harbour', 'market', 'dawn', 'dusk'].filter(() => random.chance(0.5))
  return new Map(random.shuffle(words).map((word) => [word, random.between(1, 4)]))
}

describe('the similarity of versions', () => {
  it('is the cosine of their words, for every pair of a page', () => {
    withSeed('version similarity', (seed) => {
      const random = seededRandom('version similarity', seed)
      for (let run = 0; run < 50; run++) {
        const numbered = new NumberedWords()
        const versions = Array.from({ length: random.between(1, 12) }, () => randomWords(random))
        const pageOf = Uint32Array.from(versions, () => random.int(3))
        const packed = versions.map((words) => numbered.pack(words))
        for (const [at, words] of packed.entries())
          expect([...numbered.unpack(words)].sort()).toEqual([...versions[at]!].sort())
        const similarities = compareVersions(packed, pageOf)
        versions.forEach((words, version) => {
          versions.forEach((before, other) => {
            if (pageOf[version] !== pageOf[other]) return
            const expected = similarityOf({ url: '', before: { words: before } }, words)
            expect(similarityBetween(similarities, version, other)).toBeCloseTo(expected!, 12)
          })
        })
      }
    })
  })
})
