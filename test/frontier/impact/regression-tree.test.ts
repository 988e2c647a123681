/** Trees against a search of all splits, and the features that they learn from. */
import { describe, expect, it } from 'vitest'
import { PAIR_FEATURES, urlDepth, writePairFeatures } from '../../../src/frontier/impact/expected-score.js'
import { queryNgrams, urlNgrams } from '../../../src/frontier/impact/ngrams.js'
import { growTree, LEAF, leafOf, type RegressionTree } from '../../../src/frontier/impact/regression-tree.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

interface Rows {
  readonly width: number
  readonly features: Float64Array
  readonly targets: Float64Array
}

describe('a regression tree', () => {
  it('splits every node as well as the best of all splits, in 200 random cases', () => {
    withSeed('regression trees', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 200; round++) {
        const rows = randomRows(random, random.between(1, 60), random.between(1, 4))
        const limits = { maxDepth: random.int(5), minLeafRows: random.between(1, 6), leafValues: random.between(1, 4) }
        const tree = growTree(rows.features, rows.targets, rows.width, limits)
        checkNode(tree, rows, limits, 0, rowNumbers(rows), 0)
      }
    })
  })

  it('finds a law of steps again, and is the same after JSON', () => {
    withSeed('steps', (seed) => {
      const random = new SeededRandom(seed)
      const law = (x: number, y: number) => (x <= 0.3 ? 1 : y <= 0.6 ? 5 : 9)
      const features = Float64Array.from({ length: 4000 }, random.next)
      const targets = Float64Array.from({ length: 2000 }, (_, row) => law(features[2 * row]!, features[2 * row + 1]!))
      const tree = JSON.parse(JSON.stringify(growTree(features, targets, 2))) as RegressionTree
      for (let row = 0; row < 2000; row++) expect(predict(tree, features, 2 * row)).toBeCloseTo(targets[row]!, 9)
      // Three leaves, and what is flat is not split further.
      expect(tree.features.filter((feature) => feature === LEAF)).toHaveLength(3)
    })
  })

  it('tells how the targets of a leaf are distributed', () => {
    const tree = growTree(new Float64Array(7), Float64Array.of(7, 1, 6, 2, 5, 3, 4), 1, { leafValues: 2 })
    // Half of the middle target belongs to either side.
    expect(tree.values).toEqual([[(1 + 2 + 3 + 2) / 3.5, (2 + 5 + 6 + 7) / 3.5]])
    expect(tree.means).toEqual([4])
    expect(tree.variances[0]).toBeCloseTo(4, 12)
    expect(tree.rows).toEqual([7])
  })

  it('parts values that are as near as numbers can be, and does not part equal ones', () => {
    const near = Float64Array.of(1, 1 + Number.EPSILON)
    const tree = growTree(near, Float64Array.of(0, 1), 1, { minLeafRows: 1 })
    expect([predict(tree, near, 0), predict(tree, near, 1)]).toEqual([0, 1])
    const equal = growTree(Float64Array.of(2, 2), Float64Array.of(0, 1), 1, { minLeafRows: 1 })
    expect(equal.features).toEqual([LEAF])
    const far = Float64Array.of(-Number.MAX_VALUE, Number.MAX_VALUE)
    expect(predict(growTree(far, Float64Array.of(0, 1), 1, { minLeafRows: 1 }), far, 1)).toBe(1)
  })

  it('refuses rows that are none', () => {
    expect(() => growTree(new Float64Array(), new Float64Array(), 1)).toThrow('targets must not be empty')
    expect(() => growTree(new Float64Array(3), new Float64Array(2), 2)).toThrow(/2 for each of 2 targets, received 3/)
    expect(() => growTree(Float64Array.of(Number.NaN), Float64Array.of(1), 1)).toThrow(/features\[0\] must be a finite/)
    expect(() => growTree(Float64Array.of(1), Float64Array.of(1), 1, { minLeafRows: 0 })).toThrow(/minLeafRows/)
  })
})

