/**
 * The mathematics of docs/refresh-model.md written once more, to be read rather than to be fast: no table, no closed
 * form, no summation trick. Numbers are doubles; what a curve keeps goes through Math.fround. A rank of Infinity is
 * "not in the list".
 */
import type { View } from './exact-quality.js'

export interface TwinCurve {
  /** Length of the list. */
  readonly n: number
  /** [ln n, ln score at rank n^(j / pieces) …], or for n < 4 the scores and zeros. */
  readonly values: readonly number[]
}

/** Values at ranks 1, 2 …; beyond them, power laws through [rank, value] pairs. */
export function tabledView(head: readonly number[], tail: readonly (readonly [number, number])[]): View {
  const points = [[head.length, head.at(-1) as number] as const, ...tail]
  return (rank) => {
    if (rank === Number.POSITIVE_INFINITY) return 0
    if (rank <= head.length) return head[rank - 1] as number
    if (tail.length === 0) return 0
    const reached = points.findLastIndex((point) => point[0] <= rank)
    const [rankA, valueA] = points[Math.min(reached, points.length - 2)] as readonly [number, number]
    const [rankB, valueB] = points[Math.min(reached, points.length - 2) + 1] as readonly [number, number]
    if (valueB === 0) return rank < rankB ? valueA : 0
    return valueA * (rank / rankA) ** (Math.log(valueB / valueA) / Math.log(rankB / rankA))
  }
}

export function interpolateCurve(scores: readonly number[], pieces: number): TwinCurve {
  const n = scores.length
  if (n < 4) return exactList(scores, pieces)
  const knots = Array.from({ length: pieces + 1 }, (_, j) => {
    const rank = j === pieces ? n : n ** (j / pieces)
    const whole = Math.min(Math.floor(rank), n - 1)
    const share = Math.log(rank / whole) / Math.log((whole + 1) / whole)
    return (1 - share) * logScore(scores, whole) + share * logScore(scores, whole + 1)
  })
  return toCurve(n, knots)
}

/**
 * Falling least squares on ln score with weights r^-1/2, where every piece has two ranks: the second is 2^1 <= n^(1 /
 * pieces).
 */
export function fitCurve(scores: readonly number[], pieces: number): TwinCurve {
  const n = scores.length
  if (n < 4 || n < 2 ** pieces) return interpolateCurve(scores, pieces)
  const size = pieces + 1
  const matrix = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0))
  for (let rank = 1; rank <= n; rank++) {
    // The hat functions: 1 at their own knot, 0 at all others, straight in between.
    const place = (pieces * Math.log(rank)) / Math.log(n)
    const hats = Array.from({ length: size }, (_, j) => Math.max(0, 1 - Math.abs(place - j)))
    for (const [i, hat] of hats.entries()) {
      const row = matrix[i] as number[]
      for (const [j, other] of [...hats, logScore(scores, rank)].entries()) row[j]! += rank ** -0.5 * hat * other
    }
  }
  return toCurve(n, solveFalling(matrix))
}

/** Knots that do not rise: while some do, the two that rise most become one, and all are solved anew. */
function solveFalling(matrix: readonly (readonly number[])[]): number[] {
  const groups = matrix.map((_, knot) => [knot])
  for (;;) {
    const sum = (rows: readonly number[], columns: readonly number[]) =>
      rows.reduce((total, i) => total + columns.reduce((part, j) => part + (matrix[i]?.[j] as number), 0), 0)
    const solved = solve(
      groups.map((rows) => [...groups.map((columns) => sum(rows, columns)), sum(rows, [matrix.length])]),
    )
    const rises = solved.slice(1).map((value, at) => value - (solved[at] as number))
    const worst = rises.indexOf(Math.max(...rises))
    if (worst < 0 || (rises[worst] as number) <= 0)
      return groups.flatMap((knots, at) => knots.map(() => solved[at] as number))
    groups.splice(worst, 2, [...(groups[worst] as number[]), ...(groups[worst + 1] as number[])])
  }
}

function exactList(scores: readonly number[], pieces: number): TwinCurve {
  const values = Array.from({ length: pieces + 2 }, (_, at) => Math.fround(scores[at] ?? 0))
  return { n: scores.length, values }
}

