/** What links do to the answers is that of a brute force over all pages and queries. */
import { Freshdex, type PageLink } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { type BruteQuery, FrozenScores, gainByCurves, gainExactly } from '../refresh/brute-force.js'
import type { Page } from '../refresh/orchard.js'
import { type SeededRandom, seededRandom, withSeed } from '../support/seed.js'

const WORDS = ['apple', 'pear', 'plum', 'quince', 'fig', 'medlar', 'filler', 'other']
const BM25 = { model: 'bm25', k1: 1.2, b: 0.75 } as const
const BETA = 0.25
const QUERIES: readonly BruteQuery[] = [
  { words: ['apple'], weight: 3 },
  { words: ['pear', 'plum'], weight: 2 },
  { words: ['quince', 'fig', 'apple'], weight: 5 },
  { words: ['medlar'], weight: 0.5 },
]

/** The brute force knows pages of a title and a body. Here the body is what links say. */
interface LinkingPage {
  readonly url: string
  readonly title: string
  readonly body?: string
  readonly out: readonly PageLink[]
}

function open(): Promise<Freshdex<LinkingPage>> {
  return Freshdex.open<LinkingPage>(':memory:', {
    key: 'url',
    fields: { title: { boost: 2 }, body: { from: 'out' } },
    scoring: { weight: { from: 'out' }, beta: BETA },
    workload: { learn: false },
  })
}

function words(random: SeededRandom, most: number): string {
  return Array.from({ length: random.int(most + 1) }, () => random.pick(WORDS)).join(' ')
}

function randomPage(random: SeededRandom, nth: number, count: number): LinkingPage {
  const out = Array.from({ length: random.int(6) }, () => ({ to: `page ${random.int(count)}`, text: words(random, 4) }))
  return { url: `page ${nth}`, title: words(random, 12), out }
}

/** As the brute force wants them: with the texts and the number of links. */
function withLinks(pages: readonly LinkingPage[]): Page[] {
  const sources = [...pages].sort((a, b) => (a.url < b.url ? -1 : 1))
  return pages.map(({ url, title }) => {
    const links = sources.flatMap(({ out }) => out.filter(({ to }) => to === url))
    const body = links.flatMap(({ text }) => (text === '' || text === undefined ? [] : [text])).join(' ')
    return { url, title, body, links: links.length }
  })
}

describe('the gains of linked pages', () => {
  it('are those of a brute force', () =>
    withSeed('linked gains', async (seed) => {
      const random = seededRandom('linked gains', seed)
      await using index = await open()
      let pages = Array.from({ length: 40 }, (_, nth) => randomPage(random, nth, 40))
      await index.write({ put: pages })
      await index.workload.load(QUERIES.map(({ words: text, weight }) => [text.join(' '), weight] as const))
      let compared = 0
      for (let round = 0; round < 25; round++) {
        await index.refresh.fit()
        const before = withLinks(pages)
        const scores = new FrozenScores(before, BM25, BETA)
        const nth = random.int(40)
        const removes = random.chance(0.15)
        // The own text stays, so that whatever moves is due to links.
        const title = pages.find(({ url }) => url === `page ${nth}`)?.title
        if (title === undefined) continue
        const changed = { ...randomPage(random, nth, 40), title }
        pages = pages.flatMap((page) => (page.url !== changed.url ? [page] : removes ? [] : [changed]))
        const report = await index.write(removes ? { remove: [changed.url] } : { put: [changed] })
        const after = new Map(withLinks(pages).map((page) => [page.url, page]))
        const expected = new Map<string, number>()
        for (const page of before) {
          const now = after.get(page.url)
          if (now === undefined) continue
          const gain = gainByCurves(before, scores, QUERIES, page, now)
          if (gain > 0) expected.set(page.url, gain)
        }
        expect(report.linked.map(({ key }) => key).sort()).toEqual([...expected.keys()].sort())
        for (const { key, deltaQuality } of report.linked) {
          const gain = expected.get(key as string) as number
          expect(Math.abs(deltaQuality - gain)).toBeLessThanOrEqual(1e-5 * Math.max(1, gain))
          compared++
        }
        expect(report.gains.map(({ key }) => key)).toEqual(removes && report.gains.length > 0 ? [changed.url] : [])
      }
      expect(compared).toBeGreaterThan(20)
    }))

  it('are exact where fewer than four pages answer', () =>
    withSeed('exact linked gains', async (seed) => {
      const random = seededRandom('exact linked gains', seed)
      let compared = 0
      for (let round = 0; round < 30; round++) {
        await using index = await open()
        const pages = Array.from({ length: 3 }, (_, nth) => randomPage(random, nth, 3))
        await index.write({ put: pages })
        await index.workload.load(QUERIES.map(({ words: text, weight }) => [text.join(' '), weight] as const))
        await index.refresh.fit()
        const before = withLinks(pages)
        const scores = new FrozenScores(before, BM25, BETA)
        const first = pages[0] as LinkingPage
        const now = [{ ...randomPage(random, 0, 3), title: first.title }, ...pages.slice(1)]
        const { linked } = await index.write({ put: now.slice(0, 1) })
        const after = withLinks(now)
        for (const [at, page] of before.entries()) {
          const expected = Math.max(0, gainExactly(before, scores, QUERIES, page, after[at]))
          const gain = linked.find(({ key }) => key === page.url)?.deltaQuality ?? 0
          expect(gain).toBeCloseTo(expected, 5)
          if (expected > 0) compared++
        }
      }
      expect(compared).toBeGreaterThan(10)
    }))
})
