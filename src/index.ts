export type { Analyzer } from './analysis/analyzer.js'
export type { AnalyzerIdentity } from './analysis/identity.js'
export { LANGUAGE_NAMES, type LanguageName, loadLanguage } from './analysis/languages.js'
export type { PresetName } from './analysis/presets.js'
export type { Durability } from './catalog/connection.js'
export type {
  Frontier,
  FrontierExplanation,
  FrontierNextOptions,
  FrontierQuery,
  FrontierSuggestion,
  FrontierWorth,
} from './discovery/frontier.js'
export type { AddReport, FrontierStats } from './discovery/frontier-book.js'
export type { FoundPage } from './discovery/frontier-page.js'
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
export type { DiskStats, FieldStats, IndexStats, Stats } from './engine/stats.js'
export type { DocumentGain, WriteOverhead, WriteReport } from './engine/write-report.js'
export { type ErrorDetail, FreshdexError, type FreshdexErrorCode } from './errors.js'
export { Freshdex, type WriteOptions } from './freshdex.js'
export type {
  FieldOptions,
  OpenOptions,
  ReopenOptions,
  ScoringModel,
  ScoringOptions,
  SearchOptions,
  UpkeepOptions,
  WorkloadOptions,
} from './options.js'
export type { Plan, PlannedAction, PlannedNewPage, PlannedRefresh, StalenessReport } from './plan/plan.js'
export type { CostBudget, PlanOptions } from './plan/plan-options.js'
export type { Price, PricedPage } from './plan/prices.js'
export type { ChangeBehaviour, ChangeExplanation, ChangeKind } from './refresh/change-account.js'
export type { ChangeStats, Quartiles } from './refresh/change-stats.js'
export type {
  BuildClustersOptions,
  ClusterExplanation,
  ClusterFeature,
  ClusterReport,
  ClusterSummary,
  Clusters,
} from './refresh/clusters.js'
export type { EffectExplanation } from './refresh/effects.js'
export type { ObservedOutcome } from './refresh/history-entry.js'
export type { RefreshStats } from './refresh/keeper.js'
export type { Outcome, PastRefresh } from './refresh/ledger-row.js'
export type { FitTotals } from './refresh/measurement.js'
export type { Overhead, OverheadStats } from './refresh/overhead.js'
export type { PolicyExplanation } from './refresh/policy.js'
export type { PolicyCard } from './refresh/policy-card.js'
export type { PolicyChoice } from './refresh/policy-desk.js'
export type { ChangeProfile, ProfileObservation } from './refresh/profile.js'
export type {
  JudgeOptions,
  NextOptions,
  ObserveOptions,
  Refresh,
  RefreshExplanation,
  RefreshState,
  RefreshSuggestion,
} from './refresh/refresh.js'
export {
  DEFAULT_POLICY,
  POLICY_CARDS,
  POLICY_NAMES,
  type PolicyName,
  type PolicyOptions,
} from './refresh/registry.js'
export type { Review, ReviewedDay, ReviewOptions, ReviewSums } from './refresh/review.js'
export type { ShiftBatch, ShiftListener } from './refresh/shifts.js'
export type { SignalImportOptions, SignalImportReport, SignalImportSource } from './refresh/signal-import.js'
export type { SkippedEntries, SkipReason } from './refresh/signals/import/skipped-entries.js'
export type { ImportSource } from './refresh/signals/import/source-text.js'
export type { PendingSignals } from './refresh/signals/pending-signals.js'
export { SIGNAL_KINDS, type SignalKind } from './refresh/signals/signal-kinds.js'
export type { SignalOptions } from './refresh/signals/signal-options.js'
export type { SignalKindStats, SiteSignalStats } from './refresh/signals/signal-stats.js'
export type { EvidenceKind, SignalCounts } from './refresh/signals/site-evidence.js'
export type { Snapshot } from './snapshot.js'
export type { BackupReport } from './storage/backup.js'
export { type SalvageOptions, type SalvageReport, salvage } from './storage/salvage.js'
export type { KeptAndLost, SalvagedRefresh } from './storage/salvaged-refresh.js'
export type { ViewLikelihood } from './workload/view-likelihood.js'
export type { CountedQuery, LoadReport, RecordOptions, Workload, WorkloadQuery } from './workload/workload.js'
export type { WorkloadStats } from './workload/workload-state.js'