function logScore(scores: readonly number[], rank: number): number {
  return Math.log(scores[rank - 1] as number)
}

/** Float32 knots, each at least a millionth, or the least possible, below the one before. */
function toCurve(n: number, knots: readonly number[]): TwinCurve {
  const values = [Math.fround(Math.log(n)), Math.fround(knots[0] as number)]
  for (const knot of knots.slice(1)) {
    const before = values.at(-1) as number
    const value = Math.fround(Math.min(knot, before - 1e-6))
    values.push(value < before ? value : floatBelow(before))
  }
  return { n, values }
}

/** The largest float32 that is smaller. */
export function floatBelow(value: number): number {
  const bits = new DataView(new ArrayBuffer(4))
  if (value === 0) return -(2 ** -149)
  bits.setFloat32(0, value)
  bits.setInt32(0, bits.getInt32(0) + (value > 0 ? -1 : 1))
  return bits.getFloat32(0)
}

/** Gauss with pivots; the last column is the right-hand side. */
function solve(matrix: number[][]): number[] {
  const size = matrix.length
  for (let column = 0; column < size; column++) {
    const rest = matrix.slice(column)
    const largest = Math.max(...rest.map((row) => Math.abs(row[column] as number)))
    const pivot = rest.find((row) => Math.abs(row[column] as number) === largest) as number[]
    matrix = [...matrix.slice(0, column), pivot, ...rest.filter((row) => row !== pivot)]
    for (const row of matrix.slice(column + 1)) {
      const factor = (row[column] as number) / (pivot[column] as number)
      for (let at = column; at <= size; at++) row[at]! -= factor * (pivot[at] as number)
    }
  }
  const solution = new Array<number>(size).fill(0)
  for (let column = size - 1; column >= 0; column--) {
    const row = matrix[column] as number[]
    const known = solution.reduce((total, value, at) => total + (at > column ? value * (row[at] as number) : 0), 0)
    solution[column] = ((row[size] as number) - known) / (row[column] as number)
  }
  return solution
}

export function rankOf(curve: TwinCurve, score: number): number {
  const { n, values } = curve
  if (n < 4) return rankInExactList(values.slice(0, n), score)
  const [logN = 0, ...knots] = values
  const wanted = Math.log(score)
  if (wanted >= (knots[0] as number)) return 1
  if (wanted < (knots.at(-1) as number)) return n
  const right = knots.findIndex((knot) => knot <= wanted)
  const [above, below] = [knots[right - 1] as number, knots[right] as number]
  const place = right - 1 + (above - wanted) / (above - below)
  return Math.min(n, Math.exp((place / (knots.length - 1)) * logN))
}

function rankInExactList(scores: readonly number[], score: number): number {
  const reached = scores.filter((other) => other >= score).length
  if (reached === 0 || reached === scores.length) return Math.max(1, reached)
  const [above, below] = [scores[reached - 1] as number, scores[reached] as number]
  return reached + (above - score) / (above - below)
}

export function scoreAt(curve: TwinCurve, rank: number): number {
  const { n, values } = curve
  const whole = Math.floor(rank)
  if (n < 4) return mix(values[whole - 1] as number, values[Math.min(whole, n - 1)] as number, rank - whole)
  const [logN = 0, ...knots] = values
  const pieces = knots.length - 1
  const place = Math.min(pieces, (pieces * Math.log(rank)) / logN)
  const left = Math.min(pieces - 1, Math.floor(place))
  return Math.exp(mix(knots[left] as number, knots[left + 1] as number, place - left))
}

function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share
}

export interface TwinShift {
  readonly before: number
  readonly after: number
  readonly deltaQuality: number
}

/** Sum of the view likelihood over first … last. */
export type ViewSum = (first: number, last: number) => number

export const sumOneByOne =
  (view: View): ViewSum =>
  (first, last) => {
    let sum = 0
    for (let rank = first; rank <= last; rank++) sum += view(rank)
    return sum
  }

