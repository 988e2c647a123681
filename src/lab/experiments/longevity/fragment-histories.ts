/**
 * Pages reduced to what a replay of refreshes asks for: which version each has at every step, and how far any two of
 * its versions are apart. Columns in shared memory: threads read the same bytes.
 */
import {
  type ShingleSet,
  SKETCH_MINIMA,
  shinglesOf,
  sketchDifference,
  sketchOf,
  type TextHash,
} from '../../../change/sketches.js'
import type { World, WorldPage } from '../../worlds/world.js'
import { eagernessOf } from './change-profiles.js'

export interface FragmentHistories {
  readonly pages: number
  /** By step. */
  readonly atMs: Float64Array
  /**
   * By page and step: the number of the version among those of its page. A page that says again what it said before has
   * that version again.
   */
  readonly versions: Uint16Array
  /** By page: how many versions it has. */
  readonly versionCounts: Uint16Array
  /** By page: where the differences of its versions begin. */
  readonly firstDifference: Float64Array
  /** By page: how version j differs from each earlier i, at j (j - 1) / 2 + i (Eq. 3). */
  readonly differences: Float32Array
  /** The same as estimated from sketches. */
  readonly sketchDifferences: Float32Array
  /** By page: how many versions the pages before it have. */
  readonly firstVersion: Float64Array
  /** By version: SKETCH_MINIMA minima. */
  readonly sketches: Uint32Array
  /**
   * By page: how early between two steps its divergence grows (appendix B); the second one when any change counts as a
   * whole.
   */
  readonly eagerness: Float64Array
  readonly holisticEagerness: Float64Array
}

/** How far the versions of two steps are apart, by one of the columns of differences. */
export function differenceOf(
  { atMs, versions, firstDifference }: FragmentHistories,
  column: Float32Array,
  page: number,
  stepA: number,
  stepB: number,
): number {
  const a = versions[page * atMs.length + stepA]!
  const b = versions[page * atMs.length + stepB]!
  if (a === b) return 0
  return column[firstDifference[page]! + (a > b ? (a * (a - 1)) / 2 + b : (b * (b - 1)) / 2 + a)]!
}

/** The number of the version that a page has at a step. */
export function versionAt({ atMs, versions }: FragmentHistories, page: number, step: number): number {
  return versions[page * atMs.length + step]!
}

/** The sketch of a version, as a ledger takes it. */
export function sketchAt({ sketches, firstVersion }: FragmentHistories, page: number, version: number) {
  return { minima: sketches, at: (firstVersion[page]! + version) * SKETCH_MINIMA }
}

/** Whether the page never changes. */
export function isStatic({ versionCounts }: FragmentHistories, page: number): boolean {
  return versionCounts[page] === 1
}

export class HistoryBuilder {
  readonly #atMs: Float64Array
  readonly #versions: Uint16Array[] = []
  readonly #versionCounts: number[] = []
  readonly #differences = new Column()
  readonly #sketchDifferences = new Column()
  readonly #sketches: Uint32Array[] = []

  constructor(atMs: Float64Array) {
    this.#atMs = atMs
  }

