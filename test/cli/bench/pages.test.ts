import { describe, expect, it } from 'vitest'
import { inventedPages, pagesOf, textBytes } from '../../../src/cli/bench/pages.js'
import { Workplace } from '../program.js'

describe('invented pages', () => {
  it('follow from the seed', () => {
    expect(inventedPages(20, 7)).toEqual(inventedPages(20, 7))
    expect(inventedPages(20, 8)).not.toEqual(inventedPages(20, 7))
  })

  it('have keys of their own, titles, and texts of very different lengths', () => {
    const { pages, fields } = inventedPages(400, 1)
    expect(fields).toEqual(['title', 'body'])
    expect(new Set(pages.map(({ key }) => key)).size).toBe(400)
    const lengths = pages.map(({ texts }) => texts[1]!.split(/\s+/).length).sort((a, b) => a - b)
    expect(lengths[0]).toBeGreaterThan(0)
    expect(lengths[399]! / lengths[20]!).toBeGreaterThan(8)
  })

  it('have words by Zipf: the fifty most frequent are about half of the text, and many stand once', () => {
    const counts = new Map<string, number>()
    for (const { texts } of inventedPages(400, 1).pages) {
      for (const word of texts[1]!.toLowerCase().match(/[a-z]+/g)!) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    const sorted = [...counts.values()].sort((a, b) => b - a)
    const all = sorted.reduce((sum, count) => sum + count, 0)
    const frequent = sorted.slice(0, 50).reduce((sum, count) => sum + count, 0)
    expect(frequent / all).toBeGreaterThan(0.35)
    expect(frequent / all).toBeLessThan(0.65)
    expect(sorted.filter((count) => count === 1).length / sorted.length).toBeGreaterThan(0.2)
  })
})

describe('pages of a file', () => {
  const read = (documents: readonly unknown[], more: object = {}) => {
    const place = new Workplace()
    const name = place.write('pages.jsonl', documents)
    return pagesOf({ file: place.path(name), name, key: undefined, fields: undefined, most: 100, ...more })
  }

  it('take the usual key and every text of the first document', async () => {
    const { fields, pages } = await read([
      { id: 7, title: 'Ferry', views: 12, text: 'at nine' },
      { id: 8, title: 'Market', text: ['fish', 'bread'] },
    ])
    expect(fields).toEqual(['title', 'text'])
    expect(pages).toEqual([
      { key: '7', texts: ['Ferry', 'at nine'] },
      { key: '8', texts: ['Market', 'fish\nbread'] },
    ])
    expect(textBytes(pages)).toBe(5 + 7 + 6 + 10)
  })

  it('take the key and the fields that they are told, and no more than asked for', async () => {
    const documents = [1, 2, 3].map((number) => ({ url: `/${number}`, name: `n${number}`, a: 'x', b: 'y' }))
    const { fields, pages } = await read(documents, { key: 'name', fields: ['b'], most: 2 })
    expect(fields).toEqual(['b'])
    expect(pages.map(({ key }) => key)).toEqual(['n1', 'n2'])
  })

  it.each([
    ['nothing', [], 'there is no document in pages.jsonl'],
    ['no key', [{ name: 'a', text: 'b' }], 'Say it with --key; there are name, text'],
    ['no text', [{ id: 1, views: 2 }], 'name one with --field'],
    ['empty texts', [{ id: 1, text: '' }], 'has text in text; name others with --field'],
    [
      'a key that comes again',
      [
        { id: 1, text: 'a' },
        { id: 1, text: 'b' },
      ],
      'pages.jsonl: the key 1 has been there before',
    ],
    [
      'a key of another type',
      [
        { id: 1, text: 'a' },
        { id: null, text: 'b' },
      ],
      'must be a string or a number',
    ],
  ])('refuse %s', async (_, documents, message) => {
    await expect(read(documents)).rejects.toThrow(message)
  })
})
