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
}

/** The counts of NativeIndex.prepare by position; `truncatedTokens` were cut before the core saw them. */
export function toWriteReport(counts: Float64Array, truncatedTokens: number): WriteReport {
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
  }
}

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
