import { describe, expect, it } from 'vitest'
import { learnScale, scaleFeatures } from '../../src/clusters/feature-scale.js'
import type { PageFacts } from '../../src/clusters/page-facts.js'
import {
  FEATURE_GROUPS,
  featureColumns,
  featureNames,
  featuresOf,
  learnFeatures,
  PAGE_FEATURES,
} from '../../src/clusters/page-features.js'
import { WORD_FEATURES } from '../../src/clusters/word-clusters.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const FULL: PageFacts = {
  url: 'https://www.example.edu:8080/a/b/c.html?x=/y#/z',
  title: 'Title',
  text: 'Écrire to me@example.com or you@example.org',
  images: 3,
  tables: 2,
  pageRank: 0.25,
  inlinks: 7,
  outlinks: 5,
  before: {
    text: 'to',
    images: 5,
    tables: 2,
    wordCount: 20,
    bytes: 10,
    pageRank: 0.5,
    inlinks: 3,
    outlinks: 6,
    emails: 0,
  },
  similarity: 0.5,
  history: { bits: 0b0110, cycles: 4 },
}

describe('the features of a page', () => {
  it('are 48, in groups', () => {
    expect(PAGE_FEATURES).toBe(48)
    expect(new Set(featureNames()).size).toBe(48)
    expect(Object.fromEntries(FEATURE_GROUPS.map((group) => [group, featureColumns(group).length]))).toEqual({
      url: 10,
      content: 10,
      'url+content': 20,
      static: 18,
      dynamic: 10,
      combined: 48,
    })
    for (const group of FEATURE_GROUPS) {
      expect(featureColumns(group).map((column) => featureNames()[column])).toEqual(featureNames(group))
    }
  })

  it('are what is known of it', () => {
    const named = featuresByName(FULL)
    expect(named).toMatchObject({
      ...{ images: 3, tables: 2, words: 10, bytes: Buffer.byteLength(FULL.text!), emails: 2 },
      ...{ 'is html': 1, 'is txt': 0, 'is other': 0, depth: 3, 'is .edu': 1, 'is .com': 0, 'is .mil': 0 },
      ...{ 'page rank': 0.25, inlinks: 7, outlinks: 5 },
      ...{
        'similarity to the version before': 0.5,
        'change of images': 2,
        'change of tables': 0,
        'change of words': 10,
      },
      ...{ 'change of bytes': Buffer.byteLength(FULL.text!) - 10, 'change of emails': 2 },
      ...{ 'change of page rank': 0.25, 'change of inlinks': 4, 'change of outlinks': 1, 'change frequency': 0.5 },
    })
  })

  it('are not known, rather than 0, where nothing was told', () => {
    const named = featuresByName({ url: 'shop/item/7' })
    const known = Object.entries(named).filter(([, value]) => !Number.isNaN(value))
    expect(Object.fromEntries(known)).toEqual({
      ...{ 'is html': 1, 'is txt': 0, 'is other': 0, depth: 2 },
      ...{ 'is .com': 0, 'is .edu': 0, 'is .gov': 0, 'is .org': 0, 'is .net': 0, 'is .mil': 0 },
    })
    // No cycle yet is not the same as no change yet.
    expect(featuresByName({ url: 'a', history: { bits: 0, cycles: 0 } })['change frequency']).toBeNaN()
    expect(featuresByName({ url: 'a', history: { bits: 0, cycles: 1 } })['change frequency']).toBe(0)
  })

  it.each([
    ['http://a.com', 0, 'html', '.com'],
    ['http://a.com/', 1, 'html', '.com'],
    ['https://user@A.GOV:443/x.TXT', 1, 'txt', '.gov'],
    ['https://a.org./x/y.pdf', 2, 'other', '.org'],
    ['http://127.0.0.1/a.b/c', 2, 'html', undefined],
    ['a.net/x.md', 1, 'txt', '.net'],
  ])('take depth, type and domain from %s', (url, depth, type, domain) => {
    const named = featuresByName({ url })
    expect(named.depth).toBe(depth)
    expect(Object.keys(named).filter((name) => /^is [a-z]/.test(name) && named[name] === 1)).toEqual([`is ${type}`])
    const domains = Object.keys(named).filter((name) => name.startsWith('is .') && named[name] === 1)
    expect(domains).toEqual(domain === undefined ? [] : [`is ${domain}`])
  })

  it('tell by the words how similar two versions are', () => {
    const similarity = (text: string, before: string) =>
      featuresByName({ url: 'a', text, before: { text: before } })['similarity to the version before']
    expect(similarity('one two', 'Two, one!')).toBeCloseTo(1, 12)
    expect(similarity('one two', 'three')).toBe(0)
    expect(similarity('one one two', 'one')).toBeCloseTo(2 / Math.sqrt(5), 12)
    expect(similarity('', '')).toBe(1)
    expect(similarity('', 'one')).toBe(0)
  })

  it('weight the cycles as told', () => {
    const { features } = learnFeatures([FULL], { seed: 1, weighting: 'sad' })
    expect(features.at(-1)).toBe(0)
  })

  it('say how far words are from the largest groups', () => {
    withSeed('word features', (seed) => {
      const random = new SeededRandom(seed)
      const topics = ['alpha beta gamma', 'delta epsilon zeta', 'eta theta iota'].map((words) => words.split(' '))
      const pages = [30, 20, 10].flatMap((count, topic) =>
        Array.from({ length: count }, (_, at) => ({
          url: `https://host/${topic}/${at}`,
          text: `the and ${random.shuffle([...topics[topic]!, ...topics[topic]!]).join(' ')}`,
        })),
      )
      const { features, space, contentClusters } = learnFeatures([...pages, { url: 'x' }], { seed, clusters: 3 })
      // The page without a text is a cluster apart, so two are left for three topics.
      expect(contentClusters.at(-1)).toBe(-1)
      const words = [...features.subarray(-PAGE_FEATURES, -PAGE_FEATURES + WORD_FEATURES)]
      expect(words.filter((feature) => !Number.isNaN(feature))).toEqual([])
      const learnt = learnFeatures(pages, { seed, clusters: 3 })
      const row = (page: number) => [...learnt.features.subarray(page * PAGE_FEATURES, page * PAGE_FEATURES + 3)]
      expect([row(0)[0], row(30)[1], row(50)[2]]).toEqual([0, 0, 0])
      for (const page of [0, 30, 50]) expect(row(page).toSorted()).toEqual([0, expect.any(Number), expect.any(Number)])
      expect(learnt.features[3]).toBeNaN()
      expect(space.content.words).not.toContain('the')
      for (const [page, facts] of pages.entries()) {
        const alone = featuresOf(learnt.space, facts)
        expect([...alone.subarray(0, WORD_FEATURES)]).toEqual([
          ...learnt.features.subarray(page * PAGE_FEATURES, page * PAGE_FEATURES + WORD_FEATURES),
        ])
      }
    })
  })

  it('rank distances as a brute force over the centroids does', () => {
    withSeed('rank distances', (seed) => {
      const random = new SeededRandom(seed)
      const words = Array.from({ length: 40 }, (_, at) => `w${at}`)
      const pages = Array.from({ length: 200 }, (_, at) => {
        const topic = random.int(14)
        return {
          url: `p${at}`,
          text: Array.from({ length: 12 }, () => words[(topic * 3 + random.int(6)) % 40]).join(' '),
        }
      })
      const { space, features, contentClusters } = learnFeatures(pages, { seed, clusters: 13 })
      const { centroids, width, clusters } = space.content
      expect(clusters).toBe(13)
      const product = (a: number, b: number) =>
        Array.from({ length: width }, (_, at) => centroids[a * width + at]! * centroids[b * width + at]!).reduce(
          (sum, value) => sum + value,
        )
      pages.forEach((_, page) => {
        const own = contentClusters[page]!
        for (let landmark = 0; landmark < WORD_FEATURES; landmark++) {
          const nearer = Array.from({ length: clusters }, (_, other) => other).filter(
            (other) =>
              other !== landmark &&
              (product(other, landmark) > product(own, landmark) ||
                (product(other, landmark) === product(own, landmark) && other < own)),
          )
          const rank = own === landmark ? 0 : nearer.length + 1
          expect(features[page * PAGE_FEATURES + landmark]).toBe(rank)
        }
      })
    })
  })

  it('can be made of no page at all', () => {
    expect(learnFeatures([], { seed: 1 }).features.length).toBe(0)
  })

  it('refuse wrong arguments by name', () => {
    expect(() => learnFeatures([FULL], { seed: 1, topWords: 0 })).toThrow(/topWords must be an integer of at least 1/)
    expect(() => learnFeatures([FULL], { seed: 1.5 })).toThrow(/seed must be an integer/)
    expect(() => featuresByName({ url: 'a', history: { bits: 1, cycles: 40 } })).toThrow(/cycles must be an integer/)
  })
})

