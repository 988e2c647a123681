/** Words and n-grams of pages, and the index over them against every page one by one. */
import { describe, expect, it } from 'vitest'
import { NgramIndex } from '../../../src/frontier/impact/ngram-index.js'
import {
  anchorNgrams,
  MAX_ANCHORS,
  MAX_TEXT_WORDS,
  matchesNeeded,
  matchShare,
  type Ngrams,
  ngramsOf,
  pageNgrams,
  queryNgrams,
  textWords,
  urlNgrams,
  urlText,
} from '../../../src/frontier/impact/ngrams.js'
import { rounds } from '../../support/rounds.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import impact from './vectors/search-impact.json' with { type: 'json' }

const urlWords = (url: string) => textWords(urlText(url))

describe('the words of a URL', () => {
  it('are those of host, path and query, decoded', () => {
    expect(urlWords('http://www.silverscape.com/index.cfm/Strategy/Product_Positioning')).toEqual([
      ...['silverscape', 'com', 'index', 'cfm', 'strategy', 'product', 'positioning'],
    ])
    expect(urlWords('https://anna:secret@example.org:8080/caf%C3%A9?q=old+town&page=2#top')).toEqual([
      ...['example', 'org', 'café', 'q', 'old', 'town', 'page', '2'],
    ])
    expect(urlWords('//example.org:80')).toEqual(['example', 'org'])
    expect(urlWords('HTTP://Example.ORG/A?x=a@b:8/c')).toEqual(['example', 'org', 'a', 'x', 'a', 'b', '8', 'c'])
  })

  it('are those of any text that is no URL, and bad escapes stay', () => {
    expect(urlWords('docs/setup:1#end')).toEqual(['docs', 'setup', '1'])
    expect(urlWords('http://a.b/%zz%ff%41')).toEqual(['a', 'b', 'zz', 'ff', '41'])
    expect(urlWords('')).toEqual([])
    expect(urlWords('http://')).toEqual([])
  })

  it('are the same for composed and decomposed letters', () => {
    expect(textWords('Cafe\u0301')).toEqual(textWords('CAFÉ'))
  })
})

