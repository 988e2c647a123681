/**
 * Tells queries from keystrokes. A box that searches while somebody types asks "f", "fe", "fer", "ferry": within one
 * session, a query that is the beginning of the next one, asked within two seconds, is a keystroke and counts nothing.
 * So the last query of a session is held back until it is known which of the two it is.
 */
import { beginningOf } from '../base/plain-text.js'

/** After this time a query is no keystroke, whatever follows. */
export const KEYSTROKE_MS = 2000

/** The most sessions that are held: the one that waited longest is then taken for done. */
export const MAX_SESSIONS = 10_000

/** Names of sessions that differ only behind so many UTF-16 units are one. */
const MAX_SESSION_UNITS = 256

interface Held<Asked> {
  readonly typed: string
  readonly asked: Asked
  readonly atMs: number
}

export class Keystrokes<Asked> {
  /** In the order of their times, because a session that asks again goes to the end. */
  readonly #held = new Map<string, Held<Asked>>()
  readonly #count: (asked: Asked, atMs: number) => void

  /** `count` is called for each query that is no keystroke. */
  constructor(count: (asked: Asked, atMs: number) => void) {
    this.#count = count
  }

  get size(): number {
    return this.#held.size
  }

  /** What is held back. */
  *held(): Generator<Asked> {
    for (const { asked } of this.#held.values()) yield asked
  }

  /** `typed`: what stands in the box. */
  add(name: string, typed: string, asked: Asked, atMs: number): void {
    const session = beginningOf(name, MAX_SESSION_UNITS)
    const before = this.#held.get(session)
    if (before !== undefined) {
      this.#held.delete(session)
      if (!isKeystroke(before, typed, atMs)) this.#count(before.asked, before.atMs)
    } else if (this.#held.size >= MAX_SESSIONS) {
      this.#release(this.#held.keys().next().value as string)
    }
    this.#held.set(session, { typed, asked, atMs })
  }

  /** Counts what can be no keystroke any more. */
  releaseDue(nowMs: number): void {
    for (const [session, { atMs }] of this.#held) {
      if (atMs <= nowMs && nowMs - atMs <= KEYSTROKE_MS) return
      this.#release(session)
    }
  }

  /** Counts everything. */
  releaseAll(): void {
    for (const session of [...this.#held.keys()]) this.#release(session)
  }

  /** Forgets held queries. */
  forget(isForgotten: (asked: Asked) => boolean): boolean {
    let isAny = false
    for (const [session, { asked }] of this.#held) if (isForgotten(asked)) isAny = this.#held.delete(session)
    return isAny
  }

  #release(session: string): void {
    const { asked, atMs } = this.#held.get(session) as Held<Asked>
    this.#held.delete(session)
    this.#count(asked, atMs)
  }
}

function isKeystroke<Asked>(before: Held<Asked>, typed: string, atMs: number): boolean {
  const elapsedMs = atMs - before.atMs
  return (
    typed.length > before.typed.length && typed.startsWith(before.typed) && elapsedMs >= 0 && elapsedMs <= KEYSTROKE_MS
  )
}
