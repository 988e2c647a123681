import type {
  BatchMeasure,
  CurveReading,
  Fitted,
  KeptCurves,
  PreparedBatch,
  Published,
  Resumed,
  StakeReading,
} from '../engine.js'
import type { CheckReport } from './check-report.js'

export interface Addon {
  readonly Index: new (config: NativeConfig) => NativeIndex
  /** Over columns, by their names, and totals: see src/ledger. INTERNAL for any that do not fit. */
  readonly Ledger: new (
    columns: Readonly<Record<string, ArrayBufferView>>,
    totals: Float64Array,
  ) => NativeLedger
  /** Throws LOCKED when anybody else holds the lock. */
  readonly FileLock: new (
    path: string,
  ) => FileLock
  /** The numbers of the documents that a log row changes; undefined when it is damaged. */
  documentsOfRow(row: Uint8Array, fieldCount: number, seed: bigint): Uint32Array | undefined
  /** The CPU time of the calling thread, in microseconds. */
  threadCpuUs(): number
  /** The hash of the core, XXH64: hashes made in TypeScript can be compared with it. */
  xxh64(bytes: Uint8Array, seed: bigint): bigint
  /**
   * Copies rows out of columns into packed rows: see native/base/column_rows.h. `layout`: of each column its section,
   * its offset in a row there, elements a row, and 1 where it is packed as one float64. `sections`: of each its begin
   * and the bytes of a row, in turn. INTERNAL where anything would lie outside.
   */
  gatherRows(
    columns: readonly ArrayBufferView[],
    layout: Uint32Array,
    sections: Uint32Array,
    documents: Uint32Array,
    out: Uint8Array,
  ): void
  /** The other way; no column may be packed as another kind of number. */
  scatterRows(
    columns: readonly ArrayBufferView[],
    layout: Uint32Array,
    sections: Uint32Array,
    documents: Uint32Array,
    from: Uint8Array,
  ): void
  /**
   * The curve of an answer list, `pieces + 2` values (docs/refresh-model.md). `scores`: descending, at least one.
   * `pieces`: 1 to 8.
   */
  fitCurve(scores: Float32Array, pieces: number): Float32Array
  /** The same without least squares: the list's own scores at the knots. */
  interpolateCurve(scores: Float32Array, pieces: number): Float32Array
  /** The continuous rank, 1 to n, of a score above 0 on the curve of a list of n pages. */
  rankOf(values: Float32Array, n: number, score: number): number
  /** The score at a continuous rank: the inverse of the method above. */
  scoreAt(values: Float32Array, n: number, rank: number): number
  /** What a page's move from score s1 to s2, 0 for no match, does to the answers of a query of weight 1. */
  deltaQuality(values: Float32Array, n: number, view: NativeView | undefined, s1: number, s2: number): NativeRankShift
}

/** What writes do to rows of the ledger: see native/ledger/ledger_rows.h. */
export interface NativeLedger {
  /**
   * `outcomes`: of each document, a BatchOutcome, or 6 where only its stake has moved. `sketches`: SKETCH_MINIMA for
   * each of the first documents, or none. `pages`: documents that were measured, with what that gave; NaN leaves a
   * stake as it is, and stands for a gain that is not known. `effectEnds` may be empty, along with `effects`. `rules`:
   * when the documents were fetched, the latest moment at which a row can have been refreshed, the half-life of rates,
   * and h.
   */
  enter(
    documents: Uint32Array,
    outcomes: Uint8Array,
    sketches: Uint32Array,
    pages: Uint32Array,
    deltaQuality: Float64Array,
    stakes: Float64Array,
    effects: Uint8Array,
    effectEnds: Uint32Array,
    rules: Float64Array,
  ): NativeEntered
  /** The version is the base of the next profile of a document whose profile was full. */
  newBase(doc: number, rules: Float64Array, sketch: Uint32Array): void
  /** Adds the row of a page that is present to the totals (1), or takes it away (-1). */
  count(doc: number, sign: 1 | -1): void
}

/** What a batch did to the rows of the ledger. */
export interface NativeEntered {
  /** By document: 0 nothing, 1 created, 2 refreshed, 3 removed, 4 another stake, 5 refreshed with a full profile. */
  readonly entered: Uint8Array
  /** The documents whose rows are there and have changed, and for each of them … */
  readonly touched: Uint32Array
  /** … where its effects end; -1: those that it has stay. */
  readonly effectEnds: Float64Array
  readonly effects: Uint8Array
  readonly removed: Uint32Array
}

/** I(r) as the core takes it: see ViewLikelihood in native/quality. */
export interface NativeView {
  /** The values at the ranks from 1 on. */
  readonly head: Float64Array
  /** Pairs of rank and value beyond the head, joined by power laws. */
  readonly tail: Float64Array
}

export interface NativeRankShift {
  /** Counted from 1; 0 for a page that is not in the list. */
  readonly rankBefore: number
  readonly rankAfter: number
  /** At least 0. */
  readonly deltaQuality: number
}

export type AnalysisId = 0 | 1 | 2 | 3 | 4

