/** Analyzers, which turn text into tokens: the interface, the presets, and the checks. */
import { describe } from '../base/describe.js'
import { FreshdexError } from '../base/errors.js'

/**
 * Turns text into tokens. Must be a pure function of its argument: documents and queries are analysed at different
 * times and have to agree.
 */
export interface Analyzer {
  readonly name: string
  /** Changes whenever the tokens of any text change. */
  readonly version: string
  /** The tokens of a text in order. Empty tokens are dropped; tokens over 255 UTF-8 bytes are cut. */
  analyze(text: string): readonly string[]
  /** The form of a prefix or fuzzy word that can be compared with tokens. Default: lower case. */
  normalize?(word: string): string
}

/** A token's length crosses to the core, and is kept there, in one byte. */
const MAX_TOKEN_BYTES = 255

/** The value if it is an analyzer, else TypeError. */
export function requireAnalyzer(value: unknown, option = 'analyzer'): Analyzer {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`${option} must be a preset name or an Analyzer, received ${describe(value)}`)
  }
  const candidate = value as Partial<Record<keyof Analyzer, unknown>>
  for (const property of ['name', 'version'] as const) {
    if (typeof candidate[property] === 'string' && candidate[property] !== '') continue
    throw new TypeError(
      `${option}.${property} must be a string that is not empty, received ${describe(candidate[property])}`,
    )
  }
  if (typeof candidate.analyze !== 'function') {
    throw new TypeError(`${option}.analyze must be a function, received ${describe(candidate.analyze)}`)
  }
  if (candidate.normalize !== undefined && typeof candidate.normalize !== 'function') {
    throw new TypeError(`${option}.normalize must be a function, received ${describe(candidate.normalize)}`)
  }
  return value as Analyzer
}

export interface CleanTokens {
  /** Each 1 to 255 UTF-8 bytes. */
  readonly tokens: readonly string[]
  /** How many were cut. */
  readonly truncated: number
}

/** The tokens of a text, checked and cleaned. */
export function analyzeText(analyzer: Analyzer, text: string): CleanTokens {
  if (text === '') return { tokens: [], truncated: 0 }
  // Copied inside the call, so that a getter or proxy that throws counts as a failure of the analyzer.
  const raw = callAnalyzer(analyzer, 'analyze', () => {
    const result: unknown = analyzer.analyze(text)
    return Array.isArray(result) ? [...(result as unknown[])] : result
  })
  if (!Array.isArray(raw)) throw wrongResult(analyzer, 'analyze', 'a list of strings', raw)
  const tokens: string[] = []
  let truncated = 0
  for (const token of raw as unknown[]) {
    if (typeof token !== 'string') throw wrongResult(analyzer, 'analyze', 'a list of strings', token)
    if (token === '') continue
    const kept = truncateToken(token)
    if (kept.length !== token.length) truncated++
    tokens.push(kept)
  }
  return { tokens, truncated }
}

/** A prefix or fuzzy word in the form of the tokens. */
export function normalizeWord(analyzer: Analyzer, word: string): string {
  if (analyzer.normalize === undefined) return word.toLowerCase()
  const normalized: unknown = callAnalyzer(analyzer, 'normalize', () => analyzer.normalize?.(word))
  if (typeof normalized !== 'string') throw wrongResult(analyzer, 'normalize', 'a string', normalized)
  return normalized
}

/** The longest beginning of a token that has whole code points and at most 255 UTF-8 bytes. */
export function truncateToken(token: string): string {
  // A UTF-16 unit takes at most three bytes, so ordinary words need not be measured.
  if (token.length * 3 <= MAX_TOKEN_BYTES || Buffer.byteLength(token) <= MAX_TOKEN_BYTES) return token
  let bytes = 0
  let end = 0
  for (const point of token) {
    bytes += Buffer.byteLength(point)
    if (bytes > MAX_TOKEN_BYTES) break
    end += point.length
  }
  return token.slice(0, end)
}

function callAnalyzer(analyzer: Analyzer, method: string, call: () => unknown): unknown {
  try {
    return call()
  } catch (cause) {
    // The index refused a call that the analyzer made, which is no failure of the analysis.
    if (cause instanceof FreshdexError && cause.code === 'REENTRANT') throw cause
    const reason = cause instanceof Error ? cause.message : describe(cause)
    throw new FreshdexError('ANALYZER_FAILED', `analyzer "${analyzer.name}" threw in ${method}: ${reason}`, {
      cause,
      detail: { analyzer: analyzer.name, method },
    })
  }
}

function wrongResult(analyzer: Analyzer, method: string, wanted: string, received: unknown): FreshdexError {
  const message = `analyzer "${analyzer.name}": ${method} must return ${wanted}, received ${describe(received)}`
  return new FreshdexError('ANALYZER_FAILED', message, {
    detail: { analyzer: analyzer.name, method, received: describe(received) },
  })
}

/**
 * The analyzer that made the tokens of an index. It is part of the index: with another analyzer, or another version of
 * it, queries would silently miss documents.
 */
export interface AnalyzerIdentity {
  readonly name: string
  readonly version: string
  /** Only of an analyzer of the core. */
  readonly foldAccents?: boolean
}

export function identityOf(analyzer: PresetVariant | Analyzer): AnalyzerIdentity {
  if (typeof analyzer !== 'string') return { name: analyzer.name, version: analyzer.version }
  const { name, version, foldAccents } = PRESETS[analyzer]
  return { name, version, foldAccents }
}

/**
 * The analyzers that live in the core. The version changes whenever the tokens of any text change: an index built with
 * another version would silently miss words.
 */
export const PRESETS = {
  /** Lower-cased words without accents, and pairs of characters in scripts without spaces between words (CJK). */
  standard: { id: 3, name: 'standard', version: '1', foldAccents: true },
  /** The same, but stop words become holes, and English words become Porter2 stems. */
  english: { id: 4, name: 'english', version: '1', foldAccents: true },
  'standard, accents kept': { id: 0, name: 'standard', version: '1', foldAccents: false },
  'english, accents kept': { id: 1, name: 'english', version: '1', foldAccents: false },
} as const

/** An analyzer of the core with all that it was told. */
export type PresetVariant = keyof typeof PRESETS

export type PresetName = 'standard' | 'english'

/** An analyzer of the core, and what it does. */
export interface PresetOptions {
  readonly name: PresetName
  /** Whether letters lose their accents, so that `zurich` finds `Zürich`. Default true. */
  readonly foldAccents?: boolean
}

/** How text becomes tokens, as users say it. */
export type AnalyzerChoice = PresetName | PresetOptions | Analyzer

export const PRESET_NAMES: readonly PresetName[] = ['standard', 'english']

/** The id that stands for an analyzer outside of the core. */
export const TOKENS_GIVEN = 2

export function isPreset(name: string): name is PresetName {
  return (PRESET_NAMES as readonly string[]).includes(name)
}

export function presetVariant(name: PresetName, foldAccents: boolean): PresetVariant {
  return foldAccents ? name : `${name}, accents kept`
}

/** The analyzer outside of the core; undefined for one of the core. */
export function ownAnalyzer(analyzer: PresetVariant | Analyzer): Analyzer | undefined {
  return typeof analyzer === 'string' ? undefined : analyzer
}

/** Whether an object names an analyzer of the core; one of the user has `analyze`. */
export function isPresetObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || 'analyze' in value || 'version' in value) return false
  const { name } = value as { readonly name?: unknown }
  return 'foldAccents' in value || (typeof name === 'string' && isPreset(name))
}
