/**
 * Tries damaged images of a specimen, one for each line of its input, and prints for each what became of it:
 *   refused CODE   the opening rejected
 *   noticed CODE   it opened, and a read threw
 *   same           it opened, and everything is as it was at the end
 *   earlier        it opened, and everything is as it was after an earlier batch
 *   DIFFERENT …    it opened, and something is not
 * Anything that is not an error of ours is printed with its message.
 */
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Freshdex, FreshdexError } from 'freshdex'
import { looksOf, OPTIONS } from './specimen.mjs'

const [, , specimen, looksFile, scratch] = process.argv
const looks = JSON.parse(readFileSync(looksFile, 'utf8'))
const last = Math.max(...Object.keys(looks).map(Number))

function damage(file, { kind, at, mask }) {
  if (kind === 'truncate') return truncateSync(file, at)
  const descriptor = openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  readSync(descriptor, byte, 0, 1, at)
  byte[0] ^= mask
  writeSync(descriptor, byte, 0, 1, at)
  closeSync(descriptor)
}

const told = (error) =>
  error instanceof FreshdexError && error.code !== 'INTERNAL' ? error.code : `WRONG ${error.stack ?? error}`

function read(index) {
  let now
  try {
    now = looksOf(index)
  } catch (error) {
    return `noticed ${told(error)}`
  }
  if (now === looks[last]) return 'same'
  if (Object.values(looks).includes(now)) return 'earlier'
  const { sequence, documents } = index.stats()
  return `DIFFERENT batch ${sequence}, ${documents} documents`
}

async function outcomeOf(image) {
  const folder = path.join(scratch, 'image')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  cpSync(specimen, folder, { recursive: true })
  damage(path.join(folder, image.file), image)
  let index
  try {
    index = await Freshdex.open(folder, image.readOnly ? { readOnly: true } : OPTIONS)
  } catch (error) {
    return `refused ${told(error)}`
  }
  const outcome = read(index)
  try {
    await index.close()
  } catch (error) {
    if (!(error instanceof FreshdexError)) return `WRONG closing ${error.stack}`
  }
  return outcome
}

for await (const line of createInterface({ input: process.stdin })) {
  const image = JSON.parse(line)
  console.log(JSON.stringify({ image, outcome: await outcomeOf(image) }))
}
rmSync(scratch, { recursive: true, force: true })
