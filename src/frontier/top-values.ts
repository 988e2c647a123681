/** The places of the `count` largest values, the largest first; of equals the lowest place first. */
export function topValues(values: ArrayLike<number>, count: number): Uint32Array {
  const size = Math.min(count, values.length)
  const isWorse = (a: number, b: number) => values[a]! < values[b]! || (values[a] === values[b] && a > b)
  // A heap with the worst of the best on top.
  const best = Uint32Array.from({ length: size }, (_, place) => place)
  for (let at = (size >> 1) - 1; at >= 0; at--) sink(best, at, best[at]!, isWorse)
  for (let place = size; place < values.length && size > 0; place++) {
    if (isWorse(best[0]!, place)) sink(best, 0, place, isWorse)
  }
  return best.sort((a, b) => values[b]! - values[a]! || a - b)
}

function sink(heap: Uint32Array, start: number, place: number, isWorse: (a: number, b: number) => boolean): void {
  let at = start
  for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && isWorse(heap[child + 1]!, heap[child]!)) child++
    if (!isWorse(heap[child]!, place)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = place
}
