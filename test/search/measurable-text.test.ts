import { describe, expect, it } from 'vitest'
import { MAX_ALTERNATIVES, measurableTexts } from '../../src/search/measurable-text.js'
import type { Query, QueryNode } from '../../src/search/query.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const context = { fields: new Set(['title', 'body']), operator: 'and' } as const

/** Whether a page that has these words, and no others, can match. Prefixes, fuzzy words and negations are let pass. */
function canMatch(query: Query, words: ReadonlySet<string>): boolean {
  const node = query as QueryNode
  if ('and' in node) return node.and.every((child) => canMatch(child, words))
  if ('or' in node) return node.or.some((child) => canMatch(child, words))
  return 'word' in node ? words.has(node.word) : true
}

function randomQuery(random: SeededRandom, depth: number): QueryNode {
  const kind = depth === 0 ? 'leaf' : random.pick(['leaf', 'and', 'or', 'not'] as const)
  const children = () => Array.from({ length: random.between(1, 3) }, () => randomQuery(random, depth - 1))
  if (kind === 'and') return { and: children(), boost: 2 }
  if (kind === 'or') return { or: children() }
  if (kind === 'not') return { not: randomQuery(random, depth - 1) }
  const word = random.pick(['a', 'b', 'c', 'd'])
  return random.chance(0.2) ? { prefix: word } : { word, field: 'title' }
}

describe('the measurable part of a query', () => {
  it('says for every page what the query says, as far as words that must occur go', () => {
    withSeed('measurable part', (seed) => {
      const random = new SeededRandom(seed)
      const pages = Array.from(
        { length: 16 },
        (_, bits) => new Set(['a', 'b', 'c', 'd'].filter((_, at) => bits & (1 << at))),
      )
      let compared = 0
      for (let round = 0; round < 2000; round++) {
        const query = randomQuery(random, 3)
        const texts = measurableTexts(query, context)
        if (texts.length >= MAX_ALTERNATIVES) continue
        const isOpen = canMatch(query, new Set())
        for (const page of pages) {
          const isAnswer = isOpen || texts.some((text) => text.split(' ').every((word) => page.has(word)))
          expect([query, [...page], isAnswer]).toEqual([query, [...page], canMatch(query, page)])
        }
        compared++
      }
      expect(compared).toBeGreaterThan(1000)
    })
  })

  it('is of bounded size, however the query multiplies', () => {
    const group = { or: Array.from({ length: 30 }, (_, nth) => ({ word: `w${nth}` })) }
    expect(measurableTexts({ and: Array.from({ length: 30 }, () => group) }, context)).toHaveLength(MAX_ALTERNATIVES)
    let deep: QueryNode = { word: 'deep' }
    for (let level = 0; level < 10_000; level++) deep = { and: [deep] }
    expect(measurableTexts(deep, context)).toEqual([])
  })

  it('reads text in the syntax of the search', () => {
    expect(measurableTexts('title:ferry boat^2 -market "day trip" har*', context)).toEqual(['ferry boat day trip'])
    expect(measurableTexts('ferry boat', { ...context, operator: 'or' })).toEqual(['ferry', 'boat'])
    expect(measurableTexts('har* -market', context)).toEqual([])
  })
})