describe('n-grams', () => {
  it('are distinct, and those of up to three words', () => {
    expect(queryNgrams('a b c d')).toHaveLength(4 + 3 + 2)
    expect(queryNgrams('a a a a')).toHaveLength(3)
    expect(queryNgrams('a b', { maxWords: 1 })).toEqual(queryNgrams('b a', { maxWords: 1 }))
    expect(queryNgrams('a b')).not.toEqual(queryNgrams('b a'))
    expect(queryNgrams('...')).toHaveLength(0)
  })

  it('are ascending integers below 2^53 that no two of 200,000 words share', () => {
    const words = Array.from({ length: 200_000 }, (_, at) => [`w${at}`])
    const ngrams = ngramsOf(words)
    expect(ngrams).toHaveLength(words.length)
    expect(ngrams.filter((ngram) => !Number.isSafeInteger(ngram))).toHaveLength(0)
    expect(ngrams.filter((ngram, at) => at > 0 && !(ngram > ngrams[at - 1]!))).toHaveLength(0)
    // The index keeps the first 40 bits: of so many, next to none fall together.
    expect(new Set(ngrams.map((ngram) => Math.floor(ngram / 2 ** 13))).size).toBeGreaterThan(words.length - 4)
  })

  it('do not reach from one anchor into the next, nor from the URL', () => {
    expect(anchorNgrams(['red fox', 'blue sky', '', '--'])).toHaveLength(6)
    const page = pageNgrams('http://red', ['fox'])
    expect(matchShare(queryNgrams('red fox'), page)).toBeCloseTo(2 / 3)
    expect(page).toEqual(ngramsOf([['red'], ['fox']]))
  })

  it('of many anchors and of long ones are those of the first', () => {
    function* endless() {
      for (let nth = 0; ; nth++) yield `anchor ${nth}`
    }
    expect(anchorNgrams(endless())).toHaveLength(1 + 2 * MAX_ANCHORS)
    expect(anchorNgrams(['one', 'two'], { maxAnchors: 0 })).toHaveLength(0)
    const long = Array.from({ length: 1000 }, (_, at) => `word${at}`).join(' ')
    expect(queryNgrams(long, { maxWords: 1 })).toHaveLength(MAX_TEXT_WORDS)
  })

  it('are those of the words of a text, whichever way these are read', () => {
    withSeed('texts for n-grams', (seed) => {
      const random = new SeededRandom(seed)
      const pieces = [
        'www',
        'WWW',
        'wwww',
        'Word',
        'x9',
        '7',
        ' ',
        '-',
        '_',
        '/',
        '.',
        '%20',
        'é',
        'e\u0301',
        '\u0130',
        '字',
        '😀',
        '\ud800',
        '²',
      ]
      for (let round = 0; round < rounds(1_000, 3_000); round++) {
        const text = Array.from({ length: random.int(random.pick([4, 30, 200])) }, () => random.pick(pieces)).join('')
        const ascii = text.replace(/[^\0-\x7f]/g, ' ')
        for (const each of [text, ascii]) expect(queryNgrams(each)).toEqual(ngramsOf([textWords(each)]))
        const other = random.pick(pieces)
        expect(pageNgrams(text, [ascii, other])).toEqual(ngramsOf([urlText(text), ascii, other].map(textWords)))
      }
    })
  })

  it('come from other words where told', () => {
    const words = (text: string) => text.split('-')
    expect(queryNgrams('a-b', { words })).toEqual(queryNgrams('a b'))
    expect(urlNgrams('http://a-b', { words })).toEqual(queryNgrams('a b'))
    expect(pageNgrams('http://a-b', ['c-d'], { words })).toEqual(ngramsOf([words('a-b'), words('c-d')]))
  })

  it('match as in the reference', () => {
    const { query, queryNgrams: names, pageText, fraction } = impact.matching
    const ngrams = queryNgrams(query, { maxWords: impact.matching.g })
    expect(ngrams).toEqual(ngramsOf(names.flatMap((name) => [name.split(' ')])))
    expect(matchShare(ngrams, queryNgrams(pageText))).toBe(fraction)
    expect(matchShare(queryNgrams('product range'), queryNgrams(pageText))).toBeCloseTo(1 / 3)
    expect(matchShare(queryNgrams(''), queryNgrams(pageText))).toBe(0)
  })

  it('are needed to the share that was asked for', () => {
    expect([1, 0.7, 0.1, 0].map((rho) => matchesNeeded(10, rho))).toEqual([10, 7, 1, 1])
    expect(matchesNeeded(3, 2 / 3)).toBe(2)
    expect(() => matchesNeeded(3, 1.1)).toThrow(/rho must be a finite number from 0 to 1, received 1.1/)
  })
})

