/**
 * What is known of the internal order of documents, which decides between equal scores and which the twin can not
 * compute. The rule to hold the engine to: a document keeps its place relative to every other as long as its key is in
 * the index.
 *
 * Two sources: `learn` takes the order of all documents at once (from a search in which all score alike);
 * `contradiction` compares a group of equals with it, or, where no such search exists, with every pair seen before.
 */
import type { NaiveKey } from './naive-index.js'

/** Pairs this far apart inside a group of equals are recorded; further ones follow from these. */
const WINDOW = 16
const MOST_PAIRS = 2_000_000

export class HitOrder {
  /** A key that is removed and put again is a new document: it gets a new number here. */
  readonly #lives: Map<NaiveKey, number>
  readonly #shared: { nextLife: number; readonly pairs: Map<string, number> }
  #ranks: Map<NaiveKey, number> | undefined

  constructor(from?: HitOrder) {
    this.#lives = new Map(from?.lives())
    this.#shared = from === undefined ? { nextLife: 0, pairs: new Map() } : from.#shared
    this.#ranks = from === undefined ? undefined : from.#ranks
  }

  lives(): ReadonlyMap<NaiveKey, number> {
    return this.#lives
  }

  /** For a snapshot: the same documents keep their order there too. */
  fork(): HitOrder {
    return new HitOrder(this)
  }

  added(key: NaiveKey): void {
    this.#lives.set(key, this.#shared.nextLife++)
    this.#forget(key)
  }

  removed(key: NaiveKey): void {
    this.#lives.delete(key)
    this.#forget(key)
  }

  learn(all: readonly NaiveKey[]): string | undefined {
    const before = this.#ranks
    this.#ranks = new Map(all.map((key, rank) => [key, rank]))
    if (before === undefined) return undefined
    let last: { key: NaiveKey; rank: number } | undefined
    for (const key of all) {
      const rank = before.get(key)
      if (rank === undefined) continue
      if (last !== undefined && last.rank > rank)
        return `${show(key)} was before ${show(last.key)} and is now behind it`
      last = { key, rank }
    }
    return undefined
  }

  /** `group` are keys of equal score in the order the engine gave them. */
  contradiction(group: readonly NaiveKey[]): string | undefined {
    if (this.#ranks !== undefined) return this.#againstRanks(group, this.#ranks)
    const { pairs } = this.#shared
    if (pairs.size > MOST_PAIRS) pairs.clear()
    for (let first = 0; first < group.length; first++) {
      for (let second = first + 1; second < Math.min(group.length, first + WINDOW); second++) {
        const [a, b] = [this.#life(group[first]), this.#life(group[second])]
        const pair = a < b ? `${a}:${b}` : `${b}:${a}`
        const winner = pairs.get(pair)
        if (winner === undefined) pairs.set(pair, a)
        else if (winner !== a) return `${show(group[first])} came before ${show(group[second])}, earlier it came behind`
      }
    }
    return undefined
  }

  #againstRanks(group: readonly NaiveKey[], ranks: Map<NaiveKey, number>): string | undefined {
    for (let at = 1; at < group.length; at++) {
      const [a, b] = [group[at - 1] as NaiveKey, group[at] as NaiveKey]
      if ((ranks.get(a) as number) > (ranks.get(b) as number)) return `${show(a)} came before ${show(b)} of equal score`
    }
    return undefined
  }

  #life(key: NaiveKey | undefined): number {
    const life = this.#lives.get(key as NaiveKey)
    if (life === undefined) throw new Error(`no such document: ${show(key)}`)
    return life
  }

  /** Forks share the map of ranks until one of them changes. */
  #forget(key: NaiveKey): void {
    if (this.#ranks?.has(key) !== true) return
    this.#ranks = new Map(this.#ranks)
    this.#ranks.delete(key)
  }
}

function show(key: unknown): string {
  return JSON.stringify(key) ?? String(key)
}
