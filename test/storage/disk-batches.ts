/** What a run in a folder writes, and the options that it opens the index with. */
import type { Configuration } from '../model/configurations.js'
import { editDocument, generateDocument, generateKey } from '../model/document-generator.js'
import type { NaiveDocument, NaiveIndex, NaiveKey } from '../model/naive-index.js'
import type { SeededRandom } from '../support/seed.js'

export interface BatchSize {
  /** The fuller the index is, the more is removed. */
  readonly mostDocuments: number
  readonly largestBatch: number
}

export function generateBatch(
  random: SeededRandom,
  configuration: Configuration,
  twin: NaiveIndex,
  { mostDocuments, largestBatch }: BatchSize,
): { put: NaiveDocument[]; remove: NaiveKey[] } {
  const used = new Set<NaiveKey>()
  const put: NaiveDocument[] = []
  const remove: NaiveKey[] = []
  const keys = twin.keys()
  const crowding = keys.length / mostDocuments
  for (let left = random.chance(0.05) ? 0 : random.between(1, largestBatch); left > 0; left--) {
    const key = keys.length > 0 && random.chance(0.3 + 0.6 * crowding) ? random.pick(keys) : generateKey(random)
    if (used.has(key)) continue
    used.add(key)
    const document = twin.document(key)
    if (random.chance(0.05 + 0.3 * crowding)) remove.push(key)
    else if (document !== undefined) put.push(editDocument(random, configuration, document))
    else put.push(generateDocument(random, configuration, key))
  }
  return { put, remove }
}

/** Other ones at each opening: an index must not depend on the thresholds that it was written under. */
export function writerOptions(random: SeededRandom) {
  return {
    durability: random.pick(['process', 'process', 'process', 'power'] as const),
    upkeep: {
      logBytes: random.pick([1, 2_000, 20_000]),
      foldPostings: random.pick([10, 50, 1_000]),
      phrasePages: random.pick([2, 5, 1_000]),
      packRecords: random.chance(0.5),
      partitionBytes: random.pick([500, 4_000, 100_000]),
    },
  }
}