/** Euler-Maclaurin for r^-3/2. */
export function closedSum(first: number, last: number): number {
  const term = (power: number) => first ** power + last ** power
  const difference = (power: number) => first ** power - last ** power
  return 2 * difference(-0.5) + term(-1.5) / 2 + difference(-2.5) / 8
}

export function deltaQuality(
  curve: TwinCurve,
  view: View,
  s1: number,
  s2: number,
  sum: ViewSum = sumOneByOne(view),
): TwinShift {
  const { before, after } = ranksOf(curve, s1, s2)
  return { before, after, deltaQuality: Math.max(0, deltaAtRanks(curve, view, before, after, s2, sum)) }
}

const INFINITE = Number.POSITIVE_INFINITY

/** The ranks of a page that moves from s1 to s2. */
export function ranksOf(curve: TwinCurve, s1: number, s2: number): { before: number; after: number } {
  const { n, values } = curve
  if (n < 4) return ranksInExactList(curve, s1, s2)
  const before = s1 > 0 ? Math.round(rankOf(curve, s1)) : INFINITE
  if (s2 === 0) return { before, after: INFINITE }
  if (s1 === s2) return { before, after: before }
  if (s2 < s1) return { before, after: Math.max(before, Math.floor(rankOf(curve, s2))) }
  if (s1 === 0 && Math.log(s2) < (values.at(-1) as number)) return { before, after: n + 1 }
  return { before, after: Math.min(before, Math.ceil(rankOf(curve, s2))) }
}

/** Also for no list at all, in which a page that matches is alone. */
function ranksInExactList(curve: TwinCurve, s1: number, s2: number): { before: number; after: number } {
  const list = curve.values.slice(0, curve.n)
  const isAlone = list.length === 0
  const before = s1 === 0 ? INFINITE : isAlone ? 1 : Math.round(rankOf(curve, Math.fround(s1)))
  const others = list.filter((_, at) => at + 1 !== before)
  const after = s2 === 0 ? INFINITE : others.filter((score) => score >= Math.fround(s2)).length + 1
  return { before, after }
}

/** For given ranks, not cut off at 0. */
export function deltaAtRanks(
  curve: TwinCurve,
  view: View,
  before: number,
  after: number,
  s2: number,
  sum: ViewSum,
): number {
  const { n } = curve
  if (before === after) return 0
  const self = (view(after) - view(before)) * s2
  if (n === 0) return self
  // Who vanishes makes all behind it move up; who appears makes all from its place on move down.
  const r1 = Math.min(before, n + 1)
  const r2 = Math.min(after, before === INFINITE ? n + 1 : n)
  const g = (rank: number) => scoreAt(curve, rank)
  if (n < 4) return self + displacedOneByOne(view, r1, r2, g)
  if (r1 < r2) return self + view(r1) * g(r1 + 1) - middle(curve, r1 + 1, r2, 0, sum) - view(r2) * g(r2)
  if (r1 > r2) return self - view(r2) * g(r2) + middle(curve, r2, r1 - 1, 1, sum) + view(r1) * g(r1 - 1)
  return self
}

function displacedOneByOne(view: View, r1: number, r2: number, g: (rank: number) => number): number {
  let displaced = 0
  for (let rank = r1 + 1; rank <= r2; rank++) displaced += (view(rank - 1) - view(rank)) * g(rank)
  for (let rank = r2; rank < r1; rank++) displaced += (view(rank + 1) - view(rank)) * g(rank)
  return displaced
}

/** Sum of view likelihood times the mean drop of the score, run by run; runs end at the whole ranks below the knots. */
function middle(curve: TwinCurve, first: number, last: number, offset: 0 | 1, sum: ViewSum): number {
  const pieces = curve.values.length - 2
  const corners = Array.from({ length: pieces - 1 }, (_, j) =>
    Math.floor(Math.exp((curve.values[0]! * (j + 1)) / pieces)),
  ).filter((corner) => corner > first && corner < last)
  const ends = [...new Set([first, ...corners, last])]
  return ends.slice(1).reduce((total, end, at) => {
    const start = ends[at] as number
    const drop = (scoreAt(curve, start) - scoreAt(curve, end)) / (end - start)
    return total + sum(start + offset, end - 1 + offset) * drop
  }, 0)
}
