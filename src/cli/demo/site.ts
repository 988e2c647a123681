/**
 * An invented site that changes as documentation does. Most pages stand still for months, some are edited several times
 * a year, and a few change daily. Now and then somebody goes over a section. An edit is small: half of them reword one
 * sentence.
 *
 * The rates are those of 48 weeks of the documentation of Kubernetes. There 2.0% of the pages changed in a week, and
 * 1.1% in a week of median size. In all weeks together 45% of the pages never changed, 40% changed once, 11% two to
 * four times, and 4% more often. At most 13% changed in one week. Half of the changes touched at most 1% of the words
 * of a page. The 7% of pages that people see most had half of all views, and a view met a page that changes 1.7 times
 * as often as an average page. Its weekly snapshots cannot show daily changes: these are added.
 */
import { inventName, sentence, TOPICS, type Topic } from '../../lab/worlds/generated-text.js'
import { Randomness, streamSeed } from '../../lab/worlds/randomness.js'
import type { WorldPage } from '../../lab/worlds/world.js'

export interface DemoSite {
  /** The pages as they are when the first copy is made. */
  readonly start: readonly WorldPage[]
  /** What changes in each night. No page twice in a night. */
  readonly nights: readonly SiteNight[]
  /** How much more often people look for the pages of `start` than for others of the site, by their places. */
  readonly appeal: readonly number[]
}

export interface SiteNight {
  readonly changed: readonly WorldPage[]
  readonly added: readonly WorldPage[]
  readonly gone: readonly string[]
}

interface Section {
  readonly path: string
  /** What its pages are about: names of topics. */
  readonly topics: readonly string[]
  /** How many of 1000 pages are here. */
  readonly perMille: number
  /** How often people look for a page of it, compared with a page of another section. */
  readonly appeal: number
  /** The share of its pages that is edited now and then, and the mean days between two edits of such a page. */
  readonly editedShare: number
  readonly meanDays: readonly [number, number]
  /** Mean days until somebody goes over the section, and the share of its pages that this touches. */
  readonly overhaulDays: number
  readonly overhaulShare: readonly [number, number]
}

/** In their order: as a blog, a glossary, a reference, how-to pages, concepts, and pages of news. */
const SECTIONS: readonly Section[] = [
  {
    ...{ path: 'archive', topics: ['council minutes', 'town library'], perMille: 420, appeal: 1 },
    ...{ editedShare: 0.02, meanDays: [200, 700], overhaulDays: 120, overhaulShare: [0.05, 0.35] },
  },
  {
    ...{ path: 'museum', topics: ['lighthouse museum'], perMille: 150, appeal: 0.75 },
    ...{ editedShare: 0.05, meanDays: [300, 700], overhaulDays: 3000, overhaulShare: [0.1, 0.3] },
  },
  {
    ...{ path: 'recipes', topics: ['island kitchen'], perMille: 180, appeal: 0.4 },
    ...{ editedShare: 0.2, meanDays: [120, 500], overhaulDays: 600, overhaulShare: [0.1, 0.4] },
  },
  {
    ...{ path: 'guides', topics: ['rowing club', 'fish market'], perMille: 150, appeal: 1 },
    ...{ editedShare: 0.4, meanDays: [80, 400], overhaulDays: 250, overhaulShare: [0.1, 0.4] },
  },
  {
    ...{ path: 'ferries', topics: ['ferry timetable'], perMille: 95, appeal: 2.5 },
    ...{ editedShare: 0.8, meanDays: [40, 400], overhaulDays: 150, overhaulShare: [0.1, 0.3] },
  },
  {
    ...{ path: 'weather', topics: ['weather station'], perMille: 5, appeal: 2.5 },
    ...{ editedShare: 1, meanDays: [1, 10], overhaulDays: 3000, overhaulShare: [0.1, 0.3] },
  },
]

export const DAYS_PER_WEEK = 7
/** Pages that are new and pages that are taken away in a week, as shares of the first pages. */
const NEW_PER_WEEK = 0.002
const GONE_PER_WEEK = 0.0004

