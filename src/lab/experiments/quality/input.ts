/** What tasks of the quality experiment need of a folder, read once. */
import xxhash from 'xxhash-wasm'
import { type AnsweringWorld, MeasuredIndex } from '../../choosers/measured-index.js'
import type { LoadProgress } from '../../frame/experiment.js'
import { type CountedWorld, countWorld } from '../../quality/counted-world.js'
import { untouchedLosses } from '../../quality/replay.js'
import { RepositoryQuality, type ScoredWorld } from '../../quality/repository-quality.js'
import { forEachChange, type Timeline } from '../../quality/timeline.js'
import { scoreVersions, type VersionScores } from '../../quality/version-scores.js'
import { singleTermQueries } from '../../quality/word-counts.js'
import { type GainEstimator, QUALITY_POLICIES, requirePolicy } from './policies.js'
import { ShingleDifferences } from './shingle-differences.js'
import { checkSpec, openSource, type QualitySpec } from './spec.js'

/** Plain data and typed arrays: it can be sent to another thread. */
export interface QualityInput extends ScoredWorld {
  readonly spec: QualitySpec
  /** Pages of the world that were left out because they are not there at every step. */
  readonly leftOut: number
  /** Mean quality when nothing is ever refreshed. */
  readonly untouchedQuality: number
  /** By query: its part of 1 − untouchedQuality. */
  readonly untouchedLosses: Float64Array
  /** By change of the timeline: which part of the shingles it changed. For SBR and EBR. */
  readonly differences?: Float64Array
  /** By change of the timeline: ΔQ_A of a refresh right after it, every earlier change being refreshed. */
  readonly gains: Readonly<Partial<Record<GainEstimator, Float64Array>>>
}

/** FreshdexError for files that are missing or damaged, TypeError or RangeError for a spec that cannot be. */
export async function loadQualityInput(
  spec: QualitySpec,
  onProgress: (progress: LoadProgress) => void = () => {},
): Promise<QualityInput> {
  checkSpec(spec)
  const policies = spec.policies?.map(requirePolicy) ?? QUALITY_POLICIES
  const source = await openSource(spec)
  const shingles = policies.some(({ thresholds }) => thresholds)
    ? new ShingleDifferences((await xxhash()).h64)
    : undefined
  const world = shingles?.watching(source.world) ?? source.world
  const counted = await countWorld(world, [...source.queries, ...(source.shift?.queries ?? [])], {
    pages: spec.pages,
    ...(source.analyzer === undefined ? {} : { analyzer: source.analyzer }),
    onStep: (step) => onProgress({ stage: 'reading', done: step + 1, total: undefined }),
  })
  const { timeline } = counted
  onProgress({ stage: 'scoring', done: 0, total: timeline.atMs.length })
  const scores = withShift(source, scoreVersions(counted, source.scoring))
  const gains: Partial<Record<GainEstimator, Float64Array>> = {}
  const onStep = (step: number) => onProgress({ stage: 'measuring', done: step + 1, total: timeline.atMs.length })
  for (const estimator of new Set([...policies.flatMap((policy) => policy.gains ?? []), ...(spec.estimators ?? [])]))
    gains[estimator] = await gainsBy(estimator, { source, counted, scores }, onStep)
  const untouched = untouchedLosses({ timeline, scores })
  return {
    timeline,
    scores,
    spec,
    leftOut: counted.leftOut,
    untouchedQuality: untouched.meanQuality,
    untouchedLosses: untouched.queryLosses,
    gains,
    ...(shingles === undefined ? {} : { differences: shingles.byChange(timeline) }),
  }
}

interface CountedSource {
  readonly source: AnsweringWorld
  readonly counted: CountedWorld
  /** Scores for whole queries. */
  readonly scores: VersionScores
}

async function gainsBy(
  estimator: GainEstimator,
  { source, counted, scores }: CountedSource,
  onStep: (step: number) => void,
): Promise<Float64Array> {
  const { timeline, workload } = counted
  switch (estimator) {
    case 'full-exact':
      return exactGains({ timeline, scores }, onStep)
    case 'single-exact': {
      const singleScores = scoreVersions(counted, source.scoring, singleTermQueries(workload))
      return exactGains({ timeline, scores: singleScores }, onStep)
    }
    case 'full':
    case 'single': {
      const index = await MeasuredIndex.open(source, timeline, { terms: estimator })
      return measuredGains(index, timeline, onStep).finally(() => index.close())
    }
  }
}

/** The queries of both times are scored, each with a weight at its own time only. */
function withShift({ queries, shift }: AnsweringWorld, scores: VersionScores): VersionScores {
  if (shift === undefined) return scores
  const { weights } = scores
  if (weights.length !== queries.length + shift.queries.length)
    throw new RangeError('where what is asked shifts, every query must have a word')
  const isLater = (query: number) => query >= queries.length
  return {
    ...scores,
    weights: weights.map((weight, query) => (isLater(query) ? 0 : weight)),
    shift: {
      fromStep: shift.fromStep,
      weights: weights.map((weight, query) => (isLater(query) ? weight : 0)),
    },
  }
}

/**
 * ΔQ_A of every change of a world when each page is refreshed at the step at which it changed, as User-centric crawling
 * has it for its Figure 3. It is computed from whole answer lists, other pages taken to be as their copies. The gains
 * are by change, as the columns of the timeline are; 0 for the first step.
 */
export function exactGains(world: ScoredWorld, onStep?: (step: number) => void): Float64Array {
  const state = new RepositoryQuality(world)
  const gains = new Float64Array(world.timeline.changedPages.length)
  let change = world.timeline.changeEnds[0]!
  while (state.advance()) {
    const changed: number[] = []
    forEachChange(world.timeline, state.step, (page) => {
      gains[change++] = state.measuredDeltaQuality(page)
      changed.push(page)
    })
    for (const page of changed) state.refresh(page)
    onStep?.(state.step)
  }
  return gains
}

/** The same as an index measures it while it takes the pages in. The index is as of the first step. */
async function measuredGains(
  index: MeasuredIndex,
  timeline: Timeline,
  onStep?: (step: number) => void,
): Promise<Float64Array> {
  const gains = new Float64Array(timeline.changedPages.length)
  let change = timeline.changeEnds[0]!
  for (let step = 1; step < timeline.atMs.length; step++) {
    await index.asked(step, timeline)
    const byPage = await index.refresh(await index.advance())
    forEachChange(timeline, step, (page) => {
      gains[change++] = byPage.get(page) ?? 0
    })
    onStep?.(step)
  }
  return gains
}
