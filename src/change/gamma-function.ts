/** Lanczos' approximation with g = 7 and nine terms: about 15 digits. */
const G = 7
const FIRST = 0.9999999999998099
const TERMS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** ln of the gamma function. REQUIRES: x >= 1. */
export function logGamma(x: number): number {
  const base = x - 1
  const sum = TERMS.reduce((sofar, term, at) => sofar + term / (base + at + 1), FIRST)
  const shifted = base + G + 0.5
  return 0.5 * Math.log(2 * Math.PI) + (base + 0.5) * Math.log(shifted) - shifted + Math.log(sum)
}
