/** The gamma function, and the gamma distribution with scale 1. */

/** Lanczos' approximation with g = 7 and nine terms. */
const G = 7
const FIRST = 0.9999999999998099
const TERMS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** ln Γ(x): about 15 digits from x = 1 on, one digit less below. REQUIRES: x > 0. */
export function logGamma(x: number): number {
  const base = x - 1
  const sum = TERMS.reduce((sofar, term, at) => sofar + term / (base + at + 1), FIRST)
  const shifted = base + G + 0.5
  return 0.5 * Math.log(2 * Math.PI) + (base + 0.5) * Math.log(shifted) - shifted + Math.log(sum)
}

/** ln Γ(x) to 15 digits below x = 1, too, by Γ(x) = Γ(x + 1) / x. REQUIRES: x > 0. */
export function exactLogGamma(x: number): number {
  return x >= 1 ? logGamma(x) : logGamma(x + 1) - Math.log(x)
}

const MAX_TERMS = 10_000
const PRECISION = 1e-15
/** Halvings of the interval of logarithms. Far fewer reach the last bit. */
const HALVINGS = 200

/**
 * The probability of a value of at most x: the regularized lower incomplete gamma function. REQUIRES: shape > 0, x ≥ 0.
 */
export function gammaProbability(shape: number, x: number): number {
  if (x === 0) return 0
  if (x === Number.POSITIVE_INFINITY) return 1
  const factor = Math.exp(shape * Math.log(x) - x - logGamma(shape))
  return x < shape + 1 ? Math.min(1, factor * series(shape, x)) : 1 - factor * continuedFraction(shape, x)
}

/**
 * The value that is not exceeded with this probability; 0 where it is too small for a double. REQUIRES: shape > 0 and
 * 0 < probability < 1.
 */
export function gammaQuantile(shape: number, probability: number): number {
  // The median is near the shape. Beyond these bounds the tails are thinner than any probability a double can express.
  let low = Math.log(Number.MIN_VALUE)
  let high = Math.log(shape + 40 * Math.sqrt(shape) + 800)
  if (gammaProbability(shape, Math.exp(low)) >= probability) return 0
  for (let halving = 0; halving < HALVINGS && high - low > PRECISION * Math.abs(high); halving++) {
    const middle = (low + high) / 2
    if (gammaProbability(shape, Math.exp(middle)) < probability) low = middle
    else high = middle
  }
  return Math.exp((low + high) / 2)
}

/** The sum of x^n / (shape (shape + 1) … (shape + n)), which converges fast below the mean. */
function series(shape: number, x: number): number {
  let term = 1 / shape
  let sum = term
  for (let n = 1; n < MAX_TERMS && term > sum * PRECISION; n++) {
    term *= x / (shape + n)
    sum += term
  }
  return sum
}

/**
 * The continued fraction of the upper tail, by Lentz's method: 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- …))) with a the
 * shape. It converges fast above the mean.
 */
function continuedFraction(shape: number, x: number): number {
  const tiny = 1e-300
  let b = x + 1 - shape
  let c = 1 / tiny
  let d = 1 / b
  let fraction = d
  for (let n = 1; n < MAX_TERMS; n++) {
    const a = -n * (n - shape)
    b += 2
    d = 1 / nonZero(a * d + b, tiny)
    c = nonZero(b + a / c, tiny)
    fraction *= c * d
    if (Math.abs(c * d - 1) < PRECISION) break
  }
  return fraction
}

function nonZero(value: number, tiny: number): number {
  return Math.abs(value) < tiny ? tiny : value
}
