import type { ScoringModel } from '../../index.js'

export interface ComparisonOptions {
  /** Of a score-rank curve, at most 8. */
  readonly pieces: number
  /** To replay, at most. */
  readonly weeks: number
  /** Told before every week. */
  readonly onProgress: (progress: ComparisonProgress) => void
}

/** Weeks under one scoring. */
export interface ComparisonProgress {
  readonly scoring: ScoringModel
  readonly done: number
  readonly total: number
}
