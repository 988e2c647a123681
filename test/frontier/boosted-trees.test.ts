/** Boosted trees against a plain loop over single trees, and against one tree on a law that one tree cannot learn. */
import { describe, expect, it } from 'vitest'
import { type BoostedTrees, boostedValues, growBoostedTrees, predictBoosted } from '../../src/frontier/boosted-trees.js'
import { growTree, predict } from '../../src/frontier/regression-tree.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const WIDTH = 4

/** A sum of features, of which a tree needs a leaf for each combination. */
function rowsOf(random: SeededRandom, count: number) {
  const features = Float64Array.from({ length: count * WIDTH }, random.next)
  const targets = Float64Array.from({ length: count }, (_, row) => {
    const own = features.subarray(row * WIDTH, (row + 1) * WIDTH)
    return own[0]! + own[1]! + 2 * own[2]! + 0.2 * random.next()
  })
  return { features, targets }
}

describe('boosted trees', () => {
  it('are single trees on what is left over', () => {
    withSeed('boosting by hand', (seed) => {
      const { features, targets } = rowsOf(new SeededRandom(seed), 300)
      const boosted = growBoostedTrees(features, targets, WIDTH, { trees: 4, rate: 0.5, maxDepth: 2 })
      const mean = targets.reduce((sum, target) => sum + target, 0) / 300
      const predicted = new Float64Array(300).fill(mean)
      for (let nth = 0; nth < 4; nth++) {
        const left = targets.map((target, row) => target - predicted[row]!)
        const tree = growTree(features, left, WIDTH, { maxDepth: 2 })
        for (let row = 0; row < 300; row++) predicted[row]! += 0.5 * predict(tree, features, row * WIDTH)
      }
      for (let row = 0; row < 300; row++) {
        expect(predictBoosted(boosted, features, row * WIDTH)).toBeCloseTo(predicted[row]!, 9)
      }
    })
  })

  it('are nearer to new rows of a sum than one tree, and the same after JSON', () => {
    withSeed('boosting a sum', (seed) => {
      const random = new SeededRandom(seed)
      const known = rowsOf(random, 2000)
      const fresh = rowsOf(random, 2000)
      const boosted = JSON.parse(JSON.stringify(growBoostedTrees(known.features, known.targets, WIDTH))) as BoostedTrees
      const tree = growTree(known.features, known.targets, WIDTH)
      const error = (guess: (at: number) => number) =>
        fresh.targets.reduce((sum, target, row) => sum + (target - guess(row * WIDTH)) ** 2, 0)
      const ofOne = error((at) => predict(tree, fresh.features, at))
      expect(error((at) => predictBoosted(boosted, fresh.features, at))).toBeLessThan(0.7 * ofOne)
    })
  })

  it('tell values around the prediction', () => {
    withSeed('boosted values', (seed) => {
      const { features, targets } = rowsOf(new SeededRandom(seed), 500)
      const boosted = growBoostedTrees(features, targets, WIDTH, { leafValues: 4 })
      for (let row = 0; row < 500; row++) {
        const values = boostedValues(boosted, features, row * WIDTH)
        expect(values).toHaveLength(4)
        expect(values).toEqual([...values].sort((a, b) => a - b))
        const mean = values.reduce((sum, value) => sum + value, 0) / 4
        expect(mean).toBeCloseTo(predictBoosted(boosted, features, row * WIDTH), 9)
      }
    })
  })

  it('without trees say the mean, and refuse what is no rate', () => {
    const boosted = growBoostedTrees(new Float64Array(2), Float64Array.of(1, 3), 1, { trees: 0 })
    expect(predictBoosted(boosted, [0])).toBe(2)
    expect(() => growBoostedTrees(new Float64Array(2), Float64Array.of(1, 3), 1, { rate: 0 })).toThrow(/rate/)
    expect(() => growBoostedTrees(new Float64Array(), new Float64Array(), 1)).toThrow('targets must not be empty')
  })
})
