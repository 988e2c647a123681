/**
 * How much check() looks at. 1: the checksums of all files. 2: also every structure by itself. 3: also the postings,
 * which are rebuilt from the records of the documents.
 */
export type CheckLevel = 1 | 2 | 3

export interface CheckOptions {
  /** Default 3. */
  readonly level?: CheckLevel
  /** Ends the check at its next step: the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** The result of check(). */
export interface CheckReport {
  /** True if there are no faults. */
  readonly ok: boolean
  readonly documents: number
  readonly terms: number
  readonly postings: number
  readonly faults: readonly CheckFault[]
}

export interface CheckFault {
  /** The rule of the index that is broken. */
  readonly invariant: string
  readonly message: string
}
