/** Random numbers that follow from a seed. */

/** Uniform in [0, 1): a counter in odd steps, mixed, the same on every machine. */
export function uniform(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x7feb352d)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}

/** Mean 0, variance 1, near enough to normal: a sum of twelve uniform numbers. */
export function bell(random: () => number): number {
  let sum = -6
  for (let part = 0; part < 12; part++) sum += random()
  return sum
}
