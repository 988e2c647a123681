/**
 * Which slots have an n-gram: an immutable, sorted list of (n-gram, slot) pairs in 7 bytes a pair. Of the 53 bits of a
 * hash 40 are kept, 16 of them as the place in a directory. Among ten million n-grams, a lookup finds a wrong one once
 * in 100,000 times.
 */
import { finish, type Steps } from '../../base/turns.js'

/** Bits of a hash that are not kept, as values. */
const UNKEPT = 2 ** 13
const REST_VALUES = 2 ** 24
const BUCKETS = 2 ** 16
/** Buckets that are sorted or merged in one step. */
const BUCKETS_PER_STEP = 2 ** 10

export class NgramRun {
  /** [b] … [b + 1]: the pairs whose hashes begin with the 16 bits b. */
  readonly #starts: Uint32Array
  /** The next 24 bits of the hash, ascending in a bucket. */
  readonly #upper: Uint16Array
  readonly #lower: Uint8Array
  /** Ascending and distinct for each n-gram. */
  readonly #slots: Uint32Array

  constructor(starts: Uint32Array, upper: Uint16Array, lower: Uint8Array, slots: Uint32Array) {
    this.#starts = starts
    this.#upper = upper
    this.#lower = lower
    this.#slots = slots
  }

  get length(): number {
    return this.#slots.length
  }

  get memoryBytes(): number {
    return this.#starts.byteLength + this.length * 7
  }

