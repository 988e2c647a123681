/** How long a search may go on, from its call to its result: the part of it that is JavaScript asks here. */

/** What the core takes for a time that is over: it takes 0 for no limit. */
const NEXT_TO_NOTHING_MS = 1e-6

export class Deadline {
  readonly #endMs: number

  /** Counted from now. 0: none. */
  constructor(deadlineMs: number) {
    this.#endMs = deadlineMs === 0 ? Number.POSITIVE_INFINITY : performance.now() + deadlineMs
  }

  get isOver(): boolean {
    return this.#endMs !== Number.POSITIVE_INFINITY && performance.now() >= this.#endMs
  }

  /** What is left for the core, in milliseconds; 0: no limit. */
  leftMs(): number {
    if (this.#endMs === Number.POSITIVE_INFINITY) return 0
    return Math.max(NEXT_TO_NOTHING_MS, this.#endMs - performance.now())
  }
}

export const NO_DEADLINE = new Deadline(0)
