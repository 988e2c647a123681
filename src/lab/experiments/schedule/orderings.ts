/** What "Optimal crawling strategies", section 5, says of its figures, held against the rows of an experiment. */

import type { SchedulePoint, ScheduleRows } from './figures.js'

export interface Ordering {
  readonly claim: string
  /** How many places the claim was looked for at. */
  readonly cases: number
  /** The places where it does not hold. */
  readonly exceptions: readonly string[]
}

/** How far sums over many pages may be off by rounding. */
const TOLERANCE = 1e-12

export function scheduleOrderings({ points, timetables }: ScheduleRows): Ordering[] {
  const optima = points.filter(({ scheme }) => scheme === 'optimal')
  return [
    ordering('no scheme is better than the optimal one', points, (point) => {
      return optimumOf(optima, point) <= point.staleness + TOLERANCE
    }),
    ordering('uniform is better than proportional', withScheme(points, 'proportional'), (point) => {
      const uniform = points.find((other) => isSamePlace(other, point) && other.scheme === 'uniform')!
      // Where all rates are equal, both are the same.
      return uniform.staleness <= point.staleness + TOLERANCE
    }),
    ordering('the optimum is convex in the number of crawls', interior(optima), (point) => {
      const line = curveOf(optima, point)
      const at = line.indexOf(point)
      const drop = (end: number) =>
        (line[end - 1]!.staleness - line[end]!.staleness) / (line[end]!.x - line[end - 1]!.x)
      return drop(at + 1) <= drop(at) + TOLERANCE
    }),
    ordering(
      'quasi-deterministic pages are never stale with the most crawls',
      lastOf(optima, '8-quasi-deterministic'),
      (point) => {
        return point.staleness <= TOLERANCE
      },
    ),
    {
      claim: 'no crawl is made before an update that it waits for',
      cases: timetables.length,
      exceptions: timetables
        .filter(({ early }) => early > 0)
        .map(({ phasing, early }) => `${phasing}: ${early} crawls`),
    },
  ]
}

function ordering(claim: string, points: readonly SchedulePoint[], holds: (point: SchedulePoint) => boolean): Ordering {
  const exceptions = points
    .filter((point) => !holds(point))
    .map(({ figure, scheme, xName, x }) => {
      return `Figure ${figure}, ${xName} ${x}, ${scheme}`
    })
  return { claim, cases: points.length, exceptions }
}

function isSamePlace(one: SchedulePoint, other: SchedulePoint): boolean {
  return one.figure === other.figure && one.x === other.x
}

function optimumOf(optima: readonly SchedulePoint[], point: SchedulePoint): number {
  return optima.find((optimum) => isSamePlace(optimum, point))!.staleness
}

function withScheme(points: readonly SchedulePoint[], scheme: string): SchedulePoint[] {
  return points.filter((point) => point.scheme === scheme)
}

function curveOf(points: readonly SchedulePoint[], { figure }: SchedulePoint): SchedulePoint[] {
  return points.filter((point) => point.figure === figure).sort((a, b) => a.x - b.x)
}

/** Points with a neighbour on either side, of curves over the number of crawls. */
function interior(optima: readonly SchedulePoint[]): SchedulePoint[] {
  const curves = optima.filter(({ xName }) => xName === 'crawlsPerPage')
  return curves.filter((point) => curveOf(curves, point).slice(1, -1).includes(point))
}

function lastOf(optima: readonly SchedulePoint[], figure: string): SchedulePoint[] {
  return optima
    .filter((point) => point.figure === figure)
    .sort((a, b) => a.x - b.x)
    .slice(-1)
}
