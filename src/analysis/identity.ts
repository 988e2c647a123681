import type { Analyzer } from './analyzer.js'
import { PRESETS, type PresetName } from './presets.js'

/**
 * Which analyzer made the tokens of an index. Part of what the index is: with another analyzer, or another version of
 * it, queries would silently miss documents.
 */
export interface AnalyzerIdentity {
  readonly name: string
  readonly version: string
}

export function identityOf(analyzer: PresetName | Analyzer): AnalyzerIdentity {
  if (typeof analyzer === 'string') return { name: analyzer, version: PRESETS[analyzer].version }
  return { name: analyzer.name, version: analyzer.version }
}
