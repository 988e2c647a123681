/** Sentences about the life of a coast that does not exist: plain words, invented names, endless combinations. */

import { Randomness } from './randomness.js'

export interface Topic {
  readonly name: string
  readonly nouns: readonly string[]
  readonly verbs: readonly string[]
}

export const TOPICS: readonly Topic[] = [
  {
    name: 'ferry timetable',
    nouns: ['ferry', 'crossing', 'deck', 'harbour', 'passenger', 'gangway', 'timetable', 'captain', 'pier', 'ticket'],
    verbs: ['departs before', 'waits for', 'passes', 'returns to', 'carries', 'misses'],
  },
  {
    name: 'fish market',
    nouns: ['herring', 'mackerel', 'auction', 'stall', 'crate', 'price', 'net', 'trawler', 'ice', 'catch'],
    verbs: ['sells out before', 'is weighed beside', 'fills', 'outbids', 'arrives with', 'lies under'],
  },
  {
    name: 'weather station',
    nouns: ['storm', 'barometer', 'gale', 'forecast', 'fog', 'swell', 'tide', 'thermometer', 'cloud', 'warning'],
    verbs: ['moves towards', 'drops below', 'covers', 'is measured at', 'follows', 'fades over'],
  },
  {
    name: 'town library',
    nouns: ['book', 'reader', 'archive', 'map', 'shelf', 'manuscript', 'librarian', 'catalogue', 'loan', 'story'],
    verbs: ['describes', 'is kept beside', 'mentions', 'was copied from', 'names', 'replaces'],
  },
  {
    name: 'lighthouse museum',
    nouns: ['lamp', 'keeper', 'lens', 'tower', 'signal', 'logbook', 'stair', 'foghorn', 'exhibit', 'wreck'],
    verbs: ['overlooks', 'was built after', 'lights', 'recalls', 'stands above', 'belongs to'],
  },
  {
    name: 'rowing club',
    nouns: ['crew', 'oar', 'regatta', 'boathouse', 'coach', 'race', 'medal', 'buoy', 'training', 'team'],
    verbs: ['beats', 'rows past', 'trains near', 'celebrates with', 'repairs', 'challenges'],
  },
  {
    name: 'council minutes',
    nouns: ['council', 'budget', 'bridge', 'permit', 'vote', 'mayor', 'road', 'complaint', 'plan', 'meeting'],
    verbs: ['approves', 'postpones', 'questions', 'pays for', 'amends', 'rejects'],
  },
  {
    name: 'island kitchen',
    nouns: ['soup', 'bread', 'recipe', 'oven', 'seaweed', 'cook', 'table', 'onion', 'supper', 'cellar'],
    verbs: ['is served with', 'simmers beside', 'needs', 'tastes of', 'rests on', 'improves'],
  },
]

const ADJECTIVES = ['old', 'new', 'quiet', 'northern', 'long', 'wooden', 'early', 'public', 'heavy', 'famous', 'narrow']
const MORE_ADJECTIVES = ['salt', 'grey', 'crowded', 'painted', 'borrowed', 'autumn', 'unlit', 'stubborn', 'copper']
const ALL_ADJECTIVES = [...ADJECTIVES, ...MORE_ADJECTIVES]
const TIMES = ['in spring', 'at dawn', 'every winter', 'on market days', 'after the flood', 'without notice', 'by hand']

const EVENT_KINDS = ['lantern', 'herring', 'mast', 'winter', 'bell', 'kelp', 'driftwood', 'moonlight', 'rope', 'gull']
const EVENT_NOUNS = ['festival', 'strike', 'regatta', 'auction', 'blockade', 'parade', 'inquiry', 'jubilee', 'rescue']

const ONSETS = ['v', 't', 'br', 'm', 'k', 'sk', 'l', 'od', 'ar', 'gr', 'h', 'n', 'sel', 'f', 'dr']
const NUCLEI = ['a', 'e', 'o', 'u', 'ei', 'au']
const CODAS = ['l', 'n', 'r', 'sk', 'm', 'rd', 'v', 'st']
const ENDINGS = ['ora', 'en', 'holm', 'wick', 'ey', 'vik', 'a', 'stad', 'ness', 'by']

/** A name that no dictionary has, as a place or a person could be called. */
export function inventName(random: Randomness): string {
  const name = random.pick(ONSETS) + random.pick(NUCLEI) + random.pick(CODAS) + random.pick(ENDINGS)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Two words that people would search for together. */
export function inventEvent(random: Randomness): string {
  return `${random.pick(EVENT_KINDS)} ${random.pick(EVENT_NOUNS)}`
}

export function sentence(random: Randomness, topic: Topic, names: readonly string[]): string {
  const subject = `${random.pickEarly(ALL_ADJECTIVES)} ${random.pickEarly(topic.nouns)}`
  const object = `${random.pickEarly(ALL_ADJECTIVES)} ${random.pickEarly(topic.nouns)}`
  const owner = random.chance(0.5) ? ` of ${random.pickEarly(names)}` : ''
  return `The ${subject}${owner} ${random.pick(topic.verbs)} the ${object}${circumstance(random, names)}.`
}

/** What makes one sentence different from the next: most of it is rare, as names and numbers are. */
function circumstance(random: Randomness, names: readonly string[]): string {
  const draw = random.next()
  if (draw < 0.2) return ` ${random.pick(TIMES)}`
  if (draw < 0.4) return `, says ${random.pick(names)}`
  if (draw < 0.55) return ` since ${random.between(1650, 2020)}`
  if (draw < 0.65) return `, for ${random.between(2, 900)} crowns`
  return ''
}

export function paragraph(random: Randomness, topic: Topic, names: readonly string[]): string {
  return Array.from({ length: random.between(3, 7) }, () => sentence(random, topic, names)).join(' ')
}

/** A query, and how often it was asked. */
export interface AskedQuery {
  readonly query: string
  readonly count: number
}

const STANDING_QUERIES = 60
/** How often the most frequent standing query is asked, and a new event. */
const TOP_COUNT = 100
const EVENT_COUNT = 20

/**
 * What people search for on a generated site: mostly the same places and topics, some of them very often, and the news.
 * Everything follows from the seed, the titles of the pages and the events.
 */
export class GeneratedWorkload {
  readonly #counts = new Map<string, number>()

  constructor(seed: number, pages: readonly TitledPage[]) {
    const random = new Randomness(seed)
    for (let rank = 1; rank <= STANDING_QUERIES && pages.length > 0; rank++) {
      this.#count(queryFor(random.pick(pages), random), Math.max(1, Math.round(TOP_COUNT / rank)))
    }
  }

  /** What was asked so far, the most frequent query first. */
  get queries(): AskedQuery[] {
    const asked = Array.from(this.#counts, ([query, count]) => ({ query, count }))
    return asked.sort((a, b) => b.count - a.count || (a.query < b.query ? -1 : 1))
  }

  /** People have heard of these events. Returns what is asked because of them. */
  add(events: readonly string[]): AskedQuery[] {
    for (const event of events) this.#count(event, EVENT_COUNT)
    return events.map((query) => ({ query, count: EVENT_COUNT }))
  }

  #count(query: string, times: number): void {
    this.#counts.set(query, (this.#counts.get(query) ?? 0) + times)
  }
}

interface TitledPage {
  readonly title: string
}

/** Titles are 'Place: topic'; people ask for the topic, or for both. */
function queryFor({ title }: TitledPage, random: Randomness): string {
  const [place = '', topic = ''] = title.toLowerCase().split(': ')
  return random.chance(0.3) ? topic : `${place} ${topic}`
}
