/** How the CPU time of the catalog's thread is divided between the index and its prioritizer. */
import type { CatalogJob, SpentUs } from './thread.js'
import type { StatementTimes } from './transactions.js'

/** Jobs that an index without a prioritizer never has. */
export const LEDGER_JOBS: ReadonlySet<CatalogJob['kind']> = new Set([
  ...(['end', 'refresh', 'workload', 'judgements', 'fold', 'take', 'clear'] as const),
])

/** Jobs whose cost depends on what is written, and on that only: documents and rows alike. */
const SHARED_JOBS: ReadonlySet<CatalogJob['kind']> = new Set(['batch', 'end', 'checkpoint'])

/**
 * Statements are timed one kind by one. What cannot be told apart, which is receiving a batch, its commit and
 * checkpoints, is divided as statements of all batches so far were.
 */
export class CatalogCosts {
  readonly #threadUs: () => number
  /** Of all statements so far. */
  readonly #statements: StatementTimes = { documentUs: 0, rowUs: 0 }
  #indexUs = 0
  #ledgerUs = 0
  #lastUs: number

  constructor(threadUs: () => number) {
    this.#threadUs = threadUs
    this.#lastUs = threadUs()
  }

  /** Counts all that the thread did since the last job, receiving this one included. */
  after(kind: CatalogJob['kind'], { documentUs, rowUs }: StatementTimes = { documentUs: 0, rowUs: 0 }): SpentUs {
    const nowUs = this.#threadUs()
    const restUs = Math.max(0, nowUs - this.#lastUs - documentUs - rowUs)
    this.#lastUs = nowUs
    this.#statements.documentUs += documentUs
    this.#statements.rowUs += rowUs
    const share = SHARED_JOBS.has(kind) ? this.#rowShare() : LEDGER_JOBS.has(kind) ? 1 : 0
    this.#indexUs += documentUs + restUs * (1 - share)
    this.#ledgerUs += rowUs + restUs * share
    return { indexUs: this.#indexUs, ledgerUs: this.#ledgerUs }
  }

  #rowShare(): number {
    const { documentUs, rowUs } = this.#statements
    return rowUs > 0 ? rowUs / (documentUs + rowUs) : 0
  }
}
