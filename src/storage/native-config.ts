/** Settings as the core takes them. */
import { PRESETS, TOKENS_GIVEN } from '../analysis/presets.js'
import type { NativeConfig, NativeDiskConfig } from '../engine/binding.js'
import type { OpenSettings } from '../settings.js'

/** What a core has beside its settings. */
export interface CoreExtras {
  /** Default false. */
  readonly wantsSketches?: boolean
  /** Absent for an index in memory. */
  readonly disk?: NativeDiskConfig
}

export function nativeConfig(settings: OpenSettings, hashSeed: bigint, extras: CoreExtras = {}): NativeConfig {
  const { analyzer, scoring, fieldNames, fieldBoosts, documentBytes } = settings
  return {
    fieldCount: fieldNames.length,
    analysis: typeof analyzer === 'string' ? PRESETS[analyzer].id : TOKENS_GIVEN,
    hashSeed,
    model: scoring.model === 'bm25' ? 0 : 1,
    k1: scoring.k1,
    b: scoring.b,
    fieldBoosts: Float64Array.from(fieldBoosts),
    alpha: scoring.alpha,
    beta: scoring.beta,
    maxDocumentBytes: documentBytes,
    wantsSketches: extras.wantsSketches ?? false,
    disk: extras.disk,
  }
}