describe('the features of a page and a query', () => {
  it('are these', () => {
    const url = 'http://example.org/red/fox.html?a=b/c'
    const page = {
      url,
      urlNgrams: urlNgrams(url),
      anchorNgrams: ['red fox', 'the red', 'more'].map((anchor) => queryNgrams(anchor)),
      inlinks: 7,
      hostPages: 3,
      hostMeanScore: 0.25,
    }
    const query = { ngrams: queryNgrams('red fox den'), words: 3, bestScore: 2, meanTopScore: 0.5 }
    const row = new Float64Array(PAIR_FEATURES.length + 2).fill(-1)
    writePairFeatures(row, 1, page, query)
    // "red", "fox" and "red fox" of six n-grams.
    const expected = [0.5, 0.5, Math.log1p(2), Math.log1p(7), 2, url.length, 3, Math.log1p(3), 0.25, 2, 0.5]
    expect([...row]).toEqual([-1, ...expected, -1])
  })

  it('know how deep a URL is', () => {
    const urls = ['http://a.b', 'http://a.b/', 'https://a.b/c/d/', 'http://a.b?x=/y/z', '//a.b/c#/d', 'c/d/e']
    expect(urls.map(urlDepth)).toEqual([0, 0, 2, 0, 1, 3])
  })
})

/** Few values, so that there are ties. */
function randomRows(random: SeededRandom, count: number, width: number): Rows {
  const features = Float64Array.from({ length: count * width }, () => random.int(8) - 3)
  const targets = Float64Array.from({ length: count }, () => (random.chance(0.2) ? 0 : random.int(30) / 7))
  return { width, features, targets }
}

function rowNumbers({ targets }: Rows): number[] {
  return Array.from(targets, (_, row) => row)
}

function checkNode(
  tree: RegressionTree,
  rows: Rows,
  limits: { readonly maxDepth: number; readonly minLeafRows: number; readonly leafValues: number },
  node: number,
  own: readonly number[],
  depth: number,
): void {
  const targets = own.map((row) => rows.targets[row]!)
  const mean = targets.reduce((sum, target) => sum + target, 0) / own.length
  expect(tree.rows[node]).toBe(own.length)
  expect(tree.means[node]).toBeCloseTo(mean, 9)
  expect(tree.variances[node]! * own.length).toBeCloseTo(squaredError(targets), 9)
  const best = depth < limits.maxDepth ? smallestError(rows, own, limits.minLeafRows) : Number.POSITIVE_INFINITY
  const feature = tree.features[node]!
  if (feature === LEAF) {
    expect(best).toBeGreaterThan(squaredError(targets) - 1e-9)
    const values = tree.values[node]!
    expect(values).toHaveLength(limits.leafValues)
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(mean, 9)
    expect(values).toEqual([...values].sort((a, b) => a - b))
    for (const row of own) expect(leafOf(tree, rows.features, row * rows.width)).toBe(node)
    return
  }
  const isLeft = (row: number) => rows.features[row * rows.width + feature]! <= tree.thresholds[node]!
  const [left, right] = [own.filter(isLeft), own.filter((row) => !isLeft(row))]
  expect(Math.min(left.length, right.length)).toBeGreaterThanOrEqual(limits.minLeafRows)
  const error = [left, right].reduce((sum, side) => sum + squaredError(side.map((row) => rows.targets[row]!)), 0)
  expect(error).toBeLessThan(best + 1e-9)
  checkNode(tree, rows, limits, node + 1, left, depth + 1)
  checkNode(tree, rows, limits, tree.rights[node]!, right, depth + 1)
}

function smallestError({ features, targets, width }: Rows, own: readonly number[], minLeafRows: number): number {
  let smallest = Number.POSITIVE_INFINITY
  for (let feature = 0; feature < width; feature++) {
    for (const row of own) {
      const isLeft = (other: number) => features[other * width + feature]! <= features[row * width + feature]!
      const sides = [own.filter(isLeft), own.filter((other) => !isLeft(other))]
      if (sides.some((side) => side.length < minLeafRows)) continue
      const errors = sides.map((side) => squaredError(side.map((other) => targets[other]!)))
      smallest = Math.min(smallest, errors[0]! + errors[1]!)
    }
  }
  return smallest
}

function squaredError(targets: readonly number[]): number {
  const mean = targets.reduce((sum, target) => sum + target, 0) / targets.length
  return targets.reduce((sum, target) => sum + (target - mean) ** 2, 0)
}

/** The mean of the leaf to which a row belongs. */
function predict(tree: RegressionTree, features: ArrayLike<number>, at = 0): number {
  return tree.means[leafOf(tree, features, at)]!
}