/** Everything follows from the seed and the sizes. */
export function demoSite({ seed, pages, nights }: { seed: number; pages: number; nights: number }): DemoSite {
  const scene = new Randomness(streamSeed(seed, 'scene', 0))
  const names = Array.from({ length: 20 + Math.ceil(40 * Math.sqrt(pages)) }, () => inventName(scene))
  const sections = SECTIONS.flatMap((each) => Array.from({ length: each.perMille }, () => each))
  const total = sections.length
  const birth = (number: number) => {
    const random = new Randomness(streamSeed(seed, 'page', number))
    // The first pages have exactly the shares of the sections, later ones have them on average.
    const at = number < pages ? Math.floor(((number + 0.5) * total) / pages) : random.between(0, total - 1)
    return new SitePage(random, sections[at]!, names, number)
  }
  let living = Array.from({ length: pages }, (_, number) => birth(number))
  const start = living.map(({ page }) => page)
  const appeal = living.map(({ section }) => section.appeal)
  let born = pages
  const fate = new Randomness(streamSeed(seed, 'fate', 0))
  const told = Array.from({ length: nights }, (): SiteNight => {
    const lost = new Set(living.filter(() => fate.chance(GONE_PER_WEEK / DAYS_PER_WEEK)))
    living = living.filter((page) => !lost.has(page))
    const overhauled = new Map(
      SECTIONS.filter(({ overhaulDays }) => fate.chance(1 / overhaulDays)).map((each) => [
        each,
        within(each.overhaulShare, fate),
      ]),
    )
    const changed = living.filter((page) => page.pass(overhauled.get(page.section) ?? 0))
    const expected = (pages * NEW_PER_WEEK) / DAYS_PER_WEEK
    const births = Math.floor(expected) + (fate.chance(expected % 1) ? 1 : 0)
    const added = Array.from({ length: births }, () => birth(born++))
    living = [...living, ...added]
    return {
      changed: changed.map(({ page }) => page),
      added: added.map(({ page }) => page),
      gone: Array.from(lost, ({ page }) => page.url),
    }
  })
  return { start, nights: told, appeal }
}

class SitePage {
  page: WorldPage
  readonly section: Section
  readonly #random: Randomness
  readonly #names: readonly string[]
  readonly #topic: Topic
  readonly #sentences: string[]
  /** How likely it is edited in a night. */
  readonly #editChance: number

  constructor(random: Randomness, section: Section, names: readonly string[], number: number) {
    this.#random = random
    this.section = section
    this.#names = names
    this.#topic = random.pick(TOPICS.filter(({ name }) => section.topics.includes(name)))
    const place = random.pickEarly(names)
    const isEdited = random.chance(section.editedShare)
    this.#editChance = isEdited ? 1 - Math.exp(-1 / logWithin(section.meanDays, random)) : 0
    this.#sentences = Array.from({ length: random.between(20, 90) }, () => sentence(random, this.#topic, names))
    const url = `/${section.path}/${place.toLowerCase()}-${this.#topic.name.replaceAll(' ', '-')}-${number}`
    this.page = { url, title: `${place}: ${this.#topic.name}`, text: this.#text() }
  }

  /** Lets a night pass in which an overhaul touches each page of the section with this chance; whether it changed. */
  pass(overhaulChance: number): boolean {
    // Both are drawn every night, so that an overhaul of a section moves no later edit.
    const isEdited = this.#random.chance(this.#editChance)
    const isOverhauled = this.#random.chance(overhaulChance)
    if (!isEdited && !isOverhauled) return false
    const before = this.page.text
    // Chance may choose the words that are there.
    while (this.page.text === before) this.#edit()
    return true
  }

  #edit(): void {
    const random = this.#random
    const sentences = this.#sentences
    const at = random.between(0, sentences.length - 1)
    const fresh = () => sentence(random, this.#topic, this.#names)
    if (random.chance(0.5)) {
      const [article, , , ...rest] = sentences[at]!.split(' ')
      sentences[at] = [article, ...fresh().split(' ').slice(1, 3), ...rest].join(' ')
    } else {
      // One sentence in most cases, and seldom a long passage.
      const count = Math.min(sentences.length, Math.floor((1 - random.next()) ** -0.9))
      const added = Array.from({ length: count }, fresh)
      sentences.splice(at, random.chance(0.3) ? 0 : count, ...added)
    }
    this.page = { ...this.page, text: this.#text() }
  }

  #text(): string {
    return this.#sentences.join('\n')
  }
}

function within([low, high]: readonly [number, number], random: Randomness): number {
  return low + (high - low) * random.next()
}

/** Evenly on a logarithmic scale. */
function logWithin([low, high]: readonly [number, number], random: Randomness): number {
  return low * (high / low) ** random.next()
}
