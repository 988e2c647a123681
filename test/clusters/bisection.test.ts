import { describe, expect, it } from 'vitest'
import { finish } from '../../src/base/turns.js'
import { type BisectionOptions, bisect, bisectInSteps } from '../../src/clusters/bisection.js'
import { CentroidSearch, type Centroids, centroidCosines } from '../../src/clusters/centroids.js'
import { DenseRows, type SparseMatrix, SparseRows } from '../../src/clusters/unit-rows.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { centroidOf, cosine, criterionOf, partitionOf, rowsOf, separatedGroups } from './separated-groups.js'

describe('repeated bisection', () => {
  it('finds the partition that k-means finds from every choice of seeds, in groups far apart', () => {
    withSeed('bisection and k-means', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 40; round++) {
        const clusters = random.between(2, 4)
        const sizes = Array.from({ length: clusters }, () => random.between(1, 4))
        const { vectors, width } = separatedGroups(random, sizes)
        const found = bisect(vectors, width, { clusters, seed: random.uint32() })
        expect(partitionOf(found.assignment)).toBe(partitionOf(bestMeans(rowsOf(vectors, width), clusters)))
      }
    })
  })

  it('finds many groups of many sizes', () => {
    withSeed('many groups', (seed) => {
      const random = new SeededRandom(seed)
      const sizes = Array.from({ length: 30 }, () => random.between(100, 200))
      const { vectors, width, group } = separatedGroups(random, sizes, 0.05)
      const found = bisect(Float32Array.from(vectors), width, { clusters: 30, seed: 7 })
      // Not with toBe, which would print thousands of numbers.
      expect(partitionOf(found.assignment)).toBe(partitionOf(group))
      expect([...found.sizes]).toEqual(sizes.sort((a, b) => b - a))
    })
  })

  it('says what it found as a brute force does, on random vectors', () => {
    withSeed('bisection of noise', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const [count, width] = [random.between(1, 60), random.between(1, 6)]
        const vectors = Float64Array.from({ length: count * width }, () => random.next() - random.next())
        const found = bisect(vectors, width, { clusters: random.between(1, 12), seed: random.uint32(), restarts: 2 })
        const rows = rowsOf(vectors, width)
        expect(found.criterion).toBeCloseTo(criterionOf(rows, found.assignment), 9)
        const cosines = centroidCosines(vectors, found)
        for (let cluster = 0; cluster < found.clusters; cluster++) {
          const members = rows.filter((_, row) => found.assignment[row] === cluster)
          expect(members.length).toBe(found.sizes[cluster])
          expect(members.length).toBeLessThanOrEqual(found.sizes[cluster - 1] ?? count)
          const centroid = rowsOf(found.centroids, width)[cluster]!
          expect(cosine(centroid, centroidOf(members))).toBeCloseTo(1, 9)
          expect(Math.hypot(...centroid)).toBeCloseTo(1, 9)
        }
        rows.forEach((row, at) => {
          expect(cosines[at]).toBeCloseTo(cosine(row, rowsOf(found.centroids, width)[found.assignment[at]!]!), 9)
        })
      }
    })
  })

  it('cuts where no vector is nearer to the other side, nor would gain by a move', () => {
    withSeed('one cut', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 50; round++) {
        const [count, width] = [random.between(2, 40), random.between(2, 5)]
        const vectors = Float64Array.from({ length: count * width }, () => random.next() - random.next())
        const found = bisect(vectors, width, { clusters: 2, seed: random.uint32() })
        expect(found.clusters).toBe(2)
        expect([...nearestCentroids(vectors, found)]).toEqual([...found.assignment])
        const rows = rowsOf(vectors, width)
        found.assignment.forEach((cluster, row) => {
          const moved = criterionOf(rows, found.assignment.with(row, 1 - cluster))
          expect(moved).toBeLessThanOrEqual(found.criterion + 1e-8)
        })
      }
    })
  })

  it('cuts a set that is larger than what it tries restarts on', () => {
    withSeed('large cut', (seed) => {
      const random = new SeededRandom(seed)
      const { vectors, width, group } = separatedGroups(random, [5000, 4000, 3000], 0.2)
      const found = bisect(vectors, width, { clusters: 3, seed: random.uint32() })
      // Not with toBe, which would print thousands of numbers.
      expect(partitionOf(found.assignment)).toBe(partitionOf(group))
    })
  })

  it('gets better with every cluster more, and depends on its arguments alone', () => {
    withSeed('more clusters', (seed) => {
      const random = new SeededRandom(seed)
      const vectors = Float64Array.from({ length: 300 * 4 }, () => random.next() - random.next())
      const criterion = (clusters: number) => bisect(vectors, 4, { clusters, seed: 3 }).criterion
      for (let clusters = 2; clusters <= 20; clusters++)
        expect(criterion(clusters)).toBeGreaterThan(criterion(clusters - 1))
      const [once, again] = [bisect(vectors, 4, { clusters: 9, seed: 3 }), bisect(vectors, 4, { clusters: 9, seed: 3 })]
      expect(once).toEqual(again)
    })
  })
})

