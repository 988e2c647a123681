/** What the last refresh that changed a document did to the queries: of an index in memory, which has no catalog for it. */
import type { BatchMeasure } from '../engine/binding.js'
import { EFFECT_BYTES } from './effects.js'

/** Of an entry of a Map, about. */
const ENTRY_BYTES = 64

export class KeptEffects {
  readonly #byDocument = new Map<number, Uint8Array>()

  get memoryBytes(): number {
    let bytes = 0
    for (const effects of this.#byDocument.values()) bytes += effects.length + ENTRY_BYTES
    return bytes
  }

  of(doc: number): Uint8Array {
    return this.#byDocument.get(doc) ?? NO_EFFECTS
  }

  /** A touched document without effects keeps those it has. */
  take(
    touched: readonly number[],
    removed: readonly number[],
    effectsOf: (doc: number) => Uint8Array | undefined,
  ): void {
    for (const doc of removed) this.#byDocument.delete(doc)
    for (const doc of touched) {
      const effects = effectsOf(doc)
      if (effects !== undefined) this.#byDocument.set(doc, effects.slice())
    }
  }
}

const NO_EFFECTS = new Uint8Array()

export function effectsOfPage({ effects, effectEnds }: BatchMeasure, page: number | undefined): Uint8Array | undefined {
  if (page === undefined) return undefined
  const begin = page === 0 ? 0 : (effectEnds[page - 1] as number)
  return effects.subarray(begin * EFFECT_BYTES, (effectEnds[page] as number) * EFFECT_BYTES)
}