describe('the index of n-grams', () => {
  it('finds the pages that a look at each one finds, while pages come and go', () => {
    withSeed('n-gram index', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < rounds(2, 6); round++) checkRandomIndex(random.fork(`${round}`))
    })
  })

  it('keeps what a page has when it gets more, and counts an n-gram once', () => {
    const index = new NgramIndex()
    index.add(5, queryNgrams('red'))
    expect(index.matching(queryNgrams('red fox'), 0.3)).toEqual(Uint32Array.of(5))
    index.add(5, queryNgrams('red'))
    index.compact()
    index.add(5, queryNgrams('red'))
    // One of three n-grams, however often it was given.
    expect(index.matching(queryNgrams('red fox'), 0.6)).toHaveLength(0)
    index.add(5, queryNgrams('red fox'))
    expect(index.matching(queryNgrams('red fox'))).toEqual(Uint32Array.of(5))
    expect(index.size).toBe(1)
  })

  it('forgets a page and takes it back with other n-grams', () => {
    const index = new NgramIndex()
    index.add(0, queryNgrams('red'))
    expect(index.remove(0)).toBe(true)
    expect(index.remove(0)).toBe(false)
    index.add(0, queryNgrams('blue'))
    expect(index.matching(queryNgrams('red'))).toHaveLength(0)
    expect(index.matching(queryNgrams('blue'))).toEqual(Uint32Array.of(0))
    index.remove(0)
    index.compact()
    expect(index.matching(queryNgrams('blue'))).toHaveLength(0)
    expect([index.size, index.has(0), index.has(77)]).toEqual([0, false, false])
  })

  it('holds pages without n-grams, finds nothing for queries without, and refuses pages that are none', () => {
    const index = new NgramIndex()
    index.add(3, new Float64Array())
    expect([index.size, index.has(3)]).toEqual([1, true])
    expect(index.matching(new Float64Array(), 0)).toHaveLength(0)
    expect(() => index.add(-1, new Float64Array())).toThrow(/page must be an integer from 0/)
    expect(() => index.add(1.5, new Float64Array())).toThrow(RangeError)
  })

  it('merges long runs in steps only, and then finds the same in less memory', () => {
    const index = new NgramIndex()
    for (let page = 0; page < 20_000; page++)
      index.add(page, pageNgrams(`http://host.org/part${page % 99}/item-${page}`, []))
    const query = queryNgrams('part7')
    const found = index.matching(query)
    expect(found.length).toBeGreaterThan(200)
    const before = index.memoryBytes
    let steps = 0
    for (const _ of index.merging()) steps++
    expect(steps).toBeGreaterThan(60)
    expect(index.memoryBytes).toBeLessThan(before)
    expect(index.matching(query)).toEqual(found)
    expect([...index.merging()]).toEqual([])
  })

  it('sorts and merges short runs in steps, too', () => {
    const index = new NgramIndex()
    const stepsAfter = (first: number) => {
      for (let page = first; page < first + 500; page++) index.add(page, pageNgrams(`http://host.org/item-${page}`, []))
      return [...index.merging()].length
    }
    const sorting = stepsAfter(0)
    // Another run as long as the first is merged with it, in as many steps.
    expect(stepsAfter(500)).toBeGreaterThan(1.5 * sorting)
    expect([...index.merging()]).toEqual([])
    expect(index.matching(queryNgrams('item'))).toHaveLength(1000)
  })

  it('takes less than 8 bytes for each pair of a page and an n-gram, and less again when pages go', () => {
    const index = new NgramIndex()
    const pages = 30_000
    for (let page = 0; page < pages; page++) {
      index.add(page, pageNgrams(`http://host${page % 100}.org/part${page % 999}/item-${page}`, []))
    }
    index.compact()
    const before = index.memoryBytes
    // Five words make twelve n-grams.
    expect(before / pages).toBeLessThan(12 * 8 + 20)
    for (let page = 0; page < pages; page += 2) index.remove(page)
    // Clearing away takes steps, and removing does not wait for it.
    expect([...index.merging()].length).toBeGreaterThan(10)
    expect(index.memoryBytes).toBeLessThan(before * 0.7)
    expect(index.matching(queryNgrams('item-1'))).toEqual(Uint32Array.of(1))
    expect([...index.merging()]).toEqual([])
  })
})

function checkRandomIndex(random: SeededRandom): void {
  const vocabulary = random.between(3, 60)
  const text = (mostWords: number) =>
    Array.from({ length: random.between(0, mostWords) }, () => `w${random.int(random.between(1, vocabulary))}`).join(
      ' ',
    )
  const index = new NgramIndex()
  const pages = new Map<number, Set<number>>()
  let merging = index.merging()
  for (let step = 0; step < 8000; step++) {
    // Merged little by little, while pages come and go.
    if (random.chance(0.2) && merging.next().done) merging = index.merging()
    const page = random.int(3000)
    if (random.chance(0.3)) {
      expect(index.remove(page)).toBe(pages.delete(page))
    } else {
      const ngrams = queryNgrams(text(8))
      index.add(page, ngrams)
      pages.set(page, new Set([...(pages.get(page) ?? []), ...ngrams]))
    }
    if (random.chance(0.0005)) index.compact()
    if (random.chance(0.01)) checkMatching(index, pages, queryNgrams(text(5)), random.pick([1, 1, 0.8, 0.5, 0.2, 0]))
  }
  for (const page of pages.keys()) {
    index.remove(page)
    pages.delete(page)
    if (random.chance(0.02)) checkMatching(index, pages, queryNgrams(text(3)), random.pick([1, 0.5]))
  }
  expect(index.size).toBe(0)
}

function checkMatching(index: NgramIndex, pages: Map<number, Set<number>>, query: Ngrams, rho: number): void {
  const found: number[] = []
  for (const [page, ngrams] of pages) {
    const share = query.filter((ngram) => ngrams.has(ngram)).length / query.length
    if (share > 0 && share >= rho - 1e-9) found.push(page)
  }
  expect([...index.matching(query, rho)]).toEqual(found.sort((a, b) => a - b))
  expect(index.size).toBe(pages.size)
}
