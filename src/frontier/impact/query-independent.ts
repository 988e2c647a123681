/**
 * Impact without queries: a quadratic in the importance of a page, such as the logarithm of its inlinks, fitted to the
 * impacts of pages fetched before (Crawl ordering by search impact, section 5.4). It stands in for queries that are not
 * in the workload.
 *
 * The quadratic never falls. The paper's is unconstrained, and where pages that few link to happen to have more impact,
 * it turns the order of pages by importance round.
 */

export interface Quadratic {
  /** c0 + c1 x + c2 x² */
  readonly coefficients: readonly [number, number, number]
  /** The range of importances it was fitted to. Outside of it the values at the ends hold. */
  readonly lowest: number
  readonly highest: number
}

/** The smallest pivot, as a share of the number of points. */
const LEAST_PIVOT = 1e-12

/**
 * The best of all quadratics by least squares that never fall between the lowest and the highest importance: a line if
 * there are two different importances, a constant for one, undefined for none.
 */
export function fitQuadratic(importance: ArrayLike<number>, impacts: ArrayLike<number>): Quadratic | undefined {
  if (importance.length !== impacts.length) {
    throw new RangeError(`impacts must be one for each of ${importance.length} pages, received ${impacts.length}`)
  }
  if (importance.length === 0) return undefined
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (let at = 0; at < importance.length; at++) {
    lowest = Math.min(lowest, importance[at]!)
    highest = Math.max(highest, importance[at]!)
  }
  // Scaled to [-1, 1], where powers are of similar size.
  const center = (lowest + highest) / 2
  const scale = highest > lowest ? (highest - lowest) / 2 : 1
  const zs = Float64Array.from(importance, (x) => (x - center) / scale)
  const [k0, k1, k2] = risingParabola(zs, impacts)
  const linear = (k1 - (2 * k2 * center) / scale) / scale
  const square = k2 / scale ** 2
  return { coefficients: [k0 - center * (linear + center * square), linear, square], lowest, highest }
}

type Parabola = readonly [k0: number, k1: number, k2: number]

/**
 * The slope k1 + 2 k2 z is at least 0 on [-1, 1] where k1 >= 2 |k2|. If the best parabola of all is not among these,
 * the best one of these lies on the border: its slope is 0 at one end, or it is a constant.
 */
function risingParabola(zs: Float64Array, ys: ArrayLike<number>): Parabola {
  const free = solve(...normalEquations(zs, ys))
  if (free[1] >= 2 * Math.abs(free[2])) return free
  const [flatAtStart, flatAtEnd] = [1, -1].map((sign): Parabola => {
    const [mean, factor] = risingMultiple(zs, ys, (z) => 2 * z + sign * z * z)
    return [mean, 2 * factor, sign * factor]
  }) as [Parabola, Parabola]
  return squaredError(zs, ys, flatAtStart) <= squaredError(zs, ys, flatAtEnd) ? flatAtStart : flatAtEnd
}

/** y = constant + factor · shape(z) by least squares, with a factor of at least 0. */
function risingMultiple(
  zs: Float64Array,
  ys: ArrayLike<number>,
  shape: (z: number) => number,
): [constant: number, factor: number] {
  const heights = zs.map(shape)
  const meanHeight = heights.reduce((sum, height) => sum + height, 0) / zs.length
  let meanY = 0
  for (let at = 0; at < zs.length; at++) meanY += ys[at]! / zs.length
  let [common, spread] = [0, 0]
  for (let at = 0; at < zs.length; at++) {
    common += (heights[at]! - meanHeight) * (ys[at]! - meanY)
    spread += (heights[at]! - meanHeight) ** 2
  }
  const factor = spread > 0 ? Math.max(0, common / spread) : 0
  return [meanY - factor * meanHeight, factor]
}

function squaredError(zs: Float64Array, ys: ArrayLike<number>, [k0, k1, k2]: Parabola): number {
  return zs.reduce((sum, z, at) => sum + (ys[at]! - (k0 + z * (k1 + z * k2))) ** 2, 0)
}

/** The predicted impact, at least 0. */
export function quadraticAt({ coefficients, lowest, highest }: Quadratic, importance: number): number {
  const x = Math.min(highest, Math.max(lowest, importance))
  const [c0, c1, c2] = coefficients
  return Math.max(0, c0 + x * (c1 + x * c2))
}

/** The normal equations of the powers 0, 1 and 2 of z. */
function normalEquations(zs: Float64Array, ys: ArrayLike<number>): [matrix: number[][], right: number[]] {
  const powers = new Float64Array(5)
  const products = new Float64Array(3)
  for (let at = 0; at < zs.length; at++) {
    const z = zs[at]!
    let power = 1
    for (let exponent = 0; exponent < 5; exponent++) {
      powers[exponent]! += power
      if (exponent < 3) products[exponent]! += power * ys[at]!
      power *= z
    }
  }
  const places = [0, 1, 2]
  return [places.map((row) => places.map((column) => powers[row + column]!)), places.map((row) => products[row]!)]
}

/**
 * Gaussian elimination, which needs no pivoting for normal equations. A power that depends on those before it, up to
 * rounding, gets the coefficient 0.
 */
function solve(matrix: number[][], right: number[]): [number, number, number] {
  const least = LEAST_PIVOT * matrix[0]![0]!
  for (let step = 0; step < 3; step++) {
    const pivot = matrix[step]![step]!
    for (let row = step + 1; row < 3 && pivot > least; row++) {
      const factor = matrix[row]![step]! / pivot
      for (let column = step; column < 3; column++) matrix[row]![column]! -= factor * matrix[step]![column]!
      right[row]! -= factor * right[step]!
    }
  }
  const solution: [number, number, number] = [0, 0, 0]
  for (let row = 2; row >= 0; row--) {
    const pivot = matrix[row]![row]!
    if (pivot <= least) continue
    let rest = right[row]!
    for (let column = row + 1; column < 3; column++) rest -= matrix[row]![column]! * solution[column]!
    solution[row] = rest / pivot
  }
  return solution
}