  /** [first, end) of the pairs of an n-gram. */
  rangeOf(ngram: number): readonly [number, number] {
    const bucket = bucketOf(ngram)
    const rest = restOf(ngram)
    const start = this.#starts[bucket]!
    const end = this.#starts[bucket + 1]!
    const first = this.#firstFrom(rest, start, end)
    return [first, this.#firstFrom(rest + 1, first, end)]
  }

  slotAt(at: number): number {
    return this.#slots[at]!
  }

  /** The first place in [first, end), a part of one n-gram's range, with a slot of at least `slot`; `end` if none. */
  firstSlotFrom(slot: number, first: number, end: number): number {
    let low = first
    let high = end
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#slots[middle]! < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  copySlots(first: number, end: number, target: Uint32Array, at: number): void {
    target.set(this.#slots.subarray(first, end), at)
  }

  /** Both runs as one. */
  mergedWith(other: NgramRun): NgramRun {
    return finish(this.mergingWith(other))
  }

  /** The same in steps. */
  *mergingWith(other: NgramRun): Steps<NgramRun> {
    const maker = new RunMaker(this.length + other.length)
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      let mine = this.#starts[bucket]!
      let theirs = other.#starts[bucket]!
      const myEnd = this.#starts[bucket + 1]!
      const theirEnd = other.#starts[bucket + 1]!
      while (mine < myEnd && theirs < theirEnd) {
        const myRest = this.#restAt(mine)
        const theirRest = other.#restAt(theirs)
        const difference = myRest - theirRest || this.#slots[mine]! - other.#slots[theirs]!
        if (difference <= 0) maker.push(myRest, this.#slots[mine++]!)
        if (difference > 0) maker.push(theirRest, other.#slots[theirs]!)
        if (difference >= 0) theirs++
      }
      maker.copy(this.#upper, this.#lower, this.#slots, mine, myEnd)
      maker.copy(other.#upper, other.#lower, other.#slots, theirs, theirEnd)
      maker.endBucket(bucket)
      if (bucket % BUCKETS_PER_STEP === 0) yield
    }
    return maker.run()
  }

  /** The run with other numbers of slots, which keep their order. Pairs of slots that are GONE are left out. */
  renumbered(numbers: Uint32Array): NgramRun {
    return finish(this.renumbering(numbers))
  }

  /** The same in steps. */
  *renumbering(numbers: Uint32Array): Steps<NgramRun> {
    const maker = new RunMaker(this.length)
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const end = this.#starts[bucket + 1]!
      for (let at = this.#starts[bucket]!; at < end; at++) {
        const slot = numbers[this.#slots[at]!]!
        if (slot !== GONE) maker.push(this.#restAt(at), slot)
      }
      maker.endBucket(bucket)
      if (bucket % BUCKETS_PER_STEP === 0) yield
    }
    return maker.run()
  }

  /** A run of pairs that come in any order and may be repeated. */
  static sorted(ngrams: Float64Array, slots: Uint32Array): NgramRun {
    return finish(NgramRun.sorting(ngrams, slots))
  }

  /** The same in steps. */
  static *sorting(ngrams: Float64Array, slots: Uint32Array): Steps<NgramRun> {
    const count = ngrams.length
    const starts = new Uint32Array(BUCKETS + 1)
    for (let at = 0; at < count; at++) starts[bucketOf(ngrams[at]!) + 1]!++
    for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1]! += starts[bucket]!
    yield
    const next = starts.slice()
    const rests = new Uint32Array(count)
    const inOrder = new Uint32Array(count)
    for (let at = 0; at < count; at++) {
      const place = next[bucketOf(ngrams[at]!)]!++
      rests[place] = restOf(ngrams[at]!)
      inOrder[place] = slots[at]!
    }
    yield
    const maker = new RunMaker(count)
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      if (bucket % BUCKETS_PER_STEP === 0) yield
      const [first, end] = [starts[bucket]!, starts[bucket + 1]!]
      if (end - first > 1) sortPairs(rests, inOrder, first, end)
      for (let at = first; at < end; at++) {
        const isNew = at === first || rests[at] !== rests[at - 1] || inOrder[at] !== inOrder[at - 1]
        if (isNew) maker.push(rests[at]!, inOrder[at]!)
      }
      maker.endBucket(bucket)
    }
    return maker.run()
  }

  #restAt(at: number): number {
    return this.#upper[at]! * 256 + this.#lower[at]!
  }

  #firstFrom(rest: number, first: number, end: number): number {
    let low = first
    let high = end
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#restAt(middle) < rest) low = middle + 1
      else high = middle
    }
    return low
  }
}

function bucketOf(ngram: number): number {
  return Math.floor(ngram / (REST_VALUES * UNKEPT))
}

function restOf(ngram: number): number {
  return Math.floor(ngram / UNKEPT) - bucketOf(ngram) * REST_VALUES
}

/** Insertion sort: a bucket has few pairs, or many of one n-gram, whose slots are in order already. */
function sortPairs(rests: Uint32Array, slots: Uint32Array, first: number, end: number): void {
  for (let from = first + 1; from < end; from++) {
    const [rest, slot] = [rests[from]!, slots[from]!]
    let at = from
    for (; at > first && (rests[at - 1]! > rest || (rests[at - 1] === rest && slots[at - 1]! > slot)); at--) {
      rests[at] = rests[at - 1]!
      slots[at] = slots[at - 1]!
    }
    rests[at] = rest
    slots[at] = slot
  }
}

/** The number of a slot that is left out. */
export const GONE = 0xffff_ffff

/** Makes a run of pairs that are given in order, each once. */
class RunMaker {
  readonly #starts = new Uint32Array(BUCKETS + 1)
  readonly #upper: Uint16Array
  readonly #lower: Uint8Array
  readonly #slots: Uint32Array
  #length = 0

  constructor(mostPairs: number) {
    this.#upper = new Uint16Array(mostPairs)
    this.#lower = new Uint8Array(mostPairs)
    this.#slots = new Uint32Array(mostPairs)
  }

  push(rest: number, slot: number): void {
    const at = this.#length++
    this.#upper[at] = rest >>> 8
    this.#lower[at] = rest
    this.#slots[at] = slot
  }

  copy(upper: Uint16Array, lower: Uint8Array, slots: Uint32Array, first: number, end: number): void {
    for (let from = first; from < end; from++) {
      const at = this.#length++
      this.#upper[at] = upper[from]!
      this.#lower[at] = lower[from]!
      this.#slots[at] = slots[from]!
    }
  }

  endBucket(bucket: number): void {
    this.#starts[bucket + 1] = this.#length
  }

  run(): NgramRun {
    const length = this.#length
    if (length === this.#slots.length) return new NgramRun(this.#starts, this.#upper, this.#lower, this.#slots)
    // Copies rather than views, which would keep the unused room alive.
    const upper = this.#upper.slice(0, length)
    return new NgramRun(this.#starts, upper, this.#lower.slice(0, length), this.#slots.slice(0, length))
  }
}
