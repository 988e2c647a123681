export type { Analyzer } from './analysis/analyzer.js'
export type { AnalyzerIdentity } from './analysis/identity.js'
export { LANGUAGE_NAMES, type LanguageName, loadLanguage } from './analysis/languages.js'
export type { PresetName } from './analysis/presets.js'
export type { Durability } from './catalog/connection.js'
export type { FieldName, Key, KeyName, PropertyName, WeightName } from './documents.js'
export type { CheckFault, CheckLevel, CheckOptions, CheckReport } from './engine/check-report.js'
export type { Explanation, Hit, SearchResult, TermExplanation } from './engine/hits.js'
export type {
  AndQuery,
  FuzzyQuery,
  LeafQuery,
  NotQuery,
  OrQuery,
  PhraseQuery,
  PrefixQuery,
  Query,
  QueryNode,
  WordQuery,
} from './engine/query.js'
export type { WriteBatch } from './engine/slab.js'
export type { DiskStats, FieldStats, Stats } from './engine/stats.js'
export type { WriteReport } from './engine/write-report.js'
export { type ErrorDetail, FreshdexError, type FreshdexErrorCode } from './errors.js'
export { Freshdex } from './freshdex.js'
export type {
  FieldOptions,
  OpenOptions,
  ReopenOptions,
  ScoringModel,
  ScoringOptions,
  SearchOptions,
  UpkeepOptions,
} from './options.js'
export type { Snapshot } from './snapshot.js'
export type { BackupReport } from './storage/backup.js'
export { type SalvageOptions, type SalvageReport, salvage } from './storage/salvage.js'
