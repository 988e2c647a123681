import { describe, expect, it } from 'vitest'
import { finish } from '../../src/base/turns.js'
import {
  type ClusterCountOptions,
  chooseClusterCountInSteps,
  chooseSparseClusterCount,
} from '../../src/clusters/cluster-count.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { separatedGroups } from './separated-groups.js'

const counts = [1, 2, 3, 4, 5, 6, 8, 10, 12]

describe('the number of clusters', () => {
  it('is that of the groups, where groups are far apart', () => {
    withSeed('cluster count', (seed) => {
      const random = new SeededRandom(seed)
      for (const groups of [2, 4, 6]) {
        const { vectors, width } = separatedGroups(random, Array(groups).fill(40), 0.15)
        const { clusters, trials } = chooseClusterCount(vectors, width, { counts, seed: random.uint32() })
        expect(clusters).toBe(groups)
        expect(trials.map((trial) => trial.clusters)).toEqual(counts)
        expect(trials.at(-1)!.meanCosine).toBeGreaterThan(0.9)
      }
    })
  })

  it('is judged by vectors that did not make the clusters', () => {
    withSeed('held-out vectors', (seed) => {
      const random = new SeededRandom(seed)
      // Every vector points somewhere else, so what was learnt from the others says nothing of the one that was held.
      const apart = Float64Array.from({ length: 12 * 12 }, (_, at) => (at % 13 === 0 ? 1 + random.next() : 0))
      const { clusters, trials } = chooseClusterCount(apart, 12, { counts: [1, 2, 11], seed: 1, folds: 12 })
      expect(trials.map(({ meanCosine }) => meanCosine)).toEqual([0, 0, 0])
      expect(clusters).toBe(1)
    })
  })

  it('is the smallest where nothing is gained, and needs no more than a vector', () => {
    const same = Float64Array.from({ length: 40 }, (_, at) => 1 + (at % 2))
    expect(chooseClusterCount(same, 2, { counts, seed: 1 }).clusters).toBe(1)
    expect(chooseClusterCount(Float64Array.of(1, 2), 2, { counts, seed: 1 }).clusters).toBe(1)
    expect(chooseClusterCount(new Float64Array(0), 2, { counts: [3, 4], seed: 1 }).clusters).toBe(3)
    expect(chooseClusterCount(new Float64Array(8), 2, { counts: [3, 4], seed: 1 }).clusters).toBe(3)
  })

  it('is the largest that was tried where more would gain as much again', () => {
    withSeed('too few counts', (seed) => {
      const { vectors, width } = separatedGroups(new SeededRandom(seed), Array(9).fill(20), 0.1)
      expect(chooseClusterCount(vectors, width, { counts: [1, 4], seed: 2 }).clusters).toBe(4)
    })
  })

  it('is the same for the same vectors in sparse form', () => {
    withSeed('sparse count', (seed) => {
      const { vectors, width, group } = separatedGroups(new SeededRandom(seed), [30, 30, 30], 0.2)
      const matrix = {
        starts: Uint32Array.from({ length: group.length + 1 }, (_, row) => row * width),
        columns: Uint32Array.from(vectors, (_, at) => at % width),
        values: vectors,
      }
      expect(chooseSparseClusterCount(matrix, width, { counts, seed: 3 }).clusters).toBe(3)
    })
  })

  it('refuses wrong arguments by name', () => {
    const vectors = Float64Array.of(1, 2)
    expect(() => chooseClusterCount(vectors, 2, { seed: 1, counts: [] })).toThrow(/counts must name at least one/)
    expect(() => chooseClusterCount(vectors, 2, { seed: 1, counts: [2, 2] })).toThrow(
      /counts\[1\] must be an integer above 2/,
    )
    expect(() => chooseClusterCount(vectors, 2, { seed: 1, folds: 1 })).toThrow(
      /folds must be an integer of at least 2/,
    )
  })
})

function chooseClusterCount(vectors: Float64Array, width: number, options: ClusterCountOptions) {
  return finish(chooseClusterCountInSteps(vectors, width, options))
}