export interface NativeConfig {
  readonly fieldCount: number
  /** By column: 0 keyword, 1 number, 2 date, 3 boolean. Absent without columns. */
  readonly columnKinds?: Uint8Array
  /** What queries are learnt by. 0 standard, 1 english, 2 tokens given, 3 and 4 as 0 and 1 without accents. */
  readonly analysis: AnalysisId
  /** The same of each field, a byte each. */
  readonly fieldAnalysis: Uint8Array
  readonly hashSeed: bigint
  /** 0 bm25, 1 tfidf. */
  readonly model: 0 | 1
  readonly k1: number
  readonly b: number
  readonly fieldBoosts: Float64Array
  readonly alpha: number
  readonly beta: number
  readonly maxDocumentBytes: number
  /** The number of the field that links fill; absent where there is none. */
  readonly linkField?: number
  /** Whether batches bring along the sketches of the documents that they add or change. */
  readonly wantsSketches: boolean
  /** Absent for an index in memory. */
  readonly disk?: NativeDiskConfig | undefined
}

export interface NativeDiskConfig {
  readonly segmentFolder: string
  /** 16 bytes. */
  readonly indexId: Uint8Array
  /** Whether segments are mapped, and not read. */
  readonly mapped: boolean
  /** Fewest deltas for which a partition is folded. */
  readonly foldFloor: number
  /** Fewest pages in which words stand together for a list of their own. */
  readonly phrasePages: number
  /** Whether compactions pack the codes of records. */
  readonly packsRecords: boolean
  readonly partitionBytes: number
}

/** The operating system releases the lock when the process dies. */
export interface FileLock {
  /** Idempotent. */
  release(): void
}

/** The documents of a damaged index that can be salvaged. */
export interface NativeSalvage {
  readonly problems: readonly string[]
  /** By document number: 0 absent, 1 intact, 2 damaged but with a known key. */
  readonly states: Uint8Array
  /** The keys of the documents that are not absent, in order: u16 length, bytes. */
  readonly keys: Uint8Array
  /** The hashes of the stored forms of the intact documents, in order: 8 bytes each. */
  readonly hashes: Uint8Array
}

/** What flush() wrote. Segments are number, kind, bytes, one after another. */
export interface NativeFlush {
  /** The batches up to this one are in the segments. */
  readonly sequence: number
  readonly live: Float64Array
  readonly added: Float64Array
}

export interface NativeStats {
  readonly documents: number
  /** All documents have numbers below this. */
  readonly documentLimit: number
  readonly terms: number
  readonly postings: number
  readonly pendingPostings: number
  readonly partitions: number
  readonly runs: number
  readonly forwardBytes: number
  readonly storedBytes: number
  readonly postingBytes: number
  readonly memoryBytes: number
  /** The parts of memoryBytes. */
  readonly termBytes: number
  readonly keyBytes: number
  readonly documentBytes: number
  readonly heldPostingBytes: number
  /** Of segments, which memoryBytes leaves out. */
  readonly mappedBytes: number
  readonly sequence: number
  /** Memory of the document table, for an index on disk. */
  readonly tableBytes: number
  /** Memory of the postings that are in no segment. */
  readonly unflushedBytes: number
  readonly fieldDocuments: Float64Array
  readonly fieldTokens: Float64Array
}

export const WANT_DOCS = 1
export const WANT_EXPLANATIONS = 2

export interface NativeReader {
  /**
   * `flags`: WANT_DOCS | WANT_EXPLANATIONS. `deadlineMs`, `maxScored`: 0 means none. Matches beyond `countUpTo` need
   * not be counted. `pinned`: document numbers, u32 each. The result is laid out in hits.ts: in `room` where it fits,
   * else in a buffer that is returned. `columns`: columns-wire.ts.
   */
  search(
    wire: Uint8Array,
    limit: number,
    offset: number,
    flags: number,
    deadlineMs: number,
    maxScored: number,
    countUpTo: number,
    pinned?: Uint8Array,
    room?: Uint8Array,
    columns?: Uint8Array,
  ): ArrayBuffer | undefined
  /** The numbers of the documents that pass the filter of a request (columns-wire.ts), ascending, u32 each. */
  documentsOf(columns: Uint8Array): ArrayBuffer
  /** Which words of texts a query asks for: native/node/marking.h. */
  mark(wire: Uint8Array, texts: Uint8Array, deadlineMs: number): ArrayBuffer
  /** The terms for which a document scores most: native/node/marking.h. Undefined when the key is absent. */
  termsOf(key: Uint8Array, fieldMask: number, limit: number, deadlineMs: number): Uint8Array | undefined
  /** The tokens of a text in a field, and their places: native/node/marking.h. */
  tokens(text: Uint8Array, field: number): Uint8Array
  /** The words that begin like one, or nearly so: native/node/marking.h. At most 255 bytes. */
  complete(
    word: Uint8Array,
    fieldMask: number,
    edits: number,
    limit: number,
    isWhole: boolean,
    deadlineMs: number,
  ): Uint8Array
  /** The stored bytes, maybe none, or undefined when the key is absent. On disk: their hash, 8 bytes, little endian. */
  get(key: Uint8Array): Uint8Array | undefined
  has(key: Uint8Array): boolean
  /** The number of the document, as in the result of a search. */
  numberOf(key: Uint8Array): number | undefined
  /** Documents in order of their numbers, the first being `from`, laid out as the result of a search with documents. */
  list(from: number, limit: number): ArrayBuffer
  stats(): NativeStats
  /** For an index that measures nothing: what the next two answer from. */
  loadCurves(workload: Uint8Array, pieces: number, view: NativeView | undefined, kept: KeptCurves): boolean
  curveOf(query: number): CurveReading | undefined
  stakeParts(document: number, limit: number): StakeReading | undefined
}

