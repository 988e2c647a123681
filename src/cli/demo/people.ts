/**
 * The people who search the invented site. Each query is made of words of one page, so that somebody looks for that
 * page. Some queries are asked very often and most seldom: the query of rank r is asked in proportion to r^-0.8.
 */
import type { AskedQuery } from '../../lab/worlds/generated-text.js'
import { Randomness, streamSeed } from '../../lab/worlds/randomness.js'
import type { DemoSite } from './site.js'

const ZIPF_EXPONENT = 0.8
/** How many queries have one word, two words and so on, as people type them. */
const LENGTH_SHARES = [0.2, 0.35, 0.3, 0.15]

export interface PeopleOptions {
  readonly seed: number
  /** Different queries. */
  readonly queries: number
  readonly searchesPerWeek: number
}

/** What people ask in each week: a draw from all queries, the most frequent of that week first. */
export function askedByWeek(site: DemoSite, weeks: number, options: PeopleOptions): AskedQuery[][] {
  const { seed, queries, searchesPerWeek } = options
  const random = new Randomness(streamSeed(seed, 'people', 0))
  const target = cumulative(site.appeal)
  const texts = Array.from({ length: queries }, () => queryFor(site.start[drawn(target, random)]!, random))
  const byRank = cumulative(texts.map((_, at) => (at + 1) ** -ZIPF_EXPONENT))
  return Array.from({ length: weeks }, () => {
    const counts = new Map<string, number>()
    for (let search = 0; search < searchesPerWeek; search++) {
      const query = texts[drawn(byRank, random)]!
      counts.set(query, (counts.get(query) ?? 0) + 1)
    }
    const asked = Array.from(counts, ([query, count]) => ({ query, count }))
    return asked.sort((a, b) => b.count - a.count || (a.query < b.query ? -1 : 1))
  })
}

/** Words of the title and of the first sentence, such as `kalen ferry`. */
function queryFor({ title, text }: { readonly title: string; readonly text: string }, random: Randomness): string {
  const length = 1 + drawn(cumulative(LENGTH_SHARES), random)
  const [, adjective = '', noun = ''] = text.toLowerCase().split(' ', 3)
  const words = [...title.toLowerCase().split(/[: ]+/), noun, adjective]
  const chosen = new Set<string>()
  while (chosen.size < Math.min(length, new Set(words).size)) chosen.add(random.pickEarly(words))
  return [...chosen].join(' ')
}

function cumulative(weights: readonly number[]): Float64Array {
  let sum = 0
  return Float64Array.from(weights, (weight) => (sum += weight))
}

/** A place, by its weight. */
function drawn(sums: Float64Array, random: Randomness): number {
  const point = random.next() * sums.at(-1)!
  const at = sums.findIndex((sum) => point < sum)
  return at === -1 ? sums.length - 1 : at
}