  /** As the page after all that were added before. */
  add(page: PageFragments): void {
    const { sets, numbers } = distinctSets(page, this.#atMs.length)
    this.#versions.push(numbers)
    this.#versionCounts.push(sets.length)
    const fragments = sets.map(asNumbers)
    const sketches = sets.map((set) => sketchOf(set, SKETCH_MINIMA))
    this.#sketches.push(...sketches)
    for (let b = 1; b < sets.length; b++) {
      for (let a = 0; a < b; a++) {
        this.#differences.push(setDifference(fragments[a]!, fragments[b]!))
        this.#sketchDifferences.push(sketchDifference(sketches[a]!, 0, sketches[b]!, 0, SKETCH_MINIMA))
      }
    }
  }

  build(): FragmentHistories {
    const steps = this.#atMs.length
    const pages = this.#versionCounts.length
    const versions = sharedUint16(pages * steps)
    this.#versions.forEach((numbers, page) => {
      versions.set(numbers, page * steps)
    })
    const versionCounts = sharedUint16(pages)
    versionCounts.set(this.#versionCounts)
    const firstDifference = sharedFloat64(pages)
    const firstVersion = sharedFloat64(pages)
    for (let page = 1; page < pages; page++) {
      const count = this.#versionCounts[page - 1]!
      firstVersion[page] = firstVersion[page - 1]! + count
      firstDifference[page] = firstDifference[page - 1]! + (count * (count - 1)) / 2
    }
    const histories = {
      ...{ pages, atMs: this.#atMs, versions, versionCounts, firstDifference },
      ...{ eagerness: sharedFloat64(pages), holisticEagerness: sharedFloat64(pages) },
      differences: this.#differences.shared(),
      sketchDifferences: this.#sketchDifferences.shared(),
      ...{ firstVersion, sketches: sharedSketches(this.#sketches) },
    }
    const everyStep = Array.from({ length: steps }, (_, step) => step)
    for (let page = 0; page < pages; page++) {
      const divergence = (a: number, b: number) => differenceOf(histories, histories.differences, page, a, b)
      histories.eagerness[page] = eagernessOf(everyStep, divergence)
      histories.holisticEagerness[page] = eagernessOf(everyStep, (a, b) => (divergence(a, b) > 0 ? 1 : 0))
    }
    return histories
  }
}

/** Different sets in order of first sight, and which of them the page is at each step. */
function distinctSets(page: PageFragments, steps: number): { sets: ShingleSet[]; numbers: Uint16Array } {
  const sets: ShingleSet[] = []
  const numbers = new Uint16Array(steps)
  for (const { step, fragments } of page) {
    const known = sets.findIndex((set) => isEqual(set, fragments))
    numbers.fill(known < 0 ? sets.push(fragments) - 1 : known, step)
  }
  return { sets, numbers }
}

function isEqual(a: ShingleSet, b: ShingleSet): boolean {
  return a.length === b.length && Buffer.compare(asBytes(a), asBytes(b)) === 0
}

function asBytes({ buffer, byteOffset, byteLength }: ShingleSet): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** The upper 53 bits: many times faster to compare than 64, and no less different within a page. */
function asNumbers(set: ShingleSet): Float64Array {
  return Float64Array.from(set, (hash) => Number(hash >> 11n))
}

/** As shingleDifference(). */
function setDifference(a: Float64Array, b: Float64Array): number {
  let [atA, atB, shared] = [0, 0, 0]
  while (atA < a.length && atB < b.length) {
    const [valueA, valueB] = [a[atA]!, b[atB]!]
    if (valueA === valueB) shared++
    if (valueA <= valueB) atA++
    if (valueB <= valueA) atB++
  }
  const all = a.length + b.length - shared
  return all === 0 ? 0 : 1 - shared / all
}

/** Numbers of which it is not known how many come. */
class Column {
  #values = new Float32Array(1024)
  #length = 0

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float32Array(2 * this.#length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = value
  }

  shared(): Float32Array {
    const copy = new Float32Array(new SharedArrayBuffer(4 * this.#length))
    copy.set(this.#values.subarray(0, this.#length))
    return copy
  }
}

function sharedUint16(length: number): Uint16Array {
  return new Uint16Array(new SharedArrayBuffer(2 * length))
}

function sharedSketches(sketches: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(new SharedArrayBuffer(4 * SKETCH_MINIMA * sketches.length))
  for (const [at, sketch] of sketches.entries()) all.set(sketch, at * SKETCH_MINIMA)
  return all
}

function sharedFloat64(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8 * length))
}

/**
 * A page as the set of fragments, here shingles, that it consists of at every step (Information longevity, section
 * 2.1.1). By time, the first at step 0: what a page consists of from a step on. Neighbours may be equal.
 */
export type PageFragments = readonly FragmentChange[]

export interface FragmentChange {
  readonly step: number
  readonly fragments: ShingleSet
}

export interface FragmentWorld {
  /** By step, growing. */
  readonly atMs: Float64Array
  readonly pages: Iterable<PageFragments>
}

/** What the page consists of at each step. */
export function fragmentsByStep(page: PageFragments, steps: number): ShingleSet[] {
  let at = 0
  return Array.from({ length: steps }, (_, step) => {
    while (at + 1 < page.length && page[at + 1]!.step <= step) at++
    return page[at]!.fragments
  })
}

/**
 * The pages of a world as fragments: those that are there at every step, as in the experiments of the paper.
 * RangeError for a world of fewer than three steps, in which nothing can be learnt and used, or without a page that
 * stays.
 */
export async function fragmentsOfWorld(
  world: World,
  hash: TextHash,
  onStep: (step: number) => void = () => {},
): Promise<FragmentWorld & { readonly pages: readonly PageFragments[] }> {
  const staying = new Map<string, FragmentChange[]>()
  const atMs: number[] = []
  for await (const step of world) {
    const number = atMs.push(step.atMs) - 1
    for (const page of step.versions) {
      if (number === 0) staying.set(page.url, [])
      staying.get(page.url)?.push({ step: number, fragments: fragmentsOf(page, hash) })
    }
    for (const url of step.gone) staying.delete(url)
    onStep(number)
  }
  if (atMs.length < 3) throw new RangeError(`a world must have at least three steps, received ${atMs.length}`)
  if (staying.size === 0) throw new RangeError('no page of the world is there at every step')
  return { atMs: Float64Array.from(atMs), pages: [...staying.values()] }
}

function fragmentsOf({ title, text }: WorldPage, hash: TextHash): ShingleSet {
  return shinglesOf(`${title}\n${text}`, hash)
}
