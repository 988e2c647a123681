/** Vectors in groups that lie far apart, and ways to look at partitions of them. */
import type { SeededRandom } from '../support/seed.js'

export interface SeparatedGroups {
  readonly vectors: Float64Array
  readonly width: number
  /** By row. */
  readonly group: readonly number[]
}

/** Group g points mainly into direction g, with as much noise as told; lengths vary, as they are of no account. */
export function separatedGroups(random: SeededRandom, sizes: readonly number[], noise = 0.1): SeparatedGroups {
  const width = sizes.length + random.int(3)
  const group = random.shuffle(sizes.flatMap((size, number) => Array<number>(size).fill(number)))
  const vectors = new Float64Array(group.length * width)
  group.forEach((number, row) => {
    const length = 0.1 + 10 * random.next()
    for (let at = 0; at < width; at++) {
      vectors[row * width + at] = length * ((at === number ? 1 : 0) + noise * (2 * random.next() - 1))
    }
  })
  return { vectors, width, group }
}

/** The same for two partitions that differ only in the numbers of their clusters. */
export function partitionOf(assignment: Iterable<number>): string {
  const names = new Map<number, number>()
  const canonical: number[] = []
  for (const cluster of assignment) {
    if (!names.has(cluster)) names.set(cluster, names.size)
    canonical.push(names.get(cluster)!)
  }
  return canonical.join(' ')
}

export function rowsOf(vectors: ArrayLike<number>, width: number): number[][] {
  return Array.from({ length: vectors.length / width }, (_, row) =>
    Array.from({ length: width }, (_, at) => vectors[row * width + at]!),
  )
}

export function cosine(a: readonly number[], b: readonly number[]): number {
  const product = a.reduce((sum, value, at) => sum + value * b[at]!, 0)
  const norms = Math.hypot(...a) * Math.hypot(...b)
  return norms === 0 ? 0 : product / norms
}

/** Mean of the directions of some rows. */
export function centroidOf(rows: readonly (readonly number[])[]): number[] {
  const directions = rows.map((row) => row.map((value) => value / (Math.hypot(...row) || 1)))
  return rows[0]!.map((_, at) => directions.reduce((sum, row) => sum + row[at]!, 0) / rows.length)
}

/** E by its definition. */
export function criterionOf(rows: readonly (readonly number[])[], assignment: ArrayLike<number>): number {
  const numbers = [...new Set(Array.from(assignment))]
  return numbers.reduce((sum, number) => {
    const members = rows.filter((_, row) => assignment[row] === number)
    const centroid = centroidOf(members)
    return sum + members.reduce((inner, row) => inner + cosine(row, centroid), 0)
  }, 0)
}
