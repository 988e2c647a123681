/**
 * Vectors of which only the direction counts: rows of a matrix, each scaled to norm 1. A row of zeros has no direction
 * and stays as it is.
 */
import { parameter } from '../base/checks.js'
import { describe } from '../base/describe.js'

export type NumberArray = Float32Array | Float64Array

export interface UnitRows {
  readonly rows: number
  readonly width: number
  hasDirection(row: number): boolean
  /** The cosine between the row and a vector of norm 1. */
  dot(row: number, vector: Float64Array): number
  /** sum += factor · row */
  addTo(sum: Float64Array, row: number, factor: number): void
}

export class DenseRows implements UnitRows {
  readonly rows: number
  readonly width: number
  readonly #values: Float64Array
  readonly #directed: Uint8Array

  /** `vectors`: row after row. They are copied. */
  constructor(vectors: NumberArray, width: number) {
    this.width = parameter('width', width, { min: 1, integer: true })
    if (vectors.length % width !== 0) {
      throw new RangeError(`vectors must hold whole rows of ${width} numbers, received ${vectors.length} numbers`)
    }
    this.rows = vectors.length / width
    this.#values = Float64Array.from(vectors)
    this.#directed = new Uint8Array(this.rows)
    for (let row = 0; row < this.rows; row++) {
      this.#directed[row] = Number(scaleToUnit(this.#values, row * width, (row + 1) * width, 'vectors'))
    }
  }

  hasDirection(row: number): boolean {
    return this.#directed[row] === 1
  }

  dot(row: number, vector: Float64Array): number {
    const values = this.#values
    const width = this.width
    const first = row * width
    const whole = width & ~3
    // Four independent sums, which the processor can compute in parallel.
    let [a, b, c, d] = [0, 0, 0, 0]
    for (let at = 0; at < whole; at += 4) {
      a += values[first + at]! * vector[at]!
      b += values[first + at + 1]! * vector[at + 1]!
      c += values[first + at + 2]! * vector[at + 2]!
      d += values[first + at + 3]! * vector[at + 3]!
    }
    for (let at = whole; at < width; at++) a += values[first + at]! * vector[at]!
    return a + b + (c + d)
  }

  addTo(sum: Float64Array, row: number, factor: number): void {
    const values = this.#values
    const width = this.width
    const first = row * width
    for (let at = 0; at < width; at++) sum[at]! += factor * values[first + at]!
  }
}

/**
 * A matrix of mostly zeros: row r has values[starts[r]] … values[starts[r + 1] - 1], in these columns. No column twice
 * in a row.
 */
export interface SparseMatrix {
  /** One more than there are rows; ascending from 0. */
  readonly starts: Uint32Array
  readonly columns: Uint32Array
  readonly values: NumberArray
}

export class SparseRows implements UnitRows {
  readonly rows: number
  readonly width: number
  readonly #starts: Uint32Array
  readonly #columns: Uint32Array
  readonly #values: Float64Array
  readonly #directed: Uint8Array

  /** The values are copied. */
  constructor(matrix: SparseMatrix, width: number) {
    this.width = parameter('width', width, { min: 1, integer: true })
    checkSparse(matrix, width)
    this.rows = matrix.starts.length - 1
    this.#starts = matrix.starts
    this.#columns = matrix.columns
    this.#values = Float64Array.from(matrix.values)
    this.#directed = new Uint8Array(this.rows)
    for (let row = 0; row < this.rows; row++) {
      this.#directed[row] = Number(scaleToUnit(this.#values, this.#starts[row]!, this.#starts[row + 1]!, 'values'))
    }
  }

  hasDirection(row: number): boolean {
    return this.#directed[row] === 1
  }

  dot(row: number, vector: Float64Array): number {
    const columns = this.#columns
    const values = this.#values
    const end = this.#starts[row + 1]!
    let sum = 0
    for (let at = this.#starts[row]!; at < end; at++) sum += values[at]! * vector[columns[at]!]!
    return sum
  }

  addTo(sum: Float64Array, row: number, factor: number): void {
    const columns = this.#columns
    const values = this.#values
    const end = this.#starts[row + 1]!
    for (let at = this.#starts[row]!; at < end; at++) sum[columns[at]!]! += factor * values[at]!
  }
}

export function normOf(vector: Float64Array): number {
  let squares = 0
  for (let at = 0; at < vector.length; at++) squares += vector[at]! ** 2
  return Math.sqrt(squares)
}

/**
 * Whether there was a direction. Squares of numbers beyond 1e154 would be infinite, so the largest is divided out
 * first.
 */
export function scaleToUnit(values: Float64Array, from: number, to: number, name: string): boolean {
  let largest = 0
  for (let at = from; at < to; at++) {
    const size = Math.abs(values[at]!)
    if (!(size < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`${name}[${at}] must be a finite number, received ${describe(values[at])}`)
    }
    if (size > largest) largest = size
  }
  if (largest === 0) return false
  let squares = 0
  for (let at = from; at < to; at++) {
    values[at]! /= largest
    squares += values[at]! ** 2
  }
  const norm = Math.sqrt(squares)
  for (let at = from; at < to; at++) values[at]! /= norm
  return true
}

function checkSparse({ starts, columns, values }: SparseMatrix, width: number): void {
  if (starts.length === 0 || starts[0] !== 0) throw new RangeError('starts must begin with 0')
  for (let row = 1; row < starts.length; row++) {
    if (starts[row]! < starts[row - 1]!) throw new RangeError(`starts must not fall, it does at ${row}`)
  }
  const length = starts.at(-1)!
  if (columns.length !== length || values.length !== length) {
    throw new RangeError(
      `columns and values must hold ${length} numbers, as starts says, received ${columns.length} and ${values.length}`,
    )
  }
  const wrong = columns.findIndex((column) => column >= width)
  if (wrong >= 0) throw new RangeError(`columns[${wrong}] must be below ${width}, received ${columns[wrong]}`)
}