export interface NativeSnapshot extends NativeReader {
  /** As search(), on a thread of its own. Undefined after cancel(), where that came in time. */
  searchAsync(
    wire: Uint8Array,
    limit: number,
    offset: number,
    flags: number,
    deadlineMs: number,
    maxScored: number,
    countUpTo: number,
    pinned?: Uint8Array,
    room?: undefined,
    columns?: Uint8Array,
  ): { readonly promise: Promise<ArrayBuffer | undefined>; cancel(): void }
  close(): void
}

export interface NativeIndex extends NativeReader {
  /** Copies the slabs before it returns. `links`: what links make of documents, see link-slab.ts. */
  prepare(slab: Uint8Array, links?: Uint8Array): Promise<PreparedBatch>
  /** Measures the batch that is prepared. */
  measure(): Promise<BatchMeasure>
  publish(): Promise<Published>
  discard(): Promise<void>
  compact(): Promise<void>
  /** 1 checksums, 2 structures, 3 postings against records. */
  check(level: 1 | 2 | 3): Promise<CheckReport>
  /**
   * On disk, before anything else: the segments that make up the index; none for a new one. `isForRecords`: without
   * postings, good for nothing but openSalvageOf().
   */
  load(segments: Float64Array, isForRecords: boolean): Promise<void>
  /** Removes segment files that are not part of the index. For the writer only. */
  removeUnnamed(): Promise<void>
  /** Publishes the batches of log rows that follow one another, each preceded by its u32 length. */
  replay(rows: Uint8Array): Promise<void>
  /**
   * Writes what is only in memory. Nothing else may be asked for until the flush is adopted or abandoned. `tidies`:
   * also moves the records of the segment that has the most dead ones; nothing is added when there is none worth it.
   */
  flush(nextNumber: number, tidies: boolean): Promise<NativeFlush>
  adoptFlush(): Promise<void>
  abandonFlush(): Promise<void>
  /** Folds one partition; false when none is left that needs it. */
  compactStep(): Promise<boolean>
  /** Reads what is left of another index, whose hash seed this one has. */
  openSalvage(segmentFolder: string, segments: Float64Array, indexId: Uint8Array): Promise<NativeSalvage>
  /** The same of an index that is open. */
  openSalvageOf(index: NativeIndex): Promise<NativeSalvage>
  /**
   * As prepare(): these documents of the other index, with these stored forms, one after another, each up to its end.
   */
  prepareSalvaged(numbers: Uint32Array, stored: Uint8Array, ends: Uint32Array): Promise<PreparedBatch>
  /**
   * A new epoch of this workload (see native/quality/workload.h), or, without it, the stale curves of the present one.
   */
  startFit(workload?: Uint8Array, pieces?: number, view?: NativeView): Promise<void>
  /** A new epoch of the workload that there is. */
  renewEpoch(): Promise<void>
  /** Another workload within the present epoch. */
  startExtension(workload: Uint8Array, scale: number): Promise<void>
  /** Goes on with kept curves; undefined when none of them can be used. */
  resume(
    workload: Uint8Array,
    pieces: number,
    view: NativeView | undefined,
    kept: KeptCurves,
    stakes: Float64Array,
  ): Promise<Resumed | undefined>
  /** The CPU time of the writer thread, that of beginning and adopting fits left out, in microseconds. */
  writerUs(): number
  /** Empty without curves. */
  churn(): Promise<Uint8Array>
  /** Fits the curves that were started, outside of the writer's thread. */
  runFit(): Promise<void>
  /** From now on writes are measured by the fitted curves. */
  adoptFit(): Promise<Fitted>
  /** Drops the fit that was started. */
  abandonFit(): Promise<void>
  stopMeasuring(): Promise<void>
  /** The terms whose hash (XXH64 under the index's seed) is among these: { u64 hash, u8 bytes, UTF-8 } … */
  wordsOfHashes(hashes: BigUint64Array): Promise<Uint8Array>
  /** Whether batches bring along all their shifts. */
  keepShifts(keeps: boolean): Promise<void>
  /** Measures the most promising queries only, as far as this share of all shifts goes: 0 to 1. */
  measureShare(share: number): Promise<void>
  snapshot(): NativeSnapshot
  /** Idempotent. */
  close(): void
  /** The tokens of a preset, as a sequence of { u16 length, u16 holesBefore, bytes }: for tests and tools. */
  analyze(text: Uint8Array): Uint8Array
}
