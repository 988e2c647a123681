/** A cut against the same search with a look at every row in every pass. */
import { expect, it } from 'vitest'
import { TwoMeans } from '../../src/clusters/two-means.js'
import { DenseRows, normOf } from '../../src/clusters/unit-rows.js'
import { drawAt } from '../../src/math/draws.js'
import { SeededRandom, withSeed } from '../support/seed.js'

/** More than restarts are tried on: single rows are not moved then. */
const ROWS = 4500
const TRIED = 4000
const PASSES = 20

it('passes over no row that would change its side', () => {
  withSeed('two means', (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < 6; round++) {
      const width = random.between(2, 6)
      const spread = random.pick([0.05, 0.5, 5])
      const centres = Array.from({ length: random.between(1, 4) }, () => vector(random, width, 1))
      const values = Array.from({ length: ROWS }, () => {
        const centre = random.pick(centres)
        return vector(random, width, spread).map((value, at) => value + centre[at]!)
      })
      const rows = new DenseRows(Float64Array.from(values.flat()), width)
      const members = Uint32Array.from({ length: ROWS }, (_, row) => row)
      const expected = plainCut(rows, 3, round)
      const left = new TwoMeans(rows, ROWS, 3, round).cut(members, 0, ROWS)
      expect([...members.subarray(0, left)]).toEqual(expected)
      expect(left).toBeGreaterThan(0)
    }
  })
})

function vector(random: SeededRandom, width: number, spread: number): number[] {
  return Array.from({ length: width }, () => spread * (random.next() + random.next() - 1))
}

/** The rows on the left. */
function plainCut(rows: DenseRows, restarts: number, seed: number): number[] {
  let draws = 0
  const draw = () => drawAt(seed, draws++)
  const all = Array.from({ length: ROWS }, (_, row) => row)
  const tried = Array.from(
    { length: TRIED },
    (_, at) => all[Math.floor(at * (ROWS / TRIED) + draw() * (ROWS / TRIED))]!,
  )
  let best = Number.NEGATIVE_INFINITY
  let bestContrast = new Float64Array(rows.width)
  for (let restart = 0; restart < restarts; restart++) {
    const found = plainSearch(rows, tried, seedContrast(rows, tried, draw))
    if (found.criterion > best) [best, bestContrast] = [found.criterion, found.contrast]
  }
  return plainSearch(rows, all, bestContrast).left
}

function seedContrast(rows: DenseRows, tried: readonly number[], draw: () => number): Float64Array {
  const first = tried[Math.floor(draw() * tried.length)]!
  const share = draw()
  const contrast = new Float64Array(rows.width)
  rows.addTo(contrast, first, 1)
  const distances = tried.map((row) => Math.max(0, 1 - rows.dot(row, contrast)))
  let rest = share * distances.reduce((sum, distance) => sum + distance, 0)
  let second = first
  for (let at = 0; at < tried.length && rest >= 0; at++) {
    if (distances[at] === 0) continue
    second = tried[at]!
    rest -= distances[at]!
  }
  rows.addTo(contrast, second, -1)
  return contrast
}

function plainSearch(rows: DenseRows, members: readonly number[], start: Float64Array) {
  const contrast = start.slice()
  const [total, left] = [new Float64Array(rows.width), new Float64Array(rows.width)]
  for (const row of members) rows.addTo(total, row, 1)
  let right = total.slice()
  const isLeft = members.map(() => false)
  for (let pass = 0, moves = 1; pass < PASSES && moves > 0; pass++) {
    moves = 0
    for (const [at, row] of members.entries()) {
      const product = rows.dot(row, contrast)
      if (isLeft[at] ? product >= 0 : product <= 0) continue
      rows.addTo(left, row, isLeft[at] ? -1 : 1)
      isLeft[at] = !isLeft[at]
      moves++
    }
    if (moves === 0) break
    right = total.map((sum, at) => sum - left[at]!)
    const [leftNorm, rightNorm] = [normOf(left), normOf(right)]
    contrast.forEach((_, at) => {
      contrast[at] = left[at]! * (leftNorm > 0 ? 1 / leftNorm : 0) - right[at]! * (rightNorm > 0 ? 1 / rightNorm : 0)
    })
  }
  return { criterion: normOf(left) + normOf(right), contrast, left: members.filter((_, at) => isLeft[at]) }
}
