/** What a refresh did to queries, as the core says it: see Effect in native/quality/measurer.h for the bytes. */

export const EFFECT_BYTES = 24
/** Of one refresh. */
export const MAX_EFFECTS = 8

/** What is known of a measured query today. */
export interface NamedQuery {
  readonly query: string
  readonly weight: number
}

/** One query whose answers a refresh changed. */
export interface EffectExplanation {
  /** Undefined when the workload does not have it any more. */
  readonly query: string | undefined
  /** How often it is asked, as of today. */
  readonly weight: number | undefined
  /** 0: did not match. */
  readonly scoreBefore: number
  readonly scoreAfter: number
  /** Counting from 1, as the score→rank curve gives it; undefined where it did not match. */
  readonly rankBefore: number | undefined
  readonly rankAfter: number | undefined
  /** The query's part of ΔQ_A, its weight included. */
  readonly deltaQuality: number
  /** Of the queries listed. */
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
