/**
 * Writes batch after batch until it is killed. Says, each on a line and before it goes on: r when it is about to open,
 * s n before batch n is handed over, a n when it is acknowledged. Lines are written at once: what was said is known
 * even after SIGKILL.
 */
import { writeSync } from 'node:fs'
import { Freshdex } from 'freshdex'
import { batchOf, OPTIONS, queryOf, timeOf, UPKEEP } from './batches.mjs'

const [, , folder, seedText, durability] = process.argv
const seed = Number(seedText)
const say = (line) => writeSync(1, `${line}\n`)

say('r')
const index = await Freshdex.open(folder, { ...OPTIONS, durability, upkeep: UPKEEP })
let snapshot
let number = index.stats().sequence

async function send() {
  const sent = ++number
  const { put, remove } = batchOf(seed, sent)
  say(`s ${sent}`)
  index.workload.record(queryOf(sent), { at: timeOf(sent) })
  await index.write({ put, remove }, { at: timeOf(sent) })
  say(`a ${sent}`)
}

for (;;) {
  // Several on their way at once, now and then.
  await Promise.all(Array.from({ length: number % 5 === 0 ? 3 : 1 }, send))
  if (number % 11 === 0) {
    snapshot?.close()
    snapshot = index.snapshot()
  }
  if (batchOf(seed, number).compacts) await index.compact()
}
