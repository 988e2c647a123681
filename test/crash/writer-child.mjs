/**
 * Takes step after step, from the position of its last argument on, until it is killed. Says, each on a line and before
 * it goes on: r when it is about to open, s p before the step to position p is handed over, a p when it is
 * acknowledged. Lines are written at once: what was said is known even after SIGKILL.
 */
import { writeSync } from 'node:fs'
import { Freshdex } from 'freshdex'
import { batchOf, OPTIONS, UPKEEP } from './batches.mjs'
import { beginBatch, codeOf, isInCrowd, isPrompt, perform, positionAfter, positionOf, stepsOf } from './steps.mjs'

const [, , folder, seedText, durability, codeText] = process.argv
const seed = Number(seedText)
const say = (line) => writeSync(1, `${line}\n`)

say('r')
const index = await Freshdex.open(folder, { ...OPTIONS, durability, upkeep: UPKEEP })
let snapshot
let { number, step: done } = positionOf(Number(codeText))
if (index.stats().sequence !== number) throw new Error(`${index.stats().sequence} batches where ${number} were`)

/**
 * A step that finds nothing to do is acknowledged at once: a position is reached when all steps before it are
 * acknowledged, too.
 */
let reached = Promise.resolve()

function take(step, code) {
  say(`s ${code}`)
  reached = Promise.all([reached, perform(index, step)]).then(() => say(`a ${code}`))
  return reached
}

/** All steps at once, but for those that look at much before they commit. */
async function send() {
  const sent = ++number
  const [first, steps] = [done, stepsOf(seed, sent)]
  done = 0
  beginBatch(index, sent)
  const underWay = []
  for (let place = first; place < steps.length; place++) {
    const isAlone = !isPrompt(steps[place])
    if (isAlone) await Promise.all(underWay.splice(0))
    const taken = take(steps[place], codeOf(positionAfter(seed, sent, place)))
    if (isAlone) await taken
    else underWay.push(taken)
  }
  await Promise.all(underWay)
}

for (;;) {
  // Several on their way at once, now and then.
  const batches = [send()]
  while (isInCrowd(number + 1) && batches.length < 3) batches.push(send())
  await Promise.all(batches)
  if (number % 11 === 0) {
    snapshot?.close()
    snapshot = index.snapshot()
  }
  if (batchOf(seed, number).compacts) await index.compact()
}