describe('few, equal and empty vectors', () => {
  it('make fewer clusters than were asked for', () => {
    const three = bisect(Float64Array.of(1, 0, 0, 1, 1, 1), 2, { clusters: 100, seed: 1 })
    expect(three.clusters).toBe(3)
    expect([...three.sizes]).toEqual([1, 1, 1])
    expect(three.criterion).toBeCloseTo(3, 12)
    const equal = bisect(Float64Array.of(1, 2, 2, 4, 0.5, 1, 1e200, 2e200), 2, { seed: 1 })
    expect([equal.clusters, equal.criterion]).toEqual([1, expect.closeTo(4, 9)])
    const pairs = bisect(Float64Array.of(1, 0, 1, 0, 0, 1, 0, 1), 2, { clusters: 4, seed: 1 })
    expect([pairs.clusters, [...pairs.assignment]]).toEqual([2, [0, 0, 1, 1]])
  })

  it('are a cluster of their own when they have no direction', () => {
    const vectors = Float64Array.of(0, 0, 1, 0, 0, 0, 0, 1, 0, 0)
    const found = bisect(vectors, 2, { clusters: 3, seed: 1 })
    expect([...found.assignment]).toEqual([0, 1, 0, 2, 0])
    expect([...found.centroids]).toEqual([0, 0, 1, 0, 0, 1])
    expect(found.criterion).toBe(2)
    expect([...nearestCentroids(Float64Array.of(0, 0, -1, 2, -1, -1), found)]).toEqual([0, 2, 1])
    const one = bisect(vectors, 2, { clusters: 1, seed: 1 })
    expect([one.clusters, ...one.assignment]).toEqual([1, 0, 0, 0, 0, 0])
    expect(one.criterion).toBeCloseTo(Math.SQRT2, 12)
    const nothing = bisect(new Float64Array(6), 2, { seed: 1 })
    expect([nothing.clusters, nothing.criterion, ...nothing.assignment]).toEqual([1, 0, 0, 0, 0])
    expect(bisect(new Float64Array(), 2, { seed: 1 }).clusters).toBe(0)
  })

  it('that point away from each other are told apart', () => {
    const found = bisect(Float64Array.of(1, 0, -1, 0, 2, 0, -2, 0), 2, { clusters: 5, seed: 1 })
    expect([found.clusters, found.criterion]).toEqual([2, expect.closeTo(4, 12)])
    const one = bisect(Float64Array.of(1, 0, -1, 0), 2, { clusters: 1, seed: 1 })
    expect([one.criterion, ...one.centroids]).toEqual([0, 0, 0])
  })
})

describe('sparse vectors', () => {
  it('are clustered as dense ones are', () => {
    withSeed('sparse bisection', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 20; round++) {
        const sizes = Array.from({ length: random.between(1, 9) }, () => random.between(5, 9))
        const { vectors, width } = separatedGroups(random, sizes, 0.1)
        const dense = vectors.map((value) => (Math.abs(value) < 0.2 ? 0 : value))
        const options = { clusters: sizes.length, seed: random.uint32() }
        const [a, b] = [bisect(dense, width, options), bisectSparse(sparse(dense, width), width, options)]
        expect([...b.assignment]).toEqual([...a.assignment])
        expect(b.criterion).toBeCloseTo(criterionOf(rowsOf(dense, width), b.assignment), 9)
      }
    })
  })

  it('are refused when they do not fit together', () => {
    const matrix = { starts: Uint32Array.of(0, 1), columns: Uint32Array.of(4), values: Float64Array.of(1) }
    expect(() => bisectSparse(matrix, 4, { seed: 1 })).toThrow(/columns\[0\] must be below 4, received 4/)
    expect(() => bisectSparse({ ...matrix, starts: Uint32Array.of(0, 2) }, 5, { seed: 1 })).toThrow(
      /must hold 2 numbers/,
    )
    expect(() => bisectSparse({ ...matrix, starts: Uint32Array.of(1, 1) }, 5, { seed: 1 })).toThrow(/begin with 0/)
    expect(() => bisectSparse({ ...matrix, starts: Uint32Array.of(0, 1, 0) }, 5, { seed: 1 })).toThrow(/must not fall/)
  })
})

