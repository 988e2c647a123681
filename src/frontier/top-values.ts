/** The places of the `count` largest values, the largest first; of equals the lowest place first. */
export function topValues(values: ArrayLike<number>, count: number): Uint32Array {
  const best = new BestPlaces(Math.min(count, values.length), (a, b) => values[b]! - values[a]! || a - b)
  for (let place = 0; place < values.length; place++) best.offer(place)
  return best.sorted()
}

/** The best of places that come one by one. */
export class BestPlaces {
  readonly #compare: (a: number, b: number) => number
  /** A heap with the worst of the best on top. */
  readonly #heap: Uint32Array
  #size = 0

  /** `compare`: below 0 when the first is the better one, and never 0. */
  constructor(count: number, compare: (a: number, b: number) => number) {
    this.#compare = compare
    this.#heap = new Uint32Array(count)
  }

  offer(place: number): void {
    if (this.#size < this.#heap.length) this.#rise(this.#size++, place)
    else if (this.#size > 0 && this.#compare(place, this.#heap[0]!) < 0) this.#sink(place)
  }

  /** All that are left, best first. */
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

  /** In place of the worst. */
  #sink(place: number): void {
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
