/** What it takes to put documents into clusters: all of `index.clusters.build`, and the bisection of vectors alone. */
import { Freshdex } from 'freshdex'
import type { FrontierParts } from './library-parts.js'
import { bell } from './random-numbers.js'
import { elapsed } from './stopwatch.js'
import { inBatches, ZipfWords } from './zipf-words.js'

const SEED = 20_260_103
const CLUSTERS = 100
const FEATURES = 48
/** Vectors lie around so many directions. */
const DIRECTIONS = 60
const SPREAD = 0.3

export async function measureClusters({ bisect }: FrontierParts, documents: number) {
  const words = new ZipfWords(SEED)
  await using index = await Freshdex.open<{ url: string; body: string }>(':memory:', {
    key: 'url',
    fields: { body: {} },
  })
  await inBatches(
    documents,
    (nth) => ({
      url: `https://host${nth % 1000}.example/${words.word()}/${nth}`,
      body: words.text(20 + words.int(80)),
    }),
    (put) => index.write({ put }),
  )
  const build = await elapsed(() => index.clusters.build({ clusters: CLUSTERS }))
  const vectors = directions(words, documents)
  const bisection = await elapsed(async () => bisect(vectors, FEATURES, { clusters: CLUSTERS, seed: SEED }))
  return {
    documents,
    buildS: build.cpuUs / 1e6,
    bisectionS: bisection.cpuUs / 1e6,
    documentsInClusters: index.clusters.last()?.documents,
    clusters: index.clusters.last()?.clusters,
  }
}

function directions({ random }: ZipfWords, rows: number): Float64Array {
  const centres = Float64Array.from({ length: DIRECTIONS * FEATURES }, () => bell(random))
  const vectors = new Float64Array(rows * FEATURES)
  for (let row = 0; row < rows; row++) {
    const centre = Math.floor(DIRECTIONS * random()) * FEATURES
    for (let at = 0; at < FEATURES; at++) vectors[row * FEATURES + at] = centres[centre + at]! + SPREAD * bell(random)
  }
  return vectors
}
