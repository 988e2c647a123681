/**
 * Runs asynchronous work one after another, in the order of the calls. When nothing is under way the work begins within
 * the call, so that it can use memory which the next call will overwrite.
 */
export class TurnQueue {
  /** Settles when all work given so far has; undefined when none is under way. Never rejects. */
  #tail: Promise<void> | undefined

  get isIdle(): boolean {
    return this.#tail === undefined
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail === undefined ? work() : this.#tail.then(work)
    const tail: Promise<void> = turn.then(
      () => this.#leave(tail),
      () => this.#leave(tail),
    )
    this.#tail = tail
    return turn
  }

  /** Resolves when everything given so far has settled, well or not. */
  async settled(): Promise<void> {
    while (this.#tail !== undefined) await this.#tail
  }

  #leave(tail: Promise<void>): void {
    if (this.#tail === tail) this.#tail = undefined
  }
}
