import { describe, expect, it } from 'vitest'
import { inventedPages } from '../../../src/cli/bench/pages.js'
import { drawQuestions, KINDS } from '../../../src/cli/bench/questions.js'

describe('questions', () => {
  const { pages } = inventedPages(300, 2)
  const texts = pages.map(
    ({ texts }) =>
      ` ${texts
        .join(' ')
        .toLowerCase()
        .match(/\p{L}+/gu)!
        .join(' ')} `,
  )

  it('follow from the seed, so many of each kind', () => {
    const questions = drawQuestions(pages, 50, 4)
    expect(drawQuestions(pages, 50, 4)).toEqual(questions)
    for (const kind of KINDS) expect(questions.filter((question) => question.kind === kind)).toHaveLength(50)
  })

  it('ask for words that a page has, phrases as they stand there, and no word of most pages', () => {
    for (const { kind, words } of drawQuestions(pages, 60, 11)) {
      const parts = kind === 'phrase' ? [words.join(' ')] : words
      expect(texts.some((text) => parts.every((part) => text.includes(` ${part} `)))).toBe(true)
      for (const word of words) {
        const share = texts.filter((text) => text.includes(` ${word} `)).length / texts.length
        expect(share).toBeLessThanOrEqual(0.25)
      }
    }
  })

  it('are fewer where the pages have not enough words', () => {
    expect(drawQuestions([{ key: 'a', texts: ['ferry'] }], 5, 1).filter(({ kind }) => kind !== 'word')).toEqual([])
  })
})
