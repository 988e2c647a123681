import type { Key } from '../base/keys.js'
import type { OwnedBatch } from '../core/batch.js'
import type { BatchMeasure, Written } from '../engine.js'
import type { Overhead } from './cpu-account.js'

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
  /** What was spent since the last report: by this write, and by what went on before it. */
  readonly overhead: Overhead
}

export interface DocumentGain {
  readonly key: Key
  /** ΔQ_A: by how much the quality of all answers improved, in the unit of scores times query weights. */
  readonly deltaQuality: number
}

/** The batch's `truncatedTokens` were cut before the core saw them. */
export function writeReport(
  { prepared: { counts, documents }, measure }: Pick<Written, 'prepared' | 'measure'>,
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
    overhead,
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
