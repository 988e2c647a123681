/**
 * Batches by which a reader can tell whether it sees one moment: each writes its number, the generation, into the text
 * and the stored form of the same documents, and replaces one more document whose key is new each time, so that its
 * number is given away and used again.
 */

export const DOCUMENTS = 20
export const OPTIONS = { key: 'id', fields: { body: {} } }
export const UPKEEP = { logBytes: 5_000, foldPostings: 50, phrasePages: 3, partitionBytes: 2_000 }

/** How often the word that all documents have stands in each: their scores depend on it, and on nothing else. */
export const frequencyOf = (generation) => 1 + (generation % 7)

export function batchOf(generation) {
  const body = `${'shared '.repeat(frequencyOf(generation))}g${generation} w${generation % 50}`
  const put = Array.from({ length: DOCUMENTS }, (_, nth) => ({ id: nth, body, generation }))
  put.push({ id: `lone ${generation}`, body: `lone g${generation}`, generation })
  return { put, remove: generation > 1 ? [`lone ${generation - 1}`] : [] }
}
