import { performance } from 'node:perf_hooks'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Work between two turns of the event loop. */
const WORK_MS = 8

/** Lets the event loop have its turn when it has waited for a while; `check` is called after each, and throws when the work is to end. */
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
