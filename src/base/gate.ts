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

  /** Runs code of the user, whoever calls it: what that calls of the index is refused until it returns. */
  shield<T>(code: () => T): T {
    const wasInside = this.#isInside
    this.#isInside = true
    try {
      return code()
    } finally {
      this.#isInside = wasInside
    }
  }

  close(): void {
    this.#isClosed = true
  }
}

/** The items of a list of the user. Its iterator runs behind `shield`; whoever takes the items does not. */
export function* shielded(list: Iterable<unknown>, shield: <T>(code: () => T) => T): Generator<unknown> {
  const items = shield(() => list[Symbol.iterator]())
  let isDone = false
  try {
    for (;;) {
      const item = shield(() => {
        const { done, value } = items.next()
        return { done, value }
      })
      isDone = item.done === true
      if (isDone) return
      yield item.value
    }
  } catch (error) {
    isDone = true
    throw error
  } finally {
    if (!isDone) shield(() => items.return?.())
  }
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}
