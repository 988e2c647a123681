import { performance } from 'node:perf_hooks'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

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

/** Work between two turns of the event loop. */
const WORK_MS = 8

/**
 * Lets the event loop have its turn when it has waited for a while; `check` is called after each, and throws when the
 * work is to end.
 */
export class Pauses {
  readonly #check: () => void
  #sinceMs = performance.now()

  constructor(check: () => void) {
    this.#check = check
  }

  get isDue(): boolean {
    return performance.now() - this.#sinceMs >= WORK_MS
  }

  async pause(): Promise<void> {
    await yieldToEventLoop()
    this.#check()
    this.#sinceMs = performance.now()
  }
}

/** Work in steps, for whoever has other things to do in between: a generator that ends with what came of it. */
export type Steps<T> = Generator<void, T>

/** All at once. */
export function finish<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}
