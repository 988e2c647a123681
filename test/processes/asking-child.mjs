/**
 * Searches until it is killed or told to end, and says each query with its time before it is asked. Arguments: the
 * folder, the options of the opening as JSON, the name of the process, the number of searches, the seed.
 */
import { writeSync } from 'node:fs'
import { Freshdex } from 'freshdex'

const [folder, options, name, searches, seed] = process.argv.slice(2)
const index = await Freshdex.open(folder, JSON.parse(options))
let state = Number(seed) >>> 0
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}
const say = (line) => writeSync(1, `${line}\n`)
say('open')
for (let nth = 0; nth < Number(searches); nth++) {
  // Some queries are asked by all processes again and again, and some once by one of them.
  const query = random() < 0.7 ? `common${Math.floor(random() * 40)}` : `${name}x${nth}`
  // Said before it is asked: what is asked and not said would look like counted too often.
  say(`${Date.now()} ${query}`)
  index.search(query)
  await new Promise((resolve) => setTimeout(resolve, random() < 0.1 ? 4 : 0))
}
say('done')
// What is under way stays so until the parent ends the process.
setInterval(() => {}, 1000)
