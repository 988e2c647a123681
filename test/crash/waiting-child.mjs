/**
 * Loads pages and refreshes all of them, one write after another, until it is killed. Says "a n" when the n-th refresh
 * is acknowledged; a line is written at once, so that it is known even after SIGKILL.
 */
import { writeSync } from 'node:fs'
import { Freshdex } from 'freshdex'
import { OPTIONS, refreshAt, refreshOf } from './waiting.mjs'

const [, , folder] = process.argv
const index = await Freshdex.open(folder, OPTIONS)
for (let number = 0; ; number++) {
  await index.write({ put: refreshOf(number) }, { at: refreshAt(number) })
  if (number === 0) await index.workload.load([['apple', 3]], { at: refreshAt(0) })
  writeSync(1, `a ${number}\n`)
}
