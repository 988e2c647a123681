/**
 * Random numbers that are the same for the same seed on every machine: a counter in steps of an odd constant, which
 * visits all 2^32 states, put through an invertible mixer so that neighbours share nothing visible.
 */
export class Randomness {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number in [0, 1), in steps of 2^-32. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number from low to high, both included, each as likely. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  /** REQUIRES: items is not empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)] as T
  }

  /**
   * One of the first items more often than one of the last: item i comes with a probability falling like 1 / (i + 1).
   */
  pickEarly<T>(items: readonly T[]): T {
    const at = Math.floor((items.length + 1) ** this.next()) - 1
    return items[Math.min(at, items.length - 1)] as T
  }

  /** So many different items, or all if there are fewer; each set of them is as likely. */
  sample<T>(items: readonly T[], count: number): T[] {
    const left = [...items]
    for (let at = 0; at < Math.min(count, left.length); at++) {
      const other = this.between(at, left.length - 1)
      ;[left[at], left[other]] = [left[other]!, left[at]!]
    }
    return left.slice(0, count)
  }
}

/** A stream of its own for each purpose and number, so that more of one thing moves no other. */
export function streamSeed(seed: number, purpose: string, number: number): number {
  let mixed = seed
  for (const part of [...purpose].map((character) => character.codePointAt(0)!).concat(number)) {
    mixed = Math.floor(new Randomness(mixed ^ Math.imul(part + 1, 0x9e3779b1)).next() * 2 ** 32)
  }
  return mixed
}
