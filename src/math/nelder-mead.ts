/**
 * The maximum of a function of a few numbers that is known only by its values (Nelder and Mead, A simplex method for
 * function minimization, 1965).
 */

const MAX_STEPS = 400
/** The search ends when all corners of the simplex are this close to the best one, in value and in place. */
const VALUE_TOLERANCE = 1e-7
const PLACE_TOLERANCE = 1e-4

export interface Peak {
  readonly place: readonly number[]
  readonly value: number
}

/**
 * Climbs from `start` to a local maximum. `value` may be -Infinity where the function is not defined, but not at
 * `start`. `step` is the size of the first simplex.
 */
export function climb(value: (place: readonly number[]) => number, start: readonly number[], step: number): Peak {
  const at = (place: readonly number[]): Peak => ({ place, value: value(place) })
  const corners = [at(start), ...start.map((_, axis) => at(start.with(axis, start[axis]! + step)))]
  for (let nth = 0; nth < MAX_STEPS; nth++) {
    corners.sort((a, b) => b.value - a.value)
    const best = corners[0]!
    const worst = corners.at(-1)!
    if (isSmall(corners, best)) break
    const center = start.map((_, axis) => mean(corners.slice(0, -1).map(({ place }) => place[axis]!)))
    /** The worst corner, moved through the center of the others. A move by 1 leads to its mirror image. */
    const moved = (by: number) => at(center.map((middle, axis) => middle + by * (middle - worst.place[axis]!)))
    const mirrored = moved(1)
    let next = mirrored
    if (mirrored.value > best.value) next = better(moved(2), mirrored)
    else if (mirrored.value <= corners.at(-2)!.value) next = moved(mirrored.value > worst.value ? 0.5 : -0.5)
    if (next.value > worst.value) corners[corners.length - 1] = next
    else {
      for (let corner = 1; corner < corners.length; corner++) {
        corners[corner] = at(corners[corner]!.place.map((x, axis) => (x + best.place[axis]!) / 2))
      }
    }
  }
  return corners.reduce(better)
}

function better(a: Peak, b: Peak): Peak {
  return a.value >= b.value ? a : b
}

function isSmall(corners: readonly Peak[], best: Peak): boolean {
  return corners.every(
    ({ place, value }) =>
      best.value - value <= VALUE_TOLERANCE &&
      place.every((x, axis) => Math.abs(x - best.place[axis]!) <= PLACE_TOLERANCE),
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