describe('scaled features', () => {
  it('have mean 0 and deviation 1 before they get norm 1, and ignore what is not known', () => {
    withSeed('scale', (seed) => {
      const random = new SeededRandom(seed)
      const pages = 50
      const features = Float64Array.from({ length: pages * PAGE_FEATURES }, (_, at) => {
        const column = at % PAGE_FEATURES
        if (column === 3) return 0.1
        if (column === 4 || random.chance(0.2)) return Number.NaN
        return column * 10 + 10 ** (column % 6) * random.next()
      })
      const { vectors, width } = scaleFeatures(features, learnScale(features))
      expect(width).toBe(PAGE_FEATURES)
      const rows = Array.from({ length: pages }, (_, page) => [...features.subarray(page * 48, (page + 1) * 48)])
      const expected = rows.map((row) => {
        const scaled = row.map((value, column) => {
          const known = rows.map((other) => other[column]!).filter((other) => !Number.isNaN(other))
          const mean = known.reduce((sum, other) => sum + other, 0) / known.length
          const deviation = Math.sqrt(known.reduce((sum, other) => sum + (other - mean) ** 2, 0) / known.length)
          return Number.isNaN(value) || column === 3 ? 0 : (value - mean) / deviation
        })
        return scaled.map((value) => value / Math.hypot(...scaled))
      })
      expected.flat().forEach((value, at) => {
        expect(vectors[at]).toBeCloseTo(value, 9)
      })
    })
  })

  it('of a group are only those of the group, and can be those of other pages', () => {
    const learnt = learnFeatures([FULL, { ...FULL, url: 'http://b.com/', images: 5, inlinks: 1 }], { seed: 1 })
    const scale = learnScale(learnt.features, 'static')
    const { vectors, width } = scaleFeatures(featuresOf(learnt.space, { ...FULL, images: 4 }), scale)
    expect([width, vectors.length]).toEqual([18, 18])
    expect(vectors[0]).toBeCloseTo(0, 12)
    expect(Math.hypot(...vectors)).toBeCloseTo(1, 12)
  })

  it('of a page that is like the mean are zeros', () => {
    const { features } = learnFeatures([FULL], { seed: 1 })
    expect(scaleFeatures(features, learnScale(features)).vectors.filter((value) => value !== 0)).toHaveLength(0)
    expect(() => learnScale(new Float64Array(47))).toThrow(/features must hold whole rows of 48 numbers/)
  })
})

function featuresByName(page: PageFacts): Record<string, number> {
  const { features } = learnFeatures([page], { seed: 1 })
  return Object.fromEntries(featureNames().map((name, at) => [name, features[at]!]))
}
