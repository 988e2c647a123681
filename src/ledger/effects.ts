/**
 * What a refresh did to the queries that it moved most, as the core says it: see Effect in native/quality/measurer.h
 * for the bytes.
 */
import type { BatchMeasure } from '../engine.js'
import type { EnteredRows } from './row-changes.js'

export const EFFECT_BYTES = 24
/** The most effects that are kept of one refresh. */
export const MAX_EFFECTS = 8

/** What is known of a measured query today. */
export interface NamedQuery {
  readonly query: string
  readonly weight: number
}

/** One query whose answers a refresh changed. */
export interface EffectExplanation {
  /** Undefined when the query is no longer in the workload. */
  readonly query: string | undefined
  /** How often the query is asked, as of today. */
  readonly weight: number | undefined
  /** 0 where the document did not match. */
  readonly scoreBefore: number
  readonly scoreAfter: number
  /** Counting from 1, as the score→rank curve gives it; undefined where the document did not match. */
  readonly rankBefore: number | undefined
  readonly rankAfter: number | undefined
  /** The query's part of ΔQ_A, its weight included. */
  readonly deltaQuality: number
  /** The query's part of what the listed queries gained together, from 0 to 1. */
  readonly share: number
}

export function explainEffects(
  bytes: Uint8Array,
  queriesById: (ids: ReadonlySet<number>) => ReadonlyMap<number, NamedQuery>,
): EffectExplanation[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const offsets = Array.from({ length: Math.floor(bytes.length / EFFECT_BYTES) }, (_, at) => at * EFFECT_BYTES)
  const known = queriesById(new Set(offsets.map((at) => view.getUint32(at, true))))
  const total = offsets.reduce((sum, at) => sum + view.getFloat32(at + 20, true), 0)
  const rank = (at: number) => view.getUint32(at, true) || undefined
  return offsets.map((at) => {
    const named = known.get(view.getUint32(at, true))
    const deltaQuality = view.getFloat32(at + 20, true)
    return {
      query: named?.query,
      weight: named?.weight,
      scoreBefore: view.getFloat32(at + 4, true),
      scoreAfter: view.getFloat32(at + 8, true),
      rankBefore: rank(at + 12),
      rankAfter: rank(at + 16),
      deltaQuality,
      share: total > 0 ? deltaQuality / total : 0,
    }
  })
}

/** What an entry of a Map takes, roughly. */
const ENTRY_BYTES = 64

/**
 * What the last refresh that changed a document did to the queries, for an index in memory, which has no catalog to
 * keep it.
 */
export class EffectsInMemory {
  readonly #byDocument = new Map<number, Uint8Array>()

  get memoryBytes(): number {
    let bytes = 0
    for (const effects of this.#byDocument.values()) bytes += effects.length + ENTRY_BYTES
    return bytes
  }

  of(doc: number): Uint8Array {
    return this.#byDocument.get(doc) ?? NO_EFFECTS
  }

  /** What a batch has entered; a document without effects keeps those it has. */
  take({ touched, removed, effects, effectEnds }: EnteredRows): void {
    for (const doc of removed) this.#byDocument.delete(doc)
    let begin = 0
    for (let nth = 0; nth < touched.length; nth++) {
      const end = effectEnds[nth]!
      if (end === KEEP_EFFECTS) continue
      this.#byDocument.set(touched[nth]!, effects.slice(begin, end))
      begin = end
    }
  }
}

/** In place of where the effects of a document end: those that it has stay. */
export const KEEP_EFFECTS = -1

const NO_EFFECTS = new Uint8Array()

/** The effects of one page of a measured batch. */
export function effectsOfPage({ effects, effectEnds }: BatchMeasure, page: number | undefined): Uint8Array | undefined {
  if (page === undefined) return undefined
  const begin = page === 0 ? 0 : (effectEnds[page - 1] as number)
  return effects.subarray(begin * EFFECT_BYTES, (effectEnds[page] as number) * EFFECT_BYTES)
}
