/** The cluster of a page's words against a look at every centroid. */
import { expect, it } from 'vitest'
import { finish } from '../../src/base/turns.js'
import { CentroidSearch } from '../../src/clusters/centroids.js'
import { SparseRows } from '../../src/clusters/unit-rows.js'
import { learnWordClustersInSteps, wordClusterOf } from '../../src/clusters/word-clusters.js'
import { SeededRandom, withSeed } from '../support/seed.js'

it('a page belongs to the nearest centroid by the words that it has', () => {
  withSeed('word clusters', (seed) => {
    const random = new SeededRandom(seed)
    const wordsOf = (most: number) =>
      new Map(Array.from({ length: random.int(most) }, () => [`w${random.int(80)}`, random.int(4)]))
    for (let round = 0; round < 10; round++) {
      const pages = Array.from({ length: 60 }, () => wordsOf(12))
      const options = { seed, clusters: random.between(1, 12), topWords: 40 }
      const { model } = finish(learnWordClustersInSteps(pages, options))
      const search = new CentroidSearch(model)
      for (const words of [...pages, ...Array.from({ length: 60 }, () => wordsOf(20))]) {
        const known = [...words].filter(([word, count]) => count > 0 && model.words.includes(word))
        const columns = Uint32Array.from(known, ([word]) => model.words.indexOf(word))
        const values = Float64Array.from(known, ([, count], at) => count * model.inverseFrequencies[columns[at]!]!)
        const rows = new SparseRows({ starts: Uint32Array.of(0, known.length), columns, values }, model.width)
        expect(wordClusterOf(model, words)).toBe(known.length === 0 ? -1 : search.nearest(rows, 0))
      }
    }
  })
})
