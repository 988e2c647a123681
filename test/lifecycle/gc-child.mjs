/**
 * Drops indexes or snapshots without closing them, as its first argument says, in as many rounds as the second says
 * after some that settle, and reports how far the process grew.
 */
import { Freshdex } from 'freshdex'
import { residentBytes } from './resources.mjs'

const SETTLED = 25
const ROUNDS = SETTLED + Number(process.argv[3])
const options = { key: 'id', fields: { body: {} } }

/** About half a megabyte of text, different every time. */
const pages = (round) =>
  Array.from({ length: 20 }, (_, nth) => ({
    id: nth,
    body: Array.from(
      { length: 3_000 },
      (_each, word) => `w${(word * 7919 + nth * 104_729 + round * 31) % 100_003}`,
    ).join(' '),
  }))

const kept = await Freshdex.open(':memory:', options)

const rounds = {
  async indexes(round) {
    const index = await Freshdex.open(':memory:', options)
    await index.write({ put: pages(round) })
    index.search('w1*')
  },
  async snapshots(round) {
    kept.snapshot()
    await kept.write({ put: pages(round) })
    kept.snapshot().search('w1*')
  },
  async 'snapshots of dropped indexes'(round) {
    const index = await Freshdex.open(':memory:', options)
    await index.write({ put: pages(round) })
    const snapshot = index.snapshot()
    void index.write({ remove: [1, 2, 3] })
    snapshot.search('w1*')
  },
}

let settled = 0
for (let round = 0; round < ROUNDS; round++) {
  if (round === SETTLED) settled = await residentBytes()
  await rounds[process.argv[2]](round)
  if (round % 20 === 0) await residentBytes()
}
console.log((await residentBytes()) - settled)
await kept.close()
