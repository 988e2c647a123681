/** Integrals of functions that are known only point by point, by adaptive Gauss-Kronrod quadrature. */

/** The 15 points on [-1, 1]: those right of the middle, outermost first, and the middle itself. */
const PLACES = [
  0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945, 0.5860872354676911,
  0.4058451513773972, 0.20778495500789848, 0,
]
const WEIGHTS_15 = [
  0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592, 0.1690047266392679,
  0.19035057806478542, 0.20443294007529889, 0.20948214108472782,
]
/** The 7 points are every second of the 15. */
const WEIGHTS_7 = [0.1294849661688697, 0.27970539148927664, 0.3818300505051189, 0.4179591836734694]
const RELATIVE_ERROR = 1e-13
/** The most halvings of an interval. A smaller interval is below the rounding error of the whole. */
const MAX_DEPTH = 50

/**
 * The integral over [low, high] of a bounded function. Intervals are halved where 7 and 15 points disagree. A jump
 * between an end and the point next to it is missed, so a caller who knows of jumps integrates from one to the next.
 */
export function integrate(f: (t: number) => number, low: number, high: number): number {
  const whole = panel(f, low, high)
  return refine(f, low, high, whole, RELATIVE_ERROR * Math.abs(whole.value), MAX_DEPTH)
}

interface Panel {
  readonly value: number
  readonly error: number
}

function refine(
  f: (t: number) => number,
  low: number,
  high: number,
  whole: Panel,
  tolerance: number,
  depth: number,
): number {
  if (whole.error <= tolerance || depth === 0) return whole.value
  const middle = (low + high) / 2
  const left = panel(f, low, middle)
  const right = panel(f, middle, high)
  // Where halving once changes nothing but rounding, halving again would not either.
  if (left.error + right.error <= RELATIVE_ERROR * Math.abs(left.value + right.value)) return left.value + right.value
  return (
    refine(f, low, middle, left, tolerance / 2, depth - 1) + refine(f, middle, high, right, tolerance / 2, depth - 1)
  )
}

function panel(f: (t: number) => number, low: number, high: number): Panel {
  const centre = (low + high) / 2
  const half = (high - low) / 2
  let fine = 0
  let coarse = 0
  for (const [at, place] of PLACES.entries()) {
    const value = place === 0 ? f(centre) : f(centre - half * place) + f(centre + half * place)
    fine += WEIGHTS_15[at]! * value
    if (at % 2 === 1) coarse += WEIGHTS_7[at >> 1]! * value
  }
  return { value: half * fine, error: half * Math.abs(fine - coarse) }
}
