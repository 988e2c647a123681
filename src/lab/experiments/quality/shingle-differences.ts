/** Which part of its shingles each change of a world changed, read along with the world. */
import { type ShingleSet, shingleDifference, shinglesOf, type TextHash } from '../../../change/sketches.js'
import { forEachLaterChange } from '../../choosers/by-rate.js'
import type { Timeline } from '../../quality/timeline.js'
import type { World, WorldPage, WorldStep } from '../../worlds/world.js'

const NOTHING: ShingleSet = new BigUint64Array()

/** Shingles are computed for pages that change only. */
interface LastVersion {
  readonly page: WorldPage
  shingles?: ShingleSet
}

export class ShingleDifferences {
  readonly #hash: TextHash
  readonly #last = new Map<string, LastVersion>()
  /** By step: difference by address. */
  readonly #differences: ReadonlyMap<string, number>[] = []

  constructor(hash: TextHash) {
    this.#hash = hash
  }

  /** The same world; what is read of it is taken in here. */
  watching(world: World): World {
    const take = (step: WorldStep) => this.#take(step)
    return {
      async *[Symbol.asyncIterator]() {
        for await (const step of world) {
          take(step)
          yield step
        }
      },
    }
  }

  /** By change of a timeline of the world, which may have some of its pages only; 0 for the first step. */
  byChange(timeline: Timeline): Float64Array {
    const differences = new Float64Array(timeline.changedPages.length)
    forEachLaterChange(timeline, (change, page, step) => {
      differences[change] = this.#differences[step]!.get(timeline.urls[page]!)!
    })
    return differences
  }

  #take({ versions, gone }: WorldStep): void {
    const differences = new Map<string, number>()
    for (const page of versions) {
      const before = this.#last.get(page.url)
      const after: LastVersion = { page }
      if (this.#differences.length > 0) {
        after.shingles = this.#shinglesOf(page)
        differences.set(page.url, shingleDifference(this.#shinglesOfLast(before), after.shingles))
      }
      this.#last.set(page.url, after)
    }
    for (const url of gone) {
      differences.set(url, shingleDifference(this.#shinglesOfLast(this.#last.get(url)), NOTHING))
      this.#last.delete(url)
    }
    this.#differences.push(differences)
  }

  #shinglesOfLast(last: LastVersion | undefined): ShingleSet {
    return last === undefined ? NOTHING : (last.shingles ?? this.#shinglesOf(last.page))
  }

  #shinglesOf({ title, text }: WorldPage): ShingleSet {
    return shinglesOf(`${title}\n${text}`, this.#hash)
  }
}
