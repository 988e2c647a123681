/**
 * Writes and works on an index until it is killed: node working-child.mjs FOLDER WORK DURABILITY FROM. Says, each
 * on a line and before it goes on: o when it is open, s n before batch n is handed over, a n when that is acknowledged,
 * b before a piece of work and e after it. A copy is named by the
 * batches that it has. Ends by itself only after ten pieces of work.
 */
import { writeSync } from 'node:fs'
import { Freshdex, salvage } from 'freshdex'
import { batchAt, OPTIONS, UPKEEP } from './working-batches.mjs'

const [, , folder, work, durability, fromText] = process.argv
const say = (line) => writeSync(1, `${line}\n`)
const open = () => Freshdex.open(folder, { ...OPTIONS, durability, upkeep: UPKEEP })

let index = await open()
let number = Number(fromText)
if (index.stats().sequence !== number) throw new Error(`${index.stats().sequence} batches where ${number} were`)
say('o')

async function write() {
  number++
  say(`s ${number}`)
  await index.write(batchAt(number))
  say(`a ${number}`)
}

async function piece() {
  const target = `${folder}-${work}-${number}`
  if (work === 'compact') return index.compact()
  if (work === 'backup') return index.backup(target)
  if (work === 'close') {
    await index.close()
    index = await open()
    return
  }
  if (work === 'write') {
    for (let nth = 0; nth < 20; nth++) await write()
    return
  }
  // A salvage reads a folder that nobody writes.
  await index.close()
  await salvage(folder, target)
  index = await open()
}

for (let nth = 0; nth < 10; nth++) {
  for (let batches = 0; batches < 5; batches++) await write()
  say('b')
  await piece()
  say('e')
}
await index.close()
say('done')
