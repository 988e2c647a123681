/** Searches that wait to be named: many searches repeat a query, and naming one takes longer than counting it. */
import { Keystrokes } from './keystrokes.js'

/** What a search says beside its query. */
export interface SearchFacts {
  /** The operator of words that stand side by side. Default 'and'. */
  readonly operator?: 'and' | 'or' | undefined
  readonly session?: string | undefined
  /** Whether it found anything; undefined where that says nothing of the words alone. */
  readonly isAnswered?: boolean | undefined
}

/** What one search says of the workload. */
export interface Asked {
  /** The conjunctions of words that it asked for: see src/search/measurable-text.ts. Not empty. */
  readonly texts: readonly string[]
  readonly isAnswered: boolean | undefined
}

export interface WaitingQuery {
  readonly text: string
  /** Alternatives of a query share its count. */
  readonly count: number
  readonly atMs: number
  readonly isAnswered: boolean | undefined
}

export class WaitingQueries {
  readonly #counts = new Map<string, { count: number; atMs: number; isAnswered: boolean | undefined }>()
  readonly #keystrokes = new Keystrokes<Asked>((asked, atMs) => this.#count(asked, atMs))

  /** Distinct texts. */
  get size(): number {
    return this.#counts.size
  }

  /** `typed` is what stands in the box of a session that searches while somebody types. */
  add(asked: Asked, atMs: number, session?: string, typed = ''): void {
    if (session === undefined) this.#count(asked, atMs)
    else this.#keystrokes.add(session, typed, asked, atMs)
  }

  /** Takes what waits; of sessions only what can be no keystroke any more, unless all is wanted. */
  take(nowMs: number, wantsAll: boolean): readonly WaitingQuery[] {
    if (wantsAll) this.#keystrokes.releaseAll()
    else if (this.#keystrokes.size > 0) this.#keystrokes.releaseDue(nowMs)
    if (this.#counts.size === 0) return []
    const waiting = Array.from(this.#counts, ([text, rest]) => ({ text, ...rest }))
    this.#counts.clear()
    return waiting
  }

  /** Queries of sessions that are held back, and how often each was asked. */
  held(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { texts } of this.#keystrokes.held())
      for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1 / texts.length)
    return counts
  }

  /** Whether a session's query is held back, which must be looked at again. */
  get hasHeld(): boolean {
    return this.#keystrokes.size > 0
  }

  forget(isForgotten: (text: string) => boolean): boolean {
    let isAny = this.#keystrokes.forget(({ texts }) => texts.some(isForgotten))
    for (const text of [...this.#counts.keys()]) if (isForgotten(text)) isAny = this.#counts.delete(text)
    return isAny
  }

  clear(): void {
    this.#counts.clear()
    this.#keystrokes.forget(() => true)
  }

  #count({ texts, isAnswered }: Asked, atMs: number): void {
    for (const text of texts) {
      const known = this.#counts.get(text)
      const count = (known?.count ?? 0) + 1 / texts.length
      this.#counts.set(text, { count, atMs, isAnswered: isAnswered ?? known?.isAnswered })
    }
  }
}
