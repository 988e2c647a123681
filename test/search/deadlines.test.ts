/** A deadline holds for all that a search does, and what it leaves out it says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Freshdex, type SearchOptions, type SearchResult } from '../../src/index.js'

interface Page {
  url: string
  body: string
}

const PAGES = 1000

/** Over before anything can be done. */
const NO_TIME = 1e-6

const QUERIES = {
  'prefixes without end': Array(100).fill('t*').join(' OR '),
  'fuzzy words': Array.from({ length: 40 }, (_, at) => `t${at}x~2`).join(' OR '),
  phrases: '"every one" OR "one every"',
  words: 'every one',
  'any word': 'every OR even OR one',
  'what is not there': '-every',
}

const OPTIONS: Record<string, SearchOptions<Page>> = {
  nothing: {},
  'all counted': { countUpTo: Number.POSITIVE_INFINITY },
  explanations: { explain: true },
  snippets: { snippet: true },
  'refresh states': { refresh: true },
  'priority order': { sort: 'priority' },
}

describe('a deadline', () => {
  let index: Freshdex<Page>

  beforeAll(async () => {
    index = await Freshdex.open<Page>(':memory:', { key: 'url', fields: { body: {} } })
    const put = Array.from({ length: PAGES }, (_, at) => {
      return { url: `/${at}`, body: `t${at % 10}x${at} t${at}y every ${at % 2 ? 'odd' : 'even'} and one` }
    })
    await index.write({ put })
  })

  afterAll(() => index.close())

  for (const [name, query] of Object.entries(QUERIES)) {
    for (const [asked, options] of Object.entries(OPTIONS)) {
      it(`ends ${name} with ${asked}`, async () => {
        const given = { ...options, learn: false, deadlineMs: NO_TIME }
        for (const result of [index.search(query, given), await index.searchAsync(query, given)]) {
          expect(result.partial).toBe(true)
          expect(result.isTotalExact).toBe(false)
          for (const hit of result.hits) {
            expect(hit.snippet).toBeUndefined()
            expect(hit.explain).toBeUndefined()
          }
        }
      })

      it(`does not end ${name} with ${asked} when there is time`, () => {
        const whole = index.search(query, { ...options, learn: false })
        const inTime = index.search(query, { ...options, learn: false, deadlineMs: 1e6 })
        expect(plain(inTime)).toEqual(plain(whole))
        expect(inTime.partial).toBe(false)
      })
    }
  }

  it('ends suggestions of every kind, and is not remembered', () => {
    const own = { field: 'body' } as const
    for (const text of ['t', 'ev', 'every o', 'evry']) {
      for (const kinds of [['word'], ['title'], ['word', 'title']] as const) {
        const all = index.suggest(`${text} `.trim(), { ...own, kinds, deadlineMs: 1e6 })
        expect(index.suggest(text, { ...own, kinds, deadlineMs: NO_TIME, limit: 7 })).toEqual([])
        expect(index.suggest(text, { ...own, kinds, limit: 7 })).toEqual(all.slice(0, 7))
      }
    }
  })

  it('ends a search for similar documents', () => {
    expect(index.similar('/7', { deadlineMs: NO_TIME, snippet: true }).partial).toBe(true)
    expect(index.similar('/7', { deadlineMs: 1e6, snippet: true }).partial).toBe(false)
  })
})

/** Refresh states move with the clock. */
function plain(result: SearchResult<Page>): unknown {
  const { hits, ...rest } = structuredClone({ ...result, hits: result.hits.map((hit) => ({ ...hit })) })
  return { ...rest, hits: hits.map(({ refresh, ...hit }) => hit) }
}
