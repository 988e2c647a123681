/**
 * A site that changes from week to week the way sites do. What a page shows comes in three kinds of region: *static*
 * text that is edited rarely, a *churning* block that is replaced as a whole, and a *scrolling* list where new items
 * push out the oldest. Most pages are static only and hardly ever change; a few change every week.
 *
 * Everything follows from the seed: no clock, no other source of chance.
 */
import { inventEvent, inventName, paragraph, sentence, TOPICS, type Topic } from './generated-text.js'
import { Randomness } from './randomness.js'

export interface SitePage {
  readonly url: string
  readonly title: string
  readonly body: string
}

export type Temperament = 'static' | 'churning' | 'scrolling'

/** What happened to the site in one week. */
export interface SiteWeek {
  /** 1 for the first week after the beginning. */
  readonly week: number
  /** What people will search for: each is two words, mentioned on some of the pages that changed. */
  readonly events: readonly string[]
  readonly changed: readonly SitePage[]
  readonly added: readonly SitePage[]
  /** URLs of pages that are no longer there. */
  readonly gone: readonly string[]
}

interface LivingPage {
  readonly url: string
  readonly title: string
  readonly topic: Topic
  readonly temperament: Temperament
  /** Probability that its moving part changes in a week. */
  readonly restlessness: number
  paragraphs: readonly string[]
  /** The churning block or the scrolling list, newest first. */
  moving: readonly string[]
}

const SCROLL_LENGTH = 8
const EVENTS_PER_WEEK = 2
const EDIT_PROBABILITY = 0.015
const LOSS_PROBABILITY = 0.01
const GROWTH_PER_WEEK = 0.015

export class GeneratedSite {
  readonly #random: Randomness
  readonly #names: readonly string[]
  readonly #pages = new Map<string, LivingPage>()
  /** An address is never given to a second page. */
  readonly #usedUrls = new Set<string>()
  readonly #pastEvents = new Set<string>()
  #week = 0

  constructor(seed: number, pageCount: number) {
    this.#random = new Randomness(seed)
    // The vocabulary of a site grows with it, more slowly than its pages do.
    this.#names = Array.from({ length: 20 + Math.ceil(40 * Math.sqrt(pageCount)) }, () => inventName(this.#random))
    while (this.#pages.size < pageCount) this.#found([])
  }

  /** All pages as they are now. */
  pages(): SitePage[] {
    return [...this.#pages.values()].map(rendered)
  }

  /** How many pages there are of each temperament. */
  census(): Record<Temperament, number> {
    const counts = { static: 0, churning: 0, scrolling: 0 }
    for (const page of this.#pages.values()) counts[page.temperament]++
    return counts
  }

  /** Lets a week pass. */
  advance(): SiteWeek {
    this.#week++
    const events = this.#newEvents()
    const changed: SitePage[] = []
    const gone: string[] = []
    for (const page of [...this.#pages.values()]) {
      if (this.#random.chance(LOSS_PROBABILITY)) {
        this.#pages.delete(page.url)
        gone.push(page.url)
      } else if (this.#live(page, events)) {
        changed.push(rendered(page))
      }
    }
    const births = this.#births()
    const added = Array.from({ length: births }, () => rendered(this.#found(events)))
    return { week: this.#week, events, changed, added, gone }
  }

  /** A week in the life of a page; whether anything changed. */
  #live(page: LivingPage, events: readonly string[]): boolean {
    const moves = this.#random.chance(page.restlessness)
    if (moves && page.temperament === 'churning') page.moving = this.#notices(page.topic, events)
    if (moves && page.temperament === 'scrolling') {
      page.moving = [...this.#news(page.topic, events), ...page.moving].slice(0, SCROLL_LENGTH)
    }
    const isEdited = this.#random.chance(EDIT_PROBABILITY)
    if (isEdited) {
      const at = this.#random.between(0, page.paragraphs.length - 1)
      page.paragraphs = page.paragraphs.with(at, paragraph(this.#random, page.topic, this.#names))
    }
    return isEdited || (moves && page.temperament !== 'static')
  }

  #found(events: readonly string[]): LivingPage {
    const random = this.#random
    const topic = random.pick(TOPICS)
    const place = random.pickEarly(this.#names)
    const stem = `/${place.toLowerCase()}/${topic.name.replaceAll(' ', '-')}`
    let url = stem
    for (let copy = 2; this.#usedUrls.has(url); copy++) url = `${stem}-${copy}`
    const draw = random.next()
    const temperament = draw < 0.55 ? 'static' : draw < 0.8 ? 'churning' : 'scrolling'
    const page: LivingPage = {
      url,
      title: `${place}: ${topic.name}`,
      topic,
      temperament,
      // Squared, because most pages are calm and few are restless.
      restlessness: 0.05 + 0.95 * random.next() ** 2,
      paragraphs: Array.from({ length: random.between(4, 16) }, () => paragraph(random, topic, this.#names)),
      moving: [],
    }
    if (temperament === 'churning') page.moving = this.#notices(topic, events)
    if (temperament === 'scrolling') page.moving = this.#backlog(topic, events)
    this.#usedUrls.add(url)
    this.#pages.set(url, page)
    return page
  }

  #notices(topic: Topic, events: readonly string[]): string[] {
    return Array.from({ length: this.#random.between(2, 5) }, () => this.#item('This week', topic, events))
  }

  #news(topic: Topic, events: readonly string[]): string[] {
    return Array.from({ length: this.#random.between(1, 3) }, () => this.#item(`Week ${this.#week}`, topic, events))
  }

  #backlog(topic: Topic, events: readonly string[]): string[] {
    return Array.from({ length: SCROLL_LENGTH }, () => this.#item(`Week ${this.#week}`, topic, events))
  }

  #item(heading: string, topic: Topic, events: readonly string[]): string {
    const remark = sentence(this.#random, topic, this.#names)
    if (events.length === 0 || !this.#random.chance(0.3)) return `${heading}. ${remark}`
    return `${heading}. News of the ${this.#random.pick(events)} in ${this.#random.pickEarly(this.#names)}. ${remark}`
  }

  #newEvents(): string[] {
    const events: string[] = []
    // Bounded, because an endless run of weeks uses up every event there is.
    for (let attempt = 0; events.length < EVENTS_PER_WEEK && attempt < 50; attempt++) {
      const event = inventEvent(this.#random)
      if (this.#pastEvents.has(event)) continue
      this.#pastEvents.add(event)
      events.push(event)
    }
    return events
  }

  #births(): number {
    const expected = this.#pages.size * GROWTH_PER_WEEK
    return Math.floor(expected) + (this.#random.chance(expected % 1) ? 1 : 0)
  }
}

function rendered({ url, title, paragraphs, moving }: LivingPage): SitePage {
  return { url, title, body: [...moving, ...paragraphs].join('\n') }
}
