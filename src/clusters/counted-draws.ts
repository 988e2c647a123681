/**
 * Random numbers by seed and number of the draw instead of one after the other: what one part of a computation draws does not depend on how
 * much was drawn before it.
 */

/** Uniform in [0, 1), in steps of 2^-32. */
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
