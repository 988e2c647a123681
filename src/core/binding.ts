/** The addon: its errors in our terms, and settings as the core takes them. */
import { PRESETS, TOKENS_GIVEN } from '../analysis/analyzer.js'
import { type ErrorDetail, FreshdexError, isErrorCode } from '../base/errors.js'
import { COLUMN_KINDS } from '../options/columns.js'
import type { OpenSettings } from '../options/index-settings.js'
import type { AnalysisId, NativeConfig, NativeDiskConfig } from './addon-shape.js'

export { addonFile, loadAddon } from './addon.js'

/** Calls the addon; what it throws comes out as FreshdexError. */
export function callNative<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw fromNative(error)
  }
}

/** The same for calls that return a promise. */
export async function awaitNative<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw fromNative(error)
  }
}

/** An error of the addon in our terms. Whatever carries none of our codes is a fault of ours: INTERNAL. */
export function fromNative(error: unknown): FreshdexError {
  if (error instanceof FreshdexError) return error
  const { code, detail } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  const message = error instanceof Error ? error.message : String(error)
  const facts = flatDetail(detail)
  if (isErrorCode(code)) return new FreshdexError(code, message, { cause: error, detail: facts })
  return new FreshdexError('INTERNAL', `the addon failed: ${message}`, { cause: error, detail: facts })
}

function flatDetail(detail: unknown): ErrorDetail {
  if (typeof detail !== 'object' || detail === null) return {}
  const facts = Object.entries(detail).filter(
    (fact): fact is [string, string | number] => typeof fact[1] === 'string' || typeof fact[1] === 'number',
  )
  return Object.fromEntries(facts)
}

/** What a core has besides its settings. */
export interface CoreExtras {
  /** Default false. */
  readonly wantsSketches?: boolean
  /** Absent for an index in memory. */
  readonly disk?: NativeDiskConfig
}

export function nativeConfig(settings: OpenSettings, hashSeed: bigint, extras: CoreExtras = {}): NativeConfig {
  const { analyzer, fieldAnalyzers, scoring, fieldNames, fieldBoosts, columns, documentBytes, links } = settings
  return {
    fieldCount: fieldNames.length,
    columnKinds: Uint8Array.from(columns, ({ kind }) => COLUMN_KINDS.indexOf(kind)),
    analysis: analysisId(analyzer),
    fieldAnalysis: Uint8Array.from(fieldAnalyzers, analysisId),
    hashSeed,
    model: scoring.model === 'bm25' ? 0 : 1,
    k1: scoring.k1,
    b: scoring.b,
    fieldBoosts: Float64Array.from(fieldBoosts),
    alpha: scoring.alpha,
    beta: scoring.beta,
    maxDocumentBytes: documentBytes,
    ...(links?.field === undefined ? {} : { linkField: fieldNames.indexOf(links.field) }),
    wantsSketches: extras.wantsSketches ?? false,
    disk: extras.disk,
  }
}

function analysisId(analyzer: OpenSettings['analyzer']): AnalysisId {
  return typeof analyzer === 'string' ? PRESETS[analyzer].id : TOKENS_GIVEN
}
