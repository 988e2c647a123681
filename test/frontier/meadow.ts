/** A small index about flowers, a workload, and pages that it has not fetched; in memory or in a folder. */
import { type FoundPage, Freshdex, type OpenOptions } from 'freshdex'
import type { SeededRandom } from '../support/seed.js'

export interface Page {
  url: string
  title: string
  body: string
}

export const OPTIONS: OpenOptions<Page> = {
  key: 'url',
  fields: { title: { boost: 2 }, body: {} },
  workload: { learn: false, halfLifeMs: Number.POSITIVE_INFINITY },
}

export const DAY_MS = 86_400_000
export const START = Date.UTC(2025, 0, 1)
/** The stemmer leaves them as they are. */
export const WORDS = ['moss', 'fern', 'clover', 'thistl', 'heather', 'gors', 'bracken', 'sorrel', 'yarrow', 'vetch']

export function wordsFrom(random: SeededRandom, most: number): string[] {
  return Array.from({ length: random.between(1, most) }, () => random.pick(WORDS))
}

export function documents(random: SeededRandom, count: number): Page[] {
  return Array.from({ length: count }, (_, nth) => ({
    url: `https://old${nth % 3}.example/${nth}`,
    title: wordsFrom(random, 2).join(' '),
    body: wordsFrom(random, 12).join(' '),
  }))
}

export function queries(random: SeededRandom, count: number): [string, number][] {
  const texts = new Set(Array.from({ length: count }, () => [...new Set(wordsFrom(random, 3))].join(' ')))
  return Array.from(texts, (text) => [text, random.between(1, 20)])
}

/** URLs of words, anchors of words. */
export function foundPages(random: SeededRandom, count: number): FoundPage[] {
  return Array.from({ length: count }, (_, nth) => ({
    url: `https://new${random.int(4)}.example/${wordsFrom(random, 3).join('-')}/${nth}`,
    anchors: Array.from({ length: random.int(4) }, () => wordsFrom(random, 4).join(' ')),
    inlinks: random.int(50),
  }))
}

export async function openMeadow(
  path: ':memory:' | (string & {}),
  random: SeededRandom,
  sizes = { pages: 60, queries: 40, found: 80 },
) {
  const index = await Freshdex.open<Page>(path, OPTIONS)
  await index.write({ put: documents(random, sizes.pages) }, { at: START })
  await index.workload.load(queries(random, sizes.queries), { at: START })
  const found = foundPages(random, sizes.found)
  await index.frontier.add(found, { at: START })
  return { index, found }
}

/** What can be seen of a frontier. */
export async function looksOf(index: Freshdex<Page>, at = START + DAY_MS) {
  const next = await index.frontier.next({ budget: 1000, at })
  const { pages, learnt } = index.stats().frontier
  return { size: index.frontier.size, pages, learnt, next }
}
