/**
 * A page of a generated world: static text, and in most worlds on some pages a region that moves. A *churning* block is replaced as a
 * whole by every update; a *scrolling* list gets a new item, which pushes out the oldest (Information longevity, section 3).
 */
import { firstUpdateAfter } from '../../change/first-update.js'
import type { UpdateLaw } from '../../change/update-law.js'
import { paragraph, sentence, TOPICS, type Topic } from '../generated-language.js'
import type { Randomness } from '../randomness.js'
import type { WorldPage } from '../world.js'

export type Region = 'static' | 'churn' | 'scroll'

/** What moves on a page, and when. */
export interface Motion {
  readonly region: Exclude<Region, 'static'>
  readonly law: UpdateLaw
}

export interface Birth {
  /** Keeps its address apart from all others of its world. */
  readonly number: number
  /** What its address begins with, or nothing. */
  readonly site: string
  readonly atMs: number
}

const SCROLL_ITEMS = 8
const MENTION_PROBABILITY = 0.3

export class GeneratedPage {
  readonly url: string
  readonly title: string
  readonly motion: Motion | undefined
  readonly #random: Randomness
  readonly #names: readonly string[]
  readonly #topic: Topic
  readonly #paragraphs: readonly string[]
  /** Newest first. */
  #moving: readonly string[] = []
  #nextUpdateMs = Number.POSITIVE_INFINITY

  constructor(
    random: Randomness,
    names: readonly string[],
    { number, site, atMs }: Birth,
    draw: (random: Randomness) => Motion | undefined,
  ) {
    this.#random = random
    this.#names = names
    this.#topic = random.pick(TOPICS)
    const place = random.pickEarly(names)
    this.url = `${site}/${place.toLowerCase()}/${this.#topic.name.replaceAll(' ', '-')}-${number}`
    this.title = `${place}: ${this.#topic.name}`
    this.motion = draw(random)
    this.#paragraphs = Array.from({ length: random.between(4, 16) }, () => paragraph(random, this.#topic, names))
    if (this.motion === undefined) return
    const { region, law } = this.motion
    this.#moving = this.#items(region === 'scroll' ? SCROLL_ITEMS : random.between(2, 5), [])
    this.#nextUpdateMs = firstUpdateAfter(law, atMs, this.#draw)
  }

  /** Lets time pass until atMs, with the news of that time; whether anything changed. */
  advance(atMs: number, events: readonly string[]): boolean {
    const updates = this.#passUpdates(atMs)
    if (updates === 0) return false
    const isScroll = this.motion?.region === 'scroll'
    const items = this.#items(isScroll ? Math.min(updates, SCROLL_ITEMS) : this.#random.between(2, 5), events)
    this.#moving = isScroll ? [...items, ...this.#moving].slice(0, SCROLL_ITEMS) : items
    return true
  }

  get page(): WorldPage {
    return { url: this.url, title: this.title, text: [...this.#moving, ...this.#paragraphs].join('\n') }
  }

  readonly #draw = (): number => this.#random.next()

  /** How many updates there are until atMs. */
  #passUpdates(atMs: number): number {
    let updates = 0
    for (; this.#nextUpdateMs <= atMs; updates++) {
      this.#nextUpdateMs = this.motion!.law.nextUpdate(this.#nextUpdateMs, this.#draw)
    }
    return updates
  }

  #items(count: number, events: readonly string[]): string[] {
    return Array.from({ length: count }, () => {
      const remark = sentence(this.#random, this.#topic, this.#names)
      if (events.length === 0 || !this.#random.chance(MENTION_PROBABILITY)) return remark
      return `News of the ${this.#random.pick(events)} in ${this.#random.pickEarly(this.#names)}. ${remark}`
    })
  }
}
