/**
 * The longest holds of the event loop: how long a timer of a millisecond waited, and how much CPU time the thread of
 * the event loop took in between. The first is what a server would notice. The second leaves out what other processes
 * of the machine took, and so tells what was done in one go also where the machine is not idle.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

export interface Holds {
  readonly holdMs: number
  /** Undefined where the system does not tell the CPU time of a thread. */
  readonly holdCpuMs: number | undefined
  /** What the thread did until the call returned its promise: where there are arguments, it is reading them. */
  readonly withinCpuMs: number | undefined
  /** The longest hold without that. */
  readonly beyondCpuMs: number | undefined
}

/** REQUIRES: called on the main thread. */
export class LoopHolds {
  readonly #clock = threadClock()
  readonly #timer: NodeJS.Timeout
  #lastWallMs = performance.now()
  #mostWallMs = 0
  #lastMs: number | undefined
  #mostMs = 0
  #withinMs: number | undefined
  /** Of a hold that is not over: how much of it was within the call. */
  #openMs = 0
  #mostBeyondMs = 0

  constructor() {
    this.#timer = setInterval(() => this.#look(), 1)
  }

  /** What came before is forgotten. */
  reset(): void {
    this.#lastWallMs = performance.now()
    this.#mostWallMs = 0
    this.#lastMs = this.#clock?.ms()
    this.#mostMs = 0
    this.#mostBeyondMs = 0
  }

  /** The call has returned its promise. */
  returned(): void {
    const nowMs = this.#clock?.ms()
    if (nowMs === undefined) return
    this.#withinMs = nowMs - (this.#lastMs ?? nowMs)
    this.#openMs = this.#withinMs
  }

  end(): Holds {
    this.#look()
    clearInterval(this.#timer)
    this.#clock?.close()
    const isTold = this.#clock !== undefined
    return {
      holdMs: this.#mostWallMs,
      holdCpuMs: isTold ? this.#mostMs : undefined,
      withinCpuMs: this.#withinMs,
      beyondCpuMs: isTold ? this.#mostBeyondMs : undefined,
    }
  }

  #look(): void {
    const wallMs = performance.now()
    this.#mostWallMs = Math.max(this.#mostWallMs, wallMs - this.#lastWallMs)
    this.#lastWallMs = wallMs
    const nowMs = this.#clock?.ms()
    if (nowMs === undefined) return
    const heldMs = nowMs - (this.#lastMs ?? nowMs)
    this.#mostMs = Math.max(this.#mostMs, heldMs)
    this.#mostBeyondMs = Math.max(this.#mostBeyondMs, heldMs - this.#openMs)
    this.#openMs = 0
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
