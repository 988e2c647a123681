/** The entry `freshdex/lab`: worlds that change, replays under a budget, and the experiments of `freshdex lab`. */

export { type Judge, type JudgedOptions, judgedChooser } from './choosers/judged.js'
export { oldestFirst } from './choosers/known-history.js'
export { oracle, randomPages, roundRobin, uniform } from './choosers/simple.js'
export type { ClustersSpec } from './experiments/clusters/spec.js'
export type { EstimateSpec } from './experiments/estimate/run.js'
export type { ForecastSpec } from './experiments/forecast/run.js'
export type { FrontierSpec } from './experiments/frontier/input.js'
export {
  FRAGMENT_MIXES,
  type GeneratedFragmentOptions,
  generatedFragments,
} from './experiments/longevity/generated-fragments.js'
export type { LongevitySpec } from './experiments/longevity/run.js'
export type { OverheadSpec } from './experiments/overhead/run.js'
export { answeringOf, askedOf, type IndexAnswering } from './experiments/quality/index-answering.js'
export { QUALITY_POLICIES, type QualityMode } from './experiments/quality/policies.js'
export { type QualityRunsSpec, type QualityTask, qualityTasks } from './experiments/quality/spec.js'
export type { ScheduleSpec } from './experiments/schedule/figures.js'
export {
  type Experiment,
  type ExperimentOptions,
  type KnownResults,
  type LoadProgress,
  type RunProgress,
  runExperiment,
} from './frame/experiment.js'
export { EXPERIMENT_NAMES, type ExperimentName, loadExperiment } from './frame/experiments.js'
export { folderDigest, ResultFile, type ResultQuestion } from './frame/result-file.js'
export { type CountedWorld, type CountOptions, countWorld } from './quality/counted-world.js'
export { embarrassment, freshness, meanAgeMs, topFreshness, topPrecision } from './quality/freshness.js'
export {
  type Chooser,
  type RefreshOutcome,
  type ReplayOptions,
  type ReplayResult,
  replay,
  untouchedLosses,
} from './quality/replay.js'
export type { RepositoryQuality, ScoredWorld } from './quality/repository-quality.js'
export type { Timeline } from './quality/timeline.js'
export {
  type FieldBoosts,
  type LabScoring,
  scoreVersions,
  type TextScoring,
  type VersionScores,
} from './quality/version-scores.js'
export { htmlReport } from './report/html.js'
export { drawPlot, type Plot } from './report/plot.js'
export { type Report, reportText, type Section } from './report/report.js'
export type { Table } from './report/table.js'
export { readFolderQueries } from './worlds/folder-tables.js'
export type { AskedQuery } from './worlds/generated-text.js'
export { type GeneratedWorld, type GeneratedWorldOptions, generatedWorld } from './worlds/generated-world.js'
export { type GitStep, type GitWorldOptions, gitWorld } from './worlds/git-world.js'
export { jsonlWorld } from './worlds/jsonl-snapshots.js'
export { openWorld, withLongerSteps } from './worlds/open-world.js'
export {
  type PageVersion,
  readPageVersions,
  readWeekHistory,
  textBytes,
  type Week,
  type WeekHistory,
} from './worlds/page-versions.js'
export { snapshotFolderWorld } from './worlds/snapshot-differ.js'
export type { SnapshotTimes } from './worlds/snapshot-format.js'
export { type SnapshotTotals, writeSnapshotFolder } from './worlds/snapshot-writer.js'
export { warcWorld } from './worlds/warc.js'
export type { World, WorldPage, WorldStep } from './worlds/world.js'
