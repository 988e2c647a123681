/** What the prioritizer needs of a search engine, and what a measured write is. Interfaces only. */
import type { Key } from './base/keys.js'
import type { QueryWords } from './workload/query-names.js'
import type { SampledView } from './workload/view-likelihood.js'

export type { QueryWords } from './workload/query-names.js'

/** What prepare() computed. */
export interface PreparedBatch {
  /** In the order of write-report.ts. */
  readonly counts: Float64Array
  /** On disk: of each document put, then of each removed, its number, or NO_DOCUMENT where nothing is to be done. */
  readonly numbers: Uint32Array
  /** On disk: the batch for the log. */
  readonly row: Uint8Array
  /** By so many bytes the index becomes larger when the batch is published. */
  readonly memoryBytes: number
  /** Of each document put, then of each removed: its number, or NO_DOCUMENT for one that was not there … */
  readonly documents: Uint32Array
  /**
   * Of each document that links were told of: its number, or NO_DOCUMENT for one that the batch puts. Empty without
   * links.
   */
  readonly targets: Uint32Array
  /** … what became of it, a BatchOutcome, … */
  readonly outcomes: Uint8Array
  /**
   * … and, where it was added or changed, SKETCH_MINIMA numbers that stand for its new text, ascending, filled up with
   * NO_MINIMUM (src/change/sketches.ts): see native/index/document_sketch.h. NO_MINIMUM throughout for the others.
   * Empty without wantsSketches.
   */
  readonly sketches: Uint32Array
  /** Undefined: measure() gives it, while the batch is being committed. */
  readonly measure: BatchMeasure | undefined
  /** CPU time of the writer thread, in microseconds; the other two left out. */
  readonly indexUs: number
  readonly measureUs: number
  readonly sketchUs: number
}

/**
 * What became of a document: `changed` is another text of its own, `reweighted` the same of another weight, or with
 * other links to it.
 */
export const BatchOutcome = { added: 0, changed: 1, same: 2, removed: 3, missing: 4, reweighted: 5 } as const

/** What a batch does to the answers of the workload. Empty without one. */
export interface BatchMeasure {
  /** Documents that changed, and for each of them … */
  readonly pages: Uint32Array
  /** … ΔQ_A, … */
  readonly deltaQuality: Float64Array
  /** … its stake after the batch, … */
  readonly stakes: Float64Array
  /** … and where its effects end. */
  readonly effectEnds: Uint32Array
  /**
   * Per effect, little endian: u32 query, f32 score before and after, u32 rank before and after (0: none), f32 ΔQ_A.
   */
  readonly effects: Uint8Array
  /** CPU time, in microseconds. */
  readonly measureUs: number
  /** The part of the workload's weight, from 0 to 1, that was left out to save time; 0 unless said. */
  readonly skippedWeight?: number | undefined
  /** The share that measureShare() was told, or that an earlier process was; undefined without curves. */
  readonly measuredShare?: number | undefined
  readonly shifts: number
  /** Of these, due to a changed length norm alone. */
  readonly normShifts: number
  /**
   * The part of the workload's weight that is on queries without an answer until a document of the batch, not a new
   * one, became one.
   */
  readonly answeredShare: number
  /** With keepShifts: per shift u32 document, u32 query, f32 score before and after. */
  readonly keptShifts: Uint8Array
}

export interface Published {
  /** CPU time, in microseconds. */
  readonly indexUs: number
  readonly measureUs: number
  /** 0 nothing, 1 some curves should be fitted anew, 2 all, in a new epoch. */
  readonly fitNeed: 0 | 1 | 2
}

/** What a fit gave. */
export interface Fitted {
  readonly epoch: number
  readonly queries: number
  /** How many of them were fitted. */
  readonly fitted: number
  /** How many answers were scored for it. */
  readonly answers: number
  /** CPU time of all threads, in microseconds. */
  readonly fitUs: number
  /** Of one curve. */
  readonly curveBytes: number
  /** Of all that measuring keeps. */
  readonly memoryBytes: number
  /** The part of the workload's weight that is on queries without an answer: 0 to 1. */
  readonly unansweredShare: number
  /** Of these documents; undefined: of all, by their numbers. */
  readonly documents: Uint32Array | undefined
  readonly stakes: Float64Array
  /** The statistics of a new epoch, and the curves to keep of this fit: empty within an epoch, and … */
  readonly statistics: Uint8Array
  readonly ids: Uint32Array
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  /** … the ids of queries that are not measured any more. */
  readonly removed: Uint32Array
}

