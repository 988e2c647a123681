/**
 * Worlds in which it is known whether clusters of pages tell what has changed: a positive and a negative control of the
 * experiment with clusters. Both have the same pages: families that share words in their URLs and texts, spread over
 * sites that say nothing of the family.
 *
 * fast  Some families change often, all others hardly ever. A few pages of a family, looked at now, say what hundreds
 *       of single histories say only after many visits.
 * slow  Every page changes at a pace of its own, drawn for it alone: its past says all, its relatives say nothing.
 */
import { WEEK_MS } from '../../base/time.js'
import type { AskedQuery } from './generated-text.js'
import { Randomness, streamSeed } from './randomness.js'
import type { World, WorldPage, WorldStep } from './world.js'

export const CONTROL_WORLDS = ['fast', 'slow'] as const

export type ControlWorldName = (typeof CONTROL_WORLDS)[number]

export const CONTROL_WORLD_TITLES: Readonly<Record<ControlWorldName, string>> = {
  fast: 'a quarter of the families change often, the others hardly ever: clusters must win',
  slow: 'each page changes at a pace of its own: clusters can know nothing',
}

export interface ControlWorldOptions {
  readonly seed: number
  readonly pages: number
  readonly steps: number
}

export interface ControlWorld {
  readonly world: World
  /** A word of each family. */
  readonly queries: readonly AskedQuery[]
}

const FAMILIES = 12
const SITES = 15
/** Words that a family has and no other, of which each page has some. */
const FAMILY_WORDS = 30
const PAGE_WORDS = 40
const CHANGED_WORDS = 12
/** The first families are busy. How likely a page of a busy family changes at a step, and any other page. */
const BUSY_FAMILIES = 3
const BUSY_CHANGE = 0.4
const IDLE_CHANGE = 0.01

export function controlWorld(name: ControlWorldName, { seed, pages, steps }: ControlWorldOptions): ControlWorld {
  const chanceOf = name === 'fast' ? together : aloneBy(seed)
  const queries = Array.from({ length: FAMILIES }, (_, family) => ({
    query: word(family, 0),
    count: FAMILIES - family,
  }))
  return { world: { [Symbol.asyncIterator]: () => tell(seed, pages, steps, chanceOf) }, queries }
}

/** How likely a page changes at a step. */
type ChangeChance = (page: number) => number

function together(page: number): number {
  return familyOf(page) < BUSY_FAMILIES ? BUSY_CHANGE : IDLE_CHANGE
}

/** A few pages change nearly always, most hardly ever. */
function aloneBy(seed: number): ChangeChance {
  return (page) => new Randomness(streamSeed(seed, 'pace', page)).next() ** 4
}

async function* tell(
  seed: number,
  pages: number,
  steps: number,
  chanceOf: ChangeChance,
): AsyncGenerator<WorldStep, void, undefined> {
  for (let step = 0; step < steps; step++) {
    const versions: WorldPage[] = []
    for (let page = 0; page < pages; page++) {
      const random = new Randomness(streamSeed(seed, 'page', step * pages + page))
      if (step === 0 || random.chance(chanceOf(page))) versions.push(versionOf(page, step, random))
    }
    yield { atMs: step * WEEK_MS, versions, gone: [] }
  }
}

function versionOf(page: number, step: number, random: Randomness): WorldPage {
  const family = familyOf(page)
  const words = Array.from({ length: PAGE_WORDS }, (_, at) => word(family, (page * 7 + at * 3) % FAMILY_WORDS))
  const news = Array.from({ length: CHANGED_WORDS }, () => `n${random.between(0, 5000)}`)
  return { url: addressOf(page), title: word(family, 0), text: [...words, ...news, `v${step}`].join(' ') }
}

function familyOf(page: number): number {
  return page % FAMILIES
}

/** The site of a page is no part of what its family is. */
function addressOf(page: number): string {
  const family = familyOf(page)
  const site = Math.floor(page / FAMILIES) % SITES
  return `https://site${site}.example/${word(family, 0)}/${word(family, 1)}-${page}`
}

/** Letters alone, so that it is one word of a URL, too. */
function word(family: number, number: number): string {
  const letter = (at: number) => String.fromCharCode(97 + at)
  return `w${letter(family)}x${letter(number % 26)}${letter(Math.floor(number / 26))}`
}
