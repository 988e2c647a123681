/**
 * A small index with everything in it that an index in a folder can have: several partitions, runs that no fold has
 * taken up, terms, records, a document table, and batches that are only in the log. And all that can be seen of it, as
 * one text.
 */
import { Freshdex } from 'freshdex'

export const OPTIONS = { key: 'id', fields: { title: { boost: 2 }, body: {} }, scoring: { weight: 'links' } }

const DOCUMENTS = 40

/**
 * Small: every file a few hundred bytes, for tests of every byte. Large: files of several blocks, each verified when it
 * is read.
 */
const SIZES = {
  small: { words: 12, vocabulary: 90, partitionBytes: 600 },
  large: { words: 700, vocabulary: 4_001, partitionBytes: 40_000 },
}

const QUERIES = [
  'w1',
  'w2 w3',
  'w4 OR w5 OR w6',
  'NOT w1',
  // Phrases read the records of all documents that have the words.
  '"version v0"',
  'w1*',
  't*',
  'w17~',
  'common',
  'title:common',
  'body:w7^3 w8',
  'rare3',
  'rare* -w2',
  'version',
  'v1',
  'v2 OR v3',
  'w*',
  'commun~2',
  '(w1 OR w2) (w3 OR w4)',
  '"version v2"',
]

const keyOf = (nth) => (nth % 4 === 0 ? nth : `page/${nth}`)
const keys = () => Array.from({ length: DOCUMENTS + 5 }, (_, nth) => keyOf(nth))

function pageOf(nth, version, { words: length, vocabulary }) {
  const words = Array.from({ length }, (_, word) => `w${(nth * 7 + word * word * 3 + version) % vocabulary}`)
  const body = `common ${words.join(' ')}\nrare${nth} version v${version}`
  return {
    id: keyOf(nth),
    title: `title ${nth % 5 ? 'common' : 'other'} t${nth}`,
    body,
    links: nth % 3,
    note: { version },
  }
}

/** Everything that a user can see, by reading all of it. */
export function looksOf(index) {
  const { documents, postings, fields, sequence } = index.stats()
  const answers = QUERIES.map((query) => {
    const { hits, total } = index.search(query, { limit: 100, docs: true })
    return [query, total, hits.map(({ key, score, doc }) => [key, score, doc])]
  })
  const stored = keys().map((key) => [key, index.has(key), index.get(key) ?? null])
  const all = [...index.documents()].map((document) => JSON.stringify(document)).sort()
  return JSON.stringify({ documents, postings, fields, sequence, answers, stored, all })
}

/**
 * Makes the index and leaves it open. Gives it with its looks after each of the batches that are in the log, by their
 * sequence.
 */
export async function makeSpecimen(folder, sizeName) {
  const size = SIZES[sizeName]
  const page = (nth, version) => pageOf(nth, version, size)
  const pages = (from, to, version) => Array.from({ length: to - from }, (_, nth) => page(from + nth, version))
  const { partitionBytes } = size
  const folded = await Freshdex.open(folder, {
    ...OPTIONS,
    upkeep: { logBytes: 1, foldPostings: 40, phrasePages: 3, partitionBytes },
  })
  for (let from = 0; from < DOCUMENTS; from += 10) await folded.write({ put: pages(from, from + 10, 0) })
  await folded.compact()
  await folded.close()
  const pending = await Freshdex.open(folder, { upkeep: { logBytes: 1, foldPostings: 1_000_000, partitionBytes } })
  for (const version of [1, 2]) await pending.write({ put: pages(version * 8, version * 8 + 4, version) })
  await pending.write({ remove: [keyOf(30), keyOf(31)] })
  await pending.close()
  const index = await Freshdex.open(folder, { durability: 'power' })
  const looks = { [index.stats().sequence]: looksOf(index) }
  // A replay reads the records of what it replaces. All of that is in one segment, so that reads come first to the
  // others.
  const batches = [
    { put: pages(2, 5, 3) },
    { put: pages(DOCUMENTS, DOCUMENTS + 2, 0), remove: [keyOf(9)] },
    { put: [{ ...page(6, 0), note: 'stored alone' }, page(7, 3)] },
    { remove: [keyOf(1)] },
  ]
  for (const batch of batches) {
    await index.write(batch)
    looks[index.stats().sequence] = looksOf(index)
  }
  return { index, looks }
}