/** Curves that an earlier process left: see native/quality/stored_curves.h. */
export interface KeptCurves {
  readonly statistics: Uint8Array
  readonly churn: Uint8Array
  readonly ids: Uint32Array
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

/** What was taken over of kept curves. */
export interface Resumed {
  readonly epoch: number
  /** The ids of the queries that have curves. */
  readonly queries: Uint32Array
  readonly curveBytes: number
  readonly memoryBytes: number
  /** The share, by weight, of the kept curves that could not be taken over; 1 if any of them is damaged. */
  readonly lostShare: number
}

/** A curve beside the answers that it stands for. */
export interface CurveReading {
  /** Of the list that was fitted. */
  readonly listSize: number
  /** Rank and score in turn. */
  readonly knots: Float64Array
  /** Some answers of today, and for each its score, its rank by the curve, and its rank. */
  readonly documents: Uint32Array
  readonly scores: Float64Array
  readonly fittedRanks: Uint32Array
  readonly exactRanks: Uint32Array
}

/** The queries that make the stake of a document, the largest part first. */
export interface StakeReading {
  /** The stake of the document, of all queries. */
  readonly total: number
  readonly queries: Uint32Array
  readonly ranks: Uint32Array
  readonly weights: Float64Array
  readonly scores: Float64Array
  readonly stakes: Float64Array
}

/** A query to whose answers a document belongs today. */
export interface StakeQuery {
  /** Undefined where the workload keeps no texts. */
  readonly query: string | undefined
  /** How often it is asked, as of today. */
  readonly weight: number
  /** The rank of the document among the answers, counting from 1. */
  readonly rank1: number
  /** The part of the document's stake that is due to the query, from 0 to 1. */
  readonly share: number
}

export const NO_DOCUMENT = 0xffffffff

/**
 * What the prioritizer needs of a search engine. Documents have numbers: small ones that live as long as their keys,
 * and that are the rows of the ledger.
 */
export interface SearchEngine {
  numberOf(key: Key): number | undefined
  keyOf(doc: number): Key | undefined
  /** The document as far as the engine stores it. */
  documentOf(key: Key): Readonly<Record<string, unknown>> | undefined
  readonly fieldNames: readonly string[]
  /** The property that weighs documents, if there is one. */
  readonly weightName: string | undefined
  /** The property that holds the links of a document, where the engine reads them. */
  readonly linksName?: string | undefined
  /** Grows with every published write. */
  sequence(): number
  /** The documents that match a query and pass a filter of columns. Undefined: all. */
  matching(query: unknown, filter?: unknown): Promise<Uint32Array>
  /** The best answers to a query of words that must all occur. */
  best(words: string, limit: number): { readonly numbers: Uint32Array; readonly scores: Float64Array }
  /** The conjunctions of words that a query asks for; empty for one without a word that must occur. */
  measurableTexts(query: unknown, operator?: 'and' | 'or'): readonly string[]
  /** Whether any document has all words of a text. */
  hasAnswer(words: string): boolean
  /** What queries consist of, also where nothing can be written. */
  readonly words: QueryWords
  /** Undefined where nothing can be written. */
  readonly measuring: MeasuringEngine | undefined
  /** How documents are scored. Curves of another scoring say nothing. */
  readonly scoring: string
  /** Explains from now on by curves that are kept, where nothing is measured. False when none of them can be used. */
  loadCurves(workload: Uint8Array, pieces: number, view: SampledView | undefined, kept: KeptCurves): boolean
  /** Undefined for a query without a curve. */
  curveOf(query: number): CurveReading | undefined
  /** Undefined when nothing is measured. */
  stakeParts(doc: number, limit: number): StakeReading | undefined
}

/** How an engine measures what writes do to the answers of a workload. */
export interface MeasuringEngine {
  /** Words of the index by their hashes. */
  wordsOfHashes(hashes: readonly bigint[]): Promise<ReadonlyMap<bigint, string>>
  /** Begins a fit of the score→rank curves: of all queries of `workload` in a new epoch, or of those that need it. */
  startFit(workload?: Uint8Array, pieces?: number, view?: SampledView): Promise<void>
  /** Begins a new epoch of the queries that are measured, with the weights that they have. */
  renewEpoch(): Promise<void>
  /**
   * Begins to replace the workload within the epoch. `scale` is what became of all weights alike since the last
   * workload. New queries are fitted, and stakes follow the weights.
   */
  startExtension(workload: Uint8Array, scale: number): Promise<void>
  /** Goes on with kept curves and the stakes that belong to them; undefined when none of the curves can be used. */
  resume(
    workload: Uint8Array,
    pieces: number,
    view: SampledView | undefined,
    kept: KeptCurves,
    stakes: Float64Array,
  ): Promise<Resumed | undefined>
  /** How far lists have changed since their curves were fitted, to be kept with them. */
  churn(): Promise<Uint8Array>
  /** Computes the fit that was begun; writes go on meanwhile. */
  runFit(): Promise<void>
  /** Measures by the curves of that fit from now on. */
  adoptFit(): Promise<Fitted>
  abandonFit(): Promise<void>
  stopMeasuring(): Promise<void>
  keepShifts(keeps: boolean): Promise<void>
  /**
   * Measures from now on, or from the end of the fit under way, the queries that promise most per shift, as far as this
   * share, from 0 to 1, of the shifts goes that all queries would have. Between writes.
   */
  measureShare(share: number): Promise<void>
}

/** How an engine takes a batch, in two phases. The calls come one at a time. */
export interface WritingCore {
  /**
   * Computes what the batch changes and shows nothing of it. The bytes may be used again when it settles. `links`: what
   * links make of documents, where the engine reads links.
   */
  prepare(bytes: Uint8Array, links?: Uint8Array): Promise<PreparedBatch>
  /** Measures the prepared batch, where prepare() has not. */
  measure(): Promise<BatchMeasure>
  /** Shows the prepared batch. */
  publish(): Promise<Published>
  /** Forgets the prepared batch, if there is one. */
  discard(): Promise<void>
}

/** A write as it is entered into the account of refreshes. */
export interface MeasuredWrite {
  readonly prepared: PreparedBatch
  readonly measure: BatchMeasure
  /** The keys of the documents put. */
  readonly keys: readonly Key[]
  /** The keys to remove, in the order of the documents of `prepared` behind those put. */
  readonly removedKeys: readonly Key[]
  /** When the documents were fetched. */
  readonly atMs: number
  /** Keys that documents of the batch link to, and that the engine does not have. */
  readonly found?: readonly FoundLinks[]
}

/** New links to a key that is no document. */
export interface FoundLinks {
  readonly key: Key
  readonly texts: readonly string[]
  /** How many links there are to it, earlier ones included. */
  readonly links: number
}

/** What a write did. */
export interface Written {
  readonly prepared: PreparedBatch
  readonly measure: BatchMeasure
  readonly published: Published
}
