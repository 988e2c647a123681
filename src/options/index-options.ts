/** The options of an index, as users give them. */
import type { AnalyzerChoice } from '../analysis/analyzer.js'
import type { LinksName, WeightName } from '../base/documents.js'

/** Where a text, or a number, comes from that other documents say of one. */
export interface FromLinks<D extends object = Record<string, unknown>> {
  /** The property that holds the links of a document: a list of { to, text }. */
  readonly from: LinksName<D>
}

export interface FieldOptions<D extends object = Record<string, unknown>> {
  /**
   * The field has no text of its own: it holds the texts of the links that other documents have to this one, in this
   * property. One field of an index, beside others.
   */
  readonly from?: LinksName<D>
  /** Multiplies the scores of the field. Finite, at least 0. Default 1. */
  readonly boost?: number
  /** How the text of the field, and of queries in it, becomes tokens. Default: the analyzer of the index. */
  readonly analyzer?: AnalyzerChoice
}

export type ScoringModel = 'bm25' | 'tfidf'

export interface ScoringOptions<D extends object> {
  /** Default 'bm25'. */
  readonly model?: ScoringModel
  /** bm25 only: how soon repetitions of a word stop adding to the score. At least 0, default 1.2. */
  readonly k1?: number
  /** bm25 only: how much long fields are penalized, from 0 (not at all) to 1. Default 0.75. */
  readonly b?: number
  /**
   * A numeric property that takes part in the score: alpha · text score + beta · weight. Or `{ from }`, a property with
   * links: the weight of a document is the number of links to it.
   */
  readonly weight?: WeightName<D> | FromLinks<D>
  /** Needs `weight`. At least 0, default 1. */
  readonly alpha?: number
  /** Needs `weight`. At least 0, default 1. */
  readonly beta?: number
}

export interface UpkeepOptions {
  /** The size of the log from which on segments are written, in bytes. Default 8 MiB; more when the index is large. */
  readonly logBytes?: number
  /** The fewest changes of postings for which a partition is folded. Default 8,192. */
  readonly foldPostings?: number
  /** In how many pages words must stand together at least to get a list of their own at a compaction. Default 256. */
  readonly phrasePages?: number
  /**
   * Whether compactions pack the words of documents: less on disk, and phrases that no list answers take longer, those
   * with a stop word between their words several times as long. Default false.
   */
  readonly packRecords?: boolean
  /** The size of a partition, in bytes. Default 8 MiB. */
  readonly partitionBytes?: number
}

/**
 * 'power': a commit is synced to disk before it counts. 'process': the operating system has it, which survives the
 * death of the process but not of the machine; then the last commits may be lost, but never a part of one.
 */
export type Durability = 'power' | 'process'
