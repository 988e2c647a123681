/**
 * Batches that are a function of a seed and their number, so that whoever knows both knows what an index must hold.
 * Every batch is one write: its number is the sequence of the index after it.
 */

/** Documents have keys 0 … KEYS - 1; odd ones are URLs, of three hosts. */
export const KEYS = 60

export const OPTIONS = {
  key: 'id',
  fields: { title: { boost: 2 }, body: {} },
  columns: { group: 'keyword', number: 'number' },
  workload: { halfLifeMs: Number.POSITIVE_INFINITY },
}

/** A flush, a fold and a merge are due all the time. */
export const UPKEEP = { logBytes: 20_000, foldPostings: 50, phrasePages: 3, partitionBytes: 4_000 }

export const keyOf = (nth) => (nth % 2 === 0 ? nth : `https://host${nth % 3}.example/${nth}`)

/** When the documents of a batch were fetched. */
export const timeOf = (number) => 1_700_000_000_000 + number * 60_000

/** A query that is recorded before the batch is written. */
export const queryOf = (number) => `title w${number % 7}`

export function batchOf(seed, number) {
  const draw = generator(seed, number)
  const put = []
  const remove = []
  const size = draw(10) === 0 ? 40 : draw(8)
  const used = new Set()
  for (let nth = 0; nth < size; nth++) {
    const key = draw(KEYS)
    if (used.has(key)) continue
    used.add(key)
    if (draw(4) === 0) remove.push(keyOf(key))
    else put.push(documentOf(key, number, draw))
  }
  return { put, remove, compacts: draw(25) === 0 }
}

/** One in five keeps its text: only its columns and what is stored change. */
function documentOf(key, number, draw) {
  const version = draw(5) === 0 ? 0 : number
  const lines = Array.from({ length: 1 + draw(8) }, (_, line) => `line ${line} of w${draw(200)} and w${draw(2_000)}`)
  const body = version === 0 ? `always the same of ${key}` : `${lines.join('\n')}\nb${number}`
  const filler = 'x'.repeat(draw(3_000))
  const group = [`g${number % 5}`, `k${key % 3}`].slice(0, draw(3))
  return { id: keyOf(key), title: `title ${key} w${key % 7}`, body, number, filler, group }
}

/** Numbers below a bound, of one batch. */
export function generator(seed, number) {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number, 0x85ebca77)) >>> 0
  return (bound) => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) % bound
  }
}
