/**
 * The longest holds of the event loop: how late a timer of a millisecond was, and how much CPU time the thread of the
 * event loop took in between. The first is what a server would notice. The second leaves out what other processes of
 * the machine took, and so tells what was done in one go also where the machine is not idle.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface Holds {
  readonly holdMs: number
  /** Undefined where the system does not tell the CPU time of a thread. */
  readonly holdCpuMs: number | undefined
}

/** REQUIRES: called on the main thread. */
export class LoopHolds {
  readonly #delays = monitorEventLoopDelay({ resolution: 1 })
  readonly #clock = threadClock()
  readonly #timer: NodeJS.Timeout
  #lastMs: number | undefined
  #mostMs = 0

  constructor() {
    this.#delays.enable()
    this.#timer = setInterval(() => this.#look(), 1)
  }

  /** What came before is forgotten. */
  reset(): void {
    this.#delays.reset()
    this.#lastMs = this.#clock?.ms()
    this.#mostMs = 0
  }

  end(): Holds {
    this.#look()
    this.#delays.disable()
    clearInterval(this.#timer)
    this.#clock?.close()
    return { holdMs: this.#delays.max / 1e6, holdCpuMs: this.#clock === undefined ? undefined : this.#mostMs }
  }

  #look(): void {
    const nowMs = this.#clock?.ms()
    if (nowMs === undefined) return
    this.#mostMs = Math.max(this.#mostMs, nowMs - (this.#lastMs ?? nowMs))
    this.#lastMs = nowMs
  }
}

/** The CPU time of the main thread. */
function threadClock(): { ms(): number; close(): void } | undefined {
  let file: number
  try {
    file = openSync('/proc/self/schedstat', 'r')
  } catch {
    return undefined
  }
  const bytes = Buffer.alloc(64)
  return {
    // Nanoseconds on the CPU come first.
    ms: () => Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)).split(' ')[0]) / 1e6,
    close: () => closeSync(file),
  }
}
