import type { Analyzer } from './analysis/analyzer.js'
import type { PresetName } from './analysis/presets.js'
import type { Durability } from './catalog/connection.js'
import type { FieldName, KeyName, PropertyName, WeightName } from './documents.js'
import type { PolicyChoice } from './refresh/policy-desk.js'
import type { ViewLikelihood } from './workload/view-likelihood.js'

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

export interface OpenOptions<D extends object> {
  /** The property that identifies a document. */
  readonly key: KeyName<D>
  /** The properties that are searched, 1 to 32 of them. */
  readonly fields: { readonly [Name in FieldName<D>]?: FieldOptions }
  /** How text becomes tokens. Default 'standard'. */
  readonly analyzer?: PresetName | Analyzer
  /** Default 'bm25'. */
  readonly scoring?: ScoringModel | ScoringOptions<D>
  /** What get() and hits can give back: everything (true, the default), the named properties, or the key only (false). */
  readonly store?: boolean | readonly PropertyName<D>[]
  readonly limits?: {
    /** Most text that one document may have, in UTF-8 bytes over all fields. Default 16 MiB, at most 1 GiB. */
    readonly documentBytes?: number
  }
  /** The queries by which refreshes are measured; false: none, nothing is learnt and nothing measured. Not kept with the index. */
  readonly workload?: false | WorkloadOptions
  /** By which policy documents are named for a refresh, where a call does not say. Not kept with the index. */
  readonly refresh?: { readonly policy?: PolicyChoice }
  /** Keeps a profile of how each document changes, 127 bytes a document. Default true. May differ from one opening to the next. */
  readonly changeProfiles?: boolean
  /**
   * What a resolved write survives. 'process' (the default): the death of the process, by whatever signal; a loss of power, or
   * a crash of the operating system, may take the last writes, never part of one, and never makes the index unreadable.
   * 'power': these too, as far as the disk keeps what it says it has kept. Only in a folder.
   */
  readonly durability?: Durability
  /** Reads an index that another process may be writing, and follows its writes. Only in a folder. Default false. */
  readonly readOnly?: boolean
  /** With readOnly: how often to look for new writes, in milliseconds. At least 1, default 100. */
  readonly pollMs?: number
  /** When work that writes leave behind is done. The defaults suit all but tests and unusual loads. Only in a folder. */
  readonly upkeep?: UpkeepOptions
}

export interface WorkloadOptions {
  /** 'full' (the default): a refresh is measured by whole queries. 'single': by their words one by one, as in the paper. */
  readonly terms?: 'full' | 'single'
  /** Searches are counted as queries of the workload. Default true. */
  readonly learn?: boolean
  /** What is kept of a query: its text, or hashes of its words. Default as it was; 'text' for a new index. */
  readonly privacy?: 'text' | 'hash'
  /** Most distinct queries to keep. Default 10,000. */
  readonly maxQueries?: number
  /** After this time a query counts half, in milliseconds. Default 30 days; Infinity: for ever. */
  readonly halfLifeMs?: number
  /**
   * How likely somebody views the answer at a rank: a function of the rank, counting from 1, that never rises, or the exponent
   * of a power law. Default r^-1.5, or what clicks say once there are enough of them.
   */
  readonly view?: ViewLikelihood | number
  /** Pieces of a score→rank curve, 1 to 8. Default 3. */
  readonly pieces?: number
}

export interface UpkeepOptions {
  /** Log from which segments are written, in bytes. Default 8 MiB; more when the index is large. */
  readonly logBytes?: number
  /** Fewest posting changes for which a partition is folded. Default 8,192. */
  readonly foldPostings?: number
  /** Size of a partition, in bytes. Default 8 MiB. */
  readonly partitionBytes?: number
}

/** Opening an index that exists: its key and its fields are known, and what else is not said stays as it was. */
export interface ReopenOptions<D extends object> extends Omit<OpenOptions<D>, 'key' | 'fields'> {
  readonly key?: undefined
  readonly fields?: undefined
}

export interface SearchOptions<D extends object> {
  /** Most hits to return, 0 to 10,000. Default 10. */
  readonly limit?: number
  /** Hits to pass over first, 0 to 1,000,000. Default 0. */
  readonly offset?: number
  /** The fields searched where the query names none. Default all. */
  readonly fields?: readonly FieldName<D>[]
  /** What words that stand side by side in text mean. Default 'and'. */
  readonly operator?: 'and' | 'or'
  /** Hits carry the stored document. Default false. */
  readonly docs?: boolean
  /** Hits carry an account of their score. Default false. */
  readonly explain?: boolean
  /** Stop after this many milliseconds with what was found (`partial`). Default: no deadline. */
  readonly deadlineMs?: number
  /** Stop after scoring this many documents (`partial`). Default: all. */
  readonly maxScored?: number
  /** Hits carry their refresh priority, age and expected gain. Default false. */
  readonly refresh?: boolean
  /** 'score' (the default), or 'priority': the hits that should be refreshed first come first. */
  readonly orderBy?: 'score' | 'priority'
}
