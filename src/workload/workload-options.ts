/** The options of the workload, checked. */
import { booleanOption, choiceOption, numberOption, readOptions } from '../base/checks.js'
import { DAY_MS } from '../base/time.js'
import { powerView, sampleView, type ViewLikelihood } from './view-likelihood.js'

export interface WorkloadOptions {
  /**
   * 'full' (the default): a refresh is measured by whole queries. 'single': by their words one by one, as in the paper.
   */
  readonly terms?: 'full' | 'single'
  /** Searches are counted as queries of the workload. Default true. */
  readonly learn?: boolean
  /** What is kept of a query: its text, or hashes of its words. Default as it was; 'text' for a new index. */
  readonly privacy?: 'text' | 'hash'
  /** Most distinct queries to keep. Default 10,000. */
  readonly maxQueries?: number
  /** The time after which a query counts half, in milliseconds. Default 30 days; Infinity: it always counts fully. */
  readonly halfLifeMs?: number
  /**
   * How likely somebody views the answer at a rank: a function of the rank, counting from 1, that never rises, or the
   * exponent of a power law. Default r^-1.5, or what clicks say once there are enough of them.
   */
  readonly view?: ViewLikelihood | number
  /** Pieces of a score→rank curve, 1 to 8. Default 3. */
  readonly pieces?: number
}

export function resolveWorkload(value: unknown): WorkloadSettings | undefined {
  if (value === false) return undefined
  const given = readOptions('workload', value, WORKLOAD_OPTION_NAMES)
  const range = { min: 0, aboveMin: true, max: Number.POSITIVE_INFINITY }
  return {
    terms: choiceOption('workload.terms', given.terms, 'full', ['full', 'single']),
    learn: booleanOption('workload.learn', given.learn, true),
    privacy:
      given.privacy === undefined
        ? undefined
        : choiceOption<'text' | 'hash'>('workload.privacy', given.privacy, 'text', ['text', 'hash']),
    maxQueries: numberOption('workload.maxQueries', given.maxQueries, 10_000, { min: 1, max: 1e6, integer: true }),
    halfLifeMs: numberOption('workload.halfLifeMs', given.halfLifeMs, 30 * DAY_MS, range),
    view: resolveView(given.view),
    pieces: numberOption('workload.pieces', given.pieces, 3, { min: 1, max: 8, integer: true }),
  }
}

const WORKLOAD_OPTION_NAMES = ['terms', 'learn', 'privacy', 'maxQueries', 'halfLifeMs', 'view', 'pieces'] as const

function resolveView(value: unknown): ViewLikelihood | undefined {
  if (value === undefined) return undefined
  const view = typeof value === 'number' ? powerView(value) : (value as ViewLikelihood)
  sampleView(view)
  return view
}

/** Workload options after validation. */
export interface WorkloadSettings {
  readonly terms: 'full' | 'single'
  readonly learn: boolean
  /** Undefined: as it was stored. */
  readonly privacy: 'text' | 'hash' | undefined
  readonly maxQueries: number
  readonly halfLifeMs: number
  /** Undefined: r^-3/2, or what clicks say once there are enough. */
  readonly view: ViewLikelihood | undefined
  readonly pieces: number
}

/** The settings of an index that measures nothing: what is recorded is kept, and nothing is learnt. */
export const NOTHING_MEASURED: WorkloadSettings = {
  terms: 'full',
  learn: false,
  privacy: undefined,
  maxQueries: 10_000,
  halfLifeMs: Number.POSITIVE_INFINITY,
  view: undefined,
  pieces: 3,
}
