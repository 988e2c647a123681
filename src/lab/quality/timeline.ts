/**
 * Which version every page of a world has at every step, as plain numbers that can be sent to another thread. A version
 * that says what an earlier one of the same page said is that one again: who has a copy of it has a fresh copy.
 */
import { hash } from 'node:crypto'
import { describe } from '../../base/describe.js'
import type { World, WorldPage, WorldStep } from '../worlds/world.js'

export const NO_VERSION = -1

export interface Timeline {
  /** By page. Pages are numbered in order of first sight, which is also their order where scores are equal. */
  readonly urls: readonly string[]
  /** By step. */
  readonly atMs: Float64Array
  /** By version: the page that it is a version of. */
  readonly pageOf: Uint32Array
  /** By step: where its changes end in the columns below. */
  readonly changeEnds: Uint32Array
  readonly changedPages: Uint32Array
  /** The version that a change brings; NO_VERSION where the page is gone. */
  readonly changedVersions: Int32Array
}

export interface ReadOptions {
  /** Told every version once, before any later one. */
  readonly onVersion?: (page: WorldPage, version: number) => void
  /** Told every step after its last version. */
  readonly onStep?: (step: number) => void
}

export async function readTimeline(world: World, { onVersion, onStep }: ReadOptions = {}): Promise<Timeline> {
  const reading = new Reading(onVersion)
  for await (const step of world) {
    const number = reading.take(step)
    onStep?.(number)
  }
  return reading.result()
}

/** Calls back for every change of a step. */
export function forEachChange(
  { changeEnds, changedPages, changedVersions }: Timeline,
  step: number,
  visit: (page: number, version: number) => void,
): void {
  const begin = step === 0 ? 0 : changeEnds[step - 1]!
  for (let at = begin; at < changeEnds[step]!; at++) visit(changedPages[at]!, changedVersions[at]!)
}

/** By page: 1 where it is there at every step, the pages of the experiments in User-centric crawling, section 6. */
export function presentThroughout(timeline: Timeline): Uint8Array {
  const isPresent = new Uint8Array(timeline.urls.length)
  forEachChange(timeline, 0, (page) => {
    isPresent[page] = 1
  })
  timeline.changedVersions.forEach((version, at) => {
    if (version === NO_VERSION) isPresent[timeline.changedPages[at]!] = 0
  })
  return isPresent
}

export interface Selection {
  readonly timeline: Timeline
  /** By version: its number before. */
  readonly origins: Uint32Array
}

/** The same world with some of its pages only, numbered anew in the same order. */
export function selectPages(timeline: Timeline, isWanted: Uint8Array): Selection {
  const pages = renumber(timeline.urls.length, (page) => isWanted[page] === 1)
  const kept = renumber(timeline.pageOf.length, (version) => isWanted[timeline.pageOf[version]!] === 1)
  const changes = renumber(timeline.changedPages.length, (at) => isWanted[timeline.changedPages[at]!] === 1)
  return {
    timeline: {
      urls: Array.from(pages.olds, (page) => timeline.urls[page]!),
      atMs: timeline.atMs,
      pageOf: kept.olds.map((version) => pages.news[timeline.pageOf[version]!]!),
      changeEnds: timeline.changeEnds.map((end) => lowerBound(changes.olds, end)),
      changedPages: changes.olds.map((at) => pages.news[timeline.changedPages[at]!]!),
      changedVersions: Int32Array.from(changes.olds, (at) => {
        const version = timeline.changedVersions[at]!
        return version === NO_VERSION ? NO_VERSION : kept.news[version]!
      }),
    },
    origins: kept.olds,
  }
}

/** News by old and olds by new; the news of what is not kept mean nothing. */
function renumber(count: number, isKept: (old: number) => boolean) {
  const news = new Uint32Array(count)
  const olds = new Uint32Array(count)
  let length = 0
  for (let old = 0; old < count; old++) {
    news[old] = length
    if (isKept(old)) olds[length++] = old
  }
  return { news, olds: olds.slice(0, length) }
}

/** How many of the ascending values are below a limit. */
function lowerBound(values: Uint32Array, limit: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}

class Reading {
  readonly #onVersion: ReadOptions['onVersion']
  readonly #numbers = new Map<string, number>()
  /** By page: version by digest of what it says. */
  readonly #versions: Map<string, number>[] = []
  /** By page. */
  readonly #current: number[] = []
  readonly #lastStep: number[] = []
  readonly #pageOf: number[] = []
  readonly #atMs: number[] = []
  readonly #changeEnds: number[] = []
  readonly #changedPages: number[] = []
  readonly #changedVersions: number[] = []

  constructor(onVersion: ReadOptions['onVersion']) {
    this.#onVersion = onVersion
  }

  /** The number of the step. */
  take({ atMs, versions, gone }: WorldStep): number {
    const step = this.#atMs.length
    const before = this.#atMs.at(-1) ?? Number.NEGATIVE_INFINITY
    if (!(atMs > before)) throw new RangeError(`step ${step} must be later than ${before} ms, received ${atMs}`)
    if (step === 0 && versions.length === 0) throw new RangeError('the first step of a world must have a page')
    this.#atMs.push(atMs)
    for (const page of versions) this.#put(page, step)
    for (const url of gone) this.#remove(url, step)
    this.#changeEnds.push(this.#changedPages.length)
    return step
  }

  result(): Timeline {
    if (this.#atMs.length === 0) throw new RangeError('a world must have at least one step')
    return {
      urls: [...this.#numbers.keys()],
      atMs: Float64Array.from(this.#atMs),
      pageOf: Uint32Array.from(this.#pageOf),
      changeEnds: Uint32Array.from(this.#changeEnds),
      changedPages: Uint32Array.from(this.#changedPages),
      changedVersions: Int32Array.from(this.#changedVersions),
    }
  }

  #put(page: WorldPage, step: number): void {
    const number = this.#numberOf(page.url)
    this.#requireOnce(number, page.url, step)
    const known = this.#versions[number]!
    // The length keeps the two texts apart.
    const digest = hash('sha1', `${page.title.length} ${page.title}${page.text}`, 'base64')
    let version = known.get(digest)
    if (version === undefined) {
      version = this.#pageOf.push(number) - 1
      known.set(digest, version)
      this.#onVersion?.(page, version)
    }
    this.#change(number, version)
  }

  #remove(url: string, step: number): void {
    const number = this.#numbers.get(url)
    if (number === undefined || this.#current[number] === NO_VERSION)
      throw new RangeError(`step ${step}: the page ${describe(url)} is gone but was not there`)
    this.#requireOnce(number, url, step)
    this.#change(number, NO_VERSION)
  }

  #change(number: number, version: number): void {
    if (this.#current[number] === version) return
    this.#current[number] = version
    this.#changedPages.push(number)
    this.#changedVersions.push(version)
  }

  #numberOf(url: string): number {
    const known = this.#numbers.get(url)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(url, number)
    this.#versions.push(new Map())
    this.#current.push(NO_VERSION)
    this.#lastStep.push(-1)
    return number
  }

  #requireOnce(number: number, url: string, step: number): void {
    if (this.#lastStep[number] === step) throw new RangeError(`step ${step} names the page ${describe(url)} twice`)
    this.#lastStep[number] = step
  }
}
