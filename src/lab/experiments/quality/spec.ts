/** What an experiment with the quality of answers is about, and the files that tell of it. */

import { choiceOption, numberOption } from '../../../base/checks.js'
import type { SignalRates } from '../../choosers/change-signals.js'
import type { AnsweringWorld } from '../../choosers/measured-index.js'
import { readFolderQueries, readInlinkCounts } from '../../worlds/folder-tables.js'
import { openWorld } from '../../worlds/open-world.js'
import { QUERIES_FILE } from '../../worlds/snapshot-format.js'
import { TRIAL_WORLDS, type TrialWorldName, trialWorld } from '../../worlds/trial-worlds.js'
import { GAIN_ESTIMATORS, type GainEstimator } from './policies.js'

export const QUALITY_SCORINGS = ['tfidf', 'bm25', 'inlinks'] as const

export type QualityScoring = (typeof QUALITY_SCORINGS)[number]

/** A world made by the seed of the spec. It has no links. */
export interface TrialSpec {
  readonly world: TrialWorldName
  readonly pages: number
  readonly steps: number
}

export interface QualitySpec {
  /**
   * A folder that openWorld() takes, with a queries.tsv, and with a links.ndjson.gz for inlinks; or a generated world.
   */
  readonly data: string | TrialSpec
  /** Of a folder: the file of the queries, if it is not queries.tsv. */
  readonly queriesFile?: string
  readonly scoring: QualityScoring
  /** So many queries, the first ones. */
  readonly queries: number
  /** 'always': pages that are there at every step. 'all': also those that come or go. */
  readonly pages: 'always' | 'all'
  readonly seed: number
  /** How reliable change signals are in the mode 'signals'. Both 0 unless told. */
  readonly signals?: SignalRates
  /** Whose needs are to be computed; all of QUALITY_POLICIES unless told. */
  readonly policies?: readonly string[]
  /** Estimates of ΔQ_A to have beside those of the policies, for forecast(). */
  readonly estimators?: readonly GainEstimator[]
}

/** Of files. */
export interface FolderSpec extends QualitySpec {
  readonly data: string
}

/** Of a generated world. */
export interface TrialQualitySpec extends QualitySpec {
  readonly data: TrialSpec
}

/** TypeError or RangeError for what cannot be; policies are checked by whoever knows them. */
export function checkSpec(spec: QualitySpec): void {
  choiceOption('scoring', spec.scoring, 'tfidf', QUALITY_SCORINGS)
  choiceOption('pages', spec.pages, 'always', ['always', 'all'])
  numberOption('queries', spec.queries, 1, { min: 1, integer: true })
  numberOption('seed', spec.seed, 0, { min: 0, max: 2 ** 32 - 1, integer: true })
  numberOption('missRate', spec.signals?.missRate, 0, { min: 0, max: 1 })
  for (const estimator of spec.estimators ?? [])
    choiceOption<GainEstimator>('estimators', estimator, 'full', GAIN_ESTIMATORS)
  numberOption('falseAlarmRate', spec.signals?.falseAlarmRate, 0, { min: 0, max: 1 })
  if (typeof spec.data === 'string') return
  choiceOption<TrialWorldName>('world', spec.data.world, 'all-churn', TRIAL_WORLDS)
  if (spec.scoring === 'inlinks') throw new RangeError('a generated world has no inlinks to score by')
}

/** FreshdexError for files that are missing or damaged. */
export async function openSource(spec: QualitySpec): Promise<AnsweringWorld> {
  const { data, queriesFile = QUERIES_FILE, scoring, queries, seed } = spec
  if (typeof data !== 'string') {
    const { world, queries: asked, shift } = trialWorld(data.world, { ...data, seed })
    const model = scoring === 'inlinks' ? 'tfidf' : scoring
    const later = shift && { ...shift, queries: shift.queries.slice(0, queries) }
    return { world, queries: asked.slice(0, queries), model, ...(later === undefined ? {} : { shift: later }) }
  }
  const world = await openWorld(data)
  const asked = (await readFolderQueries(data, queriesFile)).slice(0, queries)
  if (scoring !== 'inlinks') return { world, queries: asked, model: scoring }
  return { world, queries: asked, model: 'tfidf', inlinks: await readInlinkCounts(data) }
}
