/** What people search for on a generated site: mostly the same places and topics, some of them very often, and the news. */
import type { SitePage } from './generated-site.js'
import { Randomness } from './randomness.js'

export interface AskedQuery {
  readonly query: string
  readonly count: number
}

const STANDING_QUERIES = 60
/** How often the most frequent standing query is asked, and a new event. */
const TOP_COUNT = 100
const EVENT_COUNT = 20

/** Everything follows from the seed, the pages and the events. */
export class GeneratedWorkload {
  readonly #counts = new Map<string, number>()

  constructor(seed: number, pages: readonly SitePage[]) {
    const random = new Randomness(seed)
    for (let rank = 1; rank <= STANDING_QUERIES && pages.length > 0; rank++) {
      this.#count(queryFor(random.pick(pages), random), Math.max(1, Math.round(TOP_COUNT / rank)))
    }
  }

  /** The most frequent first. */
  get queries(): AskedQuery[] {
    const asked = Array.from(this.#counts, ([query, count]) => ({ query, count }))
    return asked.sort((a, b) => b.count - a.count || (a.query < b.query ? -1 : 1))
  }

  /** People have heard of these. Returns what is asked because of it. */
  add(events: readonly string[]): AskedQuery[] {
    for (const event of events) this.#count(event, EVENT_COUNT)
    return events.map((query) => ({ query, count: EVENT_COUNT }))
  }

  #count(query: string, times: number): void {
    this.#counts.set(query, (this.#counts.get(query) ?? 0) + times)
  }
}

/** Titles are 'Place: topic'; people ask for the topic, or for both. */
function queryFor({ title }: SitePage, random: Randomness): string {
  const [place = '', topic = ''] = title.toLowerCase().split(': ')
  return random.chance(0.3) ? topic : `${place} ${topic}`
}
