import type { WeightName } from '../base/documents.js'

export interface FieldOptions {
  /** Multiplies the scores of the field. Finite, at least 0. Default 1. */
  readonly boost?: number
}

export type ScoringModel = 'bm25' | 'tfidf'

export interface ScoringOptions<D extends object> {
  /** Default 'bm25'. */
  readonly model?: ScoringModel
  /** bm25 only: how soon repetitions of a word stop counting. At least 0, default 1.2. */
  readonly k1?: number
  /** bm25 only: how much long fields are marked down, from 0 (not at all) to 1. Default 0.75. */
  readonly b?: number
  /** A numeric property that takes part in the score: alpha · text score + beta · weight. */
  readonly weight?: WeightName<D>
  /** Needs `weight`. At least 0, default 1. */
  readonly alpha?: number
  /** Needs `weight`. At least 0, default 1. */
  readonly beta?: number
}

export interface UpkeepOptions {
  /** Log from which segments are written, in bytes. Default 8 MiB; more when the index is large. */
  readonly logBytes?: number
  /** Fewest posting changes for which a partition is folded. Default 8,192. */
  readonly foldPostings?: number
  /** Size of a partition, in bytes. Default 8 MiB. */
  readonly partitionBytes?: number
}

/**
 * Power: a commit is synced before it counts. Process: the operating system has it, which survives the death of the
 * process but not that of the machine; what is lost then is a tail of commits, never part of one.
 */
export type Durability = 'power' | 'process'
