import { FreshdexError } from './errors.js'

/**
 * Decides whether a call may enter the index. Analyzers, getters, iterators and query objects are the user's code and
 * run in the middle of our calls. The encoders are shared, so a call that such code makes to the index is refused.
 */
export class Gate {
  #isClosed = false
  #isInside = false

  /** Throws CLOSED or REENTRANT when the call may not go on. */
  check(): void {
    this.checkOpen()
    this.checkReentry()
  }

  checkOpen(): void {
    if (this.#isClosed) throw new FreshdexError('CLOSED', 'the index is closed')
  }

  checkReentry(): void {
    if (this.#isInside) {
      throw new FreshdexError(
        'REENTRANT',
        'the index was called from an analyzer, getter or iterator that it was itself calling',
      )
    }
  }

  /** Runs work that may call the user's code. */
  run<T>(work: () => T): T {
    this.check()
    this.#isInside = true
    try {
      return work()
    } finally {
      this.#isInside = false
    }
  }

  close(): void {
    this.#isClosed = true
  }
}
