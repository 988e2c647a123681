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
