/** Heaps over numbered things of which each has a worth: the best first, and of equals the lowest number. */
import { finish, type Steps } from '../base/turns.js'

/** Entries that are put into order in a step. */
const ENTRIES_PER_STEP = 4096

/**
 * A heap with the best entry on top: the highest worth, and of equal worths the lowest number. An entry's place only
 * ever falls, and only that of the top entry.
 */
export class FallingHeap {
  readonly #numbers: Uint32Array
  /** By place in the heap, not by number, so that a comparison reads neighbouring memory. */
  readonly #worths: Float64Array
  #size: number

  /** Entry i has the number `numbers[i]` and the worth `worths[i]`. The heap takes both arrays over. */
  constructor(numbers: Uint32Array, worths: Float64Array, isOrdered = false) {
    this.#numbers = numbers
    this.#worths = worths
    this.#size = numbers.length
    if (!isOrdered) finish(this.#ordering())
  }

  /** The same in steps. */
  static *making(numbers: Uint32Array, worths: Float64Array): Steps<FallingHeap> {
    const heap = new FallingHeap(numbers, worths, true)
    yield* heap.#ordering()
    return heap
  }

  *#ordering(): Steps<void> {
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) {
      this.#sink(at, this.#numbers[at]!, this.#worths[at]!)
      if (at % ENTRIES_PER_STEP === 0) yield
    }
  }

  get size(): number {
    return this.#size
  }

  /** The number of the best entry; undefined when the heap is empty. */
  get top(): number | undefined {
    return this.#size === 0 ? undefined : this.#numbers[0]
  }

  /** REQUIRES: the heap is not empty. This holds for the methods below, too. */
  get topWorth(): number {
    return this.#worths[0]!
  }

  /** Gives the top entry a worth, and a number, that put it no higher than it was. */
  lowerTop(worth: number, number: number = this.#numbers[0]!): void {
    this.#sink(0, number, worth)
  }

  removeTop(): void {
    this.#size--
    if (this.#size > 0) this.#sink(0, this.#numbers[this.#size]!, this.#worths[this.#size]!)
  }

  #sink(start: number, number: number, worth: number): void {
    const numbers = this.#numbers
    const worths = this.#worths
    let at = start
    for (let child = 2 * at + 1; child < this.#size; child = 2 * at + 1) {
      const other = child + 1
      if (other < this.#size && isBefore(worths[other]!, numbers[other]!, worths[child]!, numbers[child]!))
        child = other
      if (!isBefore(worths[child]!, numbers[child]!, worth, number)) break
      numbers[at] = numbers[child]!
      worths[at] = worths[child]!
      at = child
    }
    numbers[at] = number
    worths[at] = worth
  }
}

function isBefore(worth: number, number: number, otherWorth: number, otherNumber: number): boolean {
  return worth > otherWorth || (worth === otherWorth && number < otherNumber)
}

/**
 * The places of all values, the largest value first, of equals the lowest place. Cheaper than sorting for a caller that
 * stops early.
 */
export function bestFirst(values: ArrayLike<number>): Generator<number, void, undefined> {
  return finish(findingBest(values))
}

/** The same in steps, which are those before the first place is known. */
export function* findingBest(values: ArrayLike<number>): Steps<Generator<number, void, undefined>> {
  const places = new Uint32Array(values.length)
  const worths = new Float64Array(values.length)
  for (let place = 0; place < values.length; place++) {
    if (place % ENTRIES_PER_STEP === 0) yield
    places[place] = place
    worths[place] = values[place]!
  }
  return emptying(yield* FallingHeap.making(places, worths))
}

function* emptying(heap: FallingHeap): Generator<number, void, undefined> {
  for (let best = heap.top; best !== undefined; best = heap.top) {
    heap.removeTop()
    yield best
  }
}

/** The places of the `count` largest values, the largest value first, of equals the lowest place. */
export function topValues(values: ArrayLike<number>, count: number): Uint32Array {
  const best = new BestPlaces(Math.min(count, values.length), (a, b) => values[b]! - values[a]! || a - b)
  for (let place = 0; place < values.length; place++) best.offer(place)
  return best.sorted()
}

/** Keeps the best of the places that are offered one by one, up to a fixed count. */
export class BestPlaces {
  readonly #compare: (a: number, b: number) => number
  /** A heap of the places kept, with the worst of them on top. */
  readonly #heap: Uint32Array
  #size = 0

  /** `compare` is below 0 when its first argument is the better place, and never 0. */
  constructor(count: number, compare: (a: number, b: number) => number) {
    this.#compare = compare
    this.#heap = new Uint32Array(count)
  }

  offer(place: number): void {
    if (this.#size < this.#heap.length) this.#rise(this.#size++, place)
    else if (this.#size > 0 && this.#compare(place, this.#heap[0]!) < 0) this.#replaceWorst(place)
  }

  /** The places kept, best first. */
  sorted(): Uint32Array {
    return this.#heap.slice(0, this.#size).sort(this.#compare)
  }

  #rise(start: number, place: number): void {
    const heap = this.#heap
    let at = start
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#compare(place, heap[parent]!) < 0) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = place
  }

  #replaceWorst(place: number): void {
    const heap = this.#heap
    let at = 0
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && this.#compare(heap[child + 1]!, heap[child]!) > 0) child++
      if (this.#compare(heap[child]!, place) < 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = place
  }
}
