/**
 * 1: checksums of all files. 2: and every structure by itself. 3: and the postings, rebuilt from the documents'
 * records.
 */
export type CheckLevel = 1 | 2 | 3

export interface CheckOptions {
  /** Default 3. */
  readonly level?: CheckLevel
}

/** What check() found. */
export interface CheckReport {
  /** No faults. */
  readonly ok: boolean
  readonly documents: number
  readonly terms: number
  readonly postings: number
  readonly faults: readonly CheckFault[]
}

export interface CheckFault {
  /** Which rule of the index is broken. */
  readonly invariant: string
  readonly message: string
}
