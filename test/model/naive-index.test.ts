/** The twin is the judge of the engine, so its own arithmetic is checked by hand here. */
import { describe, expect, test } from 'vitest'
import { standardTokens } from './configurations.js'
import { type NaiveConfig, NaiveIndex } from './naive-index.js'
import type { NaiveQuery } from './naive-matcher.js'
import { decodeLength, editDistance, encodeLength } from './naive-scoring.js'

const STOP_WORDS = new Set(['the', 'of'])

const config: NaiveConfig = {
  key: 'id',
  fields: [
    { name: 'title', boost: 2 },
    { name: 'body', boost: 1 },
  ],
  scoring: { model: 'bm25', k1: 1.2, b: 0.75 },
  analyze: (text) => standardTokens(text).map((token) => (STOP_WORDS.has(token) ? null : token)),
  normalize: (word) => word.toLowerCase(),
}

function twinOf(overrides: Partial<NaiveConfig> = {}): NaiveIndex {
  const twin = new NaiveIndex({ ...config, ...overrides })
  twin.put({ id: 1, title: 'Red fox', body: 'the red fox of the north', weight: 3 })
  twin.put({ id: 2, title: 'Blue', body: ['red red red', 'box'] })
  twin.put({ id: 3, title: null, body: 'fox of red' })
  twin.put({ id: 4 })
  return twin
}

function keysOf(query: NaiveQuery, fields?: string[]) {
  return [...twinOf().search(query, fields).scores.keys()]
}

describe('length norms', () => {
  test('are exact below 40 and lose at most an eighth above', () => {
    for (let length = 0; length < 200_000; length++) {
      const read = decodeLength(encodeLength(length))
      if (length < 40) expect(read).toBe(length)
      else if (read > length || read < length - (length - 24) / 8) expect.fail(`${length} reads ${read}`)
    }
  })

  test('fit one byte for any length of 32 bits', () => {
    expect(encodeLength(2 ** 31 - 1)).toBeLessThan(256)
  })
})

describe('edit distance', () => {
  test.each([
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
    ['łódź', 'lodz', 3],
    ['a🌊b', 'ab', 1],
    ['same', 'same', 0],
    ['netwrok', 'network', 1],
    ['ca', 'abc', 3],
  ])('%s to %s is %i', (left, right, distance) => {
    expect(editDistance([...left], [...right])).toBe(distance)
  })
})

describe('matching', () => {
  test.each<[string, NaiveQuery, number[]]>([
    ['a word in any field', { word: 'RED' }, [1, 2, 3]],
    ['a word in one field', { word: 'red', field: 'title' }, [1]],
    ['all tokens of a word, each in some field', { word: 'blue,box' }, [2]],
    ['a phrase', { phrase: 'red fox' }, [1]],
    ['a phrase over a hole', { phrase: 'fox the red' }, [3]],
    ['a hole in a phrase stands for any one token', { phrase: 'red the red' }, [2]],
    ['a phrase of one token', { phrase: 'the fox' }, [1, 3]],
    ['a prefix', { prefix: 'BO' }, [2]],
    ['one edit', { fuzzy: 'fux' }, [1, 3]],
    ['the first code point does not change', { fuzzy: 'box' }, [2]],
    ['two edits', { fuzzy: 'fuxe', edits: 2 }, [1, 3]],
    ['as many edits as code points weigh nothing', { fuzzy: 'fo', edits: 2 }, [1, 3]],
    ['an edit of a single letter', { fuzzy: 'f', edits: 2 }, []],
    ['and', { and: [{ word: 'fox' }, { word: 'north' }] }, [1]],
    ['or', { or: [{ word: 'box' }, { word: 'north' }] }, [1, 2]],
    ['not', { not: { word: 'fox' } }, [2, 4]],
    ['what vanishes is not there', { and: [{ word: 'the' }, { not: { phrase: 'of the' } }, { word: 'box' }] }, [2]],
    ['a query that vanishes', { or: [{ not: { word: 'the' } }] }, []],
    ['a prefix of a stop word does not vanish', { and: [{ prefix: 'the' }, { word: 'fox' }] }, []],
  ])('%s', (_, query, keys) => {
    expect(keysOf(query)).toEqual(keys)
  })

  test('the fields of the search hold where the query names none', () => {
    expect(keysOf({ word: 'red' }, ['title'])).toEqual([1])
    expect(keysOf({ word: 'red', field: 'body' }, ['title'])).toEqual([1, 2, 3])
  })
})

