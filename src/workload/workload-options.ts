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
  /**
   * Most distinct queries to keep. Kept with the index; default as it was, 10,000 for a new index.
   */
  readonly maxQueries?: number
  /**
   * The time after which a query counts half, in milliseconds; Infinity: it always counts fully. Kept with the index;
   * default as it was, 30 days for a new index.
   */
  readonly halfLifeMs?: number
  /**
   * What was learnt is on disk after this time at the latest, in milliseconds, or after 100 queries, without a close.
   * With `search({ session })` two seconds may be added. Default 5000.
   */
  readonly learnFlushMs?: number
  /**
   * How likely somebody views the answer at a rank: a function of the rank, counting from 1, that never rises, or the
   * exponent of a power law. Default r^-1.5, or what clicks say once there are enough of them.
   */
  readonly view?: ViewLikelihood | number
  /** Pieces of a score→rank curve, 1 to 8. Default 3. */
  readonly pieces?: number
  /**
   * The most CPU time that measuring may take, as a share of what indexing takes, such as 0.05: where it would take
   * more, the queries that promise least are left out, and reports say how much that is. Default: all are measured.
   */
  readonly maxOverhead?: number
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
    maxQueries:
      given.maxQueries === undefined
        ? undefined
        : numberOption('workload.maxQueries', given.maxQueries, DEFAULT_MAX_QUERIES, MAX_QUERIES_RANGE),
    halfLifeMs:
      given.halfLifeMs === undefined
        ? undefined
        : numberOption('workload.halfLifeMs', given.halfLifeMs, DEFAULT_HALF_LIFE_MS, range),
    learnFlushMs: numberOption('workload.learnFlushMs', given.learnFlushMs, 5000, { min: 1, max: 2 ** 31 - 1 }),
    view: resolveView(given.view),
    pieces: numberOption('workload.pieces', given.pieces, 3, { min: 1, max: 8, integer: true }),
    maxOverhead:
      given.maxOverhead === undefined
        ? undefined
        : numberOption('workload.maxOverhead', given.maxOverhead, 1, { min: 0, aboveMin: true }),
  }
}

export const DEFAULT_MAX_QUERIES = 10_000
export const DEFAULT_HALF_LIFE_MS = 30 * DAY_MS
const MAX_QUERIES_RANGE = { min: 1, max: 1e6, integer: true } as const

const WORKLOAD_OPTION_NAMES = [
  'terms',
  'learn',
  'privacy',
  'maxQueries',
  'halfLifeMs',
  'learnFlushMs',
  'view',
  'pieces',
  'maxOverhead',
] as const

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
  /** Undefined: as it was stored. */
  readonly maxQueries: number | undefined
  /** Undefined: as it was stored. */
  readonly halfLifeMs: number | undefined
  readonly learnFlushMs: number
  /** Undefined: r^-3/2, or what clicks say once there are enough. */
  readonly view: ViewLikelihood | undefined
  readonly pieces: number
  /** Undefined: all is measured. */
  readonly maxOverhead: number | undefined
}

/** The settings of an index that measures nothing: what is stored stays as it is, and nothing is learnt or recorded. */
export const NOTHING_MEASURED: WorkloadSettings = {
  terms: 'full',
  learn: false,
  privacy: undefined,
  maxQueries: undefined,
  halfLifeMs: undefined,
  learnFlushMs: 5000,
  view: undefined,
  pieces: 3,
  maxOverhead: undefined,
}
