/**
 * Takes steps on a disk that fails, preloaded as failing_disk.c, case after case as the lines of its input say, each
 * in a folder of its own; then opens the folder on a disk that works. Prints one line of JSON for each case.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import { Freshdex } from 'freshdex'
import { KEYS, keyOf, OPTIONS, UPKEEP } from './batches.mjs'
import { expectedFrontier, expectedLooks, frontierIn, looksOf } from './looks.mjs'
import { advance, advanceOne, firstState } from './states.mjs'
import { beginBatch, codeOf, isPrompt, perform, positionAfter, positionOf, START, stepsOf } from './steps.mjs'

const root = process.env.FAILING_DISK_FOLDER
const control = openSync(process.env.FAILING_DISK_CONTROL, 'r+')

/** Small enough for a flush after nearly every batch. */
const upkeep = { ...UPKEEP, logBytes: 1_500, partitionBytes: 1_000 }

/** As the table in failing_disk.c says. */
function setDisk({ at = 0, lasts = false, error = 0 } = {}) {
  const page = Buffer.alloc(168)
  for (const [nth, word] of [0, at, lasts ? 1 : 0, error, 0].entries()) page.writeBigUInt64LE(BigInt(word), nth * 8)
  writeSync(control, page, 0, page.length, 0)
}

function counters() {
  const page = Buffer.alloc(168)
  readSync(control, page, 0, page.length, 0)
  const [first] = page.toString('latin1', 40).split('\0')
  return { calls: Number(page.readBigUInt64LE(0)), failed: Number(page.readBigUInt64LE(32)), first }
}

/** What is wrong with the documents of an index that should be at `state`, and with all that is known of them. */
function differenceFrom(index, state) {
  const { position, documents } = state
  for (let nth = 0; nth < KEYS; nth++) {
    if (!isDeepStrictEqual(index.get(keyOf(nth)), documents.get(keyOf(nth)))) return `document ${keyOf(nth)}`
  }
  const [looks, expected] = [looksOf(index), expectedLooks(state)]
  for (const name of Object.keys(expected)) if (!isDeepStrictEqual(looks[name], expected[name])) return name
  if (index.stats().ledger.documents !== documents.size) return `${index.stats().ledger.documents} rows of the ledger`
  const marks = [...documents.values()].filter(({ body }) => body.endsWith(`\nb${position.number}`)).length
  if (index.search(`b${position.number}`, { docs: true }).total !== marks) return `search for b${position.number}`
  if (index.stats().documents !== documents.size) return `${index.stats().documents} documents`
  return null
}

/** The same of an index in a folder, which must be at one of the positions from `first` to `last`. */
function differenceBetween(index, folder, seed, { first, last }) {
  const { sequence } = index.stats()
  if (sequence < first.number || sequence > last.number) return `${sequence} batches`
  const start = sequence === first.number ? first : { number: sequence, step: 0 }
  let difference = 'no position'
  let state = advance(seed, firstState(), start)
  while (state.position.number === sequence && codeOf(state.position) <= codeOf(last)) {
    const isFrontier = isDeepStrictEqual(frontierIn(folder), expectedFrontier(state))
    difference = differenceFrom(index, state) ?? (isFrontier ? null : 'the rows of the frontier')
    if (difference === null) return null
    state = advanceOne(seed, state)
  }
  return difference
}

const told = (error) => ({
  code: error.code ?? String(error),
  cause: error.cause?.code ?? null,
  message: error.message,
})

async function attempt(act) {
  try {
    await act()
    return null
  } catch (error) {
    return told(error)
  }
}

/** Until the first failure, or to the end. */
async function takeAll(index, { seed, batches, compactAt }, result) {
  for (let number = 1; number <= batches; number++) {
    beginBatch(index, number)
    for (const [place, step] of stepsOf(seed, number).entries()) {
      result.sent = codeOf(positionAfter(seed, number, place))
      result.failure = await attempt(() => perform(index, step))
      if (result.failure !== null) return
      // A plan says nothing of lessons that it could not keep: then the next step tells of the failure.
      if (isPrompt(step) || hasLearnt(index, seed, result.sent)) result.acknowledged = result.sent
    }
    if (number !== compactAt) continue
    result.failure = await attempt(() => index.compact())
    if (result.failure !== null) return
  }
}

/** REQUIRES: the frontier was looked at. */
function hasLearnt(index, seed, code) {
  return index.stats().frontier.learnt === advance(seed, firstState(), positionOf(code)).learnt
}

async function play(task) {
  const folder = path.join(root, `case-${task.name}`)
  const result = { name: task.name, acknowledged: 0, sent: 0, failure: null, later: null, after: null, closing: null }
  setDisk(task)
  try {
    const index = await Freshdex.open(folder, { ...OPTIONS, durability: task.durability, upkeep })
    await takeAll(index, task, result)
    // Searches go on, whatever the disk does, with what was acknowledged.
    result.after = differenceFrom(index, advance(task.seed, firstState(), positionOf(result.acknowledged)))
    if (result.failure !== null) result.later = await attempt(() => index.write({ remove: ['nobody'] }))
    result.closing = await attempt(() => index.close())
  } catch (error) {
    result.opening = told(error)
  }
  Object.assign(result, counters())
  setDisk()
  result.reopened = await reopen(folder, task.seed, result)
  rmSync(folder, { recursive: true, force: true })
  return result
}

async function reopen(folder, seed, { acknowledged, sent }) {
  try {
    const index = await Freshdex.open(folder, OPTIONS)
    const { ok, faults } = await index.check({ level: 3 })
    const range = { first: acknowledged === 0 ? START : positionOf(acknowledged), last: positionOf(sent) }
    const difference = differenceBetween(index, folder, seed, range)
    await index.write({ put: [{ id: 'afterwards', body: 'it goes on' }] })
    await index.close()
    return { ok, faults, difference }
  } catch (error) {
    return { error: told(error) }
  }
}

for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await play(JSON.parse(line))))
closeSync(control)