describe('scoring', () => {
  test('bm25 of a word in two fields', () => {
    const title = (2 * Math.log(1 + 1.5 / 1.5)) / (1 + 1.2 * (0.25 + (0.75 * 2) / 1.5))
    const body = Math.log(1 + 0.5 / 3.5) / (1 + 1.2 * (0.25 + (0.75 * 3) / 3))
    expect(twinOf().search({ word: 'red' }).scores.get(1)).toBeCloseTo(title + body, 12)
  })

  test('tfidf of a word with a boost', () => {
    const twin = twinOf({ scoring: { model: 'tfidf', k1: 1.2, b: 0.75 } })
    const expected = (3 * (1 + Math.log(4 / 4)) * Math.sqrt(3)) / Math.sqrt(4)
    expect(twin.search({ word: 'red', field: 'body', boost: 3 }).scores.get(2)).toBeCloseTo(expected, 12)
  })

  test('a phrase adds the idf of its tokens and counts its beginnings', () => {
    const idf = 2 * Math.log(1 + 0.5 / 3.5)
    const expected = (idf * 2) / (2 + 1.2 * (0.25 + (0.75 * 4) / 3))
    expect(twinOf().search({ phrase: 'red red', field: 'body' }).scores.get(2)).toBeCloseTo(expected, 12)
  })

  test('a fuzzy expansion counts for less the further it is', () => {
    const tf = 1 - 1 / 3
    const expected = (Math.log(1 + 1.5 / 2.5) * tf) / (tf + 1.2 * (0.25 + (0.75 * 2) / 3))
    expect(twinOf().search({ fuzzy: 'fux', field: 'body' }).scores.get(3)).toBeCloseTo(expected, 12)
  })

  test('boosts multiply down the tree and a page weight is added once', () => {
    const weight = { property: 'weight', alpha: 0.5, beta: 10 }
    const plain = twinOf().search({ word: 'north' }).scores.get(1) as number
    const weighted = twinOf({ weight }).search({ and: [{ or: [{ word: 'north', boost: 2 }], boost: 3 }] })
    expect(weighted.scores.get(1)).toBeCloseTo(0.5 * 6 * plain + 30, 12)
  })

  test('the largest document frequencies win when expansions are cut', () => {
    const twin = new NaiveIndex(config)
    const rare = Array.from({ length: 1_024 }, (_, nth) => `w${String(nth).padStart(4, '0')}`)
    twin.put({ id: 1, body: rare.join(' ') })
    twin.put({ id: 2, body: 'wzz wzzz' })
    twin.put({ id: 3, body: 'wzz' })
    const cut = twin.search({ prefix: 'w' })
    expect(cut.truncated).toBe(true)
    expect([...cut.scores.keys()]).toEqual([1, 2, 3])
    expect(twin.search({ prefix: 'w0' }).truncated).toBe(false)
  })
})

describe('writing', () => {
  test('says what became of a document', () => {
    const twin = twinOf()
    expect(twin.put({ id: 3, body: 'fox of red', other: 1 })).toBe('unchanged')
    expect(twin.put({ id: 3, body: 'fox of Red' })).toBe('replaced')
    expect(twin.put({ id: '3', body: 'fox of red' })).toBe('added')
    expect(twin.remove(9)).toBe(false)
  })

  test('does not reach a copy', () => {
    const twin = twinOf()
    const copy = twin.copy()
    twin.remove(1)
    expect([...copy.search({ word: 'north' }).scores.keys()]).toEqual([1])
    expect(twin.search({ word: 'north' }).scores.size).toBe(0)
  })
})
