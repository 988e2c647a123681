/**
 * A page of a generated world: static text, and in most worlds on some pages a region that moves. A *churning* block is
 * replaced as a whole by every update; a *scrolling* list gets a new item, which pushes out the oldest (Information
 * longevity, section 3).
 */

import { HOUR_MS, WEEK_MS } from '../../base/time.js'
import { ParetoLaw } from '../../change/laws/pareto.js'
import { PoissonLaw } from '../../change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../change/laws/quasi-deterministic.js'
import { WeibullLaw } from '../../change/laws/weibull.js'
import { firstUpdateAfter, type UpdateLaw } from '../../change/update-law.js'
import { paragraph, sentence, TOPICS, type Topic } from './generated-text.js'
import type { Randomness } from './randomness.js'
import type { WorldPage } from './world.js'

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

/** Laws by which pages of generated worlds are updated, drawn by chance. */
export const GENERATED_LAWS = ['poisson', 'pareto', 'weibull', 'quasi-deterministic'] as const
export type GeneratedLawKind = (typeof GENERATED_LAWS)[number]

/** Shapes with heavy tails that still have a mean. */
const PARETO_SHAPES = { low: 1.2, high: 3 } as const
/** From bursts, below 1, to nearly regular updates. */
const WEIBULL_SHAPES = { low: 0.5, high: 4 } as const
/** An update that is due happens with at least this probability: fewer times, not less sure ones, make rare updates. */
const SURE_PROBABILITY = 0.5

/** A law with this mean interval, in ms. Quasi-deterministic updates come at fixed hours of a period of weeks. */
export function drawLaw(kind: GeneratedLawKind, meanMs: number, random: Randomness): UpdateLaw {
  switch (kind) {
    case 'poisson':
      return new PoissonLaw({ rate: 1 / meanMs })
    case 'pareto': {
      const shape = within(PARETO_SHAPES, random)
      return new ParetoLaw({ shape, scale: meanMs * (shape - 1) })
    }
    case 'weibull': {
      const shape = within(WEIBULL_SHAPES, random)
      return new WeibullLaw({ shape, scale: meanMs / new WeibullLaw({ shape, scale: 1 }).meanInterval })
    }
    case 'quasi-deterministic':
      return drawTimes(meanMs, random)
  }
}

function drawTimes(meanMs: number, random: Randomness): QuasiDeterministicLaw {
  const period = WEEK_MS * Math.max(1, Math.ceil(meanMs / WEEK_MS))
  const hours = Math.round(period / HOUR_MS)
  const updates = period / meanMs
  const wanted = Math.min(hours, random.between(Math.ceil(updates), Math.ceil(updates / SURE_PROBABILITY)))
  const times = new Set<number>()
  while (times.size < wanted) times.add(random.between(1, hours) * HOUR_MS)
  const ascending = [...times].sort((a, b) => a - b)
  return new QuasiDeterministicLaw({
    period,
    times: ascending,
    probabilities: ascending.map(() => Math.min(1, updates / wanted)),
  })
}

function within({ low, high }: { readonly low: number; readonly high: number }, random: Randomness): number {
  return low + (high - low) * random.next()
}
