import type { Key } from '../base/keys.js'
import type { OwnedBatch } from '../core/batch.js'
import { type BatchMeasure, BatchOutcome, type Written } from '../engine.js'
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
  /**
   * What links of the write did to the answers, document by document, largest first: documents whose links moved, and
   * that were not put or whose own text stayed. That is no refresh of them.
   */
  readonly linked: readonly DocumentGain[]
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
  { prepared: { counts, documents, outcomes, targets }, measure }: Pick<Written, 'prepared' | 'measure'>,
  overhead: Overhead,
  { truncatedTokens, keys, removedKeys, linkedKeys = [] }: ReportedBatch,
): WriteReport {
  const isTold = new Set(linkedKeys)
  const named = [...keys, ...removedKeys].map((key, at) => {
    // A document of the batch whose own text stayed was moved by its links.
    const isLinked = isTold.has(key) && outcomes[at] === BatchOutcome.reweighted
    return { key, doc: documents[at] as number, isLinked }
  })
  const told = linkedKeys.map((key, at) => ({ key, doc: targets[at] as number, isLinked: true }))
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
    gains: gainsOf(
      named.filter((document) => !document.isLinked),
      measure,
    ),
    linked: gainsOf(
      [...told, ...named].filter((document) => document.isLinked),
      measure,
    ),
    overhead,
  }
}

interface ReportedBatch extends Pick<OwnedBatch, 'truncatedTokens' | 'keys' | 'removedKeys'> {
  /** The keys of the documents that links were told of, in the order of `targets`. */
  readonly linkedKeys?: readonly Key[]
}

function gainsOf(
  documents: readonly { readonly key: Key; readonly doc: number }[],
  { pages, deltaQuality }: BatchMeasure,
): DocumentGain[] {
  const gaining = new Map<number, number>()
  pages.forEach((doc, page) => {
    if ((deltaQuality[page] as number) > 0) gaining.set(doc, deltaQuality[page] as number)
  })
  const gains: DocumentGain[] = []
  for (const { key, doc } of documents) {
    const gain = gaining.get(doc)
    if (gain !== undefined) gains.push({ key, deltaQuality: gain })
    gaining.delete(doc)
  }
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
  movedTargets: number,
]