describe('wrong arguments', () => {
  it('are refused by name', () => {
    const four = Float64Array.of(1, 2, 3, 4)
    expect(() => bisect(four, 3, { seed: 1 })).toThrow(/vectors must hold whole rows of 3 numbers/)
    expect(() => bisect(four, 0, { seed: 1 })).toThrow(/width must be an integer of at least 1/)
    expect(() => bisect(four, 2, { seed: 1, clusters: 0 })).toThrow(/clusters must be an integer of at least 1/)
    expect(() => bisect(four, 2, { seed: -1 })).toThrow(/seed must be an integer from 0 to 4294967295/)
    expect(() => bisect(four, 2, {} as { seed: number })).toThrow(/seed must be a number, received undefined/)
    expect(() => bisect(four, 2, { seed: 1, restarts: 0 })).toThrow(/restarts must be an integer from 1 to 1000/)
    expect(() => bisect(Float64Array.of(1, Number.NaN), 2, { seed: 1 })).toThrow(/vectors\[1\] must be a finite number/)
    expect(() => nearestCentroids(four, { centroids: four, clusters: 1, width: 2 })).toThrow(
      /centroids must hold 1 rows/,
    )
  })
})

function sparse(dense: Float64Array, width: number) {
  const starts = [0]
  const columns: number[] = []
  const values: number[] = []
  for (const row of rowsOf(dense, width)) {
    row.forEach((value, column) => {
      if (value === 0) return
      columns.push(column)
      values.push(value)
    })
    starts.push(columns.length)
  }
  return { starts: Uint32Array.from(starts), columns: Uint32Array.from(columns), values: Float64Array.from(values) }
}

/** Lloyd's way from every choice of seeds among the rows; the one with the largest E. */
function bestMeans(rows: readonly number[][], clusters: number): number[] {
  let best: number[] = []
  let most = Number.NEGATIVE_INFINITY
  for (const seeds of choices(rows.length, clusters)) {
    const assignment = lloyd(
      rows,
      seeds.map((row) => rows[row]!),
    )
    const criterion = criterionOf(rows, assignment)
    if (criterion <= most) continue
    most = criterion
    best = assignment
  }
  return best
}

function lloyd(rows: readonly number[][], seeds: readonly number[][]): number[] {
  let centroids = [...seeds]
  for (let assignment: number[] = []; ; ) {
    const next = rows.map((row) => {
      const cosines = centroids.map((centroid) => cosine(row, centroid))
      return cosines.indexOf(Math.max(...cosines))
    })
    if (next.join() === assignment.join()) return next
    assignment = next
    centroids = centroids.map((centroid, cluster) => {
      const members = rows.filter((_, row) => assignment[row] === cluster)
      return members.length === 0 ? centroid : centroidOf(members)
    })
  }
}

function choices(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]]
  return Array.from({ length: count - from }, (_, at) => from + at).flatMap((first) =>
    choices(count, size - 1, first + 1).map((rest) => [first, ...rest]),
  )
}

function bisectSparse(matrix: SparseMatrix, width: number, options: BisectionOptions) {
  return finish(bisectInSteps(new SparseRows(matrix, width), options))
}

/** The cluster that each vector belongs to. */
function nearestCentroids(vectors: Float64Array, centroids: Centroids): Uint32Array {
  const rows = new DenseRows(vectors, centroids.width)
  const search = new CentroidSearch(centroids)
  return Uint32Array.from({ length: rows.rows }, (_, row) => search.nearest(rows, row))
}
