/** Long work in turns: calls one after another, and pauses in which the event loop can do other work. */
import { performance } from 'node:perf_hooks'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/**
 * Runs asynchronous work one after another, in the order of the calls. When nothing is under way, the work begins
 * within the call.
 */
export class TurnQueue {
  /** Settles when all work given so far has settled; undefined when no work is under way. Never rejects. */
  #tail: Promise<void> | undefined

  get isIdle(): boolean {
    return this.#tail === undefined
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#tail
    let settle = () => {}
    const tail = new Promise<void>((resolve) => {
      settle = resolve
    })
    // Before the work begins: what it asks for itself, and what user code asks for that it calls, comes after it.
    this.#tail = tail
    const leave = () => {
      if (this.#tail === tail) this.#tail = undefined
      settle()
    }
    const turn = before === undefined ? started(work) : before.then(work)
    turn.then(leave, leave)
    return turn
  }

  /** Resolves when all work given so far has settled, whether it succeeded or failed. */
  async settled(): Promise<void> {
    while (this.#tail !== undefined) await this.#tail
  }
}

async function started<T>(work: () => Promise<T>): Promise<T> {
  return work()
}

/** How long work goes on between two pauses. */
const WORK_MS = 3

/** Pauses of long work. A pause is due when the event loop has waited for WORK_MS. */
export class Pauses {
  readonly #check: () => void
  #sinceMs = performance.now()

  /** `check` is called after each pause, and throws when the work must not go on. */
  constructor(check: () => void = () => {}) {
    this.#check = check
  }

  get isDue(): boolean {
    return performance.now() - this.#sinceMs >= WORK_MS
  }

  async pause(): Promise<void> {
    await nextTurn()
    this.#check()
    this.#sinceMs = performance.now()
  }
}

/** Resolves when the event loop has done what was waiting: for work that pauses after a fixed portion. */
export async function nextTurn(): Promise<void> {
  // Work that began with a message or a file would go on in the same round of the event loop, before its timers.
  await yieldToEventLoop()
  await yieldToEventLoop()
}

/** Resolves when the work has settled, or after `waitMs`. REQUIRES: the work never rejects. */
export async function atMost(waitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(waitMs, MAX_TIMEOUT_MS))
  })
  await Promise.race([work, tooLong])
  clearTimeout(timer)
}

/** A longer timeout would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** Work in steps: a generator that yields wherever its caller may do something else, and returns the result. */
export type Steps<T> = Generator<void, T>

/** Does all steps without a break. */
export function finish<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** A list of what there is to take, in steps. */
export function* collecting<Item>(items: Iterable<Item>): Steps<Item[]> {
  const all: Item[] = []
  for (const item of items) {
    all.push(item)
    yield
  }
  return all
}

/** Does all steps, with pauses where they are due. `perLook`: steps between two looks at the clock. */
export async function inTurns<T>(
  steps: Steps<T>,
  pauses: Pauses,
  { perLook = STEPS_PER_LOOK, timed = (work) => work() }: TurnOptions = {},
): Promise<T> {
  for (;;) {
    const step = timed(() => untilPause(steps, pauses, perLook))
    if (step.done) return step.value
    await pauses.pause()
  }
}

export interface TurnOptions {
  /** Steps between two looks at the clock. */
  readonly perLook?: number
  /** Runs what is done between two pauses. */
  timed?<U>(work: () => U): U
}

function untilPause<T>(steps: Steps<T>, pauses: Pauses, perLook: number): IteratorResult<unknown, T> {
  for (let count = 1; ; count++) {
    const step = steps.next()
    if (step.done || (count % perLook === 0 && pauses.isDue)) return step
  }
}

/** Looking at the clock takes longer than a short step. */
const STEPS_PER_LOOK = 16
