/**
 * Writes generations up to the one of its second argument, or until it is killed, and says each that is acknowledged.
 */
import { writeSync } from 'node:fs'
import { Freshdex } from 'freshdex'
import { batchOf, OPTIONS, UPKEEP } from './generations.mjs'

const [, , folder, last] = process.argv
const index = await Freshdex.open(folder, { ...OPTIONS, upkeep: UPKEEP })
for (let generation = index.stats().sequence + 1; generation <= Number(last); generation++) {
  await index.write(batchOf(generation))
  writeSync(1, `${generation}\n`)
  if (generation % 60 === 0) await index.compact()
}
await index.close()
