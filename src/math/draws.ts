/** Reproducible draws: random numbers by seed, and the van der Corput sequence. */

/**
 * A uniform random number in [0, 1), in steps of 2^-32, by seed and number of the draw. What one part of a computation
 * draws does not depend on how much was drawn before it.
 */
export function drawAt(seed: number, draw: number): number {
  return mix(mix(seed >>> 0) + Math.imul(draw + 1, 0x9e37_79b9)) / 2 ** 32
}

/** A bijection of 32-bit numbers after which neighbours share nothing visible. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb_352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846c_a68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** 0 … count - 1 in random order. */
export function shuffledNumbers(count: number, seed: number): Uint32Array {
  const numbers = Uint32Array.from({ length: count }, (_, at) => at)
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(drawAt(seed, last) * (last + 1))
    const number = numbers[last]!
    numbers[last] = numbers[other]!
    numbers[other] = number
  }
  return numbers
}

/**
 * The n-th number of the van der Corput sequence, in [0, 1): the binary digits of n in reverse, behind the point. Any
 * run of the sequence is spread evenly: of n numbers, the share below t differs from t by at most about log2(n) / n.
 */
export function vanDerCorput(n: number): number {
  let bits = n >>> 0
  bits = ((bits >>> 1) & 0x55555555) | ((bits & 0x55555555) << 1)
  bits = ((bits >>> 2) & 0x33333333) | ((bits & 0x33333333) << 2)
  bits = ((bits >>> 4) & 0x0f0f0f0f) | ((bits & 0x0f0f0f0f) << 4)
  bits = ((bits >>> 8) & 0x00ff00ff) | ((bits & 0x00ff00ff) << 8)
  return (((bits >>> 16) | (bits << 16)) >>> 0) / 2 ** 32
}
