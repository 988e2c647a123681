/** Text that no one expects: what becomes of it is defined, and it never fails. */
import { Freshdex } from 'freshdex'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

interface Row {
  id: number
  body: string
}

let index: Freshdex<Row>

beforeEach(async () => {
  await index?.close()
  index = await Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} } })
})

afterAll(() => index.close())

async function put(...bodies: string[]) {
  return index.write({ put: bodies.map((body, nth) => ({ id: nth + 1, body })) })
}

function found(query: string): (string | number)[] {
  return index
    .search(query)
    .hits.map(({ key }) => key)
    .sort()
}

describe('characters', () => {
  test('a lone surrogate parts words and comes back as U+FFFD', async () => {
    await put('left\ud800right', 'low\udc00high', '\ud83c\udf0a')
    expect(found('left')).toEqual([1])
    expect(found('"left right"')).toEqual([1])
    expect(found('leftright')).toEqual([])
    expect(found('low high')).toEqual([2])
    expect(index.get(1)?.body).toBe('left\ufffdright')
  })

  test('a lone surrogate in a query parts words too', async () => {
    await put('left right', 'left')
    expect(index.search({ word: 'left\ud800right' }).hits.map(({ key }) => key)).toEqual([1])
    expect(found('left\udc00')).toHaveLength(2)
  })

  test.each([
    ['NUL', '\0'],
    ['a control character', '\u0001'],
    ['a line separator', '\u2028'],
    ['a no-break space', '\u00a0'],
    ['an ideographic space', '\u3000'],
    ['an emoji', '🌊'],
  ])('%s parts words', async (_, separator) => {
    await put(`left${separator}right`)
    expect(found('left')).toEqual([1])
    expect(index.search({ phrase: 'left right' }).total).toBe(1)
    expect(index.get(1)?.body).toBe(`left${separator}right`)
  })

  test('a byte order mark before a word does not hide it', async () => {
    await put('\ufefffirst word')
    expect(found('first')).toEqual([1])
    expect(index.get(1)?.body).toBe('\ufefffirst word')
  })

  test('text of separators only has no tokens, is stored, and is a document', async () => {
    await put(' \0\n\t', '')
    expect(index.stats().documents).toBe(2)
    expect(index.search({ not: { word: 'a' } }).total).toBe(2)
    expect(index.get(1)?.body).toBe(' \0\n\t')
  })

  test('letters beyond the basic plane are words', async () => {
    await put('𐐀𐐁 deseret', '𝛼𝛽')
    expect(found('𐐨𐐩')).toEqual([1])
    expect(index.search({ fuzzy: '𝛼𝛾', edits: 1 }).total).toBe(1)
    expect(index.search({ prefix: '𝛼' }).total).toBe(1)
  })

  test('composed and decomposed text are each found as written', async () => {
    await put('caf\u00e9', 'cafe\u0301')
    expect(found('caf\u00e9')).toContain(1)
    expect(found('cafe\u0301')).toContain(2)
    expect((await index.check()).ok).toBe(true)
  })
})

describe('sizes', () => {
  test('a token of 10 MB is cut at 255 bytes and counted', async () => {
    const report = await put(`before ${'x'.repeat(10_000_000)} after`)
    expect(report.truncatedTokens).toBe(1)
    expect(report.tokens.total).toBe(3)
    expect(index.search({ word: 'x'.repeat(255) }).total).toBe(1)
    expect(index.search({ prefix: 'xxx' }).total).toBe(1)
    expect(found('"before after"')).toEqual([])
    expect(found('before after')).toEqual([1])
  })

  test('a token is cut between code points', async () => {
    const report = await put(`a${'ł'.repeat(200)}`)
    expect(report.truncatedTokens).toBe(1)
    expect(index.search({ word: `a${'ł'.repeat(127)}` }).total).toBe(1)
  })

  test('a token of 255 bytes is whole', async () => {
    expect((await put('y'.repeat(255))).truncatedTokens).toBe(0)
    expect(index.search({ word: 'y'.repeat(254) }).total).toBe(0)
  })

  test('a million distinct terms in one document', async () => {
    const words = Array.from({ length: 1_000_000 }, (_, nth) => `t${nth.toString(36)}`)
    const report = await put(words.join(' '))
    expect(report.tokens.total).toBe(1_000_000)
    expect(report.newTerms).toBe(1_000_000)
    expect(found(words[999_999] as string)).toEqual([1])
    expect(index.search({ phrase: words.slice(500_000, 500_004).join(' ') }).total).toBe(1)
    expect(index.search({ prefix: 't' })).toMatchObject({ total: 1, truncated: true })
    expect((await index.check()).ok).toBe(true)
  })

  test('a word that occurs more often than 65,535 times counts as 65,535', async () => {
    await put('again '.repeat(70_000), 'again '.repeat(65_535), 'again')
    const hits = index.search('again', { explain: true }).hits
    const tfs = new Map(hits.map(({ key, explain }) => [key, explain?.terms[0]?.tf]))
    expect(tfs).toEqual(
      new Map([
        [1, 65_535],
        [2, 65_535],
        [3, 1],
      ]),
    )
    expect((await index.check()).ok).toBe(true)
  })

  test('a saturated word comes back to what it is when most of it is taken away', async () => {
    await put('again '.repeat(70_000))
    await put('again '.repeat(66_000))
    await put('again again')
    expect(index.search('again', { explain: true }).hits[0]?.explain?.terms[0]?.tf).toBe(2)
    expect((await index.check()).ok).toBe(true)
  })
})
