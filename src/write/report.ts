import type { Key } from '../base/keys.js'
import type { OwnedBatch } from '../core/batch.js'
import type { BatchMeasure, Written } from '../engine.js'

/** What one write did. */
export interface WriteReport {
  /** Documents whose key was new. */
  readonly added: number
  /** Documents whose key existed and whose indexed text differed. */
  readonly replaced: number
  /** Documents whose indexed text was the same; their stored form and weight are updated all the same. */
  readonly unchanged: number
  readonly removed: number
  /** Removals of keys that were not there. */
  readonly missing: number
  readonly tokens: {
    /** Tokens of the documents put. */
    readonly total: number
    /** Of these, the ones whose text had to be analysed because it had changed. */
    readonly tokenized: number
  }
  readonly postings: {
    /** Distinct terms of the documents put. */
    readonly total: number
    /** Posting changes written, those of removed terms and documents included. */
    readonly written: number
  }
  readonly newTerms: number
  /** Tokens cut to 255 bytes. */
  readonly truncatedTokens: number
  /** Documents so different that they were written anew as a whole. */
  readonly rewritten: number
  /**
   * What the write did to the answers of the workload, document by document, largest first: those that changed any
   * answer.
   */
  readonly gains: readonly DocumentGain[]
  /** What measuring that, and sketching what changed, took beside the indexing. */
  readonly overhead: WriteOverhead
}

export interface WriteOverhead extends Overhead {
  /**
   * Time in the core to sketch the documents that were added or changed, for their change profiles. Not part of
   * indexMs.
   */
  readonly sketchMs: number
}

export interface DocumentGain {
  readonly key: Key
  /** ΔQ_A: by how much the quality of all answers improved, in the unit of scores times query weights. */
  readonly deltaQuality: number
}

/** The batch's `truncatedTokens` were cut before the core saw them. */
export function writeReport(
  { prepared: { counts, documents, sketchMs }, measure }: Pick<Written, 'prepared' | 'measure'>,
  overhead: Overhead,
  { truncatedTokens, keys, removedKeys }: Pick<OwnedBatch, 'truncatedTokens' | 'keys' | 'removedKeys'>,
): WriteReport {
  const [added, replaced, unchanged, removed, missing, ...rest] = counts as unknown as ReportCounts
  const [tokensTotal, tokensTokenized, postingsTotal, postingsWritten, newTerms, nativeTruncated, rewritten] = rest
  return {
    added,
    replaced,
    unchanged,
    removed,
    missing,
    tokens: { total: tokensTotal, tokenized: tokensTokenized },
    postings: { total: postingsTotal, written: postingsWritten },
    newTerms,
    truncatedTokens: nativeTruncated + truncatedTokens,
    rewritten,
    gains: gainsOf(documents, measure, [...keys, ...removedKeys]),
    overhead: { ...overhead, sketchMs },
  }
}

function gainsOf(documents: Uint32Array, { pages, deltaQuality }: BatchMeasure, keys: readonly Key[]): DocumentGain[] {
  const gaining = new Map<number, number>()
  pages.forEach((doc, page) => {
    if ((deltaQuality[page] as number) > 0) gaining.set(doc, deltaQuality[page] as number)
  })
  const gains: DocumentGain[] = []
  documents.forEach((doc, at) => {
    const gain = gaining.get(doc)
    if (gain !== undefined) gains.push({ key: keys[at] as Key, deltaQuality: gain })
    gaining.delete(doc)
  })
  return gains.sort((a, b) => b.deltaQuality - a.deltaQuality)
}

/** The counts of NativeIndex.prepare by position. */
type ReportCounts = readonly [
  added: number,
  replaced: number,
  unchanged: number,
  removed: number,
  missing: number,
  tokensTotal: number,
  tokensTokenized: number,
  postingsTotal: number,
  postingsWritten: number,
  newTerms: number,
  truncatedTokens: number,
  rewritten: number,
]

/** What measuring one write cost, as the core's clocks say. */
export interface Overhead {
  /** Time in the core to index the batch, measuring left out. */
  readonly indexMs: number
  /** Time in the core to measure what the batch does to the answers of the workload. */
  readonly measureMs: number
  /** measureMs / indexMs. */
  readonly ratio: number
}

/** What measuring has cost in all writes since the index was opened. */
export interface OverheadStats extends Overhead {
  /** The same with the time for fitting curves, which goes by beside the writes. */
  readonly ratioWithFits: number
  readonly shifts: number
  /** Of these, due to a changed length norm alone. */
  readonly normShifts: number
}

export class OverheadTotals {
  #indexMs = 0
  #measureMs = 0
  #shifts = 0
  #normShifts = 0

  /** Adds a write, and gives the overhead of that write alone. */
  add({ prepared, measure, published }: Written): Overhead {
    const indexMs = prepared.indexMs + published.indexMs
    const measureMs = prepared.measureMs + measure.measureMs + published.measureMs
    this.#indexMs += indexMs
    this.#measureMs += measureMs
    this.#shifts += measure.shifts
    this.#normShifts += measure.normShifts
    return { indexMs, measureMs, ratio: measureMs / indexMs }
  }

  stats(fitMs: number): OverheadStats {
    const share = (ms: number) => (this.#indexMs > 0 ? ms / this.#indexMs : 0)
    return {
      indexMs: this.#indexMs,
      measureMs: this.#measureMs,
      ratio: share(this.#measureMs),
      ratioWithFits: share(this.#measureMs + fitMs),
      shifts: this.#shifts,
      normShifts: this.#normShifts,
    }
  }
}
