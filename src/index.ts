export type { Analyzer, AnalyzerChoice, AnalyzerIdentity, PresetName, PresetOptions } from './analysis/analyzer.js'
export { LANGUAGE_NAMES, type LanguageName, loadLanguage } from './analysis/languages.js'
export type { ColumnKind, ColumnOptions } from './base/columns.js'
export type { FieldName, KeyName, LinksName, PropertyName, WeightName } from './base/documents.js'
export { type ErrorDetail, FreshdexError, type FreshdexErrorCode } from './base/errors.js'
export type { Key } from './base/keys.js'
export type { WriteBatch } from './core/batch.js'
export type { CheckFault, CheckLevel, CheckOptions, CheckReport } from './core/check-report.js'
export type { DiskStats, FieldStats, IndexStats, ScoringStats } from './core/stats.js'
export type { Token } from './core/tokens.js'
export {
  Freshdex,
  type OpenOptions,
  type ReopenOptions,
  type Stats,
  type StopOptions,
  type WriteOptions,
} from './freshdex.js'
export type { ImpactOptions } from './frontier/cycle-rules.js'
export type { FrontierExplanation, FrontierQuery, FrontierSuggestion, FrontierWorth } from './frontier/explanation.js'
export type { Frontier, FrontierExplainOptions, FrontierNextOptions } from './frontier/frontier.js'
export type { FoundPage } from './frontier/frontier-page.js'
export type { AddReport, FrontierStats } from './frontier/frontier-state.js'
export type { EffectExplanation } from './ledger/effects.js'
export type { ChangeProfile, ProfileObservation } from './ledger/profile.js'
export type { Outcome, PastRefresh } from './ledger/rows.js'
export { type PendingSignals, SIGNAL_KINDS, type SignalKind } from './ledger/signals.js'
export type { EvidenceKind, SignalCounts } from './ledger/site-trust.js'
export type { PageLink } from './links/page-links.js'
export type {
  Durability,
  FieldOptions,
  FromLinks,
  ScoringModel,
  ScoringOptions,
  UpkeepOptions,
} from './options/index-options.js'
export type { CurvePoint, Plan, PlannedAction, PlannedNewPage, PlannedRefresh, StalenessReport } from './plan/plan.js'
export type { ActionCosts, CostBudget, PlanOptions, Price, PricedPage } from './plan/plan-options.js'
export type { RefreshStats } from './prioritizer.js'
export type {
  BuildClustersOptions,
  ClusterExplanation,
  ClusterFeature,
  ClusterReport,
  ClusterSummary,
  Clusters,
} from './refresh/clusters/clusters.js'
export type {
  ChangeBehaviour,
  ChangeExplanation,
  ChangeKind,
  ChangeStats,
  Quartiles,
} from './refresh/explain/change-behaviour.js'
export type { QueryCurve, RankedDocument } from './refresh/explain/curve-explanations.js'
export type { FitTotals } from './refresh/measurement.js'
export type { ObservedOutcome } from './refresh/observations.js'
export type { PolicyCard, PolicyExplanation } from './refresh/policies/policy.js'
export type { PolicyOption, PolicyOptionKind } from './refresh/policies/policy-options.js'
export {
  DEFAULT_POLICY,
  type ListedPolicy,
  POLICY_CARDS,
  POLICY_NAMES,
  type PolicyChoice,
  type PolicyName,
  type PolicyOptions,
} from './refresh/policies/registry.js'
export type { Refresh } from './refresh/refresh.js'
export type {
  Advice,
  AdviceBasis,
  JudgeOptions,
  NextOptions,
  ObserveOptions,
  RefreshExplanation,
  SignalOptions,
  StakeQuery,
  SuggestedPage,
} from './refresh/refresh-options.js'
export type { RefreshSchedule, RefreshScheduleOptions } from './refresh/refresh-schedule.js'
export type { Review, ReviewedDay, ReviewOptions, ReviewSums } from './refresh/review/review.js'
export type { ReviewVerdict } from './refresh/review/review-sentence.js'
export type { ShiftBatch, ShiftListener } from './refresh/shifts.js'
export type { SignalImportOptions, SignalImportReport, SignalImportSource } from './refresh/signals/import.js'
export type { ImportSource } from './refresh/signals/readers/source-text.js'
export type { SkippedEntries, SkipReason } from './refresh/signals/readers/usable-entries.js'
export type { SignalKindStats, SiteSignalStats } from './refresh/signals/site-stats.js'
export type { RankMove, RecentWrite, WrittenPage } from './refresh/writes/recent-writes.js'
export type { WatchOptions } from './refresh/writes/watch.js'
export type { WrittenOutcome } from './refresh/writes/write-row.js'
export type { Boost, DecayBoost, LogBoost } from './search/boosts.js'
export type { AnyColumnValue, ColumnValue, DateValue } from './search/column-values.js'
export type { Facet, FacetCount, FacetCounts, IntervalFacet, RangeFacet, ValueFacet } from './search/facets.js'
export type { AnyFilter, ColumnFilter, Filter, ValueConditions, ValueRange } from './search/filter.js'
export type { DateInterval } from './search/filter-tree.js'
export type { GroupOptions } from './search/group.js'
export type { Pin } from './search/pins.js'
export type {
  AllQuery,
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
} from './search/query.js'
export type { SearchAsyncOptions, SearchOptions } from './search/search-options.js'
export type { Explanation, Hit, RefreshState, SearchResult, TermExplanation } from './search/search-result.js'
export type { SimilarOptions } from './search/similar-options.js'
export type { Snippet, SnippetOptions } from './search/snippet.js'
export type { Sort, SortBy } from './search/sort.js'
export type { Suggestion, SuggestionKind, SuggestOptions } from './search/suggest-options.js'
export type { SynonymRule, Synonyms } from './search/synonyms.js'
export type { Snapshot } from './snapshot.js'
export type { BackupReport } from './storage/backup.js'
export { salvage } from './storage/open.js'
export type { KeptAndLost, SalvagedRefresh } from './storage/salvage/ledger.js'
export type { SalvageOptions, SalvageReport } from './storage/salvage/salvage.js'
export type { Learning } from './workload/keeper.js'
export type { ViewLikelihood } from './workload/view-likelihood.js'
export type {
  CountedQuery,
  LoadReport,
  RecordOptions,
  UnansweredQuery,
  Workload,
  WorkloadQuery,
} from './workload/workload.js'
export type { WorkloadOptions } from './workload/workload-options.js'
export type { WorkloadStats } from './workload/workload-state.js'
export type { Overhead, OverheadStats } from './write/cpu-account.js'
export type { DocumentLoadReport, DocumentSource, LoadOptions, LoadProgress } from './write/load.js'
export type { MemoryStats } from './write/memory-limit.js'
export type { PatchReport } from './write/patch.js'
export type { Reindexing, ReindexProgress, ReindexReport } from './write/reindex.js'
export type { DocumentGain, WriteReport } from './write/report.js'
export type { ReweighReport } from './write/reweigh.js'
