/** The places of all values, the largest first, of equals the lowest place; for whoever does not know how many it will need. */
export function* bestFirst(values: ArrayLike<number>): Generator<number, void, undefined> {
  const heap = Uint32Array.from({ length: values.length }, (_, place) => place)
  const isBefore = (a: number, b: number) => values[a]! > values[b]! || (values[a] === values[b] && a < b)
  const sink = (start: number, size: number, place: number) => {
    let at = start
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, place)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = place
  }
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(at, heap.length, heap[at]!)
  for (let size = heap.length; size > 0; size--) {
    const best = heap[0]!
    sink(0, size - 1, heap[size - 1]!)
    yield best
  }
}
