/** The batches of a working child, by their number, and what an index has after them. */

export const OPTIONS = { key: 'id', fields: { body: {} }, workload: { halfLifeMs: Number.POSITIVE_INFINITY } }
/** So that folds and flushes happen all the time. */
export const UPKEEP = { logBytes: 20_000, foldPostings: 50, phrasePages: 4, partitionBytes: 4000 }

const KEYS = 300

const mixed = (number) => {
  let state = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d) >>> 0
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0
  return (state ^ (state >>> 15)) >>> 0
}

export function batchAt(number) {
  const named = new Map()
  for (let nth = 0; nth < 12; nth++) {
    const key = mixed(number * 31 + nth) % KEYS
    named.set(key, nth < 9 ? documentAt(number, key) : undefined)
  }
  const put = [...named.values()].filter((document) => document !== undefined)
  const remove = [...named].filter(([, document]) => document === undefined).map(([key]) => `k${key}`)
  return { put, remove }
}

function documentAt(number, key) {
  const words = Array.from({ length: 30 }, (_, at) => `w${mixed(number * 7 + key + at) % 500}`)
  return { id: `k${key}`, body: `batch${number} ${words.join(' ')} own${key}x${number}` }
}

/** The bodies by key after so many batches. */
export function bodiesAfter(count) {
  const bodies = new Map()
  for (let number = 1; number <= count; number++) {
    const { put, remove } = batchAt(number)
    for (const { id, body } of put) bodies.set(id, body)
    for (const id of remove) bodies.delete(id)
  }
  return bodies
}
